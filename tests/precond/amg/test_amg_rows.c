/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of "amg" that are read band by band, as in updates; rows that are in no aggregate, and rows
 * that are one. */
#include "precond/amg/prolongator/prolongator.h"
#include "precond/diffusion.h"
#include "precond/precond_case.h"
#include "support/problem.h"

enum { ROWS = 2 * OVK__ROW_BLOCK + 100, FAR = 500 };

/* Symmetric: rows couple with the next one and with one that is far. */
static ovk_mat *new_band_matrix(const char *format)
{
  const ovk_gidx distances[] = {1, FAR};
  const ovk_gidx n = (ovk_gidx)ROWS * test_size;
  ovk_mat *A;
  assert_ok(ovk_mat_create(test_ctx(), ROWS, &A));
  assert_ok(ovk_mat_set_format(A, format));
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    assert_ok(ovk_mat_add(A, i, i, 4 + random_number(1, (uint64_t)i)));
    for (int k = 0; k < 2 && i + distances[k] < n; k++) {
      const double value = -random_number(2, (uint64_t)(2 * i + k));
      assert_ok(ovk_mat_add(A, i, i + distances[k], value));
      assert_ok(ovk_mat_add(A, i + distances[k], i, value));
    }
  }
  return assembled(A);
}

static void check_band(const ovk__amg_rows *all, const ovk__amg_rows *some)
{
  for (ovk_lidx i = some->begin; i < some->end; i++) {
    const int64_t *ptr = all->ptr + i, *of_some = some->ptr + (i - some->begin);
    assert_int_equal(of_some[1] - of_some[0], ptr[1] - ptr[0]);
    for (int64_t k = 0; k < ptr[1] - ptr[0]; k++) {
      assert_int_equal(some->col[of_some[0] + k], all->col[ptr[0] + k]);
      assert_true(some->val[of_some[0] + k] == all->val[ptr[0] + k]);
    }
  }
}

TEST(rows_of_a_band_are_those_of_all_rows)
{
  const char *const formats[] = {"csr", "sell", "dia", "symdia", "sym"};
  for (int f = 0; f < 5; f++) {
    ovk_mat *A = new_band_matrix(formats[f]);
    ovk__amg_rows all, some;
    ovk__amg_rows_begin(A, &all);
    ovk__amg_rows_begin(A, &some);
    assert_ok(ovk__amg_rows_read(&all, 0, ROWS));
    for (ovk_lidx from = 0; from < ROWS; from += OVK__ROW_BLOCK) {
      const ovk_lidx end = ROWS - from < OVK__ROW_BLOCK ? ROWS : from + OVK__ROW_BLOCK;
      assert_ok(ovk__amg_rows_read(&some, from, end));
      assert_true(some.begin <= from && some.end >= end);
      check_band(&all, &some);
    }
    ovk__amg_rows_free(&all);
    ovk__amg_rows_free(&some);
    ovk_mat_destroy(&A);
  }
}

/* Rows of the format "sym" are all held. */
TEST(a_setup_of_several_bands_has_the_hierarchy_of_one_with_all_rows)
{
  const char *const formats[] = {"sym", "csr", "sell", "symdia"};
  char info[4][300];
  for (int f = 0; f < 4; f++) {
    scoped_mat *A = new_band_matrix(formats[f]);
    scoped_precond *M = new_precond(A, "amg");
    snprintf(info[f], sizeof info[f], "%s", ovk_precond_info(M));
    assert_non_null(strstr(info[f], "hierarchy"));
    assert_string_equal(info[f], info[0]);
  }
}

