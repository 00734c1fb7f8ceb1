/* SPDX-License-Identifier: BSD-2-Clause */
/* Parser of banner and size line. */
#include "matrix/io/mm_header.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "matrix/io/mm_file.h"

#include <stdio.h>

static const char *const objects[] = {"matrix", "vector", NULL};
static const char *const formats[] = {"coordinate", "array", NULL};
static const char *const fields[] = {"real", "double", "integer", "pattern", "complex", NULL};
static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian",
                                         NULL};

/* The index of the next word in a list. */
static ovk_err parse_choice(ovk__mm_line *line, const char *what, const char *const *choices,
                            int *choice)
{
  const ovk__mm_word word = ovk__mm_line_word(line);
  char list[80];
  size_t used = 0;
  for (int i = 0; choices[i]; i++) {
    *choice = i;
    if (ovk__mm_word_is(word, choices[i])) return OVK_OK;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
  }
  if (!word.length)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "the banner ends before the %s: one of %s",
                              what, list);
  char complaint[100];
  snprintf(complaint, sizeof complaint, "is none of %s", list);
  return ovk__mm_line_fault_word(line, OVK_ERR_FORMAT, what, word, complaint);
}

/* Rejects banners that are inconsistent or not of a real-valued matrix or vector. */
static ovk_err check_banner(ovk__mm_line *line, const ovk__mm_header *header)
{
  if (header->field == OVK__MM_COMPLEX)
    return ovk__mm_line_fault(line, OVK_ERR_UNSUPPORTED, "complex values are not supported");
  if (header->symmetry == OVK__MM_HERMITIAN)
    return ovk__mm_line_fault(line, OVK_ERR_UNSUPPORTED, "hermitian matrices are not supported");
  if (header->object == OVK__MM_VECTOR && header->symmetry != OVK__MM_GENERAL)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "a vector cannot be %s",
                              symmetries[header->symmetry]);
  if (header->field == OVK__MM_PATTERN && header->format == OVK__MM_ARRAY)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "a pattern cannot be an array");
  if (header->field == OVK__MM_PATTERN && header->symmetry == OVK__MM_SKEW)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "a pattern cannot be skew-symmetric");
  return OVK_OK;
}

static ovk_err parse_banner(ovk__mm_line *line, ovk__mm_header *header)
{
  const char *start = line->at;
  const ovk__mm_word word = ovk__mm_line_word(line);
  if (word.text != start || !ovk__mm_word_is(word, "%%matrixmarket"))
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "does not start with '%%%%MatrixMarket'");
  int object, format, field, symmetry;
  OVK_TRY(parse_choice(line, "object", objects, &object));
  OVK_TRY(parse_choice(line, "format", formats, &format));
  OVK_TRY(parse_choice(line, "field", fields, &field));
  OVK_TRY(parse_choice(line, "symmetry", symmetries, &symmetry));
  OVK_TRY(ovk__mm_line_end(line));
  header->object = (ovk__mm_object)object;
  header->format = (ovk__mm_format)format;
  header->field = (ovk__mm_field)field;
  header->symmetry = (ovk__mm_symmetry)symmetry;
  return check_banner(line, header);
}

static ovk_err parse_size(ovk__mm_line *line, const char *what, int64_t *size)
{
  OVK_TRY(ovk__mm_line_int(line, what, size));
  if (*size >= 0) return OVK_OK;
  return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "the %s is negative: %lld", what,
                            (long long)*size);
}

/* The number of values of an array: all, the lower triangle, or the part strictly below the
 * diagonal. */
static ovk_err mm_header_count_values(ovk__mm_line *line, ovk__mm_header *header)
{
  const int64_t n = header->rows, m = header->cols;
  if (m > 0 && n > INT64_MAX / m)
    return ovk__mm_line_fault(line, OVK_ERR_RANGE, "%lld times %lld values do not fit 64 bits",
                              (long long)n, (long long)m);
  header->entries = n * m;
  if (header->symmetry == OVK__MM_SYMMETRIC) header->entries = (n * n + n) / 2;
  if (header->symmetry == OVK__MM_SKEW) header->entries = (n * n - n) / 2;
  return OVK_OK;
}

