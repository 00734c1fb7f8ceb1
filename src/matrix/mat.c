/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices: creation, adding entries, questions, destruction. */
#include "core/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/shell.h"
#include "matrix/vec_impl.h"

#include <stdio.h>
#include <stdlib.h>

static ovk_err make(ovk_ctx *ctx, ovk_lidx nlocal, ovk_mat **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK(nlocal >= 0, ctx, OVK_ERR_ARG, "a matrix cannot have %d rows on a rank", nlocal);
  ovk_mat *A = calloc(1, sizeof *A);
  OVK_CHECK(A, ctx, OVK_ERR_MEMORY, "no memory for a matrix");
  A->ctx = ctx;
  *out = A;
  return ovk__format_find(ctx, "auto", &A->format);
}

ovk_err ovk_mat_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_mat **out)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk_err err = ovk__agree(ctx, make(ctx, nlocal, out));
  if (!err) err = ovk__layout_create(ctx, nlocal, &(*out)->layout);
  if (err && out) ovk_mat_destroy(out);
  return err;
}

void ovk_mat_destroy(ovk_mat **A)
{
  if (!A || !*A) return;
  ovk_mat *a = *A;
  if (a->state == OVK__MAT_SHELL && a->ops.destroy) a->ops.destroy(a->user);
  ovk__stash_clear(&a->own);
  ovk__stash_clear(&a->off);
  if (a->local) a->format->destroy(a->local);
  ovk__csr_free(&a->remote);
  free(a->remote_rows);
  free(a->ghosts);
  ovk__halo_destroy(&a->halo);
  free(a);
  *A = NULL;
}

/* Remembers the first failure for ovk_mat_assemble(). */
static ovk_err keep(ovk_mat *A, ovk_err err)
{
  if (err && !A->kept) {
    A->kept = err;
    snprintf(A->kept_message, sizeof A->kept_message, "%s", A->ctx->message);
  }
  return err;
}

static ovk_err add(ovk_mat *A, ovk_gidx i, ovk_gidx j, double value)
{
  const ovk__layout *rows = &A->layout;
  OVK_CHECK(i >= 0 && i < rows->global && j >= 0 && j < rows->global, A->ctx, OVK_ERR_RANGE,
            "entry (%lld,%lld) is outside of a matrix with %lld rows and columns", (long long)i,
            (long long)j, (long long)rows->global);
  const bool own = i >= rows->first && i < rows->first + rows->local;
  return ovk__stash_add(A->ctx, own ? &A->own : &A->off, (ovk__entry){i, j, value});
}

static ovk_err check_open(const ovk_mat *A)
{
  OVK_CHECK(A->state == OVK__MAT_OPEN, A->ctx, OVK_ERR_STATE,
            "entries can be added before assembly only");
  return OVK_OK;
}

ovk_err ovk_mat_add(ovk_mat *A, ovk_gidx i, ovk_gidx j, double value)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(check_open(A));
  return keep(A, add(A, i, j, value));
}

static ovk_err add_csr(ovk_mat *A, const int64_t *ptr, const ovk_gidx *col, const double *val)
{
  const ovk_lidx n = A->layout.local;
  OVK_CHECK(ptr, A->ctx, OVK_ERR_ARG, "ptr is NULL");
  for (ovk_lidx i = 0; i < n; i++) {
    OVK_CHECK(ptr[i] >= 0 && ptr[i] <= ptr[i + 1], A->ctx, OVK_ERR_ARG,
              "ptr[%d] = %lld and ptr[%d] = %lld: offsets must not be negative or decrease", i,
              (long long)ptr[i], i + 1, (long long)ptr[i + 1]);
  }
  const int64_t nnz = ptr[n] - ptr[0];
  OVK_CHECK(nnz == 0 || (col && val), A->ctx, OVK_ERR_ARG, "%s is NULL, with %lld entries",
            col ? "val" : "col", (long long)nnz);
  OVK_TRY(ovk__stash_reserve(A->ctx, &A->own, (size_t)nnz));
  for (ovk_lidx i = 0; i < n; i++) {
    for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) {
      OVK_TRY(add(A, A->layout.first + i, col[k], val[k]));
    }
  }
  return OVK_OK;
}

ovk_err ovk_mat_add_csr(ovk_mat *A, const int64_t *ptr, const ovk_gidx *col, const double *val)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(check_open(A));
  return keep(A, add_csr(A, ptr, col, val));
}

static ovk_err set_format(ovk_mat *A, const char *spec)
{
  OVK_CHECK(A->state == OVK__MAT_OPEN, A->ctx, OVK_ERR_STATE,
            "a format can be chosen before assembly only");
  OVK_CHECK(spec, A->ctx, OVK_ERR_ARG, "spec is NULL");
  return ovk__format_find(A->ctx, spec, &A->format);
}

ovk_err ovk_mat_set_format(ovk_mat *A, const char *spec)
{
  return A ? ovk__agree(A->ctx, set_format(A, spec)) : OVK_ERR_ARG;
}

ovk_err ovk__mat_check_ready(const ovk_mat *A)
{
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED || A->state == OVK__MAT_SHELL, A->ctx, OVK_ERR_STATE,
            "the matrix is not assembled");
  return OVK_OK;
}

ovk_err ovk__mat_check_vec(const ovk_mat *A, const ovk_vec *v, const char *name)
{
  return ovk__layout_check(A->ctx, &A->layout, "A", &v->layout, name);
}

static ovk_err check_diagonal(const ovk_mat *A, const ovk_vec *d)
{
  OVK_CHECK(d, A->ctx, OVK_ERR_ARG, "d is NULL");
  OVK_TRY(ovk__mat_check_ready(A));
  return ovk__mat_check_vec(A, d, "d");
}

ovk_err ovk_mat_diagonal(const ovk_mat *A, ovk_vec *d)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(A->ctx, check_diagonal(A, d)));
  if (A->state == OVK__MAT_SHELL) return ovk__agree(A->ctx, ovk__shell_diagonal(A, d->array));
  A->format->diagonal(A->local, d->array);
  return OVK_OK;
}

ovk_err ovk_mat_create_vec(const ovk_mat *A, ovk_vec **out)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(A->ctx, out ? OVK_OK : OVK_FAIL(A->ctx, OVK_ERR_ARG, "out is NULL")));
  return ovk__vec_create(A->ctx, &A->layout, out);
}

ovk_ctx *ovk_mat_ctx(const ovk_mat *A)
{
  return A->ctx;
}

ovk_lidx ovk_mat_local_size(const ovk_mat *A)
{
  return A->layout.local;
}

ovk_gidx ovk_mat_size(const ovk_mat *A)
{
  return A->layout.global;
}

ovk_gidx ovk_mat_first(const ovk_mat *A)
{
  return A->layout.first;
}

int64_t ovk_mat_nnz(const ovk_mat *A)
{
  return A->nnz;
}

int64_t ovk_mat_bytes(const ovk_mat *A)
{
  return A->bytes;
}

const char *ovk_mat_format(const ovk_mat *A)
{
  switch (A->state) {
  case OVK__MAT_ASSEMBLED:
    return A->format->name;
  case OVK__MAT_SHELL:
    return "shell";
  default:
    return "";
  }
}
