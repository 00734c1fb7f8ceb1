/* SPDX-License-Identifier: BSD-2-Clause */
/* DiagScale over a copy of the matrix: the cost of an application depends on the layout. */
#include "bench/support/diag_scale.h"

#include <stdlib.h>

/* The local columns of A: row k begins at row[k] of `data` with its diagonal entry. */
typedef struct diag_csr {
  ovk_gidx first, end; /* columns */
  ovk_lidx n;
  ovk_gidx *row;
  double *data;   /* NULL while entries are counted */
  ovk_gidx count; /* of entries so far */
} diag_csr;

static ovk_err add_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  diag_csr *c = arg;
  ovk_gidx next = c->count + 1; /* after the diagonal */
  if (c->data) {
    c->row[i - c->first] = c->count;
    c->data[c->count] = 0;
  }
  for (ovk_lidx k = 0; k < n; k++) {
    if (col[k] < c->first || col[k] >= c->end) continue;
    if (c->data) c->data[col[k] == i ? c->count : next] = val[k];
    if (col[k] != i) next++;
  }
  c->count = next;
  return OVK_OK;
}

static void diag_scale_destroy(void *state)
{
  diag_csr *c = state;
  free(c->data);
  free(c->row);
  free(c);
}

static ovk_err copy(const ovk_mat *A, diag_csr *c)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  TRY(ovk_mat_for_each_row(A, add_row, c));
  c->row = malloc(((size_t)c->n + 1) * sizeof *c->row);
  c->data = malloc(((size_t)c->count + 1) * sizeof *c->data);
  if (!c->row || !c->data) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for DiagScale");
  c->count = 0;
  return ovk_mat_for_each_row(A, add_row, c);
}

static ovk_err diag_scale_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)spec, (void)user;
  diag_csr *c = calloc(1, sizeof *c);
  if (!c) return ovk_ctx_fail(ovk_mat_ctx(A), OVK_ERR_MEMORY, "no memory for DiagScale");
  c->n = ovk_mat_local_size(A);
  c->first = ovk_mat_row_begin(A);
  c->end = c->first + c->n;
  const ovk_err err = copy(A, c);
  if (err) {
    diag_scale_destroy(c);
    return err;
  }
  *state = c;
  return OVK_OK;
}

static ovk_err diag_scale_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  (void)poll; /* that of the paper has none */
  const diag_csr *c = state;
  for (ovk_lidx i = 0; i < c->n; i++) z[i] = r[i] / c->data[c->row[i]];
  return OVK_OK;
}

ovk_err diag_scale_create(ovk_mat *A, ovk_precond **out)
{
  const ovk_precond_ops ops = {.size = sizeof ops,
                               .name = "diag-scale",
                               .apply = diag_scale_apply,
                               .setup = diag_scale_setup,
                               .destroy = diag_scale_destroy,
                               .local = true,
                               .never_polls = true};
  return ovk_precond_create_from_ops(A, &ops, NULL, out);
}
