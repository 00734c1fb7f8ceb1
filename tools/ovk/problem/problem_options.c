/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that choose a system. */
#include "problem_options.h"
#include "tool.h"

/* The model problems. */
static const struct model {
  int option;
  problem_maker make;
} models[] = {{PROBLEM_LAPLACE27, problem_laplace27},
              {PROBLEM_LAPLACE7, problem_laplace7},
              {PROBLEM_CONVDIFF7, problem_convdiff7},
              {PROBLEM_HELMHOLTZ7, problem_helmholtz7},
              {PROBLEM_NAMED, problem_named}};
enum { MODELS = sizeof models / sizeof *models };

/* An option of one model problem is not allowed with another problem. */
static ovk_err check_owner(ovk_ctx *ctx, const args *given, int which, int owner)
{
  if (!args_has(given, which) || args_has(given, owner)) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s is for %s", given->options[which].name,
                      given->options[owner].name);
}

static void read_model(const args *given, struct model model, problem_request *out)
{
  const bool named = model.option == PROBLEM_NAMED;
  out->name = named ? args_text(given, model.option)
                    : given->options[model.option].name + 2; /* without the dashes */
  out->make = model.make;
  out->central = args_has(given, PROBLEM_CENTRAL);
  args_real(given, PROBLEM_PECLET, &out->peclet);
  args_real(given, PROBLEM_SHIFT, &out->shift);
  args_int(given, model.option, out->n);
  args_int(given, PROBLEM_GRID, out->grid);
}

/* The processes of --problem are one above the other. */
static ovk_err use_columns(ovk_ctx *ctx, const args *given, problem_request *out)
{
  if (args_has(given, PROBLEM_GRID)) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--grid is not for --problem: its grid is 1 1 %d",
                        ovk_ctx_size(ctx));
  }
  out->grid[0] = out->grid[1] = 1;
  out->grid[2] = ovk_ctx_size(ctx);
  return OVK_OK;
}

const char *problem_options_matrix(const args *given)
{
  return args_has(given, PROBLEM_MATRIX) ? args_text(given, PROBLEM_MATRIX) : given->word;
}

ovk_err problem_options_read(ovk_ctx *ctx, const args *given, problem_request *out)
{
  int count = args_has(given, PROBLEM_MATRIX);
  for (int k = 0; k < MODELS; k++) count += args_has(given, models[k].option);
  if (count && given->word) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "unexpected '%s'", given->word);
  }
  const char *file = problem_options_matrix(given);
  if (given->word) count = 1;
  if (count != 1) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "exactly one of --laplace27, --laplace7, --convdiff7, --helmholtz7, "
                        "--problem and --matrix is needed, %d given",
                        count);
  }
  TRY(check_owner(ctx, given, PROBLEM_PECLET, PROBLEM_CONVDIFF7));
  TRY(check_owner(ctx, given, PROBLEM_CENTRAL, PROBLEM_CONVDIFF7));
  TRY(check_owner(ctx, given, PROBLEM_SHIFT, PROBLEM_HELMHOLTZ7));
  *out = (problem_request){.name = file,
                           .rhs = args_text(given, PROBLEM_RHS),
                           .format = args_text(given, PROBLEM_FORMAT),
                           .order = (problem_order)args_word(given, PROBLEM_ORDER)};
  if (!out->rhs) out->rhs = file ? "Aones" : "ones";
  for (int k = 0; k < MODELS; k++) {
    if (args_has(given, models[k].option)) read_model(given, models[k], out);
  }
  if (file && args_has(given, PROBLEM_GRID)) {
    return ovk_ctx_fail(
        ctx, OVK_ERR_ARG,
        "--grid is for the model problems: the rows of a file are distributed evenly");
  }
  if (args_has(given, PROBLEM_NAMED)) return use_columns(ctx, given, out);
  return OVK_OK;
}
