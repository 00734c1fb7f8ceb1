/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the lines of a part of a file, through MPI-IO and block by block. */
#ifndef OVK_MATRIX_MM_LINES_H
#define OVK_MATRIX_MM_LINES_H

#include "matrix/mm_words.h"

#include <stddef.h>

enum {
  OVK__MM_BLOCK = 4 << 20,    /* bytes read at once, at most */
  OVK__MM_LONGEST = 64 << 10, /* bytes of the longest line that is accepted */
  OVK__MM_OVERHANG = 4 << 10  /* bytes read at once behind this rank's part, for its last line */
};

typedef struct ovk__mm_lines {
  ovk_ctx *ctx;
  const char *path; /* the caller's */
  MPI_File file;    /* opened by this rank alone, so that its failures are this rank's alone */
  MPI_Offset size;  /* bytes of the file */
  MPI_Offset end;   /* only lines that start before this byte are read */
  MPI_Offset read;  /* the buffer ends before this byte */
  char *buffer;     /* capacity + 1 bytes, of which from `at` to `filled` are still to be used */
  size_t capacity, at, filled;
  int64_t count; /* lines read since the share was chosen */
} ovk__mm_lines;

/* Opens the file, which must be there: see ovk__mm_probe(). Not collective. */
ovk_err ovk__mm_lines_open(ovk_ctx *ctx, const char *path, ovk__mm_lines *lines);

/* Allowed after a failed open, too. */
void ovk__mm_lines_close(ovk__mm_lines *lines);

/* Goes to the first line that starts at byte `begin` or later; lines will be read that start before
 * `end`. So each line is read exactly once if the file is cut into shares at any bytes. */
ovk_err ovk__mm_lines_share(ovk__mm_lines *lines, MPI_Offset begin, MPI_Offset end);

/* The next line, valid until the call after; *found is false where the share has no more. */
ovk_err ovk__mm_lines_next(ovk__mm_lines *lines, ovk__mm_line *line, bool *found);

/* The next line that is neither blank nor a comment. */
ovk_err ovk__mm_lines_next_data(ovk__mm_lines *lines, ovk__mm_line *line, bool *found);

/* The byte at which the next line starts. */
MPI_Offset ovk__mm_lines_position(const ovk__mm_lines *lines);

#endif
