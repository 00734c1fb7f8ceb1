/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of MINRES, BiCGStab and their pipelines against their formulas in plain C, bit for
 * bit, for lengths around the lanes and the blocks, and for both kinds of diagonal. */
#include "solvers/kernels/updates/updates_bcgs.h"
#include "solvers/kernels/updates/updates_minres.h"
#include "solvers/kernels/updates/updates_pipebcgs.h"
#include "support/test_main.h"
#include "sweeps.h"

typedef struct data {
  double u[MAX + GUARD], v[MAX + GUARD], p[MAX + GUARD], z[MAX + GUARD], v_old[MAX + GUARD],
      p_old[MAX + GUARD], x[MAX + GUARD], e[MAX + GUARD];
} data;

static const ovk__minres_coeffs step = {0.3, 0.25, -0.7, 1.1, -0.4, 0.2, 0.9, -0.5, 0.6};

static ovk__minres_arrays arrays_of(data *d, bool d_is_z)
{
  return (ovk__minres_arrays){.v = d->v,
                              .v_old = d->v_old,
                              .z = d->z,
                              .u = d->u,
                              .p = d->p,
                              .p_old = d->p_old,
                              .e = d->e,
                              .x = d->x,
                              .d_is_z = d_is_z};
}

/* The four updates of rows 0 to n - 1. */
static void minres_plainly(int n, data *f, bool d_is_z)
{
  for (int i = 0; i < n; i++) {
    f->x[i] += step.xp * f->p[i];
    f->e[i] = step.ee * f->e[i] + step.ed * (d_is_z ? f->z[i] : f->v[i]);
    f->p_old[i] = step.pz * f->z[i] + step.pp * f->p[i] + step.po * f->p_old[i];
    f->v_old[i] = step.vu * f->u[i] + step.vv * f->v[i] + step.vo * f->v_old[i];
  }
}

static void check_minres_sums(int n, const data *f, const double *v, bool d_is_z,
                              const double sums[OVK__MINRES_SUMS])
{
  const double *d = d_is_z ? f->z : v;
  assert_true(sums[OVK__VZ] == dot(n, v, f->z));
  assert_true(sums[OVK__EE] == dot(n, f->e, f->e));
  assert_true(sums[OVK__ED] == dot(n, f->e, d));
  assert_true(sums[OVK__DD] == dot(n, d, d));
}

TEST(the_sweep_of_minres_updates_four_vectors)
{
  static data v, f;
  for (int d_is_z = 0; d_is_z < 2; d_is_z++) {
    FOR_EACH_LENGTH(n) {
      double sums[OVK__MINRES_SUMS];
      make_vectors(1, &v, &f, sizeof v);
      const ovk__minres_arrays a = arrays_of(&v, d_is_z);
      ovk__update_minres(n, &step, (ovk__diagonal){0}, &a, NULL);
      minres_plainly(n, &f, d_is_z);
      assert_memory_equal(&v, &f, sizeof v);
      ovk__dots_minres(n, v.v, v.z, v.e, d_is_z, sums);
      check_minres_sums(n, &f, f.v, d_is_z, sums);
    }
  }
}

TEST(the_sweep_of_minres_applies_a_diagonal)
{
  static data v, f;
  FOR_EACH_DIAGONAL_AND_CHOICE(n, D, d_is_z) {
    double sums[OVK__MINRES_SUMS];
    make_vectors(2, &v, &f, sizeof v);
    const ovk__minres_arrays a = arrays_of(&v, d_is_z);
    ovk__update_minres(n, &step, D, &a, sums);
    minres_plainly(n, &f, d_is_z);
    for (int i = 0; i < n; i++) f.z[i] = entry(D, i) * f.v_old[i];
    assert_memory_equal(&v, &f, sizeof v);
    check_minres_sums(n, &f, f.v_old, d_is_z, sums);
  }
}

