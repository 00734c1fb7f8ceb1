/* SPDX-License-Identifier: BSD-2-Clause */
/* Cuts a sum into pieces and runs them in lanes. */
#include "backends/nbc/pipeline.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static int divide_up(int a, int b)
{
  return a / b + (a % b > 0);
}

ovk__cut ovk__cut_up(int count, int fragment, int window)
{
  const int npieces = divide_up(count, fragment);
  return (ovk__cut){.count = count,
                    .piece = divide_up(count, npieces),
                    .npieces = npieces,
                    .nlanes = npieces < window ? npieces : window};
}

/* Whether the lanes have buffers of their own. */
static bool has_storage(const ovk__pipeline *p)
{
  return p->cut.npieces > 1;
}

static ovk_err make_lanes(ovk_ctx *ctx, ovk__pipeline *p)
{
  const size_t piece = (size_t)p->cut.piece, nlanes = (size_t)p->cut.nlanes;
  OVK_NEW_ZEROS(ctx, p->lanes, nlanes);
  if (has_storage(p)) OVK_NEW_ARRAY(ctx, p->storage, nlanes * piece);
  for (size_t k = 0; k < nlanes; k++) {
    p->lanes[k].values = has_storage(p) ? p->storage + k * piece : p->values;
  }
  return OVK_OK;
}

ovk_err ovk__pipeline_make(ovk_ctx *ctx, ovk__engine *engine, ovk__cut cut,
                           const ovk__schedule *schedule, double *values, bool failed,
                           ovk__pipeline *out)
{
  *out = (ovk__pipeline){.cut = cut, .values = values};
  ovk_err err = failed ? OVK_OK : make_lanes(ctx, out);
  for (int k = 0; k < cut.nlanes;
       k++) { /* all lanes on every rank, also after an error: creating a run is collective */
    ovk__run *run;
    failed = failed || err;
    const ovk__task task = {.schedule = schedule,
                            .output = failed ? NULL : out->lanes[k].values,
                            .element = sizeof(double),
                            .combine = ovk__combine_sum_double};
    const ovk_err made = ovk__run_create(engine, &task, failed, &run);
    if (!failed) out->lanes[k].run = run;
    if (!err) err = made;
  }
  return err;
}

bool ovk__pipeline_free(ovk__pipeline *pipeline)
{
  const ovk__pipeline *p = pipeline;
  bool over = true;
  for (int k = 0; p->lanes && k < p->cut.nlanes; k++) {
    over = ovk__run_destroy(&p->lanes[k].run) && over;
  }
  free(p->lanes);
  if (over) free(p->storage);
  return over || has_storage(p);
}

/* The lane's piece among the sum's values; *bytes <- its length without padding. */
static double *piece_of(const ovk__pipeline *p, const ovk__lane *l, size_t *bytes)
{
  const int first = (int)l->at * p->cut.piece, left = p->cut.count - first;
  *bytes = (size_t)(left < p->cut.piece ? left : p->cut.piece) * sizeof(double);
  return p->values + first;
}

/* Starts the lane's next piece, if there is one. */
static int start_lane(const ovk__pipeline *p, ovk__lane *l)
{
  if (l->at >= p->cut.npieces) return MPI_SUCCESS;
  if (has_storage(p)) {
    size_t bytes;
    const double *piece = piece_of(p, l, &bytes);
    memcpy(l->values, piece, bytes);
    memset((char *)l->values + bytes, 0, (size_t)p->cut.piece * sizeof(double) - bytes);
  }
  return ovk__run_start(l->run);
}

/* Advances a lane, through as many pieces as complete. */
static int advance_lane(const ovk__pipeline *p, ovk__lane *l)
{
  int err = MPI_SUCCESS;
  while (!err && l->at < p->cut.npieces) {
    bool complete;
    err = ovk__run_advance(l->run, &complete);
    if (err || !complete) return err;
    if (has_storage(p)) {
      size_t bytes;
      double *piece = piece_of(p, l, &bytes);
      memcpy(piece, l->values, bytes);
    }
    l->at += p->cut.nlanes;
    err = start_lane(p, l);
  }
  return err;
}

int ovk__pipeline_start(ovk__pipeline *pipeline)
{
  int err = MPI_SUCCESS;
  for (int k = 0; k < pipeline->cut.nlanes && !err; k++) {
    pipeline->lanes[k].at = k;
    err = start_lane(pipeline, &pipeline->lanes[k]);
  }
  return err;
}

int ovk__pipeline_advance(void *pipeline, bool *complete)
{
  ovk__pipeline *p = pipeline;
  int err = MPI_SUCCESS;
  *complete = true;
  for (int k = 0; k < p->cut.nlanes && !err; k++) {
    err = advance_lane(p, &p->lanes[k]);
    *complete = *complete && p->lanes[k].at >= p->cut.npieces;
  }
  return err;
}
