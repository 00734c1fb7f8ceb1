/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of entries makes one pass over the file. The number of lines and entries before a
 * rank's share is known only afterwards, so the positions of faults and of an array's values are
 * computed then. */
#include "matrix/io/mm_entries.h"
#include "core/context/agree.h"
#include "core/context/locale.h"
#include "matrix/assembly/stash.h"

#include <math.h>

/* One rank's share. */
typedef struct share {
  ovk__mm_lines *lines;
  const ovk__mm_header *header;
  ovk__mm_entry_fn entry;
  void *arg;
  ovk__mm_line line; /* the current line, with its fault */
  MPI_Offset begin, end;
  int64_t count;     /* entries parsed */
  ovk__stash values; /* of an array; `row` is the index among this rank's values */
} share;

/* A count of lines and entries. */
typedef struct amount {
  int64_t lines, entries;
} amount;

/* Divides the bytes after the head into shares whose sizes differ by at most one byte. */
static void choose_share(share *s)
{
  ovk_ctx *ctx = s->lines->ctx;
  const MPI_Offset rank = ovk_ctx_rank(ctx), size = ovk_ctx_size(ctx);
  const MPI_Offset bytes = s->header->size - s->header->data;
  const MPI_Offset length = bytes / size, rest = bytes % size;
  s->begin = s->header->data + length * rank + (rank < rest ? rank : rest);
  s->end = s->begin + length + (rank < rest);
}

/* Passes an entry to the callback, and its transpose if the file is symmetric. */
static ovk_err mm_entries_emit(const share *s, ovk_gidx i, ovk_gidx j, double value)
{
  OVK_TRY(s->entry(s->arg, i, j, value));
  if (i == j || s->header->symmetry == OVK__MM_GENERAL) return OVK_OK;
  return s->entry(s->arg, j, i, s->header->symmetry == OVK__MM_SKEW ? -value : value);
}

/* The next word as an index from 1 to n; *index counts from 0. */
static ovk_err parse_index(ovk__mm_line *line, const char *what, int64_t n, ovk_gidx *index)
{
  OVK_TRY(ovk__mm_line_int(line, what, index));
  if (*index < 1 || *index > n)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "%s %lld is not in 1..%lld", what,
                              (long long)*index, (long long)n);
  --*index;
  return OVK_OK;
}

static ovk_err parse_value(ovk__mm_line *line, ovk__mm_field field, double *value)
{
  if (field != OVK__MM_INTEGER) return ovk__mm_line_double(line, "value", value);
  int64_t whole;
  OVK_TRY(ovk__mm_line_int(line, "value", &whole));
  *value = (double)whole;
  if (*value >= 0x1p63 || (int64_t)*value != whole)
    return ovk__mm_line_fault(line, OVK_ERR_RANGE,
                              "the integer %lld is no double: %.17g is nearest", (long long)whole,
                              *value);
  return OVK_OK;
}

/* A symmetric file has the lower triangle only: if both were accepted, a file that has both would
 * be read as twice its off-diagonal part. */
static ovk_err check_triangle(ovk__mm_line *line, ovk__mm_symmetry symmetry, ovk_gidx i, ovk_gidx j,
                              double value)
{
  if (symmetry == OVK__MM_GENERAL) return OVK_OK;
  if (i < j)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT,
                              "entry (%lld, %lld) is above the diagonal: symmetry implies it",
                              (long long)i + 1, (long long)j + 1);
  if (symmetry == OVK__MM_SKEW && i == j && value != 0)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT,
                              "entry (%lld, %lld) is not 0, but skew symmetry implies that",
                              (long long)i + 1, (long long)j + 1);
  return OVK_OK;
}

static ovk_err parse_coordinate(share *s)
{
  const ovk__mm_header *header = s->header;
  ovk_gidx i, j = 0;
  double value = 1;
  OVK_TRY(parse_index(&s->line, "row index", header->rows, &i));
  if (header->object == OVK__MM_MATRIX)
    OVK_TRY(parse_index(&s->line, "column index", header->cols, &j));
  if (header->field != OVK__MM_PATTERN) OVK_TRY(parse_value(&s->line, header->field, &value));
  OVK_TRY(ovk__mm_line_end(&s->line));
  OVK_TRY(check_triangle(&s->line, header->symmetry, i, j, value));
  return mm_entries_emit(s, i, j, value);
}

