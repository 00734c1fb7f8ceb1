/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices: creation, queries, destruction. */
#include "core/abi_struct.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/node/node.h"
#include "matrix/mat_impl.h"
#include "matrix/vector/vec_impl.h"

#include <stdlib.h>
#include <string.h>

static void mat_free_many(ovk__mat_many *many)
{
  for (int width = 0; many && width <= OVK__WIDEST; width++) ovk__halo_destroy(&many->halo[width]);
  if (many) free(many->column);
  free(many);
}

static void mat_free(void *self)
{
  ovk_mat *A = self;
  if (A->state == OVK__MAT_SHELL && A->ops.destroy) A->ops.destroy(A->user);
  ovk__rows_clear(&A->own);
  ovk__rows_clear(&A->other);
  ovk__ghosts_clear(&A->ghosts);
  ovk__stash_clear(&A->off);
  if (A->local) A->format->destroy(A->local);
  ovk__csr_free(&A->remote);
  ovk__csr_free(&A->unfolded);
  free(A->remote_rows);
  ovk__whole_rows_free(&A->whole);
  free(A->keys);
  free(A->order);
  ovk__halo_destroy(&A->halo);
  mat_free_many(A->many);
  ovk__vec_list_clear(&A->near);
  ovk__vec_list_clear(&A->rigid);
  free(A->coordinates);
  free(A);
}

static ovk_err mat_make(ovk_ctx *ctx, ovk_lidx nlocal, ovk_mat **out)
{
  OVK_TRY(ovk__layout_check_new(ctx, nlocal, out));
  ovk_mat *A = calloc(1, sizeof *A);
  OVK_CHECK(A, ctx, OVK_ERR_MEMORY, "no memory for a matrix");
  A->object = ovk__object_new(ctx, mat_free);
  A->block = 1;
  *out = A;
  OVK_NEW(ctx, A->many);
  OVK_TRY(ovk__format_find(ctx, "auto", &A->wanted));
  A->wanted.ordered = ctx->env.exact && strcmp(ctx->env.exact, "all") == 0;
  return OVK_OK;
}

ovk_err ovk_mat_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_mat **out)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk__node *node;
  if (out) *out = NULL;
  OVK_TRY(ovk__node_find(ctx, &node)); /* early, as agreements are fast from then on */
  ovk__layout layout;
  ovk_err err = ovk__layout_agree(ctx, mat_make(ctx, nlocal, out), nlocal, &layout);
  if (!err) (*out)->layout = layout;
  if (!err) {
    /* for the row pointers, the minimum that a matrix needs while entries are added */
    err = ovk__layout_check_memory(ctx, &layout, sizeof(int64_t), "a matrix");
  }
  if (!err) (*out)->own.n = (*out)->other.n = nlocal;
  if (err && out) ovk_mat_destroy(out);
  return err;
}

void ovk_mat_destroy(ovk_mat **A)
{
  OVK_GIVE_UP(A);
}

static ovk_err set_format(ovk_mat *A, const char *spec)
{
  OVK_CHECK(A->state == OVK__MAT_OPEN, A->ctx, OVK_ERR_STATE,
            "the format can be set only before assembly");
  OVK_CHECK(spec, A->ctx, OVK_ERR_ARG, "spec is NULL");
  const bool ordered = A->wanted.ordered;
  OVK_TRY(ovk__format_find(A->ctx, spec, &A->wanted));
  A->wanted.ordered = ordered;
  return OVK_OK;
}

ovk_err ovk_mat_set_format(ovk_mat *A, const char *spec)
{
  return A ? ovk__agree(A->ctx, set_format(A, spec)) : OVK_ERR_ARG;
}

static ovk_err mat_take_ops(ovk_ctx *ctx, const ovk_shell_ops *ops, ovk_shell_ops *own)
{
  if (ops) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_shell_ops, destroy, ops, own));
  OVK_CHECK(own->mult, ctx, OVK_ERR_ARG, "a shell operator needs a mult function");
  return OVK_OK;
}