TEST(the_sweeps_of_bicgstab_are_their_formulas)
{
  static data v, f;
  for (int kind = 0; kind <= KINDS; kind++) {
    const ovk__diagonal D = diagonal(kind);
    FOR_EACH_LENGTH(n) {
      make_vectors(3, &v, &f, sizeof v);
      ovk__bcgs_half(n, 0.3, v.v, D, v.u, v.z);
      ovk__bcgs_full(n, 0.3, 0.6, v.p, v.z, v.e, v.x, v.u);
      ovk__bcgs_direction(n, 0.8, 0.6, v.u, v.v, D, v.p_old, v.v_old);
      for (int i = 0; i < n; i++) {
        f.u[i] -= 0.3 * f.v[i];
        if (D.d) f.z[i] = entry(D, i) * f.u[i];
        f.x[i] += 0.3 * f.p[i] + 0.6 * f.z[i];
        f.u[i] -= 0.6 * f.e[i];
        f.p_old[i] = f.u[i] + 0.8 * (f.p_old[i] - 0.6 * f.v[i]);
        if (D.d) f.v_old[i] = entry(D, i) * f.p_old[i];
      }
      assert_memory_equal(&v, &f, sizeof v);
    }
  }
}

TEST(the_inner_products_of_bicgstab_are_five)
{
  static data v, f;
  FOR_EACH_LENGTH(n) {
    double sums[OVK__BCGS_SUMS];
    make_vectors(4, &v, &f, sizeof v);
    ovk__bcgs_sums(n, v.u, v.v, v.p, sums);
    assert_true(sums[OVK__TS] == dot(n, f.v, f.u));
    assert_true(sums[OVK__TT] == dot(n, f.v, f.v));
    assert_true(sums[OVK__SS_HALF] == dot(n, f.u, f.u));
    assert_true(sums[OVK__QS] == dot(n, f.p, f.u));
    assert_true(sums[OVK__QT] == dot(n, f.p, f.v));
  }
}

/* The vectors of a pipeline. */
typedef struct more {
  double m[MAX + GUARD], n[MAX + GUARD], z_old[MAX + GUARD], u_old[MAX + GUARD], q[MAX + GUARD],
      w[MAX + GUARD], cr[MAX + GUARD], cs[MAX + GUARD];
} more;

TEST(the_sweep_of_pipelined_minres_is_its_formulas)
{
  static data v, f;
  static more a, b;
  for (int kind = 0; kind <= KINDS; kind++) {
    const ovk__diagonal D = diagonal(kind);
    FOR_EACH_LENGTH(n) {
      double sums[OVK__MINRES_SUMS];
      make_vectors(5, &v, &f, sizeof v);
      make_vectors(6, &a, &b, sizeof a);
      const ovk__minres_pipeline arrays = {arrays_of(&v, false), a.n, a.m, a.z_old, a.u_old};
      ovk__update_pipelined_minres(n, &step, D, &arrays, sums);
      for (int i = 0; i < n; i++) {
        const double z = D.d ? entry(D, i) * f.v[i] : f.z[i];
        f.x[i] += step.xp * f.p[i];
        f.e[i] = step.ee * f.e[i] + step.ed * f.v[i];
        f.p_old[i] = step.pz * z + step.pp * f.p[i] + step.po * f.p_old[i];
        f.v_old[i] = step.vu * f.u[i] + step.vv * f.v[i] + step.vo * f.v_old[i];
        if (!D.d) b.z_old[i] = step.vu * b.m[i] + step.vv * f.z[i] + step.vo * b.z_old[i];
        b.u_old[i] = step.vu * b.n[i] + step.vv * f.u[i] + step.vo * b.u_old[i];
        if (D.d) b.m[i] = entry(D, i) * b.u_old[i];
      }
      assert_memory_equal(&v, &f, sizeof v);
      assert_memory_equal(&a, &b, sizeof a);
      for (int i = 0; D.d && i < n; i++) f.z[i] = entry(D, i) * f.v_old[i];
      const double *z = D.d ? f.z : b.z_old;
      assert_true(sums[OVK__VZ] == dot(n, f.v_old, z));
      assert_true(sums[OVK__UZ] == dot(n, b.u_old, z));
      assert_true(sums[OVK__EE] == dot(n, f.e, f.e));
      assert_true(sums[OVK__ED] == dot(n, f.e, f.v_old));
      assert_true(sums[OVK__DD] == dot(n, f.v_old, f.v_old));
    }
  }
}

