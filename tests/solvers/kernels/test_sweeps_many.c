/* SPDX-License-Identifier: BSD-2-Clause */
/* Each sweep of a method over a block of columns, against that over a vector in each column: the
 * updates bit for bit, the sums up to rounding, for a width of 1 bit for bit. */
#include "solvers/kernels/many/bcgs_many.h"
#include "solvers/kernels/many/minres_many.h"
#include "solvers/kernels/many/overlapped_many.h"
#include "support/test_main.h"
#include "sweeps.h"

enum { WIDEST = 8, MANY = 140, VALUES = (MANY + GUARD) * WIDEST };
enum { X, R, U, W, M, N, Z, Q, S, P, VECTORS };
static const int lengths[] = {0, 1, 3, 7, 8, 9, 15, 16, 17, 63, 65, 129, MANY};

/* A block has all `VALUES`, a column the first rows. */
typedef struct data {
  double v[VECTORS][VALUES];
} data;

static const double alpha[WIDEST] = {0.7, 0, -1.5, 2, 0.1, 3, -0.2, 1};
static const double beta[WIDEST] = {0.3, 1, 0, -2, 0.9, 0.25, 5, -1};

/* One kind of sweep, of a block and of a vector; sums by 8 for a block. */
typedef struct sweep {
  int sums;
  void (*many)(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums);
  void (*one)(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums);
} sweep;

static data column_of(const data *block, int n, int w, int c)
{
  data column = {{{0}}};
  for (int k = 0; k < VECTORS; k++) {
    for (int i = 0; i < n; i++) column.v[k][i] = block->v[k][i * w + c];
  }
  return column;
}

static void check_block(const sweep *s, int n, int w, ovk__diagonal D, bool of_z)
{
  static data block, was;
  double sums[OVK__PIPECG_SUMS * WIDEST], of_column[OVK__PIPECG_SUMS];
  make_vectors(3, &block, &was, sizeof block);
  s->many(n, w, D, of_z, &block, sums);
  for (int c = 0; c < w; c++) {
    data column = column_of(&was, n, w, c);
    s->one(n, c, D, of_z, &column, of_column);
    for (int k = 0; k < VECTORS; k++) {
      for (int i = 0; i < n; i++) assert_true(block.v[k][i * w + c] == column.v[k][i]);
    }
    for (int k = 0; k < s->sums; k++) {
      const double sum = sums[k * WIDEST + c], should = of_column[k];
      assert_true(w == 1 ? sum == should : fabs(sum - should) <= 1e-12 * (n + 1));
    }
  }
  for (int k = 0; k < VECTORS; k++) {
    assert_memory_equal(block.v[k] + n * w, was.v[k] + n * w, GUARD * (size_t)w * sizeof(double));
  }
}

/* For each length, width, diagonal and none, and norm. */
static void check_sweep(const sweep *s)
{
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    for (int w = 1; w <= WIDEST; w *= 2) {
      for (int kind = 0; kind < 2 * (KINDS + 1); kind++) {
        check_block(s, lengths[l], w, diagonal(kind / 2), kind % 2);
      }
    }
  }
}

static void single_many(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  memset(sums, 0, 2 * WIDEST * sizeof *sums);
  ovk__many_update_single_reduction(n, w, alpha, beta, D, of_z, d->v[U], d->v[W], d->v[P], d->v[S],
                                    d->v[X], d->v[R], sums, sums + WIDEST);
}

static void single_one(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  sums[0] = 0;
  sums[1] = ovk__update_single_reduction(n, alpha[c], beta[c], D, of_z, d->v[U], d->v[W], d->v[P],
                                         d->v[S], d->v[X], d->v[R], sums);
}

TEST(single_reduction_has_coefficients_for_each_column)
{
  check_sweep(&(sweep){2, single_many, single_one});
}

static void r_z_many(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  ovk__many_update_r_z(n, w, alpha, d->v[S], d->v[Q], D, of_z, d->v[R], d->v[Z], sums,
                       sums + WIDEST);
}

static void r_z_one(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  sums[1] = ovk__groppcg_update_r_z(n, alpha[c], d->v[S], d->v[Q], D, of_z, d->v[R], d->v[Z], sums);
}

TEST(gropps_r_and_z_have_a_coefficient_for_each_column)
{
  check_sweep(&(sweep){2, r_z_many, r_z_one});
}

static void p_s_many(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  ovk__many_update_p_s(n, w, beta, d->v[Z], d->v[N], d->v[Q], d->v[P], d->v[S], sums);
}

static void p_s_one(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  sums[0] = ovk__groppcg_update_p_s(n, beta[c], d->v[Z], d->v[N], d->v[Q], d->v[P], d->v[S]);
}

TEST(gropps_p_and_s_have_a_coefficient_for_each_column)
{
  check_sweep(&(sweep){1, p_s_many, p_s_one});
}

