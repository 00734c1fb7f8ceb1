/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes matrices and vectors as Matrix Market files: each rank formats its rows, then all write
 * their parts of the file collectively. */
#include "core/context/agree.h"
#include "core/context/atomic_write.h"
#include "core/context/locale.h"
#include "core/context/mem.h"
#include "matrix/io/mm_file.h"
#include "matrix/mat_impl.h"
#include "matrix/vector/multivec_impl.h"
#include "matrix/vector/vec_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <ovkrylov/io.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  LONGEST_LINE = 128, /* three numbers of at most 25 characters, or the head */
  PIECE = 1 << 30     /* bytes written at once; MPI counts them with an int */
};

/* A part of a file that a rank writes. */
typedef struct text {
  ovk_ctx *ctx;
  char *data;
  size_t length, capacity;
} text;

/* Appends a line. */
static ovk_err mm_write_print(text *t, const char *format, ...) OVK_PRINTF(2, 3);

static ovk_err mm_write_print(text *t, const char *format, ...)
{
  if (t->capacity - t->length < LONGEST_LINE) {
    const size_t capacity = 2 * t->capacity + LONGEST_LINE;
    OVK_RESIZE(t->ctx, t->data, capacity);
    t->capacity = capacity;
  }
  va_list args;
  va_start(args, format);
  t->length += (size_t)vsnprintf(t->data + t->length, LONGEST_LINE, format, args);
  va_end(args);
  return OVK_OK;
}

static ovk_err print_entry(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  return mm_write_print(arg, "%lld %lld %.17g\n", (long long)i + 1, (long long)j + 1, value);
}

static ovk_err print_matrix(text *t, const void *object, int part)
{
  (void)part;
  const ovk_mat *A = object;
  const long long n = (long long)A->layout.global;
  if (ovk_ctx_rank(t->ctx) == 0)
    OVK_TRY(mm_write_print(t, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %lld\n",
                           n, n, (long long)A->nnz));
  return ovk__mat_for_each_entry(A, print_entry, t);
}

static ovk_err print_array_head(text *t, int64_t rows, int columns)
{
  if (ovk_ctx_rank(t->ctx) > 0) return OVK_OK;
  return mm_write_print(t, "%%%%MatrixMarket matrix array real general\n%lld %d\n", (long long)rows,
                        columns);
}

static ovk_err print_array(text *t, const double *x, ovk_lidx n)
{
  for (ovk_lidx i = 0; i < n; i++) OVK_TRY(mm_write_print(t, "%.17g\n", x[i]));
  return OVK_OK;
}

static ovk_err print_vector(text *t, const void *object, int part)
{
  const ovk_vec *v = object;
  (void)part;
  OVK_TRY(print_array_head(t, v->layout.global, 1));
  return print_array(t, v->array, v->layout.local);
}

/* A part is a column. */
static ovk_err print_column(text *t, const void *object, int part)
{
  const ovk_multivec *X = object;
  const ovk_lidx n = X->layout.local;
  double *column;
  if (part == 0) OVK_TRY(print_array_head(t, X->layout.global, X->columns));
  OVK_NEW_ARRAY(t->ctx, column, n);
  ovk_err err = ovk_multivec_get(X, part, 1, column, n);
  if (!err) err = print_array(t, column, n);
  free(column);
  return err;
}

/* Writes one piece; collective. */
static ovk_err write_piece(ovk_ctx *ctx, const char *path, MPI_File file, MPI_Offset offset,
                           const char *data, int count)
{
  MPI_Status status;
  const int code = MPI_File_write_at_all(file, offset, data, count, MPI_BYTE, &status);
  if (code) return ovk__mm_fail_io(ctx, path, "write", code);
  int written = 0;
  OVK_TRY_MPI(ctx, MPI_Get_count(&status, MPI_BYTE, &written));
  OVK_CHECK(written == count, ctx, OVK_ERR_IO, "%s: only %d of %d bytes could be written", path,
            written, count);
  return OVK_OK;
}

/* Writes this rank's text at `offset`. All ranks write the same number of pieces, also after a
 * failure, as each is a collective call. Returns the first failure. */
static ovk_err write_pieces(const text *t, const char *path, MPI_File file, MPI_Offset offset,
                            int64_t pieces)
{
  ovk__kept_error first = {0};
  size_t done = 0;
  for (int64_t k = 0; k < pieces; k++) {
    const size_t rest = t->length - done;
    const int count = rest < PIECE ? (int)rest : PIECE;
    const char *data = count ? t->data + done : NULL;
    ovk__keep_error(t->ctx, write_piece(t->ctx, path, file, offset + (MPI_Offset)done, data, count),
                    &first);
    done += (size_t)count;
  }
  return ovk__kept_error_of(t->ctx, &first);
}

/* Checks the size of the file: with collective buffering Open MPI 4 reports success on a full disk.
 * The file is reopened, as a network file system is required to show the writes of other nodes only
 * then. */
static ovk_err mm_write_check_size(ovk_ctx *ctx, const char *path, const char *written,
                                   int64_t expected)
{
  const int file = open(written, O_RDONLY);
  const int64_t size = file < 0 ? -1 : (int64_t)lseek(file, 0, SEEK_END);
  const int error = errno;
  if (file >= 0) close(file);
  OVK_CHECK(size >= 0, ctx, OVK_ERR_IO, "%s: %s", path, strerror(error));
  OVK_CHECK(size == expected, ctx, OVK_ERR_IO, "%s: only %lld of %lld bytes could be written", path,
            (long long)size, (long long)expected);
  return OVK_OK;
}

/* Writes all ranks' texts, one after the other, from *end on, and advances *end past them.
 * Collective; errors are agreed. */
