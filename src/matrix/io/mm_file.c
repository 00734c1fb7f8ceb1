/* SPDX-License-Identifier: BSD-2-Clause */
/* A check of a file before it is opened, and the messages for errors of MPI-IO. */
#include "matrix/io/mm_file.h"
#include "core/context/agree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ovk_err mm_file_probe(ovk_ctx *ctx, const char *path)
{
  struct stat info;
  if (stat(path, &info) == 0) { /* opening a pipe would block */
    OVK_CHECK(!S_ISDIR(info.st_mode), ctx, OVK_ERR_IO, "%s: this is a directory", path);
    OVK_CHECK(S_ISREG(info.st_mode), ctx, OVK_ERR_IO, "%s: not a regular file", path);
  }
  const int file = open(path, O_RDONLY);
  OVK_CHECK(file >= 0, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  close(file);
  return OVK_OK;
}

ovk_err ovk__mm_probe(ovk_ctx *ctx, const char *path)
{
  return ovk__agree_on_file(ctx, ovk_ctx_rank(ctx) == 0 ? mm_file_probe(ctx, path) : OVK_OK);
}

ovk_err ovk__mm_fail_io(ovk_ctx *ctx, const char *path, const char *what, int mpi_code)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(mpi_code, text, &length);
  return OVK_FAIL(ctx, OVK_ERR_IO, "%s: cannot %s the file: %s", path, what, text);
}

ovk_err ovk__mm_check_path(ovk_ctx *ctx, const char *path)
{
  OVK_CHECK_ALL(path, ctx, OVK_ERR_ARG, "path is NULL");
  return ovk__agree_same(ctx, "paths", path);
}
