/* SPDX-License-Identifier: BSD-2-Clause */
/* What ic and ilu have in common: their spec, their setup and what they say of themselves. */
#ifndef OVK_PRECOND_INCOMPLETE_INCOMPLETE_H
#define OVK_PRECOND_INCOMPLETE_INCOMPLETE_H

#include "precond/incomplete/factor.h"
#include "precond/incomplete/triangle.h"

#include <ovkrylov/precond.h>

/* The state of ic (L alone) and ilu. */
typedef struct ovk__incomplete {
  ovk__triangle L, U;
  char info[OVK__FACTOR_INFO];
} ovk__incomplete;

/* The keys of their specs: level=, store=, shift=. */
extern const char *const ovk__incomplete_keys[];

/* What differs between them. */
typedef struct ovk__incomplete_kind {
  const char *name;
  ovk__factorise *factorise;
  bool symmetric; /* A has to be, and there is no U */
} ovk__incomplete_kind;

extern const ovk__incomplete_kind ovk__incomplete_ic, ovk__incomplete_ilu;

/* A setup of ovk_precond_ops; and that for a block of A. Not collective. */
ovk_err ovk__incomplete_setup(const ovk_mat *A, const ovk_spec *spec,
                              const ovk__incomplete_kind *kind, void **state);
ovk_err ovk__incomplete_setup_block(const ovk__block *B, const ovk_spec *spec,
                                    const ovk__incomplete_kind *kind, void **state);

/* The same functions of ovk_precond_ops for both. */
void ovk__incomplete_destroy(void *state);
int64_t ovk__incomplete_bytes(void *state);
const char *ovk__incomplete_info(void *state);

#endif
