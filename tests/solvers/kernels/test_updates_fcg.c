/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the flexible methods against their formulas in plain C, bit for bit, for lengths
 * around the lanes and the blocks and for no directions to more than are swept at once. */
#include "solvers/kernels/basis/updates_basis.h"
#include "solvers/kernels/basis/updates_fcg.h"
#include "support/test_main.h"
#include "sweeps.h"

enum { MOST = 9, FAMILIES = 4 };
static const int sizes[] = {0, 1, 2, 3, 4, 5, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Kept directions: p_i, s_i, q_i, z_i. */
typedef struct data {
  double of[FAMILIES][MOST][MAX + GUARD], x[MAX + GUARD], r[MAX + GUARD], u[MAX + GUARD],
      w[MAX + GUARD], m[MAX + GUARD], n[MAX + GUARD], z[MAX + GUARD], q[MAX + GUARD],
      s[MAX + GUARD], p[MAX + GUARD], d[MAX + GUARD], c[MOST];
} data;

/* The next s, stored after the kept ones. */
static void *kept[FAMILIES][MOST + 1];

static ovk__kept make_kept(int k, data *v, data *f)
{
  make_vectors(4, v, f, sizeof *v);
  for (int j = 0; j < FAMILIES; j++) {
    for (int i = 0; i < MOST; i++) kept[j][i] = v->of[j][i];
  }
  kept[1][k] = v->s;
  return (ovk__kept){k, kept[0], kept[1], kept[2], kept[3], v->c};
}

/* y <- x - sum of c_i y_i */
static void direction(int n, int k, const double *c, double y_i[MOST][MAX + GUARD], const double *x,
                      double *y)
{
  memcpy(y, x, (size_t)n * sizeof *y);
  for (int i = 0; i < k; i++) {
    for (int l = 0; l < n; l++) y[l] -= c[i] * y_i[i][l];
  }
}

TEST(a_direction_is_made_and_followed)
{
  static data v, f;
  for (int t = 0; t < SIZES; t++) {
    const int k = sizes[t];
    FOR_EACH_LENGTH(n) {
      const ovk__kept old = make_kept(k, &v, &f);
      const double rr = ovk__update_fcg(n, &old, 0.6, v.z, v.q, v.p, v.s, v.x, v.r);
      direction(n, k, f.c, f.of[0], f.z, f.p);
      direction(n, k, f.c, f.of[1], f.q, f.s);
      for (int l = 0; l < n; l++) {
        f.x[l] += 0.6 * f.p[l];
        f.r[l] -= 0.6 * f.s[l];
      }
      assert_memory_equal(&v, &f, sizeof v);
      assert_true(rr == dot(n, f.r, f.r));
    }
  }
}

static void pipelined_formulas(int n, int k, double alpha, double theta, data *f)
{
  direction(n, k, f->c, f->of[3], f->n, f->z);
  direction(n, k, f->c, f->of[2], f->m, f->q);
  direction(n, k, f->c, f->of[1], f->w, f->s);
  direction(n, k, f->c, f->of[0], f->u, f->p);
  for (int l = 0; l < n; l++) {
    f->x[l] += alpha * f->p[l];
    f->r[l] -= alpha * f->s[l];
    f->u[l] -= alpha * f->q[l];
    f->w[l] -= alpha * f->z[l];
    f->d[l] = f->w[l] - theta * f->r[l];
  }
}

TEST(pipelined_updates_and_sums_are_one_sweep)
{
  static data v, f;
  static double memory[2 * OVK__LANES * (MOST + 2)];
  for (int t = 0; t < 2 * SIZES; t++) {
    const int k = sizes[t / 2], from = t % 2 && k; /* the oldest is left or not */
    FOR_EACH_LENGTH(n) {
      double sums[OVK__PIPECG_SUMS], dots[4 + 2 * MOST];
      const ovk__kept old = make_kept(k, &v, &f);
      const ovk__pipecg_arrays a = PIPECG_ARRAYS(v);
      const ovk__fcg_dots next = {k + 1 - from, kept[1] + from, memory, dots};
      ovk__update_pipefcg(n, &old, 0.6, 0.7, &a, v.d, sums, &next);
      pipelined_formulas(n, k, 0.6, 0.7, &f);
      assert_memory_equal(&v, &f, sizeof v);
      const double *of[OVK__PIPECG_SUMS][2] = {
          [OVK__RU] = {f.r, f.u}, [OVK__WU] = {f.w, f.u}, [OVK__RR] = {f.r, f.r},
          [OVK__XX] = {f.x, f.x}, [OVK__UU] = {f.u, f.u}, [OVK__WW] = {f.w, f.w},
          [OVK__PP] = {f.p, f.p}, [OVK__SS] = {f.s, f.s}, [OVK__QQ] = {f.q, f.q},
          [OVK__ZZ] = {f.z, f.z}};
      for (int i = 0; i < OVK__PIPECG_SUMS; i++) {
        assert_true(sums[i] == dot(n, of[i][0], of[i][1]));
      }
      for (int i = from; i <= k; i++) {
        assert_true(dots[ovk__basis_vu(i - from)] == dot(n, i < k ? f.of[1][i] : f.s, f.u));
      }
    }
  }
}
