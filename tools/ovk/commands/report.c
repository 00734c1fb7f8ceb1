/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk report`: only its entry in the list of commands; the program is in papers/report. */
#include "commands/commands.h"
#include "tool.h"

static ovk_err report_run(ovk_ctx *ctx, const args *given, int *status)
{
  (void)given;
  if (ovk_ctx_size(ctx) > 1) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "report starts mpiexec by itself: run it as one process, --ranks says how "
                        "many its experiments get");
  }
  *status = STATUS_HAND_OVER;
  return OVK_OK;
}

const command report_command = {
    .name = "report",
    .usage = "DIR [OPTIONS]",
    .summary = "run the papers' experiments and write a page with tables and plots",
    .own_options = true,
    .run = report_run,
};
