/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the gmres methods: a cycle, which is an Arnoldi process B V_j = V_j+1 H of at most
 * `restart` columns and the least squares problem of H. B is A M^-1, or M^-1 A with side=left. */
#ifndef OVK_SOLVERS_METHODS_GMRES_GMRES_STATE_H
#define OVK_SOLVERS_METHODS_GMRES_GMRES_STATE_H

#include "solvers/kernels/basis/updates_basis.h"
#include "solvers/kernels/hessenberg.h"
#include "solvers/state/state.h"

/* The sums: of ovk__basis_dots(), and of one inner product. */
enum { OVK__GMRES_DOTS, OVK__GMRES_DOT };
enum { OVK__GMRES_DOTS_SIZE = OVK__BASIS_VU, OVK__GMRES_DOTS_PER_RESTART = 2 };

/* Work vectors: the basis, whose last vector also stores the previous x between cycles, then p and
 * z, then q of pgmres or the M^-1 v_j of fgmres. The first is u with basis=float, where one work
 * vector stores two vectors of the basis. */
enum { OVK__GMRES_OLD_X, OVK__GMRES_P, OVK__GMRES_Z, OVK__GMRES_VECTORS };
enum { OVK__PGMRES_Q = OVK__GMRES_VECTORS, OVK__PGMRES_VECTORS };

typedef struct ovk__gmres {
  int restart;
  bool left, flexible;
  ovk_vec **V, *p, *z, *q, **Z; /* of S->work */
  ovk_vec *old_x;               /* from the end of a cycle to the first sum of the next */
  void **v;                     /* the arrays of V, or of the basis in single precision */
  ovk__basis basis;             /* v */
  ovk__hessenberg P;
  double *numbers;       /* all of P and of the next arrays */
  double *dots, *lanes;  /* of ovk__basis_dots(), and its memory */
  double *s, *t, *c, *h; /* coefficients of an extension; H s */
  double *inverse;       /* with a preconditioner that changes: M^-1 v_j is inverse[j] Z_j */

  int cycles;        /* begun since the start of the method */
  int columns;       /* of H that x may use */
  double start_norm; /* of r at the start of the cycle */
  int start;         /* the iterations before the cycle */
  double loss;       /* with ortho=cgs: an estimate of ||V^T V - I|| */
  bool ended;        /* the cycle */
  bool given_up;     /* the method, without a reason: ovk__convergence_confirm() decides */
} ovk__gmres;

/* S->own, for ovk__method.open and close; and its pointers for a solve. */
ovk_err ovk__gmres_open(ovk_solver *S);
void ovk__gmres_close(ovk_solver *S);

/* The doubles of G->numbers, and the pointers to them. */
size_t ovk__gmres_count_numbers(int restart);
void ovk__gmres_place_numbers(ovk__gmres *G);

/* Cycles until S->reason is set or the method given up; `cycle` starts from r, or M^-1 r with
 * side=left, in V_0, and ends when ended is set. */
ovk_err ovk__gmres_iterate(ovk_solver *S, bool flexible,
                           ovk_err (*cycle)(ovk_solver *, ovk__gmres *));

/* For ovk__method.complete. */
ovk_err ovk__gmres_complete(ovk_solver *S, ovk_vec *x);

/* Whether M^-1 v is v on this rank. */
bool ovk__gmres_M_is_identity(const ovk_solver *S);

/* z <- B u; with a preconditioner that changes Z_j = M^-1 u. p is overwritten. */
void ovk__gmres_image(ovk_solver *S, ovk__gmres *G, int j, const ovk_vec *u, ovk_vec *z,
                      ovk_poll poll);

/* Begins the problem of a cycle, where rr is (V_0, V_0). Ends the method if that is as small as
 * the tolerance, and if the cycle before has gained nothing. */
void ovk__gmres_start(ovk_solver *S, ovk__gmres *G, double rr);

/* Takes column j of H, and counts and tests an iteration; dependent: V_j+1 is rounding errors. The
 * cycle ends then, as it does after the last column and if S->reason is set. Collective. */
ovk_err ovk__gmres_take_column(ovk_solver *S, ovk__gmres *G, int j, bool dependent);

/* Whether the totals of k basis vectors in G->dots are finite. If they are not,
 * ovk__gmres_diagnose() ends the solve; u is V_j, and image its image as made just before, or NULL
 * at the start of a cycle. Collective. */
bool ovk__gmres_finite(const ovk__gmres *G, int k);
void ovk__gmres_diagnose(ovk_solver *S, ovk__gmres *G, int j, const ovk_vec *u,
                         const ovk_vec *image);

/* This rank's parts of G->dots for k basis vectors. All values of the sum are defined then; one
 * that makes them itself clears them first. */
void ovk__gmres_dots(ovk_solver *S, ovk__gmres *G, int k, const ovk_vec *u, const ovk_vec *z);
void ovk__gmres_clear_dots(ovk__gmres *G);

/* With exact=all: marks of the same inner products; z may be NULL. */
void ovk__gmres_mark(ovk_solver *S, ovk__gmres *G, int k, const double *u, const double *z);

/* Gram-Schmidt with delayed reorthogonalisation, see delayed.c: from the totals of u = V_j and z
 * completes column j - 1 of H, and computes column j and the coefficients s, t of the extension.
 * *alpha <- the norm of u without its part in the basis. Collective. */
ovk_err ovk__gmres_reorthogonalise(ovk_solver *S, ovk__gmres *G, int j, double *alpha);

/* The Gram-Schmidt processes. */
ovk_err ovk__gmres_delayed_cycle(ovk_solver *S, ovk__gmres *G);
ovk_err ovk__gmres_reference_cycle(ovk_solver *S, ovk__gmres *G);

/* The fallback of the pipeline. */
extern const ovk__method ovk__method_gmres;

#endif
