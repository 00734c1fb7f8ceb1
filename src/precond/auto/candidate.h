/* SPDX-License-Identifier: BSD-2-Clause */
/* A preconditioner that `auto` may take, by its table of functions and with its default options. */
#ifndef OVK_PRECOND_AUTO_CANDIDATE_H
#define OVK_PRECOND_AUTO_CANDIDATE_H

#include "matrix/vector/vec_impl.h"

#include <ovkrylov/precond.h>

/* In the order of their setups, cheapest first. */
typedef enum ovk__auto_kind {
  OVK__AUTO_NONE,
  OVK__AUTO_JACOBI,
  OVK__AUTO_IC,
  OVK__AUTO_ILU,
  OVK__AUTO_AMG,
  OVK__AUTO_KINDS
} ovk__auto_kind;

typedef struct ovk__auto_candidate {
  const ovk_precond_ops *ops; /* NULL: not set up */
  ovk_spec *spec;
  void *state;
} ovk__auto_candidate;

/* The name in a spec. */
const char *ovk__auto_name(ovk__auto_kind kind);

/* Whether its kind has factors M = L L^T. */
bool ovk__auto_has_factors(ovk__auto_kind kind);

/* *out <- one that is set up; empty after a failure. Collective; errors are agreed. */
ovk_err ovk__auto_candidate_create(const ovk_mat *A, ovk__auto_kind kind, ovk__auto_candidate *out);
void ovk__auto_candidate_free(ovk__auto_candidate *M);

/* After new values of A. A failure leaves one that can only be updated or freed. Collective; errors
 * are agreed. */
ovk_err ovk__auto_candidate_update(const ovk_mat *A, ovk__auto_candidate *M);

/* z <- M^-1 r. Collective; errors are agreed. */
ovk_err ovk__auto_candidate_apply(const ovk__auto_candidate *M, const ovk_vec *r, ovk_vec *z);

#endif