static ovk_err parse_size_line(ovk__mm_line *line, ovk__mm_header *header)
{
  OVK_TRY(parse_size(line, "number of rows", &header->rows));
  header->cols = 1;
  if (header->object == OVK__MM_MATRIX)
    OVK_TRY(parse_size(line, "number of columns", &header->cols));
  if (header->symmetry != OVK__MM_GENERAL && header->rows != header->cols)
    return ovk__mm_line_fault(line, OVK_ERR_ARG, "%s, but not square: %lld rows, %lld columns",
                              symmetries[header->symmetry], (long long)header->rows,
                              (long long)header->cols);
  if (header->format == OVK__MM_ARRAY) {
    OVK_TRY(mm_header_count_values(line, header));
  } else {
    OVK_TRY(parse_size(line, "number of entries", &header->entries));
  }
  return ovk__mm_line_end(line);
}

/* The part of rank 0; a fault is recorded in `line`. */
static ovk_err parse_head(ovk__mm_lines *lines, ovk__mm_line *line, ovk__mm_header *header)
{
  OVK_CHECK(lines->size > 0, lines->ctx, OVK_ERR_FORMAT, "%s:1: the file is empty", lines->path);
  bool found;
  OVK_TRY(ovk__mm_lines_share(lines, 0, lines->size));
  OVK_TRY(ovk__mm_lines_next(lines, line, &found));
  OVK_TRY(parse_banner(line, header));
  OVK_TRY(ovk__mm_lines_next_data(lines, line, &found));
  if (!found)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "the file ends before the line of sizes");
  OVK_TRY(parse_size_line(line, header));
  header->lines = line->number;
  header->data = ovk__mm_lines_position(lines);
  header->size = lines->size;
  return OVK_OK;
}

/* Reads the head on rank 0 and broadcasts it. Errors are agreed. */
static ovk_err mm_header_read(ovk__mm_lines *lines, ovk__mm_header *header)
{
  ovk_ctx *ctx = lines->ctx;
  *header = (ovk__mm_header){0};
  ovk_err err = OVK_OK;
  if (ovk_ctx_rank(ctx) == 0) {
    ovk__mm_line line = {0};
    err = parse_head(lines, &line, header);
    if (line.fault) err = ovk__mm_line_raise(ctx, lines->path, 0, &line);
  }
  OVK_TRY(ovk__agree_on_file(ctx, err));
  OVK_TRY_MPI(ctx, MPI_Bcast(header, sizeof *header, MPI_BYTE, 0, ovk_ctx_comm(ctx)));
  lines->size = header->size; /* all ranks divide the same number of bytes into shares */
  return OVK_OK;
}

/* Opens the file and reads its head. Collective; errors are agreed, and the file is closed then. */
static ovk_err mm_open(ovk_ctx *ctx, const char *path, ovk__mm_lines *lines, ovk__mm_header *header)
{
  OVK_TRY(ovk__mm_check_path(ctx, path));
  OVK_TRY(ovk__mm_probe(ctx, path));
  ovk_err err = ovk__agree(ctx, ovk__mm_lines_open(ctx, path, lines));
  if (!err) err = mm_header_read(lines, header);
  if (err) ovk__mm_lines_close(lines);
  return err;
}

ovk_err ovk__mm_read(ovk_ctx *ctx, const char *path, ovk__mm_read_fn read, void *object)
{
  ovk__mm_lines lines;
  ovk__mm_header header;
  const double start = ovk__log_now(&ctx->log);
  ovk_err err = mm_open(ctx, path, &lines, &header);
  if (!err) {
    err = read(object, &lines, &header);
    ovk__mm_lines_close(&lines);
  }
  ovk__log_add(&ctx->log, OVK_EVENT_READ, start);
  return err;
}
