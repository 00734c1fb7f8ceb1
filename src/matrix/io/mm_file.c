/* SPDX-License-Identifier: BSD-2-Clause */
/* A check of a file before it is opened, and the messages for errors of MPI-IO. */
#include "matrix/io/mm_file.h"
#include "core/context/agree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first bytes of a file that must be unpacked first. */
typedef struct packing {
  size_t at, length; /* where the bytes are, and how many */
  const char *bytes, *what, *program;
} packing;

static const packing packings[] = {
    {0, 2, "\x1f\x8b", "compressed with gzip", "gunzip, or tar xzf for a .tar.gz"},
    {0, 3, "BZh", "compressed with bzip2", "bunzip2, or tar xjf for a .tar.bz2"},
    {0, 6,
     "\xfd"
     "7zXZ",
     "compressed with xz", "unxz, or tar xJf for a .tar.xz"},
    {0, 4, "\x28\xb5\x2f\xfd", "compressed with zstd", "unzstd"},
    {0, 4, "PK\x03\x04", "a zip archive", "unzip"},
    {257, 5, "ustar", "a tar archive", "tar xf"},
};

/* Collections of matrices offer packed files, but the ranks read a file at any byte. */
static ovk_err mm_file_check_packing(ovk_ctx *ctx, const char *path, int file)
{
  char head[512] = "";
  if (pread(file, head, sizeof head, 0) <= 0) return OVK_OK; /* reading finds out why */
  for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
    const packing *p = &packings[i];
    OVK_CHECK(memcmp(head + p->at, p->bytes, p->length) != 0, ctx, OVK_ERR_UNSUPPORTED,
              "%s: this file is %s: unpack it first (%s)", path, p->what, p->program);
  }
  return OVK_OK;
}

static ovk_err mm_file_probe(ovk_ctx *ctx, const char *path)
{
  struct stat info;
  if (stat(path, &info) == 0) { /* opening a pipe would block */
    OVK_CHECK(!S_ISDIR(info.st_mode), ctx, OVK_ERR_IO, "%s: this is a directory", path);
    OVK_CHECK(S_ISREG(info.st_mode), ctx, OVK_ERR_IO, "%s: not a regular file", path);
  }
  const int file = open(path, O_RDONLY);
  OVK_CHECK(file >= 0, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  const ovk_err err = mm_file_check_packing(ctx, path, file);
  close(file);
  return err;
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
