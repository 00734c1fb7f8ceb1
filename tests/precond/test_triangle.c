/* SPDX-License-Identifier: BSD-2-Clause */
/* The triangular sweeps of ic and ilu, bit for bit those of plain loops in the same order, for
 * every storage: by diagonals, by rows, and by groups of rows. */
#include "core/base/lanes.h"
#include "precond/incomplete/triangle/triangle.h"
#include "support/problem.h"

enum { N = 157, SIDE = 12, POLLS = 11 };

typedef bool pattern(int i, int j);

/* 9 points of a plane, on SIDE points a line: rows at its ends have fewer columns. */
static bool stencil(int i, int j)
{
  return abs(i / SIDE - j / SIDE) <= 1 && abs(i % SIDE - j % SIDE) <= 1;
}

static bool line(int i, int j)
{
  return abs(i - j) <= 1;
}

/* Three rows a node, which have the same columns. */
static bool nodes(int i, int j)
{
  return abs(i / 3 - j / 3) <= 2 || abs(i / 3 - j / 3) == 13;
}

static bool scattered(int i, int j)
{
  const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  return random_number(5, low * N + high) < 0.1;
}

/* A lower triangle, dense and as it is packed, or an upper one, packed as the transpose or with
 * rows and columns counted from the last. */
typedef struct sample {
  pattern *has;
  bool single, unit, upper;
  double (*dense)[N], inverse[N]; /* as stored */
  ovk__triangle T;
} sample;

static double stored(const sample *s, double value)
{
  return s->single ? (double)(float)value : value;
}

static double entry(const sample *s, int i, int j)
{
  return stored(s, random_number(7, (uint64_t)i * N + (uint64_t)j) - 0.5);
}

static double inverse(const sample *s, int i)
{
  return s->unit ? 1 : stored(s, 0.2 + 0.1 * random_number(8, (uint64_t)i));
}

static void pack(sample *s)
{
  const ovk__block B = {.ctx = test_ctx(), .n = N};
  const size_t most = (size_t)N * N;
  ovk__sparsity S = {calloc(N + 1, sizeof *S.ptr), calloc(most, sizeof *S.col)};
  double *value = calloc(most, sizeof *value), diagonal[N];
  assert_true(S.ptr && S.col && value);
  for (int i = 0; i < N; i++) {
    int64_t k = S.ptr[i];
    for (int j = s->upper ? i + 1 : 0; j < (s->upper ? N : i); j++) {
      if (!s->has(i, j)) continue;
      S.col[k] = j;
      value[k++] = entry(s, i, j);
    }
    S.ptr[i + 1] = k;
    diagonal[i] = inverse(s, i);
  }
  assert_ok(ovk__triangle_pack(&B, "test", &S, value, s->unit ? NULL : diagonal, s->upper,
                               s->single, &s->T));
  ovk__sparsity_free(&S);
  free(value);
}

/* Whether the sample's dense lower triangle is counted from the last row. */
static bool turned(const sample *s)
{
  return s->upper && !s->T.by_diagonals;
}

static void make_dense(sample *s)
{
  s->dense = new_zeros(N, sizeof *s->dense);
  for (int i = 0; i < N; i++) {
    const int from = turned(s) ? N - 1 - i : i;
    s->inverse[i] = inverse(s, from);
    for (int j = 0; j < i; j++) {
      const int to = turned(s) ? N - 1 - j : j;
      if (s->has(from, to)) {
        s->dense[i][j] = s->upper && !turned(s) ? entry(s, to, from) : entry(s, from, to);
      }
    }
  }
}

/* x <- T^-1 r, or T^-T r, of a triangle by diagonals; every second row has the one before it
 * eliminated */
static void solve_diagonals(const sample *s, const double *r, double *x, bool transposed)
{
  double rest_before = 0, near_before = 0;
  for (int k = 0; k < N; k++) {
    const int i = transposed ? N - 1 - k : k, step = transposed ? 1 : -1;
    double rest = r[i], near = 0;
    for (int d = k; d > 0; d--) {
      const int j = i + step * d;
      const double t = transposed ? s->dense[j][i] : s->dense[i][j];
      if (d == 1) {
        near = t;
      } else if (t != 0) {
        rest -= t * x[j];
      }
    }
    rest *= s->inverse[i];
    near *= s->inverse[i];
    if (k % 2 == 0) {
      x[i] = rest - (k > 0 ? near * x[i + step] : 0);
    } else {
      x[i] = (rest - near * rest_before) + (k > 1 ? near * near_before * x[i + 2 * step] : 0);
    }
    rest_before = rest;
    near_before = near;
  }
}

/* The rows of the group that begins with row i. */
static int group(const sample *s, int i)
{
  const uint32_t at = s->T.list[i];
  return (int)(s->T.narrow ? ((const uint16_t *)s->T.distances)[at]
                           : ((const uint32_t *)s->T.distances)[at]);
}

/* The columns of row i before column `end`. */
static int columns(const sample *s, int i, int end, int out[N])
{
  int n = 0;
  for (int j = 0; j < end; j++) {
    if (s->dense[i][j] != 0) out[n++] = j;
  }
  return n;
}

