/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with exact sums against their formulas in plain C, bit for bit, for lengths around the
 * lanes, and for both kinds of diagonal; terms that do not fit in a window. */
#include "solvers/kernels/exact/updates_exact.h"
#include "support/test_main.h"
#include "sweeps.h"

typedef struct data {
  double x[MAX + GUARD], r[MAX + GUARD], u[MAX + GUARD], w[MAX + GUARD], m[MAX + GUARD],
      n[MAX + GUARD], z[MAX + GUARD], q[MAX + GUARD], s[MAX + GUARD], p[MAX + GUARD];
} data;

enum { UNIT = -40 }; /* of estimates */

static void start_sum(ovk__exact_sum *sum, bool rough)
{
  static const double one = 1;
  memset(sum, 0, sizeof *sum);
  if (rough) {
    ovk__exact_sum_clear_rough(sum, UNIT);
  } else {
    ovk__exact_sum_clear(sum);
    ovk__exact_sum_expect(sum, 1, &one, &one);
  }
  assert_true(ovk__exact_sum_takes(sum));
}

static void check_sum(ovk__exact_sum *sum, int n, const double *x, const double *y, bool rough)
{
  ovk__exact_sum should;
  double words[2][OVK__LONG_WORDS];
  start_sum(&should, rough);
  ovk__exact_sum_add(&should, n, x, y);
  ovk__exact_sum_put_long(sum, words[0]);
  ovk__exact_sum_put_long(&should, words[1]);
  assert_memory_equal(words[0], words[1], sizeof words[0]);
}

TEST(r_is_updated_and_its_products_are_added)
{
  static data v, f;
  FOR_EACH_DIAGONAL_AND_CHOICE(n, D, of_z) {
    if (n > OVK__EXACT_BLOCK) continue;
    ovk__exact_sum vv, rz, *const sums[] = {&vv, &rz};
    start_sum(&vv, false);
    start_sum(&rz, false);
    make_vectors(1, &v, &f, sizeof v);
    assert_true(ovk__cg_update_r_exact(n, 0.7, v.s, D, of_z, v.r, sums));
    for (int i = 0; i < n; i++) f.r[i] -= 0.7 * f.s[i];
    assert_memory_equal(&v, &f, sizeof v);
    for (int i = 0; i < n; i++) f.z[i] = entry(D, i) * f.r[i];
    check_sum(&vv, n, of_z ? f.z : f.r, of_z ? f.z : f.r, false);
    check_sum(&rz, n, f.r, f.z, false);
  }
}

static void pipecg_formulas(int n, ovk__diagonal D, data *f)
{
  for (int i = 0; i < n; i++) {
    const double u = D.d ? entry(D, i) * f->r[i] : f->u[i];
    f->z[i] = f->n[i] + -1.3 * f->z[i];
    f->s[i] = f->w[i] + -1.3 * f->s[i];
    f->p[i] = u + -1.3 * f->p[i];
    f->x[i] += 0.7 * f->p[i];
    f->r[i] -= 0.7 * f->s[i];
    f->w[i] -= 0.7 * f->z[i];
    if (D.d) {
      f->m[i] = entry(D, i) * f->w[i];
    } else {
      f->q[i] = f->m[i] + -1.3 * f->q[i];
      f->u[i] -= 0.7 * f->q[i];
    }
  }
}

static void check_pipecg_sums(int n, ovk__diagonal D, bool exact_u, data *f,
                              ovk__exact_sum *const sums[])
{
  for (int i = 0; D.d && i < n; i++) { /* not stored by the sweep */
    f->u[i] = entry(D, i) * f->r[i];
    f->q[i] = entry(D, i) * f->s[i];
  }
  check_sum(sums[OVK__RU], n, f->r, f->u, false);
  check_sum(sums[OVK__WU], n, f->w, f->u, false);
  check_sum(sums[OVK__RR], n, f->r, f->r, false);
  check_sum(sums[OVK__XX], n, f->x, f->x, true);
  check_sum(sums[OVK__UU], n, f->u, f->u, !exact_u);
  check_sum(sums[OVK__WW], n, f->w, f->w, true);
  check_sum(sums[OVK__PP], n, f->p, f->p, true);
  check_sum(sums[OVK__SS], n, f->s, f->s, true);
  check_sum(sums[OVK__QQ], n, f->q, f->q, true);
  check_sum(sums[OVK__ZZ], n, f->z, f->z, true);
}

