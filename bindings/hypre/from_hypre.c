/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix of hypre as a matrix of ovkrylov: a copy in a storage format, or a shell that calls the
 * SpMV of hypre. */
#include "from_hypre.h"
#include "ovk_hypre.h"
#include "vectors.h"

#include <_hypre_parcsr_mv.h>
#include <_hypre_utilities.h>
#include <stdlib.h>
#include <string.h>

static ovk_err check(ovk_ctx *ctx, const hypre_ParCSRMatrix *A, const char *format, ovk_mat **out)
{
  if (!out) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "out is NULL");
  if (!A) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "hypre's matrix is NULL");
  if (!format) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "format is NULL");
  const HYPRE_BigInt *rows = A->row_starts, *cols = A->col_starts;
  if (A->global_num_rows != A->global_num_cols || rows[0] != cols[0] || rows[1] != cols[1]) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "hypre's matrix has %lld rows, of which this rank has %lld to %lld, and "
                        "%lld columns, %lld to %lld",
                        (long long)A->global_num_rows, (long long)rows[0], (long long)rows[1] - 1,
                        (long long)A->global_num_cols, (long long)cols[0], (long long)cols[1] - 1);
  }
  if (hypre_CSRMatrixNumRows(A->diag) > INT32_MAX) {
    return ovk_ctx_fail(ctx, OVK_ERR_RANGE, "this rank has %lld rows, %d is the most",
                        (long long)hypre_CSRMatrixNumRows(A->diag), INT32_MAX);
  }
  return OVK_OK;
}

/* Adds the entries of one row; hypre stores local and off-rank columns separately. */
static void add_row(const hypre_ParCSRMatrix *A, HYPRE_Int i, ovk_gidx *col, double *val,
                    ovk_mat *out)
{
  const ovk_gidx row = (ovk_gidx)A->first_row_index + i;
  const hypre_CSRMatrix *own = A->diag, *others = A->offd;
  ovk_lidx n = 0;
  for (HYPRE_Int k = own->i[i]; k < own->i[i + 1]; k++, n++) {
    col[n] = (ovk_gidx)A->first_col_diag + own->j[k];
    val[n] = own->data[k];
  }
  for (HYPRE_Int k = others->i[i]; k < others->i[i + 1]; k++, n++) {
    col[n] = (ovk_gidx)A->col_map_offd[others->j[k]];
    val[n] = others->data[k];
  }
  (void)ovk_mat_add_block(out, 1, &row, n, col, val); /* a failure is kept for assembly */
}

static size_t longest_row(const hypre_ParCSRMatrix *A)
{
  HYPRE_Int longest = 0;
  for (HYPRE_Int i = 0; i < hypre_CSRMatrixNumRows(A->diag); i++) {
    const HYPRE_Int n = A->diag->i[i + 1] - A->diag->i[i] + A->offd->i[i + 1] - A->offd->i[i];
    if (n > longest) longest = n;
  }
  return (size_t)longest;
}

static ovk_err add_rows(const hypre_ParCSRMatrix *A, ovk_mat *out)
{
  const size_t most = longest_row(A) + 1;
  if (most > INT32_MAX) {
    return ovk_ctx_fail(ovk_mat_ctx(out), OVK_ERR_RANGE, "a row of hypre's has %zu entries",
                        most - 1);
  }
  ovk_gidx *col = malloc(most * sizeof *col);
  double *val = malloc(most * sizeof *val);
  const bool got = col && val;
  if (got) (void)ovk_mat_reserve(out, A->diag->num_nonzeros);
  for (HYPRE_Int i = 0; got && i < hypre_CSRMatrixNumRows(A->diag); i++) {
    add_row(A, i, col, val, out);
  }
  free(col);
  free(val);
  return got ? OVK_OK
             : ovk_ctx_fail(ovk_mat_ctx(out), OVK_ERR_MEMORY, "no memory for a row of %zu", most);
}

/* Adds all entries and assembles. */
static ovk_err from_hypre_fill(MPI_Comm comm, const hypre_ParCSRMatrix *A, ovk_mat *out)
{
  OVK_TRY(ovk__hypre_agree(ovk_mat_ctx(out), comm, add_rows(A, out), OVK_ERR_MEMORY,
                           "another rank cannot copy hypre's matrix"));
  return ovk_mat_assemble(out);
}

static ovk_err copy(ovk_ctx *ctx, MPI_Comm comm, const hypre_ParCSRMatrix *A, const char *format,
                    ovk_mat **out)
{
  OVK_TRY(ovk_mat_create(ctx, (ovk_lidx)hypre_CSRMatrixNumRows(A->diag), out));
  ovk_err err = ovk_mat_set_format(*out, format);
  if (!err) err = from_hypre_fill(comm, A, *out);
  if (err) ovk_mat_destroy(out);
  return err;
}