/* t is u, v is v, x is x, r is e, p is p, s is v_old, z is z, cw is m, cz is n. */
static ovk__pb_arrays bicgstab_arrays(data *v, more *a)
{
  return (ovk__pb_arrays){.q = a->q,
                          .t = v->u,
                          .v = v->v,
                          .x = v->x,
                          .r = v->e,
                          .w = a->w,
                          .p = v->p,
                          .s = v->v_old,
                          .z = v->z,
                          .cr = a->cr,
                          .cw = a->m,
                          .cs = a->cs,
                          .cz = a->n};
}

/* Both sweeps with one step, in plain C. */
static void bicgstab_plainly(int n, ovk__diagonal D, ovk__bcgs_coeffs k, const ovk__pb_arrays *a)
{
  for (int i = 0; i < n; i++) {
    const double cr = D.d ? entry(D, i) * a->r[i] : a->cr[i];
    const double cs = D.d ? entry(D, i) * a->s[i] : a->cs[i];
    a->p[i] = cr + k.beta * (a->p[i] - k.omega * cs);
    if (!D.d) a->cs[i] = a->cw[i] + k.beta * (a->cs[i] - k.omega * a->cz[i]);
    a->s[i] = a->w[i] + k.beta * (a->s[i] - k.omega * a->z[i]);
    a->z[i] = a->t[i] + k.beta * (a->z[i] - k.omega * a->v[i]);
    a->r[i] -= k.alpha * a->s[i];
    if (!D.d) a->cr[i] -= k.alpha * a->cs[i];
    a->w[i] -= k.alpha * a->z[i];
    if (D.d) a->cz[i] = entry(D, i) * a->z[i];
  }
}

TEST(the_sweeps_of_pipelined_bicgstab_are_their_formulas)
{
  static data v, f;
  static more a, b;
  const ovk__bcgs_coeffs k = {0.3, -0.8, 0.6};
  for (int kind = 0; kind <= KINDS; kind++) {
    const ovk__diagonal D = diagonal(kind);
    FOR_EACH_LENGTH(n) {
      double half[OVK__PB_HALF_SUMS], full[OVK__PB_FULL_SUMS];
      make_vectors(7, &v, &f, sizeof v);
      make_vectors(8, &a, &b, sizeof a);
      const ovk__pb_arrays fused = bicgstab_arrays(&v, &a), plain = bicgstab_arrays(&f, &b);
      ovk__pipebcgs_half(n, &k, D, &fused, half);
      bicgstab_plainly(n, D, k, &plain);
      assert_memory_equal(&v, &f, sizeof v);
      assert_memory_equal(&a, &b, sizeof a);
      assert_true(half[OVK__PB_YR] == dot(n, plain.w, plain.r));
      assert_true(half[OVK__PB_YY] == dot(n, plain.w, plain.w));
      assert_true(half[OVK__PB_QS] == dot(n, plain.q, plain.s));
      assert_true(half[OVK__PB_QZ] == dot(n, plain.q, plain.z));
      assert_true(half[OVK__PB_PP] == dot(n, plain.p, plain.p));
      ovk__pipebcgs_full(n, &k, D, &fused, full);
      for (int i = 0; i < n; i++) {
        plain.x[i] += k.alpha * plain.p[i] + k.omega * (D.d ? entry(D, i) * f.e[i] : b.cr[i]);
        if (!D.d) plain.cr[i] -= k.omega * (plain.cw[i] - k.alpha * plain.cz[i]);
        plain.r[i] -= k.omega * plain.w[i];
        plain.w[i] -= k.omega * (plain.t[i] - k.alpha * plain.v[i]);
        if (D.d) plain.cw[i] = entry(D, i) * plain.w[i];
      }
      assert_memory_equal(&v, &f, sizeof v);
      assert_memory_equal(&a, &b, sizeof a);
      assert_true(full[OVK__PB_QR] == dot(n, plain.q, plain.r));
      assert_true(full[OVK__PB_QW] == dot(n, plain.q, plain.w));
      assert_true(full[OVK__PB_RR] == dot(n, plain.r, plain.r));
      assert_true(full[OVK__PB_XX] == dot(n, plain.x, plain.x));
    }
  }
}