static ovk_err parse_array(share *s)
{
  double value;
  OVK_TRY(parse_value(&s->line, s->header->field, &value));
  OVK_TRY(ovk__mm_line_end(&s->line));
  if (value == 0 && !signbit(value)) return OVK_OK;
  return ovk__stash_add(s->lines->ctx, &s->values, (ovk__entry){.row = s->count, .value = value});
}

static ovk_err parse_share(share *s)
{
  const bool array = s->header->format == OVK__MM_ARRAY;
  OVK_TRY(ovk__mm_lines_share(s->lines, s->begin, s->end));
  for (;; s->count++) {
    bool found;
    OVK_TRY(ovk__mm_lines_next_data(s->lines, &s->line, &found));
    if (!found) return OVK_OK;
    OVK_TRY(array ? parse_array(s) : parse_coordinate(s));
  }
}

/* The share has more entries than the head announces: reports the first of them. */
static ovk_err diagnose_extra(share *s, const amount *before)
{
  const ovk__mm_header *header = s->header;
  OVK_TRY(ovk__mm_lines_share(s->lines, s->begin, s->end));
  int64_t good = header->entries - before->entries; /* < 0: the error of a lower rank is reported */
  bool found;
  do {
    OVK_TRY(ovk__mm_lines_next_data(s->lines, &s->line, &found));
  } while (found && good-- > 0);
  ovk__mm_line_fault(&s->line, OVK_ERR_FORMAT,
                     "one entry more than the %lld that line %lld specifies",
                     (long long)header->entries, (long long)header->lines);
  return ovk__mm_line_raise(s->lines->ctx, s->lines->path, before->lines, &s->line);
}

/* The error of the share, now that its position in the file is known; err is the parser's. Even if
 * that was the fault of a line, there may be too many entries before it. */
static ovk_err find_error(share *s, const amount *before, ovk_err err)
{
  ovk_ctx *ctx = s->lines->ctx;
  const int64_t total = before->entries + s->count;
  if (total > s->header->entries) return diagnose_extra(s, before);
  if (s->line.fault) return ovk__mm_line_raise(ctx, s->lines->path, before->lines, &s->line);
  if (err) return err;
  const bool last = ovk_ctx_rank(ctx) == ovk_ctx_size(ctx) - 1;
  OVK_CHECK(!last || total == s->header->entries, ctx, OVK_ERR_FORMAT,
            "%s:%lld: the file ends after %lld of %lld entries", s->lines->path,
            (long long)(before->lines + s->lines->count), (long long)total,
            (long long)s->header->entries);
  return OVK_OK;
}

/* Passes the values of an array to the callback, column by column; `skipped` values are in earlier
 * shares. */
static ovk_err emit_values(const share *s, int64_t skipped)
{
  const ovk__mm_header *header = s->header;
  ovk_gidx j = 0;                                  /* column */
  ovk_gidx top = header->symmetry == OVK__MM_SKEW; /* first row of column j in the file */
  int64_t start = 0;                               /* number of values before column j */
  for (size_t n = 0; n < s->values.count; n++) {
    const ovk__entry *value = &s->values.entries[n];
    const int64_t k = skipped + value->row;
    for (; k - start >= header->rows - top; j++) {
      start += header->rows - top;
      if (header->symmetry != OVK__MM_GENERAL) top++;
    }
    OVK_TRY(mm_entries_emit(s, top + k - start, j, value->value));
  }
  return OVK_OK;
}

static ovk_err read_share(share *s)
{
  ovk_ctx *ctx = s->lines->ctx;
  ovk__locale locale;
  ovk_err err = ovk__locale_begin(ctx, &locale);
  if (!err) err = parse_share(s);
  ovk__locale_end(&locale);
  const amount mine = {s->lines->count, s->count};
  amount before = {0, 0};
  OVK_TRY_MPI(ctx, MPI_Exscan(&mine, &before, 2, MPI_INT64_T, MPI_SUM, ovk_ctx_comm(ctx)));
  before.lines += s->header->lines;
  OVK_TRY(ovk__agree_on_file(ctx, find_error(s, &before, err)));
  return ovk__agree(ctx, emit_values(s, before.entries));
}

ovk_err ovk__mm_entries_read(ovk__mm_lines *lines, const ovk__mm_header *header,
                             ovk__mm_entry_fn entry, void *arg)
{
  share s = {.lines = lines, .header = header, .entry = entry, .arg = arg};
  choose_share(&s);
  const ovk_err err = read_share(&s);
  ovk__stash_clear(&s.values);
  return err;
}
