/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk report`: its options; the program is in papers/report. */
#include "commands/commands.h"
#include "tool.h"

enum { QUICK, FULL };

static const option options[] = {
    [QUICK] = OPTION_FLAG("--quick", "small sizes and few rounds, about 4 minutes; default"),
    [FULL] = OPTION_FLAG("--full", "the papers' sizes where they fit, about an hour"),
    OPTION_TEXT("--only", "A,B", NULL, "these experiments only"),
    OPTION_INTEGER("--ranks", "N", 2, 1024, NULL,
                   "ranks of a run; default: the processors, from 2 to 8"),
    OPTION_TEXT("--mpiexec", "CMD", NULL,
                "the launcher, with options; default: the one of the build"),
    OPTION_FLAG("--page-only", "run nothing: the page from the data that are there"),
    OPTION_FLAG("--again", "run everything, whatever data are there"),
    {0},
};

static ovk_err report_run(ovk_ctx *ctx, const args *given, int *status)
{
  if (ovk_ctx_size(ctx) > 1) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "report starts mpiexec by itself: run it as one process, --ranks says how "
                        "many its experiments get");
  }
  if (!given->word) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "which folder? ovk report DIR");
  if (args_has(given, QUICK) && args_has(given, FULL))
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--quick or --full, not both");
  *status = STATUS_HAND_OVER;
  return OVK_OK;
}

const command report_command = {
    .name = "report",
    .usage = "DIR [OPTIONS]",
    .summary = "run the papers' experiments and write a page with tables and plots",
    .notes = "DIR gets index.html, which needs no network to be read, plots/*.svg, and data/ with\n"
             "what each run wrote. A run is skipped if its data were made by the same command,\n"
             "program and machine. To continue an interrupted report, give the same command\n"
             "again. Plots are made by gnuplot.\n"
             "\n"
             "experiments:\n"
             "  latencies, agents, collectives, overlap, alltoall, overlap-dgemm, phases,\n"
             "  noise, poisson, poisson1d, fft, compress, convergence, precond, multigrid,\n"
             "  precond-delay, sweep, peers, solutions, model-check, model-smpi,\n"
             "  model-figure10, model-scale\n",
    .exit_status = "0 all ran, 1 some failed (the page says which), 2 bad usage or input, 130 or "
                   "143 interrupted",
    .options = options,
    .words = 1,
    .judge = report_run,
};
