/* SPDX-License-Identifier: BSD-2-Clause */
/* Rigid body modes from coordinates. Rotations are about the middle of the points, with lengths
 * around 1, so that the modes are far from linearly dependent for any position of the points. */
#include "matrix/near_nullspace/rigid_modes.h"
#include "core/context/agree.h"

#include <float.h>
#include <math.h>

enum { MAX_DIM = 3, MAX_MODES = 6 };

/* The box that contains all points: entries of the modes follow from it without rounding that would
 * depend on the number of ranks. */
typedef struct box {
  double middle[MAX_DIM];
  int exponent; /* of the longest half edge */
} box;

static ovk_err box_of(ovk_ctx *ctx, int dim, ovk_lidx points, const double *xyz, box *out)
{
  double ends[2 * MAX_DIM]; /* the largest of x and of -x */
  double longest = DBL_MIN;
  for (int k = 0; k < 2 * MAX_DIM; k++) ends[k] = -DBL_MAX;
  for (ovk_lidx p = 0; p < points; p++) {
    for (int k = 0; k < dim; k++) {
      ends[k] = fmax(ends[k], xyz[dim * p + k]);
      ends[MAX_DIM + k] = fmax(ends[MAX_DIM + k], -xyz[dim * p + k]);
    }
  }
  OVK_TRY(ovk__total(ctx, ends, 2 * MAX_DIM, MPI_MAX));
  for (int k = 0; k < dim; k++) {
    out->middle[k] = ends[k] / 2 - ends[MAX_DIM + k] / 2;
    longest = fmax(longest, ends[k] / 2 + ends[MAX_DIM + k] / 2);
  }
  out->exponent = ilogb(longest);
  return OVK_OK;
}

static int count_modes(int dim)
{
  return dim == 2 ? 3 : MAX_MODES;
}

/* Mode m: the translations along the axes, then the rotations, each from one axis to another. */
static void fill_mode(int dim, const box *b, const double *xyz, int m, ovk_vec *v)
{
  const bool rotates = m >= dim;
  const int from = (m - dim) % dim, to = (from + 1) % dim;
  for (ovk_lidx i = 0; i < v->layout.local; i += dim) {
    const double *x = xyz + i;
    double *u = v->array + i;
    for (int k = 0; k < dim; k++) u[k] = !rotates && k == m;
    if (!rotates) continue;
    u[to] = ldexp(x[from] - b->middle[from], -b->exponent);
    u[from] = -ldexp(x[to] - b->middle[to], -b->exponent);
  }
}

/* Fills the modes and omits those that depend on others; `basis` is work space. */
static ovk_err find_modes(ovk_ctx *ctx, int dim, const double *xyz, ovk__vec_list *modes,
                          const ovk__vec_list *basis)
{
  box b;
  double norm, left;
  int found = 0;
  OVK_TRY(box_of(ctx, dim, modes->vec[0]->layout.local / dim, xyz, &b));
  for (int m = 0; m < modes->count; m++) {
    fill_mode(dim, &b, xyz, m, modes->vec[found]);
    ovk__vec_copy(modes->vec[found], basis->vec[found]);
    OVK_TRY(ovk__vec_orthonormalize(basis->vec, found, &norm, &left));
    if (!ovk__vec_depends(left)) found++;
  }
  ovk__vec_list_shorten(modes, found);
  return OVK_OK;
}

ovk_err ovk__rigid_modes(ovk_ctx *ctx, const ovk__layout *layout, int dim, const double *xyz,
                         ovk__vec_list *modes)
{
  ovk__vec_list basis = {0};
  ovk_err err = ovk__vec_list_create(ctx, layout, count_modes(dim), modes);
  if (!err) err = ovk__vec_list_create(ctx, layout, count_modes(dim), &basis);
  if (!err) err = find_modes(ctx, dim, xyz, modes, &basis);
  ovk__vec_list_clear(&basis);
  if (err) ovk__vec_list_clear(modes);
  return err;
}
