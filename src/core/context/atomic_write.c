/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that replace others once they are complete. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "core/context/atomic_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ovk_err atomic_write_fail(ovk_ctx *ctx, const char *path, int error)
{
  return OVK_FAIL(ctx, OVK_ERR_IO, "%s: %s", path, strerror(error));
}

/* target <- `path` without symbolic links, if there is such a file; else `path`. */
static ovk_err find_target(ovk_ctx *ctx, const char *path, char target[OVK__PATH_SIZE])
{
  _Static_assert(OVK__PATH_SIZE >= PATH_MAX, "realpath() writes as much");
  struct stat info;
  if (realpath(path, target)) return OVK_OK;
  const int error = errno;
  if (lstat(path, &info) == 0) return atomic_write_fail(ctx, path, error); /* a dangling link */
  const int length = snprintf(target, OVK__PATH_SIZE, "%s", path);
  return length < OVK__PATH_SIZE ? OVK_OK : atomic_write_fail(ctx, path, ENAMETOOLONG);
}

/* Creates a file in the folder of the target. Its name is short, since the name of the target may
 * have the maximum length. */
static ovk_err make_file(ovk_ctx *ctx, const char *path, ovk__file_replacement *r, int *file)
{
  enum { TRIES = 1000 };
  const char *slash = strrchr(r->target, '/');
  const int folder = slash ? (int)(slash + 1 - r->target) : 0;
  *file = -1;
  for (int k = 0; *file < 0 && k < TRIES; k++) {
    const int length = snprintf(r->written, sizeof r->written, "%.*s.ovk_%ld_%d.tmp", folder,
                                r->target, (long)getpid(), k);
    if (length >= OVK__PATH_SIZE) return atomic_write_fail(ctx, path, ENAMETOOLONG);
    *file = open(r->written, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (*file < 0 && errno != EEXIST) break;
  }
  return *file < 0 ? atomic_write_fail(ctx, path, errno) : OVK_OK;
}

ovk_err ovk__replace_begin(ovk_ctx *ctx, const char *path, ovk__file_replacement *out)
{
  struct stat info;
  const bool exists = stat(path, &info) == 0;
  OVK_CHECK(!exists || !S_ISDIR(info.st_mode), ctx, OVK_ERR_IO, "%s: this is a directory", path);
  OVK_TRY(find_target(ctx, path, out->target));
  if (exists && !S_ISREG(info.st_mode)) {
    memcpy(out->written, out->target, sizeof out->written);
    out->target[0] = '\0';
    return OVK_OK;
  }
  if (exists && access(path, W_OK) != 0) return atomic_write_fail(ctx, path, errno);
  int file;
  OVK_TRY(make_file(ctx, path, out, &file));
  const int error = exists && fchmod(file, info.st_mode & 07777) != 0 ? errno : 0;
  close(file);
  if (!error) return OVK_OK;
  ovk__replace_abandon(out);
  return atomic_write_fail(ctx, path, error);
}

ovk_err ovk__replace_end(ovk_ctx *ctx, const char *path, const ovk__file_replacement *r)
{
  if (!*r->target || rename(r->written, r->target) == 0) return OVK_OK;
  const int error = errno;
  ovk__replace_abandon(r);
  return atomic_write_fail(ctx, path, error);
}

void ovk__replace_abandon(const ovk__file_replacement *r)
{
  if (*r->target) unlink(r->written);
}
