/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix of ovkrylov as a matrix of hypre, through its IJ interface. */
#include "to_hypre.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The greatest numbers of rows, and of entries on a rank, that the integers of hypre can count. */
static const ovk_gidx MOST_ROWS = sizeof(HYPRE_BigInt) < 8 ? INT_MAX : INT64_MAX;
static const int64_t MOST_ENTRIES = sizeof(HYPRE_Int) < 8 ? INT_MAX : INT64_MAX;

/* The counts of the rows before they are copied. */
typedef struct counting {
  ovk_ctx *ctx;
  ovk_gidx first, end;     /* of the rows of this rank */
  HYPRE_Int *own, *others; /* entries of each row in local columns, and in others */
  int64_t entries;         /* of all rows */
  ovk_lidx longest;
} counting;

static ovk_err count_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  counting *c = arg;
  HYPRE_Int own = 0;
  (void)val;
  for (ovk_lidx k = 0; k < n; k++) own += col[k] >= c->first && col[k] < c->end;
  c->own[i - c->first] = own;
  c->others[i - c->first] = n - own;
  c->entries += n;
  if (n > c->longest) c->longest = n;
  return OVK_OK;
}

static ovk_err count(const ovk_mat *A, counting *c)
{
  const size_t rows = (size_t)ovk_mat_local_size(A) + 1;
  c->first = ovk_mat_row_begin(A);
  c->end = c->first + ovk_mat_local_size(A);
  if (ovk_mat_size(A) > MOST_ROWS) {
    return ovk_ctx_fail(c->ctx, OVK_ERR_RANGE,
                        "the matrix has %lld rows, this build of hypre takes %lld at most",
                        (long long)ovk_mat_size(A), (long long)MOST_ROWS);
  }
  c->own = malloc(rows * sizeof *c->own);
  c->others = malloc(rows * sizeof *c->others);
  if (!c->own || !c->others) {
    return ovk_ctx_fail(c->ctx, OVK_ERR_MEMORY, "no memory for the counts of %zu rows", rows - 1);
  }
  const ovk_err err = ovk_mat_for_each_row(A, count_row, c);
  if (err || c->entries <= MOST_ENTRIES) return err;
  return ovk_ctx_fail(c->ctx, OVK_ERR_RANGE,
                      "this rank has %lld entries, this build of hypre takes %lld at most",
                      (long long)c->entries, (long long)MOST_ENTRIES);
}

/* Handing rows over. */
typedef struct filling {
  ovk_ctx *ctx;
  HYPRE_IJMatrix ij;
  HYPRE_BigInt *col; /* of one row */
  HYPRE_Complex *val;
} filling;

/* The place of the diagonal in a row, or -1 with an error: relaxations divide by it. */
static ovk_lidx find_diagonal(ovk_ctx *ctx, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                              const double *val)
{
  ovk_lidx place = -1;
  for (ovk_lidx k = 0; k < n; k++) {
    if (!isfinite(val[k])) {
      (void)ovk_ctx_fail(ctx, OVK_ERR_ARG, "hypre cannot use row %lld: column %lld has %g",
                         (long long)i, (long long)col[k], val[k]);
      return -1;
    }
    if (col[k] == i && val[k] != 0) place = k;
  }
  if (place < 0) {
    (void)ovk_ctx_fail(ctx, OVK_ERR_ARG, "hypre cannot use row %lld: its diagonal is 0",
                       (long long)i);
  }
  return place;
}

/* The diagonal comes first, then the others in their order, as in matrices that hypre makes itself:
 * its coarsening and interpolation decide ties by the order of entries. */
static ovk_err fill_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  const filling *f = arg;
  const HYPRE_BigInt row = (HYPRE_BigInt)i;
  const ovk_lidx diagonal = find_diagonal(f->ctx, i, n, col, val);
  HYPRE_Int entries = n;
  if (diagonal < 0) return OVK_ERR_ARG;
  for (ovk_lidx k = 0; k < n; k++) {
    const ovk_lidx to = k == diagonal ? 0 : k < diagonal ? k + 1 : k;
    f->col[to] = (HYPRE_BigInt)col[k];
    f->val[to] = val[k];
  }
  OVK_TRY_HYPRE(f->ctx, HYPRE_IJMatrixSetValues(f->ij, 1, &entries, &row, f->col, f->val));
  return OVK_OK;
}

static ovk_err to_hypre_fill(const ovk_mat *A, const ovk__hypre_matrix *m)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_TRY_HYPRE(ctx, HYPRE_IJMatrixInitialize(m->ij));
  const size_t most = (size_t)m->longest + 1;
  filling f = {ctx, m->ij, malloc(most * sizeof *f.col), malloc(most * sizeof *f.val)};
  const ovk_err err = f.col && f.val ? ovk_mat_for_each_row(A, fill_row, &f)
                                     : ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for a row");
  free(f.col);
  free(f.val);
  return err;
}

static ovk_err fill_first(const ovk_mat *A, const counting *c, const ovk__hypre_matrix *m)
{
  OVK_TRY_HYPRE(c->ctx, HYPRE_IJMatrixSetObjectType(m->ij, HYPRE_PARCSR));
  OVK_TRY_HYPRE(c->ctx, HYPRE_IJMatrixSetDiagOffdSizes(m->ij, c->own, c->others));
  return to_hypre_fill(A, m);
}

/* With counts that all ranks have. */
static ovk_err to_hypre_create(const ovk_mat *A, const counting *c, ovk__hypre_matrix *m)
{
  const HYPRE_BigInt first = (HYPRE_BigInt)c->first, last = (HYPRE_BigInt)c->end - 1;
  m->longest = c->longest;
  OVK_TRY_HYPRE(c->ctx, HYPRE_IJMatrixCreate(m->comm, first, last, first, last, &m->ij));
  const ovk_err err = fill_first(A, c, m);
  if (!ovk__hypre_all_well(m->comm, err)) return err;
  OVK_TRY_HYPRE(c->ctx, HYPRE_IJMatrixAssemble(m->ij));
  void *object = NULL;
  OVK_TRY_HYPRE(c->ctx, HYPRE_IJMatrixGetObject(m->ij, &object));
  m->A = object;
  return OVK_OK;
}

ovk_err ovk__hypre_matrix_create(const ovk_mat *A, MPI_Comm comm, ovk__hypre_matrix *out)
{
  counting c = {.ctx = ovk_mat_ctx(A)};
  *out = (ovk__hypre_matrix){.comm = comm};
  ovk_err err = count(A, &c);
  if (ovk__hypre_all_well(comm, err)) err = to_hypre_create(A, &c, out);
  free(c.own);
  free(c.others);
  return err;
}

void ovk__hypre_matrix_destroy(ovk__hypre_matrix *m)
{
  if (m->ij) (void)HYPRE_IJMatrixDestroy(m->ij);
  *m = (ovk__hypre_matrix){0};
}

ovk_err ovk__hypre_matrix_refill(const ovk_mat *A, ovk__hypre_matrix *m, bool *well)
{
  const ovk_err err = to_hypre_fill(A, m);
  *well = ovk__hypre_all_well(m->comm, err);
  if (!*well) return err;
  OVK_TRY_HYPRE(ovk_mat_ctx(A), HYPRE_IJMatrixAssemble(m->ij));
  return OVK_OK;
}
