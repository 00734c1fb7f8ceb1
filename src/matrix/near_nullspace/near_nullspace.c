/* SPDX-License-Identifier: BSD-2-Clause */
/* The description of a problem by the user, for preconditioners: block size, vectors near
 * the null space, coordinates. All of it is checked and copied. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/near_nullspace/rigid_modes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 48, MAX_DIM = 3 };

static ovk_err near_check_block(const ovk_mat *A, int block)
{
  OVK_CHECK_UNUSED(A, "A");
  OVK_CHECK(block >= 1, A->ctx, OVK_ERR_ARG, "the block size is %d, but must be >= 1", block);
  OVK_CHECK(A->layout.local % block == 0, A->ctx, OVK_ERR_ARG,
            "the %d rows of a rank are no multiple of the block size %d", A->layout.local, block);
  OVK_CHECK(!A->coordinates || block == A->block, A->ctx, OVK_ERR_STATE,
            "the block size must be set before the coordinates: they are those of blocks of %d",
            A->block);
  return OVK_OK;
}

ovk_err ovk_mat_set_block_size(ovk_mat *A, int block)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(A->ctx, near_check_block(A, block)));
  OVK_TRY(ovk__agree_number(A->ctx, "block sizes", block));
  A->block = block;
  return OVK_OK;
}

static void name_vector(int k, char name[NAME])
{
  snprintf(name, NAME, "vector %d of the near-null space", k);
}

static ovk_err check_near_vector(const ovk_mat *A, const ovk_vec *v, int k)
{
  char name[NAME];
  name_vector(k, name);
  OVK_CHECK(v, A->ctx, OVK_ERR_ARG, "%s is NULL", name);
  OVK_CHECK(v->ctx == A->ctx, A->ctx, OVK_ERR_ARG, "%s belongs to another context", name);
  OVK_TRY(ovk__mat_check_vec(A, v, name));
  for (ovk_lidx i = 0; i < v->layout.local; i++) {
    OVK_CHECK(isfinite(v->array[i]), A->ctx, OVK_ERR_ARG, "%s is %g in row %lld", name, v->array[i],
              (long long)(v->layout.first + i));
  }
  return OVK_OK;
}

static ovk_err check_near(const ovk_mat *A, int n, ovk_vec *const v[])
{
  OVK_CHECK_UNUSED(A, "A");
  OVK_CHECK(n >= 0, A->ctx, OVK_ERR_ARG, "the number of vectors is %d, but must be >= 0", n);
  OVK_CHECK(v || n == 0, A->ctx, OVK_ERR_ARG, "v is NULL, for %d vectors", n);
  for (int k = 0; k < n; k++) OVK_TRY(check_near_vector(A, v[k], k));
  return OVK_OK;
}

/* OVK_ERR_ARG unless the vectors are linearly independent. Collective; errors are agreed. */
static ovk_err check_independent(const ovk_mat *A, const ovk__vec_list *list)
{
  ovk__vec_list basis;
  char name[NAME];
  if (A->layout.global == 0) return OVK_OK;
  OVK_TRY(ovk__vec_list_create(A->ctx, &A->layout, list->count, &basis));
  ovk_err err = OVK_OK;
  for (int k = 0; k < list->count && !err; k++) {
    name_vector(k, name);
    ovk__vec_copy(list->vec[k], basis.vec[k]);
    err = ovk__vec_extend_basis(basis.vec, k, name);
  }
  ovk__vec_list_clear(&basis);
  return err;
}

ovk_err ovk_mat_set_near_nullspace(ovk_mat *A, int n, ovk_vec *const v[])
{
  ovk__vec_list list = {0};
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(A->ctx, check_near(A, n, v)));
  OVK_TRY(ovk__agree_number(A->ctx, "numbers of vectors of the near-null space", n));
  if (n > 0) OVK_TRY(ovk__vec_list_create(A->ctx, &A->layout, n, &list));
  for (int k = 0; k < n; k++) ovk__vec_copy(v[k], list.vec[k]);
  const ovk_err err = check_independent(A, &list);
  if (!err) {
    ovk__vec_list_clear(&A->near);
    A->near = list;
  } else {
    ovk__vec_list_clear(&list);
  }
  return err;
}

static ovk_err check_coordinates(const ovk_mat *A, int dim, const double *xyz)
{
  const ovk_lidx points = A->layout.local / A->block;
  OVK_CHECK_UNUSED(A, "A");
  OVK_CHECK(dim >= 0 && dim <= MAX_DIM, A->ctx, OVK_ERR_ARG,
            "the number of coordinates is %d, but must be 1 to %d, or 0 to remove them", dim,
            MAX_DIM);
  OVK_CHECK(xyz || points == 0 || dim == 0, A->ctx, OVK_ERR_ARG, "xyz is NULL, for %d points",
            points);
  for (int64_t k = 0; k < (int64_t)points * dim; k++) {
    OVK_CHECK(isfinite(xyz[k]), A->ctx, OVK_ERR_ARG, "coordinate %d of point %lld is %g",
              (int)(k % dim), (long long)(A->layout.first / A->block + k / dim), xyz[k]);
  }
  return OVK_OK;
}

/* *copy <- the coordinates, *modes <- the rigid body modes, if rows are displacements. */
static ovk_err take_coordinates(const ovk_mat *A, int dim, const double *xyz, double **copy,
                                ovk__vec_list *modes)
{
  const size_t n = (size_t)(A->layout.local / A->block) * (size_t)dim;
  *copy = ovk__array(n, sizeof **copy);
  OVK_CHECK_ALL(*copy, A->ctx, OVK_ERR_MEMORY, "no memory for %zu coordinates", n);
  if (n > 0) memcpy(*copy, xyz, n * sizeof **copy);
  if (dim < 2 || dim != A->block || A->layout.global == 0) return OVK_OK;
  return ovk__rigid_modes(A->ctx, &A->layout, dim, *copy, modes);
}

ovk_err ovk_mat_set_coordinates(ovk_mat *A, int dim, const double *xyz)
{
  double *copy = NULL;
  ovk__vec_list modes = {0};
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(A->ctx, check_coordinates(A, dim, xyz)));
  OVK_TRY(ovk__agree_number(A->ctx, "numbers of coordinates", dim));
  const ovk_err err = dim > 0 ? take_coordinates(A, dim, xyz, &copy, &modes) : OVK_OK;
  if (err) {
    free(copy);
    return err;
  }
  free(A->coordinates);
  ovk__vec_list_clear(&A->rigid);
  A->dim = dim;
  A->coordinates = copy;
  A->rigid = modes;
  return OVK_OK;
}