/* Rows have the neighbors 1 and FAR rows away, most of them as the row before. */
TEST(equal_lists_of_neighbors_are_stored_once)
{
  scoped_mat *A = new_band_matrix("csr");
  SCOPED(ovk__amg_rows_free) ovk__amg_rows rows;
  SCOPED(ovk__amg_strength_free) ovk__amg_strength strength;
  int64_t entries = 0;
  assert_ok(ovk__amg_rows_create(A, &rows));
  assert_ok(ovk__amg_strength_create(&rows, 0, &strength)); /* all couplings are strong */
  assert_int_equal(strength.strong.rows, ROWS);
  for (ovk_lidx i = 0, n; i < ROWS; i++) {
    const ovk_lidx *step = ovk__amg_neighbors_of(&strength.strong, i, &n);
    assert_ok(ovk__amg_rows_read(&rows, i, i + 1));
    const ovk__amg_row row = ovk__amg_rows_row(&rows, i);
    assert_int_equal(n, row.n - 1);
    for (ovk_lidx k = 0, l = 0; k < row.n; k++) {
      if (row.col[k] != i) assert_int_equal(i + step[l++], row.col[k]);
    }
    entries += row.n;
  }
  assert_int_equal(ovk__amg_rows_entries(&rows), entries);
  assert_true(strength.strong.end < entries / 2);
}

/* Each of up to two ranks has more rows than a band. */
TEST(an_update_of_several_bands_has_the_hierarchy_of_the_setup)
{
  char info[300];
  scoped_mat *A = new_diffusion(test_ctx(), 22, jumping);
  scoped_precond *M = new_precond(A, "amg");
  snprintf(info, sizeof info, "%s", ovk_precond_info(M));
  assert_ok(ovk_precond_update(M));
  assert_string_equal(ovk_precond_info(M), info);
}

/* A closed chain of points with coefficient 1e6 or 1, coupled with the next two; edges have the
 * harmonic mean. A pair of soft points is omitted, of four the inner ones stay. */
static const char CHAIN[] = "SSSssSSSSssssSSSSS";
enum { POINTS = sizeof CHAIN - 1 };

static double chain_coupling(ovk_gidx i, ovk_gidx j)
{
  const double a = CHAIN[i] == 'S' ? 1e6 : 1, b = CHAIN[j] == 'S' ? 1e6 : 1;
  return 2 * a * b / (a + b);
}

static ovk_mat *new_chain(void)
{
  ovk_mat *A;
  assert_ok(ovk_mat_create(test_ctx(), even_share(POINTS, test_rank, test_size), &A));
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    for (int distance = -2; distance <= 2; distance++) {
      const ovk_gidx j = (i + distance + POINTS) % POINTS;
      if (distance == 0) continue;
      assert_ok(ovk_mat_add(A, i, i, chain_coupling(i, j)));
      assert_ok(ovk_mat_add(A, i, j, -chain_coupling(i, j)));
    }
  }
  return assembled(A);
}

static bool chain_is_omitted(ovk_gidx i)
{
  const char before = CHAIN[(i + POINTS - 1) % POINTS], after = CHAIN[(i + 1) % POINTS];
  return CHAIN[i] == 's' && (before == 'S' || after == 'S');
}

/* The first steps of a setup. */
typedef struct setup {
  ovk__amg_rows rows;
  ovk__amg_strength strength;
  ovk__amg_aggregates aggregates;
  ovk__amg_entries P;
} setup;

static void setup_free(setup *s)
{
  ovk__amg_rows_free(&s->rows);
  ovk__amg_strength_free(&s->strength);
  ovk__amg_aggregates_free(&s->aggregates);
  ovk__amg_entries_free(&s->P);
}

static void make_setup(const ovk_mat *A, setup *s)
{
  assert_ok(ovk__amg_rows_create(A, &s->rows));
  assert_ok(ovk__amg_strength_create(&s->rows, 0.35, &s->strength));
  assert_ok(ovk__amg_strength_omit(&s->rows, &s->strength));
  assert_ok(ovk__amg_aggregates_create(&s->rows, &s->strength, &s->aggregates));
  const ovk__amg_tentative T = {.coarse = s->aggregates.coarse, .of = s->aggregates.of};
  assert_ok(ovk__amg_prolongator_create(&s->rows, &s->strength, &T, 0.6, &s->P));
}

/* For rows that sum to 0. */
static void assert_interpolates_constants(const ovk__amg_entries *P, ovk_lidx rows)
{
  for (ovk_lidx i = 0; i < rows; i++) {
    double sum = 0;
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) sum += P->val[k];
    assert_true(fabs(sum - 1) < 1e-6);
  }
}

