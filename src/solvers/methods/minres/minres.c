/* SPDX-License-Identifier: BSD-2-Clause */
/* MINRES for a symmetric A, which may be indefinite, and a symmetric positive definite M. Source:
 * Paige and Saunders, "Solution of sparse indefinite systems of linear equations" (1975), in the
 * preconditioned form of Elman, Silvester and Wathen, "Finite elements and fast iterative solvers"
 * (2005), algorithm 6.1. The product is made before v is normalized, so that both inner products of
 * a Lanczos step are in one reduction. Step j is then complete at the reduction of step j + 1, so a
 * solve ends with one more product. */
#include "solvers/kernels/exact/updates_exact.h"
#include "solvers/methods/minres/minres_process.h"
#include "solvers/ops/ops_impl.h"

enum { SUMS };

/* The updates of a step for a diagonal M. */
typedef struct minres_step {
  const ovk__minres_coeffs *step;
  ovk__diagonal D;
  const ovk__minres_arrays *a;
} minres_step;

static ovk__minres_arrays minres_arrays_from(const ovk__minres_arrays *a, ovk_lidx i)
{
#define FROM(letter) .letter = a->letter + i,
  return (ovk__minres_arrays){.x = a->x + i, .d_is_z = a->d_is_z, OVK__MINRES_LETTERS(FROM, FROM)};
#undef FROM
}

static void minres_update_rows(void *arg, ovk_lidx i, ovk_lidx n)
{
  const minres_step *s = arg;
  const ovk__minres_arrays at = minres_arrays_from(s->a, i);
  ovk__update_minres(n, s->step, ovk__diagonal_from(s->D, i), &at, NULL);
}

static bool minres_update_and_add(void *arg, ovk_lidx i, ovk_lidx n, ovk__exact_sum *const *sums)
{
  const minres_step *s = arg;
  const ovk__minres_arrays at = minres_arrays_from(s->a, i);
  return ovk__update_minres_exact(n, s->step, ovk__diagonal_from(s->D, i), &at, sums);
}

/* The updates of a step, M^-1, and this rank's parts of the sums. */
static void minres_update(ovk_solver *S, const ovk__minres_coeffs *step, ovk__minres_vectors *V,
                          double sums[])
{
  const ovk__minres_arrays a = ovk__minres_arrays_of(S, V);
  if (S->D.d && S->marks) {
    minres_step all = {step, S->D, &a};
    const ovk__row_update update = {minres_update_rows, minres_update_and_add, &all};
    ovk__minres_mark(S, &update, a.v_old, a.z, a.e, sums);
  } else {
    OVK_SWEEP(S, ovk__update_minres(rows(S), step, S->D, &a, sums));
  }
  ovk__vec_swap(&V->v, &V->v_old);
  ovk__vec_swap(&V->p, &V->p_old);
  if (S->D.d) return;
  ovk__op_apply(S, V->v, V->z, ovk_poll_none());
  ovk__minres_add_up(S, V, sums);
}

/* z = M^-1 r, e = r or z, v_old = p = p_old = 0, and the sums. */
static ovk_err minres_setup(ovk_solver *S, const ovk__minres_vectors *V, double sums[])
{
  ovk__op_apply(S, V->v, V->z, ovk_poll_none());
  OVK_TRY(ovk_vec_copy(S->opts.norm == OVK_NORM_PRECONDITIONED ? V->z : V->v, V->e));
  OVK_TRY(ovk_vec_fill(V->v_old, 0));
  OVK_TRY(ovk_vec_fill(V->p, 0));
  OVK_TRY(ovk_vec_fill(V->p_old, 0));
  ovk__minres_add_up(S, V, sums);
  return OVK_OK;
}

static ovk_err minres_iterate(ovk_solver *S)
{
  ovk__minres_vectors V = ovk__minres_vectors_of(S);
  ovk__minres_process q;
  ovk__minres_coeffs step;
  double sums[OVK__MINRES_SUMS];

  ovk__minres_start(S, &q, &step);
  OVK_TRY(minres_setup(S, &V, sums));
  for (bool first = true;; first = false) {
    sums[OVK__UZ] = ovk__op_mult(S, V.z, V.u, ovk_poll_none()); /* u = A z */
    OVK_TRY(ovk__op_reduce(S, SUMS, sums));                     /* (v, z), (u, z), those of e */
    OVK_TRY(ovk__minres_take_sums(S, &q, sums, &V, first, &step));
    if (q.ended) break;
    minres_update(S, &step, &V, sums); /* x, e, p, v; z = M^-1 v; the sums */
    step.xp = 0;
  }
  return ovk__minres_end(S, &q, &step, &V);
}

static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT},
    OVK__REDUCTION(SUMS),
    {.kind = OVK__UPDATE, .doubles = {13, 14, 12}, .dots = 4},
    {.kind = OVK__PRECOND, .doubles = {0, 0, 3}},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_minres = {
    .name = "minres",
    .summary = "MINRES of Paige and Saunders, for a symmetric matrix; 1 blocking reduction",
    .A = OVK__A_SYMMETRIC,
    .vectors = OVK__MINRES_VECTORS,
    .sums = {[SUMS] = {.count = OVK__MINRES_SUMS, .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .iterate = minres_iterate,
    .many = &ovk__many_minres,
};