ovk_err ovk__hypre_mat_refill(MPI_Comm comm, HYPRE_ParCSRMatrix A, ovk_mat *copy_)
{
  OVK_TRY(ovk_mat_reset_values(copy_));
  return from_hypre_fill(comm, (hypre_ParCSRMatrix *)A, copy_);
}

/* Each step is a bijection of `hash` for a given value, and carries the high bits, in which signs
 * and exponents are, into the low ones. */
static uint64_t hash_values(const hypre_CSRMatrix *part, uint64_t hash)
{
  const HYPRE_Int n = part->i ? part->i[part->num_rows] : 0;
  for (HYPRE_Int k = 0; k < n; k++) {
    uint64_t bits;
    memcpy(&bits, &part->data[k], sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash ^ (uint64_t)n;
}

uint64_t ovk__hypre_hash_values(HYPRE_ParCSRMatrix A)
{
  const hypre_ParCSRMatrix *own = (hypre_ParCSRMatrix *)A;
  return hash_values(own->offd, hash_values(own->diag, 0));
}

/* The SpMV of hypre as a user-defined operator. */
typedef struct product {
  ovk_ctx *ctx;
  hypre_ParCSRMatrix *A;
  ovk__hypre_vectors vectors;
} product;

static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  product *p = user;
  (void)poll;
  ovk__hypre_vectors_set(&p->vectors, x, y);
  OVK_TRY_HYPRE(p->ctx, HYPRE_ParCSRMatrixMatvec(1, (HYPRE_ParCSRMatrix)p->A, p->vectors.in, 0,
                                                 p->vectors.out));
  return OVK_OK;
}

static ovk_err find_diagonal(void *user, double *d)
{
  const hypre_CSRMatrix *own = ((const product *)user)->A->diag;
  for (HYPRE_Int i = 0; i < own->num_rows; i++) {
    d[i] = 0;
    for (HYPRE_Int k = own->i[i]; k < own->i[i + 1]; k++) {
      if (own->j[k] == i) d[i] += own->data[k];
    }
  }
  return OVK_OK;
}

static void destroy_product(void *user)
{
  product *p = user;
  if (ovk__hypre_mpi_runs()) ovk__hypre_vectors_destroy(&p->vectors);
  free(p);
}

static ovk_err wrap(ovk_ctx *ctx, MPI_Comm comm, hypre_ParCSRMatrix *A, ovk_mat **out)
{
  static const ovk_shell_ops ops = {
      .size = sizeof ops, .mult = multiply, .diagonal = find_diagonal, .destroy = destroy_product};
  product *p = calloc(1, sizeof *p);
  ovk_err err = p ? OVK_OK : ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for a product");
  if (!err) {
    *p = (product){.ctx = ctx, .A = A};
    err = ovk__hypre_vectors_create(ctx, (HYPRE_ParCSRMatrix)A, &p->vectors);
  }
  err = ovk__hypre_agree(ctx, comm, err, OVK_ERR_MEMORY,
                         "another rank has no memory for hypre's product");
  if (!err) err = ovk_mat_create_shell(ctx, (ovk_lidx)A->diag->num_rows, &ops, p, out);
  if (err && p) destroy_product(p);
  return err;
}

static ovk_err from_hypre_create(ovk_ctx *ctx, MPI_Comm comm, hypre_ParCSRMatrix *A,
                                 const char *format, ovk_mat **out)
{
  const bool shell = format && strcmp(format, "shell") == 0;
  OVK_TRY(ovk__hypre_agree_number(ctx, comm, check(ctx, A, format, out), OVK_ERR_ARG,
                                  "another rank cannot use hypre's matrix", shell,
                                  "formats 'shell', which all ranks must have, or none"));
  return shell ? wrap(ctx, comm, A, out) : copy(ctx, comm, A, format, out);
}

ovk_err ovk_hypre_mat_create(ovk_ctx *ctx, HYPRE_ParCSRMatrix A, const char *format, ovk_mat **out)
{
  MPI_Comm comm;
  if (!ctx) return OVK_ERR_ARG;
  if (out) *out = NULL;
  OVK_TRY(ovk__hypre_dup(ctx, ovk_ctx_comm(ctx), &comm));
  const ovk_err err = from_hypre_create(ctx, comm, (hypre_ParCSRMatrix *)A, format, out);
  (void)MPI_Comm_free(&comm);
  return err;
}
