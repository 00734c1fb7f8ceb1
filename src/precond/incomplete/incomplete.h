/* SPDX-License-Identifier: BSD-2-Clause */
/* Common to ic, ilu and ssor: factors of this rank's diagonal block, their applications,
 * and their descriptions; and the setup of ic and ilu. */
#ifndef OVK_PRECOND_INCOMPLETE_INCOMPLETE_H
#define OVK_PRECOND_INCOMPLETE_INCOMPLETE_H

#include "precond/incomplete/factor.h"
#include "precond/incomplete/triangle/triangle.h"

#include <ovkrylov/precond.h>

typedef struct ovk__incomplete_options {
  long level;
  int single; /* values are kept as floats */
  double shift;
  int rcm; /* rows are in the reverse Cuthill-McKee order */
} ovk__incomplete_options;

/* M = L L^T if it is symmetric, when there is no U, else M = L U. */
typedef struct ovk__incomplete {
  ovk__incomplete_options options; /* of ic and ilu */
  bool symmetric;
  ovk__triangle L, U; /* of this rank's block with its row i in row order[i] of vectors */
  ovk_lidx *order;    /* NULL: row i */
  double *work;       /* a vector in that order; NULL without one */
  double *block;      /* the same for blocks of up to `widest` columns */
  int widest;
  char info[OVK__FACTOR_INFO];
} ovk__incomplete;

/* The keys of their specs: level=, store=, shift=, order=. */
#define OVK__STORE_OPTION OVK_WORD("store", 0, "precision of the stored values", "double", "float")
#define OVK__INCOMPLETE_OPTIONS                                                                    \
  OVK_INTEGER("level", 0, 1000000, 0, "level of fill"), OVK__STORE_OPTION,                         \
      OVK_WORD("order", 0, "order of the rows: as given, or reverse Cuthill-McKee", "natural",     \
               "rcm"),                                                                             \
      OVK_REAL("shift", 0, 1e6, 0, "shift of the diagonal, relative to it; 0: only where needed")
extern const ovk_option ovk__incomplete_table[];

/* The functions that differ between them. */
typedef struct ovk__incomplete_kind {
  const char *name;
  ovk__factorise *factorise;
  bool symmetric; /* A has to be, and there is no U */
} ovk__incomplete_kind;

extern const ovk__incomplete_kind ovk__incomplete_ic, ovk__incomplete_ilu;

/* A setup of ovk_precond_ops, of this rank's block of A or, if B is not NULL, of B made of that.
 * Not collective. */
ovk_err ovk__incomplete_setup(const ovk_mat *A, const ovk__block *B, const ovk_spec *spec,
                              const ovk__incomplete_kind *kind, void **state);

/* An update of ovk_precond_ops: in place where that can be, else as a setup, which leaves the state
 * as it is after a failure. Not collective. */
ovk_err ovk__incomplete_update(const ovk_mat *A, const ovk__incomplete_kind *kind, void *state);

/* state->L and U <- the factors in F. OVK_ERR_MEMORY; OVK_ERR_RANGE, see ovk__triangle_pack(). Not
 * collective. */
ovk_err ovk__incomplete_pack(const ovk__block *B, const char *who, bool single,
                             const ovk__factor *F, ovk__incomplete *state);

/* Functions of ovk_precond_ops for a state that is or begins with an ovk__incomplete; those of the
 * factors for a symmetric one. */
ovk_err ovk__incomplete_apply(void *state, const double *r, double *z, ovk_poll poll);
ovk_err ovk__incomplete_apply_left(void *state, const double *r, double *t, ovk_poll poll);
ovk_err ovk__incomplete_apply_right(void *state, const double *t, double *w, ovk_poll poll);
ovk_err ovk__incomplete_apply_many(void *state, int width, const double *r, double *z,
                                   ovk_poll poll);
ovk_err ovk__incomplete_prepare_many(void *state, int width);
void ovk__incomplete_destroy(void *state);
int64_t ovk__incomplete_bytes(void *state);
const char *ovk__incomplete_info(void *state);

#endif
