/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices of the model problems on a box. */
#include "model.h"
#include "elasticity.h"

#include <stdlib.h>

ovk_err model_rows(ovk_ctx *ctx, const box_kind *kind, const int n[3], block *out)
{
  return kind->unknowns > 1 ? elasticity_rows(ctx, n, out) : box_rows(ctx, kind, n, out);
}

double *model_coordinates(const int n[3], const block *rows)
{
  double *places = malloc(((size_t)rows->rows + 1) * sizeof *places);
  for (ovk_lidx k = 0; places && k < rows->rows / ELASTICITY_UNKNOWNS; k++) {
    elasticity_place(n, rows, k, places + (ptrdiff_t)ELASTICITY_UNKNOWNS * k);
  }
  return places;
}

ovk_err model_assemble(ovk_ctx *ctx, const block *rows, const char *format,
                       const double *coordinates, ovk_mat **out)
{
  ovk_err err = ovk_mat_create(ctx, rows->rows, out);
  if (!err) err = ovk_mat_set_format(*out, format ? format : "auto");
  if (err) return err;
  (void)ovk_mat_add_csr(*out, rows->ptr, rows->col, rows->val); /* a failure is kept for assembly */
  err = ovk_mat_assemble(*out);
  if (err || !coordinates) return err;
  err = ovk_mat_set_block_size(*out, ELASTICITY_UNKNOWNS);
  return err ? err : ovk_mat_set_coordinates(*out, ELASTICITY_UNKNOWNS, coordinates);
}
