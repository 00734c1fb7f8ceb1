/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that rank 0 writes, with errors known to all ranks. */
#ifndef OVK_TOOL_OUTPUT_H
#define OVK_TOOL_OUTPUT_H

#include <ovkrylov/ovkrylov.h>

typedef struct output {
  const char *path; /* NULL: no such output */
  FILE *file;       /* NULL on all ranks except 0 */
  char *written;    /* the file that will replace `path`, or NULL */
} output;

/* Opens `path` on rank 0, "-" for standard output; NULL for none. An existing file stays unchanged
 * until output_close() replaces it. Collective. */
ovk_err output_open(ovk_ctx *ctx, const char *path, output *out);

/* The same for a file that can be read while it grows: an existing file is replaced at once.
 * Collective. */
ovk_err output_open_in_place(ovk_ctx *ctx, const char *path, output *out);

/* Fails now if output_open() would fail. Collective. */
ovk_err output_check(ovk_ctx *ctx, const char *path);

/* Flushes and closes; reports the error of any earlier write. Collective. */
ovk_err output_close(ovk_ctx *ctx, output *out);

/* Closes after another failure, which is the one to be reported. */
void output_discard(output *out);

/* Whether it is standard output. */
bool output_is_stdout(const output *out);

#endif
