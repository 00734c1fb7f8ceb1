/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that rank 0 writes, with errors known to all ranks. */
#include "output.h"
#include "tool.h"

#include <errno.h>
#include <string.h>

bool output_is_stdout(const output *out)
{
  return out->path && strcmp(out->path, "-") == 0;
}

static ovk_err cannot_write(ovk_ctx *ctx, const output *out, int reason)
{
  return ovk_ctx_fail(ctx, OVK_ERR_IO, "cannot write %s: %s",
                      output_is_stdout(out) ? "to standard output" : out->path, strerror(reason));
}

ovk_err output_open(ovk_ctx *ctx, const char *path, output *out)
{
  *out = (output){.path = path};
  if (!path) return OVK_OK;
  ovk_err err = OVK_OK;
  if (ovk_ctx_rank(ctx) == 0) {
    out->file = output_is_stdout(out) ? stdout : fopen(path, "w");
    if (!out->file) err = cannot_write(ctx, out, errno);
  }
  return tool_agree(ctx, err);
}

ovk_err output_close(ovk_ctx *ctx, output *out)
{
  if (!out->path) return OVK_OK;
  ovk_err err = OVK_OK;
  if (out->file) {
    errno = EIO; /* for a write that failed before, whose reason is gone */
    const bool written = !ferror(out->file) && fflush(out->file) == 0;
    if (!written) err = cannot_write(ctx, out, errno);
    if (out->file != stdout && fclose(out->file) != 0 && written) {
      err = cannot_write(ctx, out, errno);
    }
  }
  *out = (output){0};
  return tool_agree(ctx, err);
}

void output_discard(output *out)
{
  if (out->file && out->file != stdout) fclose(out->file);
  *out = (output){0};
}
