/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the file of a secret. */
#include "agent/control.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST = 16, MOST = OVK__SECRET_WORDS * sizeof(uint64_t) };

static ovk_err read_file(ovk_ctx *ctx, const char *path, int file, char out[MOST])
{
  struct stat s;
  OVK_CHECK(fstat(file, &s) == 0 && S_ISREG(s.st_mode), ctx, OVK_ERR_ARG,
            "%s: an agent's secret is a file", path);
  OVK_CHECK(!(s.st_mode & (S_IRWXG | S_IRWXO)), ctx, OVK_ERR_ARG,
            "%s: others than its owner have access to an agent's secret; its mode should be 0600",
            path);
  OVK_CHECK(s.st_size >= LEAST && s.st_size <= MOST, ctx, OVK_ERR_ARG,
            "%s: an agent's secret has %d to %d bytes, not %lld", path, LEAST, (int)MOST,
            (long long)s.st_size);
  OVK_CHECK(read(file, out, MOST) == s.st_size, ctx, OVK_ERR_IO, "%s: cannot be read", path);
  return OVK_OK;
}

ovk_err ovk__secret_read(ovk_ctx *ctx, const char *path, uint64_t out[OVK__SECRET_WORDS])
{
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  OVK_CHECK(file >= 0, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  memset(out, 0, MOST);
  const ovk_err err = read_file(ctx, path, file, (char *)out);
  close(file);
  return err;
}