static void check_pipecg(int n, ovk__diagonal D, bool exact_u)
{
  static data v, f;
  ovk__exact_sum sum[OVK__PIPECG_SUMS], *sums[OVK__PIPECG_SUMS];
  const ovk__pipecg_arrays a = PIPECG_ARRAYS(v);
  for (int k = 0; k < OVK__PIPECG_SUMS; k++) {
    sums[k] = &sum[k];
    start_sum(&sum[k], k > OVK__RR && !(k == OVK__UU && exact_u));
  }
  make_vectors(2, &v, &f, sizeof v);
  assert_true(ovk__update_pipecg_exact(n, 0.7, -1.3, D, &a, sums));
  pipecg_formulas(n, D, &f);
  assert_memory_equal(&v, &f, sizeof v);
  check_pipecg_sums(n, D, exact_u, &f, sums);
}

TEST(a_pipelined_step_adds_its_products)
{
  FOR_EACH_CASE(n, D, exact_u)
  {
    if (n <= OVK__EXACT_BLOCK) check_pipecg(n, D, exact_u);
  }
}

static void minres_formulas(int n, const ovk__minres_coeffs *c, ovk__diagonal D, bool d_is_z,
                            data *f)
{
  for (int i = 0; i < n; i++) {
    f->x[i] += c->xp * f->p[i];
    f->w[i] = c->ee * f->w[i] + c->ed * (d_is_z ? f->z[i] : f->r[i]);
    f->s[i] = c->pz * f->z[i] + c->pp * f->p[i] + c->po * f->s[i];
    f->q[i] = c->vu * f->u[i] + c->vv * f->r[i] + c->vo * f->q[i];
    f->z[i] = entry(D, i) * f->q[i];
  }
}

static void check_minres(int n, ovk__diagonal D, bool d_is_z)
{
  static data v, f;
  const ovk__minres_coeffs c = {0.7, -0.6, 0.3, 0.9, -0.4, 0.2, 1.1, -0.8, 0.5};
  const ovk__minres_arrays a = {.u = v.u,
                                .v = v.r,
                                .p = v.p,
                                .z = v.z,
                                .v_old = v.q,
                                .p_old = v.s,
                                .x = v.x,
                                .e = v.w,
                                .d_is_z = d_is_z};
  const double *d = d_is_z ? f.z : f.q;
  ovk__exact_sum sum[OVK__MINRES_MARKS], *sums[OVK__MINRES_MARKS];
  for (int k = 0; k < OVK__MINRES_MARKS; k++) {
    sums[k] = &sum[k];
    start_sum(&sum[k], false);
  }
  make_vectors(3, &v, &f, sizeof v);
  assert_true(ovk__update_minres_exact(n, &c, D, &a, sums));
  minres_formulas(n, &c, D, d_is_z, &f);
  assert_memory_equal(&v, &f, sizeof v);
  check_sum(sums[OVK__MARK_VZ], n, f.q, f.z, false);
  check_sum(sums[OVK__MARK_EE], n, f.w, f.w, false);
  check_sum(sums[OVK__MARK_ED], n, f.w, d, false);
  check_sum(sums[OVK__MARK_DD], n, d, d, false);
}

TEST(a_step_of_minres_adds_its_products)
{
  FOR_EACH_DIAGONAL_AND_CHOICE(n, D, d_is_z) {
    if (n > 0 && n <= OVK__EXACT_BLOCK) check_minres(n, D, d_is_z);
  }
}

TEST(terms_outside_of_a_window_leave_the_sums_as_they_are)
{
  static const double bad[] = {0x1p80, 0x1p-80, 1e300};
  const ovk__diagonal D = ovk__diagonal_identity();
  for (int k = 0; k < 3; k++) {
    double r[20], s[20] = {0};
    ovk__exact_sum vv, rz, *const sums[] = {&vv, &rz};
    for (int i = 0; i < 20; i++) r[i] = 1.0 / (i + 1);
    start_sum(&vv, false);
    start_sum(&rz, false);
    s[19] = 1;
    r[19] = bad[k] + 2; /* minus 2 is `bad`, or too small for its square to have a place */
    if (bad[k] < 1) r[19] = 2 + 0x1p-51;
    assert_false(ovk__cg_update_r_exact(20, 2, s, D, false, r, sums));
    check_sum(&vv, 0, r, r, false);
    check_sum(&rz, 0, r, r, false);
    assert_true(r[0] == 1 && r[19] == (bad[k] < 1 ? 0x1p-51 : bad[k]));
  }
}