static ovk__pipecg_arrays arrays_of(data *d)
{
  return (ovk__pipecg_arrays){.r = d->v[R],
                              .u = d->v[U],
                              .w = d->v[W],
                              .m = d->v[M],
                              .n = d->v[N],
                              .z = d->v[Z],
                              .q = d->v[Q],
                              .s = d->v[S],
                              .p = d->v[P],
                              .x = d->v[X]};
}

static void pipecg_many(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  const ovk__pipecg_arrays v = arrays_of(d);
  (of_z ? ovk__many_update_pipecg : ovk__many_update_pipecg_narrow)(n, w, alpha, beta, D, &v, sums);
}

static void pipecg_one(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  const ovk__pipecg_arrays v = arrays_of(d);
  ovk__update_pipecg(n, alpha[c], beta[c], D, &v, sums);
}

TEST(the_pipelined_sweep_has_coefficients_for_each_column)
{
  check_sweep(&(sweep){OVK__PIPECG_SUMS, pipecg_many, pipecg_one});
}

static void dots_many(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  const ovk__pipecg_arrays v = arrays_of(d);
  ovk__many_dots_pipecg(n, w, D, &v, sums);
}

static void dots_one(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  const ovk__pipecg_arrays v = arrays_of(d);
  ovk__dots_pipecg(n, D, &v, sums);
}

TEST(the_pipelined_sums_are_those_of_the_columns)
{
  check_sweep(&(sweep){OVK__PIPECG_SUMS, dots_many, dots_one});
}

static void minres_coeffs(double step[OVK__MINRES_COEFFS][WIDEST])
{
  for (int k = 0; k < OVK__MINRES_COEFFS; k++) {
    for (int c = 0; c < WIDEST; c++) step[k][c] = k % 2 ? alpha[(c + k) % 8] : beta[(c + k) % 8];
  }
}

static ovk__minres_arrays minres_arrays(data *d, bool of_z)
{
  return (ovk__minres_arrays){.u = d->v[U],
                              .v = d->v[W],
                              .p = d->v[P],
                              .z = d->v[Z],
                              .v_old = d->v[M],
                              .p_old = d->v[N],
                              .x = d->v[X],
                              .e = d->v[R],
                              .d_is_z = of_z};
}

static void minres_many(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  double step[OVK__MINRES_COEFFS][WIDEST];
  const ovk__minres_arrays a = minres_arrays(d, of_z);
  minres_coeffs(step);
  memset(sums, 0, OVK__MINRES_SUMS * WIDEST * sizeof *sums);
  ovk__many_update_minres(n, w, *step, D, &a, sums);
  if (!D.d) ovk__many_dots_minres(n, w, a.v, a.z, a.e, of_z, sums);
}

static void minres_one(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  double s[OVK__MINRES_COEFFS][WIDEST];
  const ovk__minres_arrays a = minres_arrays(d, of_z);
  minres_coeffs(s);
  const ovk__minres_coeffs step = {s[0][c], s[1][c], s[2][c], s[3][c], s[4][c],
                                   s[5][c], s[6][c], s[7][c], s[8][c]};
  memset(sums, 0, OVK__MINRES_SUMS * sizeof *sums);
  ovk__update_minres(n, &step, D, &a, sums);
  if (!D.d) ovk__dots_minres(n, a.v, a.z, a.e, of_z, sums);
}

TEST(minres_has_coefficients_for_each_column)
{
  check_sweep(&(sweep){OVK__MINRES_SUMS, minres_many, minres_one});
}

static void bcgs_many(ovk_lidx n, int w, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  ovk__many_bcgs_half(n, w, alpha, d->v[W], D, d->v[R], d->v[Z]);
  ovk__many_bcgs_sums(n, w, d->v[R], d->v[S], d->v[Q], sums);
  ovk__many_bcgs_full(n, w, alpha, beta, d->v[U], d->v[Z], d->v[S], d->v[X], d->v[R]);
  ovk__many_bcgs_direction(n, w, beta, alpha, d->v[R], d->v[W], D, d->v[P], d->v[U]);
}

static void bcgs_one(ovk_lidx n, int c, ovk__diagonal D, bool of_z, data *d, double *sums)
{
  ovk__bcgs_half(n, alpha[c], d->v[W], D, d->v[R], d->v[Z]);
  ovk__bcgs_sums(n, d->v[R], d->v[S], d->v[Q], sums);
  ovk__bcgs_full(n, alpha[c], beta[c], d->v[U], d->v[Z], d->v[S], d->v[X], d->v[R]);
  ovk__bcgs_direction(n, beta[c], alpha[c], d->v[R], d->v[W], D, d->v[P], d->v[U]);
}

TEST(bcgs_has_coefficients_for_each_column)
{
  check_sweep(&(sweep){OVK__BCGS_SUMS, bcgs_many, bcgs_one});
}
