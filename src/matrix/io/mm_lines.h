/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the lines of a part of a file with MPI-IO, block by block. */
#ifndef OVK_MATRIX_IO_MM_LINES_H
#define OVK_MATRIX_IO_MM_LINES_H

#include "matrix/io/mm_words.h"

#include <stddef.h>

enum {
  OVK__MM_BLOCK = 4 << 20,    /* bytes read at once, at most */
  OVK__MM_LONGEST = 64 << 10, /* bytes of the longest line that is accepted */
  OVK__MM_OVERHANG = 4 << 10  /* bytes read at once after this rank's part, for its last line */
};

typedef struct ovk__mm_lines {
  ovk_ctx *ctx;
  const char *path; /* the caller's */
  MPI_File file;    /* opened with MPI_COMM_SELF, so that failures are local */
  MPI_Offset size;  /* bytes of the file */
  MPI_Offset end;   /* only lines that start before this byte are read */
  MPI_Offset read;  /* the buffer ends before this byte */
  char *buffer;     /* capacity + 1 bytes; those from `at` to `filled` are unused */
  size_t capacity, at, filled;
  int64_t count; /* lines read since the share was chosen */
} ovk__mm_lines;

/* Opens the file, which must exist: see ovk__mm_probe(). Not collective. */
ovk_err ovk__mm_lines_open(ovk_ctx *ctx, const char *path, ovk__mm_lines *lines);

/* May also be called after a failed open. */
void ovk__mm_lines_close(ovk__mm_lines *lines);

/* Selects the lines that start at byte `begin` or later and before `end`. So each line is read
 * exactly once if the file is divided into shares at arbitrary bytes. */
ovk_err ovk__mm_lines_share(ovk__mm_lines *lines, MPI_Offset begin, MPI_Offset end);

/* The next line, valid until the next call; *found is false at the end of the share. */
ovk_err ovk__mm_lines_next(ovk__mm_lines *lines, ovk__mm_line *line, bool *found);

/* The next line that is neither blank nor a comment. */
ovk_err ovk__mm_lines_next_data(ovk__mm_lines *lines, ovk__mm_line *line, bool *found);

/* The byte at which the next line starts. */
MPI_Offset ovk__mm_lines_position(const ovk__mm_lines *lines);

#endif
