/* SPDX-License-Identifier: BSD-2-Clause */
/* The system to solve: a matrix and a right-hand side, generated or read. */
#include "problem.h"
#include "model/model.h"
#include "splitmix64.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ovk_err problem_laplace27(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out)
{
  return ovk_gallery_laplace27(ctx, r->n, grid, r->format, out);
}

ovk_err problem_laplace7(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out)
{
  return ovk_gallery_laplace7(ctx, r->n, grid, r->format, out);
}

ovk_err problem_convdiff7(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out)
{
  return ovk_gallery_convdiff7(ctx, r->n, grid, r->peclet, r->central, r->format, out);
}

ovk_err problem_helmholtz7(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out)
{
  return ovk_gallery_helmholtz7(ctx, r->n, grid, r->shift, r->format, out);
}

ovk_err problem_named(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out)
{
  (void)grid;
  const box_kind *kind = box_find(r->name);
  block rows = {0};
  double *coordinates = NULL;
  ovk_err err = model_rows(ctx, kind, r->n, &rows);
  if (!err && kind->unknowns > 1) {
    coordinates = model_coordinates(r->n, &rows);
    if (!coordinates) err = ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for coordinates");
  }
  err = tool_agree(ctx, err);
  if (!err) err = model_assemble(ctx, &rows, r->format, coordinates, out);
  block_free(&rows);
  free(coordinates);
  return err;
}

/* The default process grid: most processes along z, so that each rank has few neighbors and their
 * rows are adjacent to its own. */
static ovk_err choose_grid(ovk_ctx *ctx, int grid[3])
{
  int falling[3] = {0, 0, 0};
  TRY(tool_mpi(ctx, MPI_Dims_create(ovk_ctx_size(ctx), 3, falling), "MPI_Dims_create"));
  for (int k = 0; k < 3; k++) grid[k] = falling[2 - k];
  return OVK_OK;
}

static ovk_err create_matrix(ovk_ctx *ctx, const problem_request *request, problem *out)
{
  if (!request->make) {
    return ovk_mat_read_mm(ctx, request->name, request->format, &out->A);
  }
  const int *n = request->n;
  int grid[3] = {request->grid[0], request->grid[1], request->grid[2]};
  if (grid[0] == 0) TRY(choose_grid(ctx, grid));
  snprintf(out->text, sizeof out->text, "%s %dx%dx%d per process, grid %dx%dx%d", request->name,
           n[0], n[1], n[2], grid[0], grid[1], grid[2]);
  return request->make(ctx, request, grid, &out->A);
}

/* b <- A times ones */
static ovk_err fill_with_product(const ovk_mat *A, ovk_vec *b)
{
  ovk_vec *ones = NULL;
  TRY(ovk_mat_create_vec(A, &ones));
  ovk_err err = ovk_vec_fill(ones, 1);
  if (!err) err = ovk_mat_mult(A, ones, b);
  ovk_vec_destroy(&ones);
  return err;
}

static const char *const rhs_names[] = {"ones", "Aones", "random"};
enum { NRHS = sizeof rhs_names / sizeof rhs_names[0] };

bool problem_rhs_is_file(const char *rhs)
{
  for (int k = 0; k < NRHS; k++) {
    if (strcmp(rhs, rhs_names[k]) == 0) return false;
  }
  return true;
}

/* Called before the matrix is read, which may take long. A word that is not a file may be a
 * mistyped name. */
static ovk_err check_rhs(ovk_ctx *ctx, const char *rhs)
{
  ovk_err err = OVK_OK;
  if (ovk_ctx_rank(ctx) == 0 && problem_rhs_is_file(rhs) && access(rhs, R_OK) != 0) {
    const char *reason = strerror(errno);
    const char *meant = strpbrk(rhs, "./") ? NULL : ovk_closest(rhs, rhs_names, NRHS);
    err = meant ? ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN,
                               "--rhs: '%s' is no file and none of ones, Aones, random; did you "
                               "mean '%s'?",
                               rhs, meant)
                : ovk_ctx_fail(ctx, OVK_ERR_IO, "%s: %s", rhs, reason);
  }
  return tool_agree(ctx, err);
}

/* b <- the first column of the file. */
static ovk_err read_rhs(const char *path, problem *p)
{
  TRY(ovk_multivec_read_mm(p->A, path, &p->columns));
  TRY(tool_agree(ovk_mat_ctx(p->A), ovk_multivec_get(p->columns, 0, 1, ovk_vec_array(p->b),
                                                     ovk_vec_local_size(p->b))));
  if (ovk_multivec_columns(p->columns) == 1) ovk_multivec_destroy(&p->columns);
  return OVK_OK;
}

static ovk_err fill_rhs(const char *rhs, problem *p)
{
  ovk_vec *b = p->b;
  if (strcmp(rhs, "ones") == 0) return ovk_vec_fill(b, 1);
  if (strcmp(rhs, "Aones") == 0) return fill_with_product(p->A, b);
  if (strcmp(rhs, "random") != 0) return read_rhs(rhs, p);
  double *values = ovk_vec_array(b);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(b); i++)
    values[i] = random_value(ovk_vec_first(b) + i);
  return OVK_OK;
}

ovk_err problem_create(ovk_ctx *ctx, const problem_request *request, problem *out)
{
  *out = (problem){.name = request->name};
  TRY(check_rhs(ctx, request->rhs));
  const double start = MPI_Wtime();
  TRY(create_matrix(ctx, request, out));
  TRY(ovk_mat_create_vec(out->A, &out->b));
  TRY(fill_rhs(request->rhs, out));
  TRY(problem_reorder(request->order, out));
  out->seconds = MPI_Wtime() - start;
  return tool_greatest(ctx, &out->seconds, 1);
}

void problem_destroy(problem *p)
{
  ovk_multivec_destroy(&p->columns);
  ovk_vec_destroy(&p->b);
  ovk_mat_destroy(&p->A);
}

const char *problem_text(const problem *p)
{
  return *p->text ? p->text : p->name;
}
