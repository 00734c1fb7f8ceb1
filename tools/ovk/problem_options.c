/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that choose a system. */
#include "problem_options.h"
#include "tool.h"

#include <limits.h>

static ovk_err read_model(ovk_ctx *ctx, const args *given, int which, problem_maker make,
                          problem_request *out)
{
  out->name = given->options[which].name + 2; /* without the dashes */
  out->make = make;
  TRY(args_int(ctx, given, which, 1, INT_MAX, out->n));
  return args_int(ctx, given, PROBLEM_GRID, 1, INT_MAX, out->grid);
}

ovk_err problem_options_read(ovk_ctx *ctx, const args *given, problem_request *out)
{
  const bool file = args_has(given, PROBLEM_MATRIX);
  const int count = args_has(given, PROBLEM_LAPLACE27) + args_has(given, PROBLEM_LAPLACE7) + file;
  if (count != 1) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "exactly one of --laplace27, --laplace7 and --matrix is needed, %d given",
                        count);
  }
  *out = (problem_request){.name = args_text(given, PROBLEM_MATRIX, NULL),
                           .rhs = args_text(given, PROBLEM_RHS, file ? "Aones" : "ones"),
                           .format = args_text(given, PROBLEM_FORMAT, NULL)};
  if (args_has(given, PROBLEM_LAPLACE27)) {
    return read_model(ctx, given, PROBLEM_LAPLACE27, ovk_gallery_laplace27, out);
  }
  if (args_has(given, PROBLEM_LAPLACE7)) {
    return read_model(ctx, given, PROBLEM_LAPLACE7, ovk_gallery_laplace7, out);
  }
  if (args_has(given, PROBLEM_GRID)) {
    return ovk_ctx_fail(
        ctx, OVK_ERR_ARG,
        "--grid is for the model problems: the rows of a file are dealt out evenly");
  }
  return OVK_OK;
}
