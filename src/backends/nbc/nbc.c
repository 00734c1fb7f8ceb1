/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "nbc": carries out reduction schedules over persistent point-to-point messages, as
 * LibNBC does (Hoefler, Lumsdaine, Rehm, SC'07). The first round leaves inside begin; each test
 * moves a sum on by as many rounds as are through. Several sums progress independently, each with a
 * tag. */
#include "backends/schedule/schedule.h"
#include "core/mem.h"

#include <ovkrylov/backend.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {OVK__SHAPE_KEYS, NULL};

/* The state of the backend: one schedule serves all its sums. */
typedef struct engine {
  ovk__schedule schedule;
} engine;

/* What a sum's request points to. */
typedef struct execution {
  const ovk__schedule *schedule;
  MPI_Request *requests; /* of all messages, in the order of actions */
  int nrequests;
  double **buffers; /* the first is the sum's values */
  double *storage;  /* of the others */
  int round;        /* the one that is under way */
  int request;      /* its first message */
} execution;

static ovk_err open_engine(ovk_backend *backend)
{
  engine *e = calloc(1, sizeof *e);
  OVK_CHECK(e, backend->ctx, OVK_ERR_MEMORY, "no memory for a reduction engine");
  ovk__shape shape;
  ovk_err err = ovk__shape_read(backend->ctx, backend->spec, &shape);
  if (!err) {
    err = ovk__schedule_build(backend->ctx, &shape, ovk_ctx_size(backend->ctx),
                              ovk_ctx_rank(backend->ctx), &e->schedule);
  }
  backend->state = e;
  if (err) {
    ovk__schedule_free(&e->schedule);
    free(e);
  }
  return err;
}

static void close_engine(ovk_backend *backend)
{
  engine *e = backend->state;
  ovk__schedule_free(&e->schedule);
  free(e);
}

/* A tag that sums in flight do not share; MPI guarantees tags up to 32767. */
static int tag_of(const ovk_sum *sum)
{
  return sum->number % 32768;
}

static ovk_err make_requests(ovk_sum *sum, execution *x)
{
  ovk_ctx *ctx = sum->backend->ctx;
  const int tag = tag_of(sum);
  for (int k = 0; k < x->schedule->nactions; k++) {
    const ovk__action a = x->schedule->actions[k];
    MPI_Request *request = &x->requests[x->nrequests];
    if (a.kind == OVK__SEND) {
      OVK_TRY_MPI(ctx, MPI_Send_init(x->buffers[a.from], sum->count, MPI_DOUBLE, a.peer, tag,
                                     sum->backend->comm, request));
    } else if (a.kind == OVK__RECEIVE) {
      OVK_TRY_MPI(ctx, MPI_Recv_init(x->buffers[a.to], sum->count, MPI_DOUBLE, a.peer, tag,
                                     sum->backend->comm, request));
    } else {
      continue;
    }
    x->nrequests++;
  }
  return OVK_OK;
}

static ovk_err set_up(ovk_sum *sum, execution *x)
{
  ovk_ctx *ctx = sum->backend->ctx;
  const ovk__schedule *s = x->schedule;
  const size_t others = (size_t)s->nbuffers - 1;
  OVK_NEW_ARRAY(ctx, x->requests, s->nactions);
  OVK_NEW_ARRAY(ctx, x->buffers, s->nbuffers);
  OVK_CHECK(!others || (size_t)sum->count <= SIZE_MAX / others, ctx, OVK_ERR_MEMORY,
            "no memory for %zu buffers of %d doubles", others, sum->count);
  OVK_NEW_ARRAY(ctx, x->storage, others * (size_t)sum->count);
  x->buffers[0] = sum->values;
  for (size_t k = 0; k < others; k++) x->buffers[k + 1] = x->storage + k * (size_t)sum->count;
  return make_requests(sum, x);
}

static void release(ovk_sum *sum)
{
  execution *x = sum->request;
  for (int k = 0; k < x->nrequests; k++) MPI_Request_free(&x->requests[k]);
  free(x->requests);
  free(x->buffers);
  free(x->storage);
  free(x);
}

static ovk_err prepare(ovk_sum *sum)
{
  const engine *e = sum->backend->state;
  execution *x = calloc(1, sizeof *x);
  OVK_CHECK(x, sum->backend->ctx, OVK_ERR_MEMORY, "no memory for a reduction");
  x->schedule = &e->schedule;
  sum->request = x;
  const ovk_err err = set_up(sum, x);
  if (err) release(sum);
  return err;
}

/* Starts the messages of the round that x->round and x->request are at, if there is one. */
static ovk_err start_round(ovk_sum *sum, const execution *x)
{
  if (x->round == x->schedule->nrounds) return OVK_OK;
  const int n = x->schedule->rounds[x->round].nmessages;
  if (n) OVK_TRY_MPI(sum->backend->ctx, MPI_Startall(n, x->requests + x->request));
  return OVK_OK;
}

/* The messages of the round are through: combines, and starts the next. */
static ovk_err finish_round(ovk_sum *sum, execution *x)
{
  const ovk__round round = x->schedule->rounds[x->round];
  for (int k = 0; k < round.nlocal; k++) {
    const ovk__action a = x->schedule->actions[round.first + round.nmessages + k];
    const double *from = x->buffers[a.from];
    double *to = x->buffers[a.to];
    if (a.kind == OVK__COPY) {
      memcpy(to, from, (size_t)sum->count * sizeof *to);
    } else {
      for (int i = 0; i < sum->count; i++) to[i] += from[i];
    }
  }
  x->round++;
  x->request += round.nmessages;
  return start_round(sum, x);
}

static ovk_err test(ovk_sum *sum, bool *complete)
{
  execution *x = sum->request;
  while (x->round < x->schedule->nrounds) {
    int through = 0;
    OVK_TRY_MPI(sum->backend->ctx,
                MPI_Testall(x->schedule->rounds[x->round].nmessages, x->requests + x->request,
                            &through, MPI_STATUSES_IGNORE));
    if (!through) return OVK_OK;
    OVK_TRY(finish_round(sum, x));
  }
  *complete = true;
  return OVK_OK;
}

static ovk_err begin(ovk_sum *sum)
{
  execution *x = sum->request;
  bool complete; /* test remembers */
  x->round = x->request = 0;
  OVK_TRY(start_round(sum, x));
  return test(sum, &complete); /* some MPIs send nothing before the first test */
}

static ovk_err wait(ovk_sum *sum)
{
  execution *x = sum->request;
  while (x->round < x->schedule->nrounds) {
    OVK_TRY_MPI(sum->backend->ctx, MPI_Waitall(x->schedule->rounds[x->round].nmessages,
                                               x->requests + x->request, MPI_STATUSES_IGNORE));
    OVK_TRY(finish_round(sum, x));
  }
  return OVK_OK;
}

const ovk_backend_ops ovk__backend_nbc = {
    .name = "nbc",
    .summary = "own schedules over point-to-point messages; alg=flat|doubling|kary|tree",
    .keys = keys,
    .begin = begin,
    .test = test,
    .open = open_engine,
    .close = close_engine,
    .prepare = prepare,
    .release = release,
    .wait = wait,
};
