/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that rank 0 writes, with errors known to all ranks. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "output.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_is_stdout(const output *out)
{
  return out->path && strcmp(out->path, "-") == 0;
}

static ovk_err cannot_write(ovk_ctx *ctx, const output *out, int reason)
{
  return ovk_ctx_fail(ctx, OVK_ERR_IO, "cannot write %s: %s",
                      output_is_stdout(out) ? "to standard output" : out->path, strerror(reason));
}

/* out->written <- a new file in the folder of the file `real`; returns its descriptor, or -1. */
static int make_beside(const char *real, const struct stat *old, output *out)
{
  static const char suffix[] = ".XXXXXX";
  out->written = malloc(strlen(real) + sizeof suffix);
  if (!out->written) return -1;
  strcat(strcpy(out->written, real), suffix);
  const int made = mkstemp(out->written);
  const mode_t mask = umask(0); /* the mask can be read only by setting it */
  umask(mask);
  if (made >= 0 && fchmod(made, old ? old->st_mode & 07777 : 0666 & ~mask) == 0) return made;
  if (made >= 0) {
    close(made);
    unlink(out->written);
  }
  free(out->written);
  out->written = NULL;
  return -1;
}

/* Opens a file that replaces `path` when it is closed. A path that is not a regular file, such as a
 * pipe, is written directly. A symbolic link is kept. Sets errno if out->file is NULL. */
static void open_beside(const char *path, output *out)
{
  struct stat info;
  const bool exists = stat(path, &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {
    out->file = fopen(path, "w");
    return;
  }
  if (exists && access(path, W_OK) != 0) return;
  char *real = realpath(path, NULL);
  const bool leads_nowhere = !real && lstat(path, &info) == 0;
  const int made = leads_nowhere ? -1 : make_beside(real ? real : path, exists ? &info : NULL, out);
  const int reason = errno;
  free(real);
  if (made >= 0) out->file = fdopen(made, "w");
  errno = reason;
}

static ovk_err open_on_first(ovk_ctx *ctx, const char *path, bool in_place, output *out)
{
  *out = (output){.path = path};
  if (!path) return OVK_OK;
  ovk_err err = OVK_OK;
  if (ovk_ctx_rank(ctx) == 0) {
    if (output_is_stdout(out)) {
      out->file = stdout;
    } else if (in_place) {
      out->file = fopen(path, "w");
    } else {
      open_beside(path, out);
    }
    if (!out->file) {
      err = cannot_write(ctx, out, errno);
      output_discard(out);
    }
  }
  return tool_agree(ctx, err);
}

ovk_err output_open(ovk_ctx *ctx, const char *path, output *out)
{
  return open_on_first(ctx, path, false, out);
}

ovk_err output_open_in_place(ovk_ctx *ctx, const char *path, output *out)
{
  return open_on_first(ctx, path, true, out);
}

ovk_err output_check(ovk_ctx *ctx, const char *path)
{
  output out;
  TRY(output_open(ctx, path, &out));
  output_discard(&out);
  return OVK_OK;
}

/* After the file is closed: renames it to its final name, or removes it. Sets errno unless an error
 * occurred before. */
static bool rename_or_remove(output *out, bool good)
{
  if (!out->written) return good;
  int reason = errno;
  char *real = realpath(out->path, NULL);
  const bool kept = good && rename(out->written, real ? real : out->path) == 0;
  if (good) reason = errno;
  if (!kept) unlink(out->written);
  free(out->written);
  free(real);
  out->written = NULL;
  errno = reason;
  return kept;
}

/* On rank 0. */
static ovk_err output_finish(ovk_ctx *ctx, output *out)
{
  errno = EIO; /* for an earlier failed write, whose errno is lost */
  bool good = !ferror(out->file) && fflush(out->file) == 0;
  int reason = errno;
  if (out->file != stdout && fclose(out->file) != 0 && good) {
    good = false;
    reason = errno;
  }
  errno = reason;
  return rename_or_remove(out, good) ? OVK_OK : cannot_write(ctx, out, errno);
}

ovk_err output_close(ovk_ctx *ctx, output *out)
{
  if (!out->path) return OVK_OK;
  const ovk_err err = out->file ? output_finish(ctx, out) : OVK_OK;
  *out = (output){0};
  return tool_agree(ctx, err);
}

void output_discard(output *out)
{
  if (out->file && out->file != stdout) fclose(out->file);
  (void)rename_or_remove(out, false);
  *out = (output){0};
}