TEST(soft_rows_next_to_stiff_ones_have_no_aggregate_and_interpolate_constants)
{
  SCOPED(setup_free) setup s;
  scoped_mat *A = new_chain();
  make_setup(A, &s);
  for (ovk_lidx i = 0; i < s.rows.n; i++) {
    assert_int_equal(s.aggregates.of[i] < 0, chain_is_omitted(s.rows.first + i));
  }
  assert_interpolates_constants(&s.P, s.rows.n);
}

/* A torus of SIDE^2 points with these coefficients, coupled with 4 or 8 neighbors; edges have the
 * harmonic or the geometric mean. */
enum { SIDE = 16 };
typedef double torus_fn(int x, int y);

static ovk_mat *new_torus(torus_fn *coefficient, bool corners, bool geometric)
{
  ovk_mat *A;
  assert_ok(ovk_mat_create(test_ctx(), even_share(SIDE * SIDE, test_rank, test_size), &A));
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    const int x = (int)i % SIDE, y = (int)i / SIDE;
    for (int at = 0; at < 9; at++) {
      const int dx = at % 3 - 1, dy = at / 3 - 1, u = (x + dx + SIDE) % SIDE,
                v = (y + dy + SIDE) % SIDE;
      const double a = coefficient(x, y), b = coefficient(u, v);
      const double value = geometric ? sqrt(a * b) : 2 * a * b / (a + b);
      if ((dx == 0 && dy == 0) || (!corners && dx * dy != 0)) continue;
      assert_ok(ovk_mat_add(A, i, i, value));
      assert_ok(ovk_mat_add(A, i, v * SIDE + u, -value));
    }
  }
  return assembled(A);
}

/* Stiff squares of 3^2 points, and soft lines of one point between them. */
static double bricks(int x, int y)
{
  return x % 4 == 3 || y % 4 == 3 ? 1 : 100;
}

TEST(a_soft_row_whose_neighbors_are_all_omitted_is_an_aggregate)
{
  SCOPED(setup_free) setup s;
  scoped_mat *A = new_torus(bricks, false, false);
  make_setup(A, &s);
  for (ovk_lidx i = 0; i < s.rows.n; i++) {
    const int at = (int)(s.rows.first + i), x = at % SIDE, y = at / SIDE;
    const bool crossing = x % 4 == 3 && y % 4 == 3;
    assert_int_equal(s.strength.single[i], crossing);
    assert_int_equal(s.aggregates.of[i] < 0, bricks(x, y) == 1 && !crossing);
  }
  assert_interpolates_constants(&s.P, s.rows.n);
}

static double five_phases(int x, int y)
{
  return pow(20, floor(5 * random_number(3, (uint64_t)(SIDE * y + x))));
}

TEST(rows_that_could_be_omitted_stay_if_they_depend_on_others_of_these)
{
  SCOPED(setup_free) setup s;
  scoped_mat *A = new_torus(five_phases, true, false);
  make_setup(A, &s);
  assert_interpolates_constants(&s.P, s.rows.n);
}

static double flat(int x, int y)
{
  (void)x, (void)y;
  return 1;
}

/* As in updates with update=values. */
TEST(members_of_old_aggregates_without_strong_couplings_keep_constants)
{
  SCOPED(setup_free) setup old, new;
  scoped_mat *A = new_torus(flat, false, false), *B = new_torus(bricks, false, false);
  make_setup(A, &old);
  make_setup(B, &new);
  const ovk__amg_tentative T = {.coarse = old.aggregates.coarse, .of = old.aggregates.of};
  ovk__amg_entries_free(&new.P);
  assert_ok(ovk__amg_prolongator_create(&new.rows, &new.strength, &T, 0.6, &new.P));
  assert_interpolates_constants(&new.P, new.rows.n);
}

static double walls(int x, int y)
{
  (void)y;
  return x % 4 == 0 ? 1e4 : 1;
}

/* Those next to the walls have no strong couplings. The others are coupled to them. */
TEST(rows_that_depend_on_rows_without_strong_couplings_are_not_omitted)
{
  SCOPED(setup_free) setup s;
  scoped_mat *A = new_torus(walls, true, true);
  make_setup(A, &s);
  for (ovk_lidx i = 0; i < s.rows.n; i++) {
    assert_int_equal(s.aggregates.of[i] < 0, (s.rows.first + i) % 2 == 1);
  }
  assert_interpolates_constants(&s.P, s.rows.n);
}
