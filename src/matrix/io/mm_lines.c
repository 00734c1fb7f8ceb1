/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of a part of a file: a buffer that is refilled, keeping its incomplete last line. */
#include "matrix/io/mm_lines.h"
#include "core/context/mem.h"
#include "matrix/io/mm_file.h"

#include <stdlib.h>
#include <string.h>

static MPI_Offset mm_lines_least(MPI_Offset a, MPI_Offset b)
{
  return a < b ? a : b;
}

ovk_err ovk__mm_lines_open(ovk_ctx *ctx, const char *path, ovk__mm_lines *lines)
{
  *lines = (ovk__mm_lines){.ctx = ctx, .path = path, .file = MPI_FILE_NULL};
  int code = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &lines->file);
  if (code) {
    lines->file = MPI_FILE_NULL;
    return ovk__mm_fail_io(ctx, path, "open", code);
  }
  code = MPI_File_get_size(lines->file, &lines->size);
  if (code) return ovk__mm_fail_io(ctx, path, "get the size of", code);
  lines->capacity = (size_t)mm_lines_least(lines->size, OVK__MM_BLOCK);
  OVK_NEW_ARRAY(ctx, lines->buffer, lines->capacity + 1);
  return OVK_OK;
}

void ovk__mm_lines_close(ovk__mm_lines *lines)
{
  if (lines->file != MPI_FILE_NULL) MPI_File_close(&lines->file);
  free(lines->buffer);
  lines->buffer = NULL;
}

MPI_Offset ovk__mm_lines_position(const ovk__mm_lines *lines)
{
  return lines->read - (MPI_Offset)(lines->filled - lines->at);
}

/* Moves the unused bytes to the front of the buffer and reads more after them. */
static ovk_err mm_lines_refill(ovk__mm_lines *lines)
{
  lines->filled -= lines->at;
  memmove(lines->buffer, lines->buffer + lines->at, lines->filled);
  lines->at = 0;
  const MPI_Offset own = lines->read < lines->end ? lines->end - lines->read : 0;
  const MPI_Offset room = (MPI_Offset)(lines->capacity - lines->filled);
  const MPI_Offset wanted =
      mm_lines_least(mm_lines_least(own + OVK__MM_OVERHANG, room), lines->size - lines->read);
  MPI_Status status;
  const int code = MPI_File_read_at(lines->file, lines->read, lines->buffer + lines->filled,
                                    (int)wanted, MPI_BYTE, &status);
  if (code) return ovk__mm_fail_io(lines->ctx, lines->path, "read", code);
  int got = 0;
  OVK_TRY_MPI(lines->ctx, MPI_Get_count(&status, MPI_BYTE, &got));
  OVK_CHECK(got > 0, lines->ctx, OVK_ERR_IO, "%s: had %lld bytes, but now ends after %lld",
            lines->path, (long long)lines->size, (long long)lines->read);
  lines->filled += (size_t)got;
  lines->read += got;
  return OVK_OK;
}

/* The length, without its newline, of the line that begins at lines->at; reads more until all of it
 * is in the buffer, or it is too long. */
static ovk_err measure_line(ovk__mm_lines *lines, size_t *length)
{
  for (size_t searched = 0;;) {
    const char *start = lines->buffer + lines->at;
    const size_t held = lines->filled - lines->at;
    const char *newline = memchr(start + searched, '\n', held - searched);
    *length = newline ? (size_t)(newline - start) : held;
    if (newline || lines->read == lines->size || held > OVK__MM_LONGEST) return OVK_OK;
    searched = held;
    OVK_TRY(mm_lines_refill(lines));
  }
}

ovk_err ovk__mm_lines_share(ovk__mm_lines *lines, MPI_Offset begin, MPI_Offset end)
{
  lines->at = lines->filled = 0;
  lines->count = 0;
  lines->end = end;
  lines->read = begin > 0 ? begin - 1 : 0;
  bool at_start = begin == 0;
  while (!at_start && ovk__mm_lines_position(lines) <
                          end) { /* a line that starts before `begin` is another rank's */
    OVK_TRY(mm_lines_refill(lines));
    const char *newline = memchr(lines->buffer, '\n', lines->filled);
    at_start = newline != NULL;
    lines->at = newline ? (size_t)(newline - lines->buffer) + 1 : lines->filled;
  }
  return OVK_OK;
}

ovk_err ovk__mm_lines_next(ovk__mm_lines *lines, ovk__mm_line *line, bool *found)
{
  *found = ovk__mm_lines_position(lines) < lines->end;
  if (!*found) return OVK_OK;
  size_t length;
  OVK_TRY(measure_line(lines, &length));
  line->number = ++lines->count;
  line->fault = OVK_OK;
  if (length > OVK__MM_LONGEST)
    return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "the line is longer than %d bytes",
                              OVK__MM_LONGEST);
  char *start = lines->buffer + lines->at;
  start[length] = '\0';
  line->at = start;
  line->end = start + length;
  lines->at += length;
  if (lines->at < lines->filled) lines->at++;
  return OVK_OK;
}

ovk_err ovk__mm_lines_next_data(ovk__mm_lines *lines, ovk__mm_line *line, bool *found)
{
  do {
    OVK_TRY(ovk__mm_lines_next(lines, line, found));
  } while (*found && !ovk__mm_line_has_data(line));
  return OVK_OK;
}
