/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps over a basis against their formulas in plain C, bit for bit, for lengths around the
 * lanes and the blocks and for bases of no vectors to more than are swept at once. */
#include "solvers/kernels/basis/updates_basis.h"
#include "support/test_main.h"
#include "sweeps.h"

enum { VECTORS = 34 };
static const int sizes[] = {0, 1, 2, 3, 4, 5, 9, VECTORS};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct data {
  double v[VECTORS][MAX + GUARD], u[MAX + GUARD], z[MAX + GUARD], q[MAX + GUARD], next[MAX + GUARD],
      x[MAX + GUARD], r[MAX + GUARD], c[3][VECTORS + 1];
} data;

/* Of v_0, v_1, ...: of v, or of `floats`, which v and f then have as doubles. */
static void *basis[VECTORS + 1];
static float floats[VECTORS + 1][MAX + GUARD];

static void make_data(data *v, data *f)
{
  make_vectors(3, v, f, sizeof *v);
  for (int i = 0; i < VECTORS; i++) basis[i] = v->v[i];
}

static ovk__basis make_singles(data *v, data *f)
{
  make_data(v, f);
  for (int i = 0; i <= VECTORS; i++) {
    basis[i] = floats[i];
    for (int m = 0; i < VECTORS && m < MAX + GUARD; m++) {
      v->v[i][m] = f->v[i][m] = floats[i][m] = (float)v->v[i][m];
    }
  }
  return (ovk__basis){.v = basis, .single = true};
}

static void check_dots(bool single)
{
  static data v, f;
  double dots[2 + 2 * VECTORS];
  static double memory[2 * OVK__LANES * (VECTORS + 1)];
  assert_int_equal(ovk__basis_lanes(VECTORS), sizeof memory / sizeof *memory);
  make_data(&v, &f);
  const ovk__basis V = single ? make_singles(&v, &f) : (ovk__basis){.v = basis};
  for (int s = 0; s < 2 * SIZES; s++) {
    const int k = sizes[s / 2];
    const double *z = s % 2 ? v.z : NULL;
    FOR_EACH_LENGTH(n) {
      for (int i = 0; i < 2 + 2 * VECTORS; i++) dots[i] = -7;
      ovk__basis_dots(n, k, V, v.u, z, memory, dots);
      assert_true(dots[OVK__BASIS_UU] == dot(n, v.u, v.u));
      assert_true(dots[OVK__BASIS_UZ] == (z ? dot(n, v.u, v.z) : -7));
      for (int i = 0; i < k; i++) {
        assert_true(dots[ovk__basis_vu(i)] == dot(n, v.v[i], v.u));
        assert_true(dots[ovk__basis_vz(i)] == (z ? dot(n, v.v[i], v.z) : -7));
      }
      for (int i = 2 + 2 * k; i < 2 + 2 * VECTORS; i++) assert_true(dots[i] == -7);
    }
  }
  assert_memory_equal(&v, &f, sizeof v);
}

TEST(inner_products_are_those_of_single_sweeps)
{
  check_dots(false);
  check_dots(true);
}

/* y <- y + sign c_i v_i */
static void add(int n, int k, const data *f, const double *c, double sign, double *y)
{
  for (int i = 0; i < k; i++) {
    for (int m = 0; m < n; m++) y[m] += sign * c[i] * f->v[i][m];
  }
}

TEST(vectors_are_added_in_their_order)
{
  static data v, f;
  for (int s = 0; s < 2 * SIZES; s++) {
    const int k = sizes[s / 2];
    FOR_EACH_LENGTH(n) {
      make_data(&v, &f);
      const ovk__basis V = s % 2 ? make_singles(&v, &f) : (ovk__basis){.v = basis};
      ovk__basis_add(n, k, V, v.c[0], v.u);
      ovk__basis_scale(n, -0.3, v.q);
      add(n, k, &f, f.c[0], 1, f.u);
      for (int m = 0; m < n; m++) f.q[m] *= -0.3;
      assert_memory_equal(&v, &f, sizeof v);
    }
  }
}

