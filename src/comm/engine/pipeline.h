/* SPDX-License-Identifier: BSD-2-Clause */
/* A vector cut into fragments of equal length, except for the last one. A few streams process them
 * in turn and in place, so that the rounds of different fragments overlap. */
#ifndef OVK_COMM_ENGINE_PIPELINE_H
#define OVK_COMM_ENGINE_PIPELINE_H

#include "comm/engine/executor.h"

#include <ovkrylov/plugin/spec.h>

/* The fragments that a spec requests with these keys. {0}: the vector is not cut. */
#define OVK__FRAGMENT_OPTIONS                                                                      \
  OVK_INTEGER("fragment", 1, 0x1p53, 0, "bytes of a fragment of a long vector"),                   \
      OVK_INTEGER("window", 1, OVK__MAX_WINDOW, 4, "fragments in flight")
enum { OVK__MAX_WINDOW = 64 };
typedef struct ovk__fragments {
  size_t bytes; /* maximum bytes of a fragment, but at least one element */
  int window;   /* maximum number of fragments in flight */
} ovk__fragments;

ovk_err ovk__fragments_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__fragments *out);

/* The division of a vector into at least one fragment. */
typedef struct ovk__cut {
  int fragment, last; /* elements in a fragment, and in the last one */
  int nfragments, nstreams;
} ovk__cut;

ovk__cut ovk__cut_up(int count, size_t element, ovk__fragments fragments);

/* A request that executes fragment `at`, then every nstreams-th fragment after it. */
typedef struct ovk__fragment_stream {
  ovk__request *request; /* NULL: the stream has only the last fragment */
  int64_t at;
} ovk__fragment_stream;

typedef struct ovk__pipeline {
  ovk__cut cut;
  size_t element;
  const char *input;
  char *output;
  ovk__fragment_stream *streams;
  ovk__request *last; /* request of the last fragment; NULL: it is as long as the others */
} ovk__pipeline;

/* Create the requests. `desc` has the buffers of the whole vector and the schedule of a fragment;
 * `last` is the schedule of the last fragment. Collective as ovk__request_create().
 * ovk__pipeline_free() must be called also after an error. */
ovk_err ovk__pipeline_make(ovk__engine *engine, const ovk__op_desc *desc, const ovk__schedule *last,
                           ovk__cut cut, bool failed, ovk__pipeline *out);

/* As ovk__request_destroy(). */
bool ovk__pipeline_free(ovk__pipeline *pipeline);

/* As ovk__request_start() and ovk__request_advance(). advance starts a fragment that follows
 * another one in its stream. */
int ovk__pipeline_start(void *pipeline);
int ovk__pipeline_advance(void *pipeline, bool *complete);

#endif
