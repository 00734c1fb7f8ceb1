/* SPDX-License-Identifier: BSD-2-Clause */
/* A sum cut into pieces of equal size, which a few lanes process in turn, so that the rounds of
 * different pieces overlap. */
#ifndef OVK_BACKENDS_NBC_PIPELINE_H
#define OVK_BACKENDS_NBC_PIPELINE_H

#include "engine/executor.h"

/* How a sum is cut. The last piece is padded. */
typedef struct ovk__cut {
  int count, piece; /* values in total; in a piece */
  int npieces, nlanes;
} ovk__cut;

/* Pieces of at most `fragment` values, at most `window` lanes. */
ovk__cut ovk__cut_up(int count, int fragment, int window);

/* One of a sum's runs. It executes piece `at`, then every nlanes-th piece after it. */
typedef struct ovk__lane {
  ovk__run *run;
  double *values;
  int64_t at;
} ovk__lane;

typedef struct ovk__pipeline {
  ovk__cut cut;
  double *values; /* the sum's */
  ovk__lane *lanes;
  double *storage; /* the lanes' buffers; a sum of one piece is made in place */
} ovk__pipeline;

/* Makes lanes that execute `schedule`, of cut.piece values. Collective as ovk__run_create() is.
 * ovk__pipeline_free() must be called also after an error. */
ovk_err ovk__pipeline_make(ovk_ctx *ctx, ovk__engine *engine, ovk__cut cut,
                           const ovk__schedule *schedule, double *values, bool failed,
                           ovk__pipeline *out);

/* False: MPI may still access the sum's values, see ovk__run_destroy(). */
bool ovk__pipeline_free(ovk__pipeline *pipeline);

/* Return MPI's error codes; advance is an ovk__advance. */
int ovk__pipeline_start(ovk__pipeline *pipeline);
int ovk__pipeline_advance(void *pipeline, bool *complete);

#endif
