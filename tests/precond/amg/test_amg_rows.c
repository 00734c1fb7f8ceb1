/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of "amg" that are read band by band, as in updates; rows that are in no aggregate. */
#include "precond/amg/operators/prolongator.h"
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
  assert_ok(ovk_mat_assemble(A));
  return A;
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
    assert_ok(ovk__amg_rows_create(A, &all));
    assert_ok(ovk__amg_rows_begin(A, &some));
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
  assert_ok(ovk_mat_assemble(A));
  return A;
}

static bool chain_is_omitted(ovk_gidx i)
{
  const char before = CHAIN[(i + POINTS - 1) % POINTS], after = CHAIN[(i + 1) % POINTS];
  return CHAIN[i] == 's' && (before == 'S' || after == 'S');
}

TEST(soft_rows_next_to_stiff_ones_have_no_aggregate_and_interpolate_constants)
{
  SCOPED(ovk__amg_rows_free) ovk__amg_rows rows;
  SCOPED(ovk__amg_strength_free) ovk__amg_strength strength;
  SCOPED(ovk__amg_aggregates_free) ovk__amg_aggregates aggregates;
  SCOPED(ovk__amg_entries_free) ovk__amg_entries P;
  scoped_mat *A = new_chain();
  assert_ok(ovk__amg_rows_create(A, &rows));
  assert_ok(ovk__amg_strength_create(&rows, 0.35, &strength));
  assert_ok(ovk__amg_strength_omit(&rows, &strength));
  assert_ok(ovk__amg_aggregates_create(&rows, &strength, &aggregates));
  const ovk__amg_tentative T = {.coarse = aggregates.coarse, .of = aggregates.of};
  assert_ok(ovk__amg_prolongator_create(&rows, &strength, &T, 0.6, &P));
  for (ovk_lidx i = 0; i < rows.n; i++) {
    double sum = 0;
    for (int64_t k = P.ptr[i]; k < P.ptr[i + 1]; k++) sum += P.val[k];
    assert_int_equal(aggregates.of[i] < 0, chain_is_omitted(rows.first + i));
    assert_true(fabs(sum - 1) < 1e-6);
  }
}