/* The formulas of ovk__basis_extend(). */
static void extend(int n, int k, data *f, double alpha, double a, bool images)
{
  const double inverse = 1 / alpha;
  memcpy(f->next, f->z, (size_t)n * sizeof(double));
  add(n, k, f, f->c[0], -1, f->u);
  add(n, k, f, f->c[1], -1, f->next);
  for (int m = 0; m < n; m++) {
    f->u[m] *= inverse;
    f->next[m] = (f->next[m] - f->c[1][k] * f->u[m]) * inverse;
  }
  if (!images) return;
  for (int m = 0; m < n; m++) f->z[m] = f->q[m] - a * f->z[m];
  add(n, k, f, f->c[2], -1, f->z);
  for (int m = 0; m < n; m++) f->z[m] = (f->z[m] - f->c[2][k] * f->u[m]) * inverse;
}

TEST(a_basis_is_extended_in_one_sweep)
{
  static data v, f;
  static double memory[2 * OVK__LANES * (VECTORS + 2)];
  double dots[4 + 2 * VECTORS], expected[4 + 2 * VECTORS];
  for (int s = 0; s < 2 * SIZES; s++) {
    const int k = sizes[s / 2];
    const bool images = s % 2;
    void *extended[VECTORS + 1]; /* u is v_k */
    memcpy(extended, basis, sizeof basis);
    extended[k] = v.u;
    FOR_EACH_LENGTH(n) {
      make_data(&v, &f);
      const ovk__basis_step step = {.alpha = 0.7, .a = 0.4, .s = v.c[0], .t = v.c[1], .c = v.c[2]};
      ovk__basis_extend_dots(n, k, extended, &step, v.u, v.z, images ? v.q : NULL, v.next, memory,
                             dots);
      extend(n, k, &f, 0.7, 0.4, images);
      assert_memory_equal(&v, &f, sizeof v);
      ovk__basis_dots(n, k + 1, (ovk__basis){.v = extended}, f.next, images ? f.z : NULL, memory,
                      expected);
      for (int i = 0; i < 2 * k + 4; i += images ? 1 : 2) assert_true(dots[i] == expected[i]);
      if (images) continue;
      make_data(&v, &f);
      ovk__basis_extend(n, k, (ovk__basis){.v = extended}, &step, v.u, v.z, v.next);
      extend(n, k, &f, 0.7, 0.4, false);
      assert_memory_equal(&v, &f, sizeof v);
    }
  }
}

/* In place: the next u where u was. */
TEST(a_basis_of_floats_is_extended_by_what_it_stores)
{
  static data v, f;
  for (int s = 0; s < SIZES; s++) {
    const int k = sizes[s];
    FOR_EACH_LENGTH(n) {
      const ovk__basis V = make_singles(&v, &f);
      const ovk__basis_step step = {.alpha = 0.7, .s = v.c[0], .t = v.c[1]};
      memset(floats[k], 0, sizeof floats[k]);
      ovk__basis_extend(n, k, V, &step, v.u, v.z, v.u);
      memcpy(f.next, f.z, sizeof f.next);
      add(n, k, &f, f.c[0], -1, f.u);
      add(n, k, &f, f.c[1], -1, f.next);
      for (int m = 0; m < n; m++) {
        const float stored = (float)(f.u[m] * (1 / 0.7));
        assert_true(floats[k][m] == stored);
        f.u[m] = (f.next[m] - f.c[1][k] * stored) * (1 / 0.7);
      }
      memcpy(f.next, v.next, sizeof f.next);
      for (int m = n; m < MAX + GUARD; m++) assert_true(floats[k][m] == 0);
      for (int i = 0; i < VECTORS; i++) {
        for (int m = 0; m < MAX; m++) assert_true(i == k || floats[i][m] == v.v[i][m]);
      }
      assert_memory_equal(&v, &f, sizeof v);
    }
  }
}
