/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined MINRES: the reduction of a Lanczos step is overlapped with the preconditioner and
 * product of the next. The pipelining is that of Ghysels and Vanroose, "Hiding global
 * synchronization latency in the preconditioned conjugate gradient algorithm" (2014), for the
 * Lanczos process under minres: with m = M^-1 u and n = A m, z = M^-1 v and u = A z follow the
 * recurrence of v.
 *
 * The rounding error u - A z follows that recurrence as well, without the product. Its growth is
 * known from the scalars; if it matters, z and u are recomputed. */
#include "solvers/methods/minres/minres_process.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/ops_overlapped.h"

#include <float.h>
#include <math.h>

enum { SUMS };

/* The gap of u may not exceed this fraction of ||u||; and it is not worth the products while it is
 * below GROWTH times the rounding error of a recomputed u. */
static const double TAU = 1e-11, GROWTH = 1e2;

/* If z and u have been recomputed this often, and once in so many iterations, overlapping no longer
 * pays, and minres takes over. The limit is low, as minres restarts. */
enum { OFTEN = 4, INTERVAL = 16 };

/* The vectors of minres, and m = M^-1 u, n = A m. */
typedef struct vectors {
  ovk__minres_vectors a;
  ovk_vec *z_old, *u_old, *m, *n, *x;
} vectors;

/* The mean squares of the gaps of u and u_old and of their product, as errors of the steps are
 * independent; replace: they are too large. */
typedef struct gap {
  double now, both, old;
  bool replace;
} gap;

/* The rounding error of a step in u. */
static double pipelined_minres_rounding(const ovk__minres_process *q)
{
  return DBL_EPSILON * q->norm_T * q->norm_T;
}

/* u_new = n / gamma + vv u + vo u_old, where ||u|| is about norm_T gamma. */
static void pipelined_minres_update_gap(gap *g, const ovk__minres_process *q,
                                        const ovk__minres_coeffs *step)
{
  const gap was = *g;
  const double size = sqrt(was.now);
  g->replace = size > TAU * q->norm_T * q->gamma && size > GROWTH * pipelined_minres_rounding(q);
  g->now = step->vv * step->vv * was.now + 2 * step->vv * step->vo * was.both +
           step->vo * step->vo * was.old +
           pipelined_minres_rounding(q) * pipelined_minres_rounding(q);
  g->both = step->vv * was.now + step->vo * was.both;
  g->old = was.now;
}

/* z = M^-1 v; u = A z; (u, z) */
static void pipelined_minres_find_product(ovk_solver *S, const ovk_vec *v, ovk_vec *z, ovk_vec *u,
                                          double *uz)
{
  ovk__op_apply(S, v, z, ovk_poll_none());
  *uz = ovk__op_mult(S, z, u, ovk_poll_none());
}

/* z and u from v, and (u, z); m for a diagonal M. */
static void pipelined_minres_find_newest(ovk_solver *S, const vectors *V, double *uz)
{
  pipelined_minres_find_product(S, V->a.v, V->a.z, V->a.u, uz);
  if (S->D.d) ovk__op_apply(S, V->a.u, V->m, ovk_poll_none());
}

/* z, u, z_old, u_old from v and v_old, m for a diagonal M, and the sums. */
static void pipelined_minres_replace(ovk_solver *S, const vectors *V, double sums[])
{
  double unused;
  pipelined_minres_find_product(S, V->a.v_old, V->z_old, V->u_old, &unused);
  pipelined_minres_find_newest(S, V, &sums[OVK__UZ]);
  ovk__minres_add_up(S, &V->a, sums);
}

/* e = r or z; the vectors before the first are 0. */
static ovk_err pipelined_minres_setup(ovk_solver *S, const vectors *V, double sums[])
{
  const ovk__minres_vectors *a = &V->a;
  ovk_vec *const zero[] = {a->v_old, V->z_old, V->u_old, a->p, a->p_old};
  for (int k = 0; k < (int)(sizeof zero / sizeof *zero); k++) OVK_TRY(ovk_vec_fill(zero[k], 0));
  pipelined_minres_find_newest(S, V, &sums[OVK__UZ]);
  OVK_TRY(ovk_vec_copy(S->opts.norm == OVK_NORM_PRECONDITIONED ? a->z : a->v, a->e));
  ovk__minres_add_up(S, a, sums);
  return OVK_OK;
}

/* Of the vectors that a step has made. A diagonal M has no z_old = D v_old. */
static void pipelined_minres_mark(ovk_solver *S, const ovk__minres_pipeline *b, double sums[])
{
  const bool D = S->D.d, d_is_z = b->a.d_is_z;
  const double *v = b->a.v_old, *e = b->a.e, *z = D ? v : b->z_old, *d = d_is_z ? z : v;
  const bool scale = D && d_is_z;
  const ovk__pair pairs[OVK__MINRES_SUMS] = {
      [OVK__VZ] = {.x = v, .y = z, .scale_y = D},
      [OVK__UZ] = {.x = b->u_old, .y = z, .scale_y = D},
      [OVK__EE] = ovk__pair_of(e, e),
      [OVK__ED] = {.x = e, .y = d, .scale_y = scale},
      [OVK__DD] = {.x = d, .y = d, .scale_x = scale, .scale_y = scale}};
  OVK_SWEEP(S, ovk__mark_pairs(S, OVK__MINRES_SUMS, pairs, sums));
}

