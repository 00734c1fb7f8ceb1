/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON of a run of `ovk solve`, read from its file. */
#ifndef OVK_TOOL_RUN_FILE_H
#define OVK_TOOL_RUN_FILE_H

#include "diff/json_read.h"

#include <ovkrylov/ovkrylov.h>

/* Initialize with {0}. */
typedef struct run_file {
  const char *path;
  char *text;
} run_file;

/* Reads and checks a file, which must have fingerprints. Not collective. */
ovk_err run_file_read(ovk_ctx *ctx, const char *path, run_file *out);
void run_file_free(run_file *run);

/* The value of a key; NULL if there is none. */
const char *run_file_value(const run_file *run, const char *key);

/* A fingerprint by its name; NULL if there is none. */
const char *run_file_fingerprint(const run_file *run, const char *name);

#endif
