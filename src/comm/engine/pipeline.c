/* SPDX-License-Identifier: BSD-2-Clause */
/* Cuts vectors into fragments and executes them in streams. */
#include "comm/engine/pipeline.h"
#include "comm/engine/engine.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* Vectors are cut only if the spec requests it: between two ranks of a node, fragments of any size
 * were not faster than whole reductions of 1e3 to 1e6 values. */
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
    return (ovk__cut){.fragment = count, .last = count, .nfragments = 1, .nstreams = 1};
  const int nfragments = divide_up(count, most ? (int)most : 1);
  const int fragment = divide_up(count, nfragments);
  return (ovk__cut){.fragment = fragment,
                    .last = count - (nfragments - 1) * fragment,
                    .nfragments = nfragments,
                    .nstreams = nfragments < fragments.window ? nfragments : fragments.window};
}

/* The number of fragments that are as long as the first. */
static int nequal(const ovk__cut *cut)
{
  return cut->nfragments - (cut->last < cut->fragment);
}

static ovk_err make_streams(ovk_ctx *ctx, ovk__pipeline *p)
{
  OVK_NEW_ZEROS(ctx, p->streams, p->cut.nstreams);
  return OVK_OK;
}

/* All ranks create all requests, also after an error, because creation is collective. */
ovk_err ovk__pipeline_make(ovk__engine *engine, const ovk__op_desc *desc, const ovk__schedule *last,
                           ovk__cut cut, bool failed, ovk__pipeline *out)
{
  ovk__pipeline *p = out;
  ovk__op_desc shorter = *desc;
  shorter.schedule = last;
  *p = (ovk__pipeline){
      .cut = cut, .element = desc->element, .input = desc->input, .output = desc->output};
  ovk_err err = failed ? OVK_OK : make_streams(engine->ctx, p);
  for (int k = 0; k < cut.nstreams && k < nequal(&cut); k++) {
    ovk__request *request;
    failed = failed || err;
    const ovk_err made = ovk__request_create(engine, desc, failed, &request);
    if (p->streams) p->streams[k].request = request;
    if (!err) err = made;
  }
  if (nequal(&cut) == cut.nfragments) return err;
  const ovk_err made = ovk__request_create(engine, &shorter, failed || err, &p->last);
  return err ? err : made;
}

bool ovk__pipeline_free(ovk__pipeline *pipeline)
{
  ovk__pipeline *p = pipeline;
  bool over = ovk__request_destroy(&p->last);
  for (int k = 0; p->streams && k < p->cut.nstreams; k++) {
    over = ovk__request_destroy(&p->streams[k].request) && over;
  }
  free(p->streams);
  return over;
}

/* The request of the current fragment of the stream. */
static ovk__request *request_of(const ovk__pipeline *p, const ovk__fragment_stream *l)
{
  return l->at < nequal(&p->cut) ? l->request : p->last;
}

/* Starts the next fragment of the stream, if there is one. */
static int start_stream(const ovk__pipeline *p, const ovk__fragment_stream *l)
{
  if (l->at >= p->cut.nfragments) return MPI_SUCCESS;
  ovk__request *request = request_of(p, l);
  const size_t before = (size_t)l->at * (size_t)p->cut.fragment * p->element;
  ovk__request_move(request, p->input ? p->input + before : NULL,
                    p->output ? p->output + before : NULL);
  return ovk__request_start(request);
}

/* Advances a stream over as many fragments as complete. */
static int advance_stream(const ovk__pipeline *p, ovk__fragment_stream *l)
{
  int err = MPI_SUCCESS;
  while (!err && l->at < p->cut.nfragments) {
    bool complete;
    err = ovk__request_advance(request_of(p, l), &complete);
    if (err || !complete) return err;
    l->at += p->cut.nstreams;
    err = start_stream(p, l);
  }
  return err;
}

int ovk__pipeline_start(void *pipeline)
{
  ovk__pipeline *p = pipeline;
  int err = MPI_SUCCESS;
  for (int k = 0; k < p->cut.nstreams && !err; k++) {
    p->streams[k].at = k;
    err = start_stream(p, &p->streams[k]);
  }
  return err;
}

int ovk__pipeline_advance(void *pipeline, bool *complete)
{
  ovk__pipeline *p = pipeline;
  int err = MPI_SUCCESS;
  *complete = true;
  for (int k = 0; k < p->cut.nstreams && !err; k++) {
    err = advance_stream(p, &p->streams[k]);
    *complete = *complete && p->streams[k].at >= p->cut.nfragments;
  }
  return err;
}
