/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of a preconditioner, for the solvers. */
#ifndef OVK_PRECOND_IMPL_H
#define OVK_PRECOND_IMPL_H

#include "matrix/many.h"
#include "precond/diagonal.h"

#include <ovkrylov/precond.h>

enum { OVK__PRECOND_INFO = 240 };

/* How fast solves with a preconditioner converge, for a notice where updates keep too much. */
typedef struct ovk__pace {
  const void *method; /* of the first solve after the setup; NULL: there was none */
  int norm;           /* of its test */
  double per_digit;   /* iterations that reduce the residual to a tenth */
  bool updated;       /* there was an update */
  bool compared;      /* a solve has been compared since the last update */
  bool notified;
} ovk__pace;

struct ovk_precond {
  OVK_OBJECT; /* of A's context */
  ovk_mat *A;
  const ovk_precond_ops *ops;
  ovk_precond_ops own_ops; /* the table of ovk_precond_create_from_ops() */
  ovk_spec *spec;
  void *user; /* for setup */
  void *state;
  bool set_up;
  bool unusable;               /* its own update failed, the same on all ranks */
  bool never_polls;            /* as its ops say on some rank, the same on all */
  bool ordered;                /* A was in order when the state was made */
  bool splits;                 /* has apply_split on all ranks, the same on all */
  bool many;                   /* takes blocks of columns, the same on all ranks */
  double *column;              /* of r, then of z, for applications to one column after the other */
  bool ready[OVK__WIDEST + 1]; /* widths for which ovk__precond_prepare_many() has been called */
  unsigned resets;             /* A's when the state was made: which values it is of */
  int64_t bytes;               /* of all ranks */
  char info[OVK__PRECOND_INFO]; /* the same on all ranks */
  ovk__pace pace;               /* the same on all ranks */
  bool tried_to_factor;         /* made once; the result: */
  ovk__kept_error factored;
};
OVK_IS_HANDLE(ovk_precond);

/* The first setup of M, which began at `start`. Collective; errors are agreed. */
ovk_err ovk__precond_set_up(ovk_precond *M, double start);

/* Frees a state of M. */
void ovk__precond_tear_down(const ovk_precond *M, void *state);

/* OVK_ERR_STATE after an update that failed. The same result on all ranks. */
ovk_err ovk__precond_check_ready(const ovk_precond *M);

/* M's matrix and M in order, as by ovk__mat_put_in_order(): M is updated unless it was made so.
 * Collective; errors are agreed. */
ovk_err ovk__precond_put_in_order(ovk_precond *M);

/* As the functions of precond.h, but arguments are not checked and failures are this rank's only:
 * the caller has to agree on them. Collective. */
ovk_err ovk__precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll);
ovk_err ovk__precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t, ovk_poll poll);
ovk_err ovk__precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w, ovk_poll poll);

/* Whether M has factors that are its own. The same on all ranks. */
bool ovk__precond_has_factors(const ovk_precond *M);

/* Whether M provides the products of ovk__precond_apply_split() with A as it is: not if M was made
 * for another matrix, or for values before the last reset. The same on all ranks. */
bool ovk__precond_splits(const ovk_precond *M, const ovk_mat *A);

/* p <- L^-T u, s <- A p, q <- L^-1 s; only if ovk__precond_splits() */
ovk_err ovk__precond_apply_split(const ovk_precond *M, const ovk_vec *u, ovk_vec *p, ovk_vec *s,
                                 ovk_vec *q, ovk_poll poll);

/* Allocates the memory of applications to blocks of this width, unless M has it. To be called
 * before ovk__precond_apply_many(), again after each setup and update of M, at no cost if it has
 * been. Collective; errors are agreed. */
ovk_err ovk__precond_prepare_many(ovk_precond *M, int width);

/* z <- M^-1 r for blocks of `width` columns, as of matrix/many.h. A width of 1 is one vector.
 * Columns are independent: a NaN of one stays there. Collective; failures are this
 * rank's only. */
ovk_err ovk__precond_apply_many(const ovk_precond *M, int width, const double *r, double *z,
                                ovk_poll poll);

/* The action of M^-1, for functions that take any operator. */
ovk_err ovk__precond_action(const void *M, const ovk_vec *in, ovk_vec *out);

/* The kind of M, the same on all ranks: OVK__M_OTHER if any rank's rows have no diagonal M^-1;
 * ranks without rows are ignored. Methods communicate differently for each kind, so a solver
 * determines it once for all its solves. Collective. */
ovk_err ovk__precond_kind_of(const ovk_precond *M, ovk__precond_kind *kind);

/* M^-1 of a diagonal M; d is NULL for other kinds. Reads all of d, and is called once per solve, as
 * d may change between solves. Fails, on this rank only, if the diagonal is no longer provided;
 * *out is the identity then. Called on all ranks. */
ovk_err ovk__precond_inverse_diagonal(const ovk_precond *M, ovk__precond_kind kind,
                                      ovk__diagonal *out);

#endif
