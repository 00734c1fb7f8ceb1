/* SPDX-License-Identifier: BSD-2-Clause */
/* The head of a Matrix Market file: banner, comments and size line. */
#ifndef OVK_MATRIX_IO_MM_HEADER_H
#define OVK_MATRIX_IO_MM_HEADER_H

#include "matrix/io/mm_lines.h"

/* The words of the banner, in the order of their lists in mm_header.c. */
typedef enum ovk__mm_object { OVK__MM_MATRIX, OVK__MM_VECTOR } ovk__mm_object;
typedef enum ovk__mm_format { OVK__MM_COORDINATE, OVK__MM_ARRAY } ovk__mm_format;
typedef enum ovk__mm_field {
  OVK__MM_REAL,
  OVK__MM_DOUBLE, /* treated as real */
  OVK__MM_INTEGER,
  OVK__MM_PATTERN,
  OVK__MM_COMPLEX /* refused */
} ovk__mm_field;
typedef enum ovk__mm_symmetry {
  OVK__MM_GENERAL,
  OVK__MM_SYMMETRIC,
  OVK__MM_SKEW,
  OVK__MM_HERMITIAN /* refused */
} ovk__mm_symmetry;

typedef struct ovk__mm_header {
  ovk__mm_object object;
  ovk__mm_format format;
  ovk__mm_field field;
  ovk__mm_symmetry symmetry;
  int64_t rows, cols;
  int64_t entries; /* announced by the size line */
  int64_t lines;   /* up to and including the size line */
  MPI_Offset data; /* the first byte after those lines */
  MPI_Offset size; /* bytes of the file */
} ovk__mm_header;

/* Reads the entries of a file into an object. Collective; errors are agreed. */
typedef ovk_err (*ovk__mm_read_fn)(void *object, ovk__mm_lines *lines,
                                   const ovk__mm_header *header);

/* Opens a file, reads its head, calls `read` and closes the file; records the time. Collective;
 * errors are agreed. */
ovk_err ovk__mm_read(ovk_ctx *ctx, const char *path, ovk__mm_read_fn read, void *object);

#endif
