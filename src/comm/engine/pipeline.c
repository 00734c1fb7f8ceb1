/* SPDX-License-Identifier: BSD-2-Clause */
/* Cuts vectors into pieces and runs them in lanes. */
#include "comm/engine/pipeline.h"
#include "comm/engine/engine.h"
#include "core/context/mem.h"

#include <limits.h>
#include <stdlib.h>

/* Vectors are cut only if the spec asks for it: between two ranks of a node, pieces of any size
 * were no faster than whole sums of 1e3 to 1e6 values. */
static const ovk_option options[] = {OVK__FRAGMENT_OPTIONS, OVK_OPTIONS_END};

ovk_err ovk__fragments_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__fragments *out)
{
  long bytes, window;
  OVK_CHECK(ovk_spec_has(spec, "fragment") || !ovk_spec_has(spec, "window"), ctx, OVK_ERR_ARG,
            "'%s': window belongs to fragment=", ovk_spec_name(spec));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "fragment", &bytes));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "window", &window));
  *out = (ovk__fragments){(size_t)bytes, (int)window};
  return OVK_OK;
}

static int divide_up(int a, int b)
{
  return a / b + (a % b > 0);
}

ovk__cut ovk__cut_up(int count, size_t element, ovk__fragments fragments)
{
  const size_t most = fragments.bytes ? fragments.bytes / element : (size_t)count;
  if (most >= (size_t)count)
    return (ovk__cut){.piece = count, .last = count, .npieces = 1, .nlanes = 1};
  const int npieces = divide_up(count, most ? (int)most : 1);
  const int piece = divide_up(count, npieces);
  return (ovk__cut){.piece = piece,
                    .last = count - (npieces - 1) * piece,
                    .npieces = npieces,
                    .nlanes = npieces < fragments.window ? npieces : fragments.window};
}

/* The number of pieces that are as long as the first. */
static int nequal(const ovk__cut *cut)
{
  return cut->npieces - (cut->last < cut->piece);
}

static ovk_err make_lanes(ovk_ctx *ctx, ovk__pipeline *p)
{
  OVK_NEW_ZEROS(ctx, p->lanes, p->cut.nlanes);
  return OVK_OK;
}

/* All runs are created on every rank, also after an error, as creating one is collective. */
ovk_err ovk__pipeline_make(ovk__engine *engine, const ovk__task *task, const ovk__schedule *last,
                           ovk__cut cut, bool failed, ovk__pipeline *out)
{
  ovk__pipeline *p = out;
  ovk__task shorter = *task;
  shorter.schedule = last;
  *p = (ovk__pipeline){
      .cut = cut, .element = task->element, .input = task->input, .output = task->output};
  ovk_err err = failed ? OVK_OK : make_lanes(engine->ctx, p);
  for (int k = 0; k < cut.nlanes && k < nequal(&cut); k++) {
    ovk__run *run;
    failed = failed || err;
    const ovk_err made = ovk__run_create(engine, task, failed, &run);
    if (p->lanes) p->lanes[k].run = run;
    if (!err) err = made;
  }
  if (nequal(&cut) == cut.npieces) return err;
  const ovk_err made = ovk__run_create(engine, &shorter, failed || err, &p->last);
  return err ? err : made;
}

bool ovk__pipeline_free(ovk__pipeline *pipeline)
{
  ovk__pipeline *p = pipeline;
  bool over = ovk__run_destroy(&p->last);
  for (int k = 0; p->lanes && k < p->cut.nlanes; k++) {
    over = ovk__run_destroy(&p->lanes[k].run) && over;
  }
  free(p->lanes);
  return over;
}

/* The run of the lane's piece. */
static ovk__run *run_of(const ovk__pipeline *p, const ovk__lane *l)
{
  return l->at < nequal(&p->cut) ? l->run : p->last;
}

/* Starts the lane's next piece, if there is one. */
static int start_lane(const ovk__pipeline *p, const ovk__lane *l)
{
  if (l->at >= p->cut.npieces) return MPI_SUCCESS;
  ovk__run *run = run_of(p, l);
  const size_t before = (size_t)l->at * (size_t)p->cut.piece * p->element;
  ovk__run_move(run, p->input ? p->input + before : NULL, p->output ? p->output + before : NULL);
  return ovk__run_start(run);
}

/* Advances a lane, through as many pieces as complete. */
static int advance_lane(const ovk__pipeline *p, ovk__lane *l)
{
  int err = MPI_SUCCESS;
  while (!err && l->at < p->cut.npieces) {
    bool complete;
    err = ovk__run_advance(run_of(p, l), &complete);
    if (err || !complete) return err;
    l->at += p->cut.nlanes;
    err = start_lane(p, l);
  }
  return err;
}

int ovk__pipeline_start(void *pipeline)
{
  ovk__pipeline *p = pipeline;
  int err = MPI_SUCCESS;
  for (int k = 0; k < p->cut.nlanes && !err; k++) {
    p->lanes[k].at = k;
    err = start_lane(p, &p->lanes[k]);
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