ovk_err ovk_mat_create_shell(ovk_ctx *ctx, ovk_lidx nlocal, const ovk_shell_ops *ops, void *user,
                             ovk_mat **out)
{
  if (!ctx) return OVK_ERR_ARG;
  if (out) *out = NULL;
  ovk_shell_ops own = {0};
  OVK_TRY(ovk__agree(ctx, mat_take_ops(ctx, ops, &own)));
  OVK_TRY(ovk_mat_create(ctx, nlocal, out));
  (*out)->state = OVK__MAT_SHELL;
  (*out)->ops = own;
  (*out)->user = user;
  return OVK_OK;
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

static ovk_err check_diagonal(ovk_ctx *ctx, const ovk_mat *A, const ovk_vec *d)
{
  OVK_CHECK_HANDLE(ctx, A);
  OVK_CHECK_HANDLE(ctx, d);
  OVK_TRY(ovk__mat_check_ready(A));
  OVK_CHECK_UNUSED(d, "d");
  return ovk__mat_check_vec(A, d, "d");
}

void ovk__mat_read_diagonal(const ovk_mat *A, double *d)
{
  A->format->diagonal(A->local, d);
}

ovk_err ovk_mat_diagonal(const ovk_mat *A, ovk_vec *d)
{
  ovk_ctx *ctx = OVK_ANY_CTX(A, d);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check_diagonal(ctx, A, d)));
  if (A->state != OVK__MAT_SHELL) {
    ovk__mat_read_diagonal(A, d->array);
    return OVK_OK;
  }
  const ovk__used used = OVK_USE(A, d);
  const ovk_err err = ovk__agree(ctx, ovk__shell_diagonal(A, d->array));
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_mat_create_vec(const ovk_mat *A, ovk_vec **out)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__vec_create(A->ctx, &A->layout, out));
  (*out)->ordered = A->ordered;
  return OVK_OK;
}

ovk_err ovk_mat_create_multivec(const ovk_mat *A, int columns, ovk_multivec **out)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__multivec_check_new(A->ctx, A->layout.local, columns, out));
  return ovk__multivec_create(A->ctx, &A->layout, columns, out);
}

ovk_ctx *ovk_mat_ctx(const ovk_mat *A)
{
  return ovk__ctx_of(A);
}

ovk_lidx ovk_mat_local_size(const ovk_mat *A)
{
  return A ? A->layout.local : 0;
}

ovk_gidx ovk_mat_size(const ovk_mat *A)
{
  return A ? A->layout.global : 0;
}

ovk_gidx ovk_mat_row_begin(const ovk_mat *A)
{
  return A ? A->layout.first : 0;
}

ovk_gidx ovk_mat_row_end(const ovk_mat *A)
{
  return A ? A->layout.first + A->layout.local : 0;
}

int64_t ovk_mat_nnz(const ovk_mat *A)
{
  return A ? A->nnz : 0;
}

int64_t ovk_mat_bytes(const ovk_mat *A)
{
  return A ? A->bytes : 0;
}

const char *ovk_mat_format(const ovk_mat *A)
{
  if (!A) return "";
  switch (A->state) {
  case OVK__MAT_ASSEMBLED:
    return A->format->name;
  case OVK__MAT_SHELL:
    return "shell";
  default:
    return "";
  }
}

int ovk_mat_block_size(const ovk_mat *A)
{
  return A ? A->block : 0;
}

/* The user's vectors come before those that follow from coordinates. */
static const ovk__vec_list *near_nullspace_of(const ovk_mat *A)
{
  return A->near.count > 0 ? &A->near : &A->rigid;
}

int ovk_mat_near_nullspace_size(const ovk_mat *A)
{
  return A ? near_nullspace_of(A)->count : 0;
}

const ovk_vec *ovk_mat_near_nullspace_vec(const ovk_mat *A, int k)
{
  return k >= 0 && k < ovk_mat_near_nullspace_size(A) ? near_nullspace_of(A)->vec[k] : NULL;
}

const double *ovk_mat_coordinates(const ovk_mat *A, int *dim)
{
  if (dim) *dim = A ? A->dim : 0;
  return A ? A->coordinates : NULL;
}
