/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of hypre with several components: right-hand sides that are solved for at once, each with
 * its own step lengths and its own end. */
#include "parcsr_ovk.h"
#include "vectors.h"

#include <stdlib.h>

/* Where component c of v has its rows. */
static double *component(HYPRE_ParVector v, int c, HYPRE_Int *of_row)
{
  HYPRE_Int of_column;
  ovk__hypre_strides(v, &of_column, of_row);
  return ovk__hypre_array(v) + (size_t)c * (size_t)of_column;
}

static ovk_err columns_take(HYPRE_ParVector v, ovk_multivec *X, double *column)
{
  const ovk_lidx n = ovk_multivec_local_size(X);
  for (int c = 0; c < ovk_multivec_columns(X); c++) {
    HYPRE_Int step;
    const double *from = component(v, c, &step);
    for (ovk_lidx i = 0; i < n; i++) column[i] = from[(size_t)i * (size_t)step];
    OVK_TRY(ovk_multivec_set(X, c, 1, column, n));
  }
  return OVK_OK;
}

static ovk_err columns_give(const ovk_multivec *X, HYPRE_ParVector v, double *column)
{
  const ovk_lidx n = ovk_multivec_local_size(X);
  for (int c = 0; c < ovk_multivec_columns(X); c++) {
    HYPRE_Int step;
    double *to = component(v, c, &step);
    OVK_TRY(ovk_multivec_get(X, c, 1, column, n));
    for (ovk_lidx i = 0; i < n; i++) to[(size_t)i * (size_t)step] = column[i];
  }
  return OVK_OK;
}

/* The memory of this rank for the columns. */
static ovk_err columns_allocate(const ovk__parcsr_solver *s, int n, double **column,
                                ovk_result **results)
{
  *column = malloc(((size_t)ovk_mat_local_size(s->A) + 1) * sizeof **column);
  *results = calloc((size_t)n, sizeof **results);
  ovk_err err = OVK_OK;
  if (!*column || !*results) err = ovk_ctx_fail(s->ctx, OVK_ERR_MEMORY, "no memory for a column");
  for (int c = 0; *results && c < n; c++) (*results)[c] = (ovk_result)OVK_RESULT;
  return ovk__hypre_agree(s->ctx, s->comm, err, OVK_ERR_MEMORY,
                          "another rank has no memory for a column");
}

ovk_err ovk__parcsr_solve_columns(ovk__parcsr_solver *s, HYPRE_ParVector b, HYPRE_ParVector x)
{
  const int n = (int)ovk__hypre_columns(b);
  ovk_multivec *own_b = NULL, *own_x = NULL;
  double *column = NULL;
  ovk_result *results = NULL;
  ovk_err err = columns_allocate(s, n, &column, &results);
  if (!err) err = ovk_mat_create_multivec(s->A, n, &own_b);
  if (!err) err = ovk_mat_create_multivec(s->A, n, &own_x);
  if (!err) err = columns_take(b, own_b, column);
  if (!err) err = columns_take(x, own_x, column);
  if (!err) err = ovk_solver_solve_many(s->solver, own_b, own_x, results);
  if (!err) err = columns_give(own_x, x, column);
  if (!err) s->result = results[ovk_results_worst(results, n)];
  ovk_multivec_destroy(&own_b);
  ovk_multivec_destroy(&own_x);
  free(results);
  free(column);
  return err;
}
