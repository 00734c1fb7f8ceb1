/* SPDX-License-Identifier: BSD-2-Clause */
/* The main program of every driver: shared by all libraries, so that all are measured in the same
 * way. */
#include "report.h"

#include <string.h>

/* On rank 0. */
static ovk_err write_report(ovk_ctx *ctx, const run *r)
{
  const char *path = r->options->json;
  if (!path) {
    report_line(stdout, ctx, r);
    return OVK_OK;
  }
  FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (!file) return ovk_ctx_fail(ctx, OVK_ERR_IO, "cannot write %s", path);
  report_json(file, ctx, r);
  if (file != stdout) fclose(file);
  return OVK_OK;
}

static ovk_err measure(ovk_ctx *ctx, const peer_ops *ops, const options *o)
{
  run r = {.ops = ops, .options = o};
  ovk_err err = run_all(ctx, &r);
  if (!err && ovk_ctx_rank(ctx) == 0) err = write_report(ctx, &r);
  if (!err) run_close(&r);
  return err;
}

/* The exit status if there is nothing to measure: help is wanted, or the words are wrong. */
static int refuse(const ovk_ctx *ctx, const char *program, bool help)
{
  if (ovk_ctx_rank(ctx) != 0) return help ? 0 : 2;
  if (help) options_print(stdout, program);
  if (!help) fprintf(stderr, "%s: %s; see --help\n", program, ovk_ctx_error(ctx));
  return help ? 0 : 2;
}

int peer_main(int argc, char **argv, const peer_ops *ops)
{
  options o = {0};
  int status = 0;
  MPI_Init(&argc, &argv);
  ovk_ctx *ctx = NULL;
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  if (!err && (options_read(ctx, argc - 1, argv + 1, &o) || o.help)) {
    status = refuse(ctx, ops->program, o.help);
    goto done;
  }
  if (!err && o.kind && !o.kind->symmetric && !o.products && !o.applications && !o.method) {
    err = ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s is not symmetric: name a --method that takes it",
                       o.kind->name);
  }
  if (!err) err = measure(ctx, ops, &o);
  if (err) { /* may have occurred on this rank only */
    fprintf(stderr, "%s: %s\n", ops->program, ctx ? ovk_ctx_error(ctx) : ovk_err_text(err));
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
done:
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return status;
}
