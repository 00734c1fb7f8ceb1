/* SPDX-License-Identifier: BSD-2-Clause */
/* A check of a file before it is opened, and the messages for errors of MPI-IO. */
#include "matrix/io/mm_file.h"
#include "core/context/agree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first bytes of a file in another format. */
typedef struct foreign {
  size_t at, length; /* where the bytes are, and how many */
  const char *bytes, *what, *remedy;
} foreign;

static const foreign foreigns[] = {
    {0, 2, "\x1f\x8b", "compressed with gzip",
     "unpack it first (gunzip, or tar xzf for a .tar.gz)"},
    {0, 3, "BZh", "compressed with bzip2", "unpack it first (bunzip2, or tar xjf for a .tar.bz2)"},
    {0, 6,
     "\xfd"
     "7zXZ",
     "compressed with xz", "unpack it first (unxz, or tar xJf for a .tar.xz)"},
    {0, 4, "\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it first (unzstd)"},
    {0, 4, "PK\x03\x04", "a zip archive", "unpack it first (unzip)"},
    {257, 5, "ustar", "a tar archive", "unpack it first (tar xf)"},
    {0, 4, "\0\x12\x7b\x50", "a binary matrix of PETSc",
     "a PETSc program writes Matrix Market with -ksp_view_mat ascii:A.mtx:ascii_matrixmarket"},
    {0, 4, "\0\x12\x7b\x4e", "a binary vector of PETSc",
     "convert it to Matrix Market first (PetscBinaryIO and scipy.io.mmwrite() of Python)"},
    {0, 8, "MATLAB 5", "of Matlab",
     "convert it to Matrix Market first (scipy.io.loadmat() and mmwrite() of Python)"},
};

static const char *next_line(const char *text)
{
  return text + strcspn(text, "\n") + (strchr(text, '\n') != NULL);
}

/* Harwell-Boeing and Rutherford-Boeing: after a title and sizes, the type, such as RUA, and formats
 * of Fortran. */
static bool is_harwell_boeing(const char *head)
{
  const char *type = next_line(next_line(head)), *formats = next_line(type);
  return strspn(type, "RCPIQrcpiq") > 0 && strspn(type + 1, "SUHZRsuhzr") > 0 &&
         strspn(type + 2, "AEae") > 0 && type[3] == ' ' && formats[0] == '(';
}

/* Collections of matrices offer packed files, but the ranks read a file at any byte. */
static ovk_err mm_file_check_format(ovk_ctx *ctx, const char *path, int file)
{
  char head[512] = "";
  if (pread(file, head, sizeof head - 1, 0) <= 0) return OVK_OK; /* reading finds out why */
  for (size_t i = 0; i < sizeof foreigns / sizeof *foreigns; i++) {
    const foreign *f = &foreigns[i];
    OVK_CHECK(memcmp(head + f->at, f->bytes, f->length) != 0, ctx, OVK_ERR_UNSUPPORTED,
              "%s: this file is %s: %s", path, f->what, f->remedy);
  }
  OVK_CHECK(!is_harwell_boeing(head), ctx, OVK_ERR_UNSUPPORTED,
            "%s: this file is in Harwell-Boeing format: collections offer its matrix in Matrix "
            "Market format, too, and scipy.io.hb_read() and mmwrite() of Python convert type RUA",
            path);
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
  const ovk_err err = mm_file_check_format(ctx, path, file);
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