static ovk_err write_part(const text *t, const char *path, MPI_File file, int64_t *end)
{
  ovk_ctx *ctx = t->ctx;
  const MPI_Comm comm = ovk_ctx_comm(ctx);
  const int64_t length = (int64_t)t->length, mine = (length + PIECE - 1) / PIECE;
  int64_t offset = 0, total, pieces;
  OVK_TRY_MPI(ctx, MPI_Exscan(&length, &offset, 1, MPI_INT64_T, MPI_SUM, comm));
  OVK_TRY_MPI(ctx, MPI_Allreduce(&length, &total, 1, MPI_INT64_T, MPI_SUM, comm));
  OVK_TRY_MPI(ctx, MPI_Allreduce(&mine, &pieces, 1, MPI_INT64_T, MPI_MAX, comm));
  const ovk_err err = write_pieces(t, path, file, *end + offset, pieces);
  *end += total;
  return ovk__agree(ctx, err);
}

/* Writes the parts to the file `written`, which exists and is empty; messages name it `path`.
 * Collective; errors are agreed. */
static ovk_err write_texts(const text *parts, int count, const char *path, const char *written)
{
  ovk_ctx *ctx = parts->ctx;
  MPI_File file;
  int64_t end = 0;
  int code = MPI_File_open(ovk_ctx_comm(ctx), written, MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  /* If the open fails on some ranks only, the others leave the file open, as closing is collective.
   */
  OVK_TRY(ovk__agree(ctx, code ? ovk__mm_fail_io(ctx, path, "open", code) : OVK_OK));
  ovk_err err = OVK_OK;
  for (int k = 0; k < count && !err; k++) err = write_part(&parts[k], path, file, &end);
  code = MPI_File_close(&file);
  if (code && !err) err = ovk__mm_fail_io(ctx, path, "close", code);
  OVK_TRY(ovk__agree(ctx, err));
  const bool checks = ovk_ctx_rank(ctx) == 0;
  return ovk__agree_on_file(ctx, checks ? mm_write_check_size(ctx, path, written, end) : OVK_OK);
}

/* The part of rank 0 before writing. Devices and pipes do not support writes at offsets. */
static ovk_err begin_file(ovk_ctx *ctx, const char *path, ovk__file_replacement *file)
{
  OVK_TRY(ovk__replace_begin(ctx, path, file));
  OVK_CHECK(*file->target, ctx, OVK_ERR_IO, "%s: not a regular file", path);
  return OVK_OK;
}

/* Writes a temporary file next to `path`, and renames it to `path` when it is complete. */
static ovk_err mm_write_to_file(const text *parts, int count, const char *path)
{
  ovk_ctx *ctx = parts->ctx;
  const bool first = ovk_ctx_rank(ctx) == 0;
  ovk__file_replacement file = {0};
  OVK_TRY(ovk__agree_on_file(ctx, first ? begin_file(ctx, path, &file) : OVK_OK));
  const int code = MPI_Bcast(file.written, OVK__PATH_SIZE, MPI_CHAR, 0, ovk_ctx_comm(ctx));
  ovk_err err = code ? ovk__fail_mpi(ctx, code, __FILE__, __LINE__, "MPI_Bcast") : OVK_OK;
  if (!err) err = write_texts(parts, count, path, file.written);
  if (first && err) ovk__replace_abandon(&file);
  if (err) return err;
  return ovk__agree_on_file(ctx, first ? ovk__replace_end(ctx, path, &file) : OVK_OK);
}

typedef ovk_err (*print_part)(text *t, const void *object, int part);

static ovk_err print_parts(ovk_ctx *ctx, const void *object, print_part print, text *parts,
                           int count)
{
  ovk__locale locale;
  ovk_err err = ovk__locale_begin(ctx, &locale);
  for (int k = 0; k < count && !err; k++) {
    parts[k].ctx = ctx;
    err = print(&parts[k], object, k);
  }
  ovk__locale_end(&locale);
  return err;
}

/* Formats `count` parts of a file with `print`, then writes them, each with the rows of all ranks.
 * Collective; errors are agreed. */
static ovk_err write_object(ovk_ctx *ctx, const char *path, const void *object, int count,
                            print_part print)
{
  OVK_TRY(ovk__mm_check_path(ctx, path));
  text *parts = ovk__zeros((size_t)count, sizeof *parts);
  ovk_err err = parts ? print_parts(ctx, object, print, parts, count)
                      : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for the text of a file");
  err = ovk__agree(ctx, err);
  if (!err) err = mm_write_to_file(parts, count, path);
  for (int k = 0; parts && k < count; k++) free(parts[k].data);
  free(parts);
  return err;
}

ovk_err ovk_mat_write_mm(const ovk_mat *A, const char *path)
{
  OVK_CHECK(A, NULL, OVK_ERR_ARG, "A is NULL");
  OVK_CHECK(A->state != OVK__MAT_SHELL, A->ctx, OVK_ERR_UNSUPPORTED,
            "a shell has no entries to write");
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED, A->ctx, OVK_ERR_STATE, "the matrix is not assembled");
  return write_object(A->ctx, path, A, 1, print_matrix);
}

ovk_err ovk_vec_write_mm(const ovk_vec *v, const char *path)
{
  OVK_CHECK(v, NULL, OVK_ERR_ARG, "v is NULL");
  return write_object(v->ctx, path, v, 1, print_vector);
}

ovk_err ovk_multivec_write_mm(const ovk_multivec *X, const char *path)
{
  OVK_CHECK(X, NULL, OVK_ERR_ARG, "X is NULL");
  return write_object(X->ctx, path, X, X->columns, print_column);
}
