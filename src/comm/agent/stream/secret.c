/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads secrets. */
#include "comm/agent/stream/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST = OVK__SECRET_LEAST, MOST = OVK__SECRET_MOST };

static ovk_err read_file(ovk_ctx *ctx, const char *path, int file, ovk__secret *out)
{
  struct stat s;
  OVK_CHECK(fstat(file, &s) == 0 && S_ISREG(s.st_mode), ctx, OVK_ERR_ARG,
            "%s: the secret of an agent must be a regular file", path);
  OVK_CHECK(!(s.st_mode & (S_IRWXG | S_IRWXO)), ctx, OVK_ERR_ARG,
            "%s: other users have access to the secret of an agent; its mode should be 0600", path);
  OVK_CHECK(s.st_size >= LEAST && s.st_size <= MOST, ctx, OVK_ERR_ARG,
            "%s: the secret of an agent has %d to %d bytes, not %lld", path, LEAST, MOST,
            (long long)s.st_size);
  out->n = (size_t)s.st_size;
  OVK_CHECK(read(file, out->bytes, out->n) == (ssize_t)out->n, ctx, OVK_ERR_IO,
            "%s: cannot be read", path);
  return OVK_OK;
}

ovk_err ovk__secret_read(ovk_ctx *ctx, const char *path, ovk__secret *out)
{
  *out = (ovk__secret){0};
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  OVK_CHECK(file >= 0, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  const ovk_err err = read_file(ctx, path, file, out);
  close(file);
  return err;
}
