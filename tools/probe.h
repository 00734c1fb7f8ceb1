/* SPDX-License-Identifier: BSD-2-Clause */
/* One way of summing, measured: a backend by its spec, or the MPI's own call. */
#ifndef OVK_TOOL_PROBE_H
#define OVK_TOOL_PROBE_H

#include <ovkrylov/ovkrylov.h>

typedef struct probe {
  const char *spec;    /* of a backend, or mpi:allreduce, or mpi:iallreduce */
  const char *backend; /* the same, but for "auto" what it chose */
  int count;           /* doubles */
  ovk_ctx *ctx;
  ovk_reduction *reduction; /* NULL: the MPI's own */
  bool blocking;            /* the MPI's own blocking call */
  double *values;
  MPI_Request request;
} probe;

/* What one round of measurements gives: the slowest rank's averages. */
typedef enum probe_figure {
  PROBE_LATENCY,    /* seconds of begin and wait, one behind the other */
  PROBE_BEGIN,      /* seconds in begin */
  PROBE_WAIT,       /* seconds in wait */
  PROBE_OVERHEAD,   /* seconds in begin, polls and wait that no work can hide */
  PROBE_PEER_DELAY, /* seconds that others wait for a sum if one rank is busy after its begin */
  PROBE_TIMES,      /* those above; below: per cent */
  PROBE_OVERLAP_OSU = PROBE_TIMES,
  PROBE_OVERLAP_IMB,
  PROBE_FIGURES
} probe_figure;

/* Collective. `spec` must live as long as the probe. */
ovk_err probe_create(ovk_ctx *ctx, const char *spec, int count, probe *out);
void probe_destroy(probe *p);

/* Measures one round of `iterations` sums for each figure. Collective. */
ovk_err probe_measure(probe *p, int iterations, double figures[PROBE_FIGURES]);

#endif
