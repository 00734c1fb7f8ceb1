/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the methods that hide their sums, against their formulas in plain C, bit for bit,
 * for lengths around the lanes and the blocks, and for both kinds of diagonal. */
#include "solvers/kernels/updates/updates_overlapped.h"
#include "support/test_main.h"
#include "sweeps.h"

/* The vectors, named as in the paper; Z and q_prev are n and m in Gropp's method. */
typedef struct data {
  double x[MAX + GUARD], r[MAX + GUARD], u[MAX + GUARD], w[MAX + GUARD], m[MAX + GUARD],
      n[MAX + GUARD], z[MAX + GUARD], q[MAX + GUARD], s[MAX + GUARD], p[MAX + GUARD];
} data;

static void single_formulas(int n, double alpha, double beta, data *f)
{
  for (int i = 0; i < n; i++) {
    f->p[i] = f->u[i] + beta * f->p[i];
    f->s[i] = f->w[i] + beta * f->s[i];
    f->x[i] += alpha * f->p[i];
    f->r[i] -= alpha * f->s[i];
  }
}

/* With a diagonal M u is made as well. */
TEST(single_reduction_updates_its_vectors_and_sums)
{
  static data v, f;
  FOR_EACH_CASE(n, D, of_z)
  {
    make_vectors(1, &v, &f, sizeof v);
    double ru = -1;
    const double vv =
        ovk__update_single_reduction(n, 0.7, -1.3, D, of_z, v.u, v.w, v.p, v.s, v.x, v.r, &ru);
    single_formulas(n, 0.7, -1.3, &f);
    for (int i = 0; D.d && i < n; i++) f.u[i] = entry(D, i) * f.r[i];
    assert_memory_equal(&v, &f, sizeof v);
    assert_true(vv == (D.d && of_z ? dot(n, f.u, f.u) : dot(n, f.r, f.r)));
    assert_true(ru == (D.d ? dot(n, f.r, f.u) : -1));
  }
}

/* With a diagonal M they need no q. */
TEST(r_and_z_are_updated_and_summed)
{
  static data v, f;
  FOR_EACH_CASE(n, D, of_z)
  {
    make_vectors(3, &v, &f, sizeof v);
    double rz = -1;
    const double vv =
        ovk__groppcg_update_r_z(n, 0.4, v.s, D.d ? NULL : v.q, D, of_z, v.r, v.z, &rz);
    for (int i = 0; i < n; i++) {
      f.r[i] -= 0.4 * f.s[i];
      f.z[i] = D.d ? entry(D, i) * f.r[i] : f.z[i] - 0.4 * f.q[i];
    }
    assert_memory_equal(&v, &f, sizeof v);
    assert_true(vv == (of_z ? dot(n, f.z, f.z) : dot(n, f.r, f.r)));
    assert_true(rz == dot(n, f.r, f.z));
  }
}

TEST(p_and_s_are_updated_and_multiplied)
{
  static data v, f;
  FOR_EACH_LENGTH(n) {
    make_vectors(5, &v, &f, sizeof v);
    const double ps = ovk__groppcg_update_p_s(n, 0.6, v.z, v.n, v.q, v.p, v.s);
    for (int i = 0; i < n; i++) {
      f.p[i] = f.z[i] + 0.6 * f.q[i];
      f.s[i] = f.n[i] + 0.6 * f.s[i];
    }
    assert_memory_equal(&v, &f, sizeof v);
    assert_true(ps == dot(n, f.p, f.s));
  }
}

static ovk__pipecg_arrays arrays_of(data *v)
{
  return PIPECG_ARRAYS(*v);
}

static void check_sums(int n, const data *f, const double sums[OVK__PIPECG_SUMS])
{
  assert_true(sums[OVK__RU] == dot(n, f->r, f->u));
  assert_true(sums[OVK__WU] == dot(n, f->w, f->u));
  assert_true(sums[OVK__RR] == dot(n, f->r, f->r));
  assert_true(sums[OVK__XX] == dot(n, f->x, f->x));
  assert_true(sums[OVK__UU] == dot(n, f->u, f->u));
  assert_true(sums[OVK__WW] == dot(n, f->w, f->w));
  assert_true(sums[OVK__PP] == dot(n, f->p, f->p));
  assert_true(sums[OVK__SS] == dot(n, f->s, f->s));
  assert_true(sums[OVK__QQ] == dot(n, f->q, f->q));
  assert_true(sums[OVK__ZZ] == dot(n, f->z, f->z));
}

/* The version for this processor, and the one for all. */
static void (*const sweeps[])(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                              const ovk__pipecg_arrays *v, double sums[OVK__PIPECG_SUMS]) = {
    ovk__update_pipecg, ovk__update_pipecg_narrow, NULL};

static void pipelined_formulas(int n, double alpha, double beta, data *f)
{
  for (int i = 0; i < n; i++) {
    f->z[i] = f->n[i] + beta * f->z[i];
    f->q[i] = f->m[i] + beta * f->q[i];
    f->s[i] = f->w[i] + beta * f->s[i];
    f->p[i] = f->u[i] + beta * f->p[i];
    f->x[i] += alpha * f->p[i];
    f->r[i] -= alpha * f->s[i];
    f->u[i] -= alpha * f->q[i];
    f->w[i] -= alpha * f->z[i];
  }
}

/* The operations that a sweep with a diagonal includes: u and q from r and s, m from w. */
static void apply_diagonal(int n, ovk__diagonal D, data *f)
{
  for (int i = 0; D.d && i < n; i++) {
    f->u[i] = entry(D, i) * f->r[i];
    f->q[i] = entry(D, i) * f->s[i];
    f->m[i] = entry(D, i) * f->w[i];
  }
}

static void check_pipelined(int n, ovk__diagonal D, int version)
{
  static data v, f, was;
  make_vectors(7, &v, &was, sizeof v);
  f = was;
  double sums[OVK__PIPECG_SUMS];
  const ovk__pipecg_arrays a = arrays_of(&v);
  apply_diagonal(n, D, &f);
  ovk__dots_pipecg(n, D, &a, sums);
  check_sums(n, &f, sums);
  sweeps[version](n, 0.3, 0.8, D, &a, sums);
  pipelined_formulas(n, 0.3, 0.8, &f);
  apply_diagonal(n, D, &f);
  check_sums(n, &f, sums);
  if (D.d) { /* neither u nor q is stored */
    memcpy(f.u, was.u, sizeof f.u);
    memcpy(f.q, was.q, sizeof f.q);
  }
  assert_memory_equal(&v, &f, sizeof v);
}

TEST(the_pipelined_sweep_updates_eight_vectors)
{
  for (int version = 0; sweeps[version]; version++) {
    for (int kind = 0; kind <= KINDS; kind++) {
      FOR_EACH_LENGTH(n) check_pipelined(n, diagonal(kind), version);
    }
  }
}
