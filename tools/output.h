/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that rank 0 writes, with errors known to all ranks. */
#ifndef OVK_TOOL_OUTPUT_H
#define OVK_TOOL_OUTPUT_H

#include <ovkrylov/ovkrylov.h>

typedef struct output {
  const char *path; /* NULL: there is no such output */
  FILE *file;       /* NULL on all ranks but 0 */
} output;

/* Opens `path` on rank 0, "-" for standard output; NULL for none. Collective. */
ovk_err output_open(ovk_ctx *ctx, const char *path, output *out);

/* Flushes and closes; an error of any write before shows here. Collective. */
ovk_err output_close(ovk_ctx *ctx, output *out);

/* Closes after a failure of something else, which is what the user should hear of. */
void output_discard(output *out);

/* Is it standard output? */
bool output_is_stdout(const output *out);

#endif
