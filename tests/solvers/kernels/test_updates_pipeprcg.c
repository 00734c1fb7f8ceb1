/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the predict-and-recompute method against their formulas in plain C, bit for bit,
 * for lengths around the lanes and the blocks, and for both kinds of diagonal. */
#include "solvers/kernels/updates/updates_pipeprcg.h"
#include "support/test_main.h"
#include "sweeps.h"

typedef struct data {
  double x[MAX + GUARD], r[MAX + GUARD], rt[MAX + GUARD], w[MAX + GUARD], wt[MAX + GUARD],
      p[MAX + GUARD], s[MAX + GUARD], st[MAX + GUARD], u[MAX + GUARD], ut[MAX + GUARD];
} data;

static ovk__pipeprcg_arrays arrays_of(data *v)
{
  return (ovk__pipeprcg_arrays){.w = v->w,
                                .wt = v->wt,
                                .u = v->u,
                                .ut = v->ut,
                                .x = v->x,
                                .r = v->r,
                                .rt = v->rt,
                                .p = v->p,
                                .s = v->s,
                                .st = v->st};
}

static void check_sums(int n, const data *f, const double sums[OVK__PIPEPRCG_SUMS])
{
  assert_true(sums[OVK__PIPEPRCG_NU] == dot(n, f->rt, f->r));
  assert_true(sums[OVK__PIPEPRCG_MU] == dot(n, f->p, f->s));
  assert_true(sums[OVK__PIPEPRCG_DELTA] == dot(n, f->rt, f->s));
  assert_true(sums[OVK__PIPEPRCG_GAMMA] == dot(n, f->st, f->s));
  assert_true(sums[OVK__PIPEPRCG_RR] == dot(n, f->r, f->r));
}

/* With a diagonal M, rt and st are made of r and s. */
TEST(the_sweep_updates_six_vectors)
{
  static data v, f;
  for (int kind = 0; kind <= KINDS; kind++) {
    const ovk__diagonal D = diagonal(kind);
    FOR_EACH_LENGTH(n) {
      make_vectors(1, &v, &f, sizeof v);
      double sums[OVK__PIPEPRCG_SUMS];
      const ovk__pipeprcg_arrays a = arrays_of(&v);
      ovk__dots_pipeprcg(n, &a, sums);
      check_sums(n, &f, sums);
      ovk__update_pipeprcg(n, 0.3, 0.8, D, &a, sums);
      for (int i = 0; i < n; i++) {
        f.x[i] += 0.3 * f.p[i];
        f.r[i] -= 0.3 * f.s[i];
        f.rt[i] = D.d ? entry(D, i) * f.r[i] : f.rt[i] - 0.3 * f.st[i];
        f.p[i] = f.rt[i] + 0.8 * f.p[i];
        f.s[i] = (f.w[i] - 0.3 * f.u[i]) + 0.8 * f.s[i];
        f.st[i] = D.d ? entry(D, i) * f.s[i] : (f.wt[i] - 0.3 * f.ut[i]) + 0.8 * f.st[i];
      }
      assert_memory_equal(&v, &f, sizeof v);
      check_sums(n, &f, sums);
    }
  }
}
