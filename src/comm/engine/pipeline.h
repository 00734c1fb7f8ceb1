/* SPDX-License-Identifier: BSD-2-Clause */
/* A vector cut into pieces of equal length, but for the last, which a few lanes process in turn and
 * in place, so that the rounds of different pieces overlap. */
#ifndef OVK_COMM_ENGINE_PIPELINE_H
#define OVK_COMM_ENGINE_PIPELINE_H

#include "comm/engine/executor.h"

#include <ovkrylov/plugin/spec.h>

/* What a spec says of pieces, in these keys. {0}: the vector is not cut. */
#define OVK__FRAGMENT_OPTIONS                                                                      \
  OVK_INTEGER("fragment", 1, 0x1p53, 0, "bytes of a piece of a long vector"),                      \
      OVK_INTEGER("window", 1, OVK__MAX_LANES, 4, "pieces in flight")
enum { OVK__MAX_LANES = 64 };
typedef struct ovk__fragments {
  size_t bytes; /* of a piece at most, unless that is less than an element */
  int window;   /* pieces in flight at most */
} ovk__fragments;

ovk_err ovk__fragments_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__fragments *out);

/* How a vector is cut: into one piece at least. */
typedef struct ovk__cut {
  int piece, last; /* elements in a piece, and in the last one */
  int npieces, nlanes;
} ovk__cut;

ovk__cut ovk__cut_up(int count, size_t element, ovk__fragments fragments);

/* A run that executes piece `at`, then every nlanes-th piece after it. */
typedef struct ovk__lane {
  ovk__run *run; /* NULL: only the last piece is this lane's */
  int64_t at;
} ovk__lane;

typedef struct ovk__pipeline {
  ovk__cut cut;
  size_t element;
  const char *input;
  char *output;
  ovk__lane *lanes;
  ovk__run *last; /* of the last piece; NULL: it is as long as the others */
} ovk__pipeline;

/* Makes the runs. The task has the buffers of the whole vector and the schedule of a piece; `last`:
 * that of the last piece. Collective as ovk__run_create() is. ovk__pipeline_free() must be called
 * also after an error. */
ovk_err ovk__pipeline_make(ovk__engine *engine, const ovk__task *task, const ovk__schedule *last,
                           ovk__cut cut, bool failed, ovk__pipeline *out);

/* As ovk__run_destroy(). */
bool ovk__pipeline_free(ovk__pipeline *pipeline);

/* As ovk__run_start() and ovk__run_advance(); a piece that follows another in its lane is started
 * by advance. */
int ovk__pipeline_start(void *pipeline);
int ovk__pipeline_advance(void *pipeline, bool *complete);

#endif