/* x, e, p, v, z, u and their sums. */
static void pipelined_minres_update(ovk_solver *S, const ovk__minres_coeffs *step, vectors *V,
                                    double sums[])
{
  const ovk__minres_pipeline b = {.a = ovk__minres_arrays_of(S, &V->a),
                                  .n = V->n->array,
                                  .m = V->m->array,
                                  .z_old = V->z_old->array,
                                  .u_old = V->u_old->array};
  OVK_SWEEP(S, ovk__update_pipelined_minres(rows(S), step, S->D, &b, sums));
  if (S->marks) pipelined_minres_mark(S, &b, sums);
  ovk__vec_swap(&V->a.v, &V->a.v_old);
  ovk__vec_swap(&V->a.z, &V->z_old);
  ovk__vec_swap(&V->a.u, &V->u_old);
  ovk__vec_swap(&V->a.p, &V->a.p_old);
}

/* Whether (v, z) is negative. With a z from a recurrence that can happen even for a positive
 * definite M, if v is little more than rounding errors. minres takes over and decides. */
static bool pipelined_minres_may_have_drifted(const ovk_solver *S, const double sums[],
                                              int iterations)
{
  return !S->D.d && iterations > 0 && sums[OVK__VZ] < 0;
}

/* z of a diagonal M, which is not stored, for the diagnosis of a sum that is NaN or Inf. */
static void pipelined_minres_store_z(ovk_solver *S, const vectors *V, const double sums[])
{
  if (!S->D.d || (isfinite(sums[OVK__VZ]) && isfinite(sums[OVK__UZ]))) return;
  ovk__op_apply(S, V->a.v, V->a.z, ovk_poll_none());
}

static ovk_err pipelined_minres_iterate(ovk_solver *S)
{
  vectors V;
  double sums[OVK__MINRES_SUMS];
  ovk__minres_process q;
  ovk__minres_coeffs step;
  gap g = {0};
  int replacements = 0;

  OVK__WORK_NAME(S, vectors, &V);
  ovk__minres_start(S, &q, &step);
  OVK_TRY(pipelined_minres_setup(S, &V, sums)); /* z = M^-1 v; u = A z */
  for (int iterations = 0;; iterations++) {
    OVK_TRY(ovk__op_begin(S, SUMS, sums)); /* (v, z), (u, z), those of e */
    const ovk_poll poll = ovk__op_poll(S, SUMS);
    ovk__op_apply_other(S, V.a.u, V.m, poll); /* m = M^-1 u */
    ovk__op_product(S, V.m, V.n, poll);       /* n = A m */
    OVK_TRY(ovk__op_wait(S, SUMS, sums));
    if (pipelined_minres_may_have_drifted(S, sums, iterations)) break;
    pipelined_minres_store_z(S, &V, sums);
    OVK_TRY(ovk__minres_take_sums(S, &q, sums, &V.a, iterations == 0, &step));
    if (q.ended) break;
    pipelined_minres_update_gap(&g, &q, &step);
    pipelined_minres_update(S, &step, &V, sums); /* x, e, p, v, z, u; the sums */
    step.xp = 0;
    if (!g.replace) continue;
    pipelined_minres_replace(S, &V, sums); /* z, u, z_old, u_old */
    S->counts.replacements++;
    if (++replacements >= OFTEN && INTERVAL * replacements > iterations) break;
    g = (gap){.now = pipelined_minres_rounding(&q) * pipelined_minres_rounding(&q),
              .old = pipelined_minres_rounding(&q) * pipelined_minres_rounding(&q)};
  }
  return ovk__minres_end(S, &q, &step, &V.a);
}

static const ovk__phase phases[] = {
    {.kind = OVK__BEGIN, .sum = SUMS},
    {.kind = OVK__PRECOND, .sum = SUMS, .polls = true},
    {.kind = OVK__PRODUCT, .sum = SUMS, .polls = true},
    {.kind = OVK__WAIT, .sum = SUMS},
    {.kind = OVK__UPDATE, .doubles = {16, 17, 18}, .dots = 5},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_pipelined_minres = {
    .name = "pipelined-minres",
    .aliases = "pipelined-cr pipecr",
    .summary = "pipelined MINRES; 1 reduction, overlapped with M and A",
    .A = OVK__A_SYMMETRIC,
    .vectors = OVK__WORK_COUNT(vectors),
    .sums = {[SUMS] = {.count = OVK__MINRES_SUMS, .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .fallback = &ovk__method_minres,
    .iterate = pipelined_minres_iterate,
    .many = &ovk__many_minres,
};