static double solve_row(const sample *s, const double *r, const double *x, int i)
{
  const double *t = s->dense[i];
  int j[N], e = 0;
  const int n = columns(s, i, i - 1, j);
  double sum[4] = {0}, rest = 0;
  for (; e + 4 <= n; e += 4) {
    for (int l = 0; l < 4; l++) sum[l] += t[j[e + l]] * x[j[e + l]];
  }
  for (; e < n; e++) rest += t[j[e]] * x[j[e]];
  rest = r[i] - (((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest);
  return rest * s->inverse[i] - (i > 0 ? t[i - 1] * s->inverse[i] * x[i - 1] : 0);
}

/* x <- T^-1 r of a triangle by rows and groups */
static void solve_rows(const sample *s, const double *r, double *x)
{
  for (int i = 0, m; i < N; i += m) {
    m = group(s, i);
    if (m == 1) x[i] = solve_row(s, r, x, i);
    for (int l = 0; m > 1 && l < m; l++) {
      const double *t = s->dense[i + l];
      double sum[2] = {0};
      int j[N];
      const int n = columns(s, i + l, i, j);
      for (int e = 0; e < n; e++) sum[e % 2] += t[j[e]] * x[j[e]];
      x[i + l] = r[i + l] - (sum[0] + sum[1]);
      for (int k = 0; k < l; k++) x[i + l] -= t[i + k] * x[i + k];
      x[i + l] *= s->inverse[i + l];
    }
  }
}

/* x <- T^-T x of a single row; row i - 1 is lessened by the part that belongs to its diagonal. */
static void spread_row(const sample *s, double *x, int i)
{
  const double *t = s->dense[i], rest = x[i];
  x[i] = rest * s->inverse[i];
  for (int j = 0; j < i - 1; j++) x[j] -= t[j] * x[i];
  if (i > 0) x[i - 1] -= t[i - 1] * s->inverse[i] * rest;
}

static void spread_rows(const sample *s, double *x)
{
  for (int end = N; end > 0;) {
    const int m = group(s, end - 1), i = end - m;
    for (int l = m - 1; m > 1 && l >= 0; l--) {
      x[i + l] *= s->inverse[i + l];
      for (int k = 0; k < l; k++) x[i + k] -= s->dense[i + l][i + k] * x[i + l];
    }
    if (m == 1) spread_row(s, x, i);
    for (int j = 0; m > 1 && j < i; j++) {
      double sum = 0;
      for (int l = 0; l < m; l++) sum += s->dense[i + l][j] * x[i + l];
      x[j] -= sum;
    }
    end = i;
  }
}

static void solve(const sample *s, const double *r, double *x, bool transposed)
{
  if (s->T.by_diagonals) {
    solve_diagonals(s, r, x, transposed != s->upper);
  } else if (transposed) {
    memcpy(x, r, N * sizeof *x);
    spread_rows(s, x);
  } else {
    solve_rows(s, r, x);
  }
}

static void turn(double *x)
{
  for (int i = 0; i < N / 2; i++) {
    const double kept = x[i];
    x[i] = x[N - 1 - i];
    x[N - 1 - i] = kept;
  }
}

static void check_sweep(const sample *s, bool transposed)
{
  double r[N], x[N], expected[N];
  int polls = 0;
  const ovk_poll poll = {count_call, &polls, POLLS};
  for (int i = 0; i < N; i++) r[i] = random_number(9, (uint64_t)i) - 0.5;
  if (turned(s)) turn(r);
  solve(s, r, expected, transposed);
  if (turned(s)) turn(r), turn(expected);
  for (int with = 0; with < 2; with++) {
    memcpy(x, r, sizeof x); /* in place */
    (transposed ? ovk__triangle_solve_transposed
                : ovk__triangle_solve)(&s->T, x, x, with ? poll : ovk_poll_none());
    assert_memory_equal(x, expected, sizeof x);
  }
  assert_true(polls >= N / (POLLS + OVK__GROUP_MAX));
}

/* s <- s + N v, compared with plain sums, and x <- T^-1 s, bit for bit as without the product. */
static void check_product(const sample *s)
{
  double v[N], sum[N], x[N], expected[N];
  int polls = 0;
  for (int with = 0; with < 2; with++) {
    for (int i = 0; i < N; i++) {
      v[i] = random_number(10, (uint64_t)i) - 0.5;
      sum[i] = random_number(11, (uint64_t)i) - 0.5;
    }
    const ovk_poll poll = {count_call, &polls, POLLS};
    ovk__triangle_multiply_solve(&s->T, v, sum, x, with ? poll : ovk_poll_none());
    for (int i = 0; i < N; i++) {
      double plain = random_number(11, (uint64_t)i) - 0.5;
      for (int j = 0; j < i; j++) plain += s->dense[i][j] * v[j];
      assert_true(fabs(sum[i] - plain) <= 1e-13);
    }
    ovk__triangle_solve(&s->T, sum, expected, ovk_poll_none());
    assert_memory_equal(x, expected, sizeof x);
  }
  assert_true(polls >= N / (POLLS + OVK__GROUP_MAX));
}

/* Every storage in every form. */
static void check(pattern *has, bool by_diagonals, bool grouped)
{
  for (int form = 0; form < 8; form++) {
    sample s = {.has = has, .single = form & 1, .unit = form & 2, .upper = form & 4};
    pack(&s);
    assert_int_equal(s.T.by_diagonals, by_diagonals);
    assert_int_equal(s.T.grouped, grouped);
    make_dense(&s);
    check_sweep(&s, false);
    if (!s.upper) check_sweep(&s, true);
    if (!s.upper) check_product(&s);
    ovk__triangle_free(&s.T);
    free(s.dense);
  }
}

TEST(triangles_by_diagonals)
{
  check(stencil, true, false);
  check(line, true, false);
}

TEST(triangles_by_rows)
{
  check(scattered, false, false);
}

TEST(triangles_by_groups_of_rows)
{
  check(nodes, false, true);
}
