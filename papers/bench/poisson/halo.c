/* SPDX-License-Identifier: BSD-2-Clause */
/* The exchange of faces: three implementations over the same buffers. */
#include "bench/poisson/halo.h"
#include "tool.h"

#include <ovkrylov/comm/collectives.h>
#include <stdlib.h>

const char *const halo_names[HALO_TRANSPORTS] = {
    [HALO_BLOCKING] = "alltoallv", [HALO_NBC] = "nbc", [HALO_P2P] = "p2p"};

/* The next face after number k that has a neighbor, or FACES. Start with -1. */
static int next_face(const halo *h, int k)
{
  do k++;
  while (k < FACES && h->box->faces[k].neighbor == MPI_PROC_NULL);
  return k;
}

/* Lays out the faces by the rank that they are sent to or received from: two boxes share at most
 * one face. False: no memory. */
static bool place(halo *h, int64_t *offsets)
{
  int points = 0;
  for (int k = next_face(h, -1); k < FACES; k = next_face(h, k)) {
    const face *f = &h->box->faces[k];
    h->counts[f->neighbor] = face_points(f);
    offsets[f->neighbor] = h->offsets[f->neighbor] = points;
    points += face_points(f);
  }
  h->send = calloc((size_t)points + 1, sizeof *h->send);
  h->receive = calloc((size_t)points + 1, sizeof *h->receive);
  return h->send && h->receive;
}

static ovk_err halo_build(halo *h, const char *spec, int64_t *offsets)
{
  const size_t nranks = (size_t)ovk_ctx_size(h->ctx);
  h->counts = calloc(nranks, sizeof *h->counts);
  h->offsets = calloc(nranks, sizeof *h->offsets);
  const bool placed = h->counts && h->offsets && offsets && place(h, offsets);
  TRY(tool_got_memory(h->ctx, placed));
  return ovk_collective_create_alltoallv(h->ctx, spec, h->send, h->counts, offsets, h->receive,
                                         h->counts, offsets, sizeof(double), &h->all_to_all);
}

ovk_err halo_create(ovk_ctx *ctx, const box *b, const char *spec, halo *out)
{
  *out = (halo){.ctx = ctx, .box = b};
  for (int k = 0; k < 2 * FACES; k++) out->requests[k] = MPI_REQUEST_NULL;
  int64_t *offsets = calloc((size_t)ovk_ctx_size(ctx), sizeof *offsets);
  const ovk_err err = halo_build(out, spec, offsets);
  free(offsets);
  return err;
}

void halo_destroy(halo *h)
{
  ovk_collective_destroy(&h->all_to_all);
  free(h->receive);
  free(h->send);
  free(h->offsets);
  free(h->counts);
}

static ovk_err begin_blocking(halo *h)
{
  return tool_mpi(h->ctx,
                  MPI_Alltoallv(h->send, h->counts, h->offsets, MPI_DOUBLE, h->receive, h->counts,
                                h->offsets, MPI_DOUBLE, MPI_COMM_WORLD),
                  "MPI_Alltoallv");
}

static void progress_blocking(halo *h)
{
  (void)h;
}

static ovk_err end_blocking(halo *h)
{
  (void)h;
  return OVK_OK;
}

static ovk_err begin_nbc(halo *h)
{
  return ovk_collective_begin(h->all_to_all);
}

static void progress_nbc(halo *h)
{
  bool complete;
  ovk_collective_test(h->all_to_all, &complete); /* an error is reported by wait */
}

static ovk_err end_nbc(halo *h)
{
  return ovk_collective_wait(h->all_to_all);
}

static ovk_err begin_p2p(halo *h)
{
  for (int k = next_face(h, -1); k < FACES; k = next_face(h, k)) {
    const int peer = h->box->faces[k].neighbor;
    TRY(tool_mpi(h->ctx,
                 MPI_Irecv(h->receive + h->offsets[peer], h->counts[peer], MPI_DOUBLE, peer, 0,
                           MPI_COMM_WORLD, &h->requests[k]),
                 "MPI_Irecv"));
  }
  for (int k = next_face(h, -1); k < FACES; k = next_face(h, k)) {
    const int peer = h->box->faces[k].neighbor;
    TRY(tool_mpi(h->ctx,
                 MPI_Isend(h->send + h->offsets[peer], h->counts[peer], MPI_DOUBLE, peer, 0,
                           MPI_COMM_WORLD, &h->requests[FACES + k]),
                 "MPI_Isend"));
  }
  return OVK_OK;
}

static void progress_p2p(halo *h)
{
  int complete;
  MPI_Testall(2 * FACES, h->requests, &complete, MPI_STATUSES_IGNORE);
}

static ovk_err end_p2p(halo *h)
{
  return tool_mpi(h->ctx, MPI_Waitall(2 * FACES, h->requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
}

static const struct {
  ovk_err (*begin)(halo *);
  void (*progress)(halo *);
  ovk_err (*end)(halo *);
} transports[HALO_TRANSPORTS] = {
    [HALO_BLOCKING] = {begin_blocking, progress_blocking, end_blocking},
    [HALO_NBC] = {begin_nbc, progress_nbc, end_nbc},
    [HALO_P2P] = {begin_p2p, progress_p2p, end_p2p},
};

ovk_err halo_begin(halo *h, const double *x)
{
  for (int k = next_face(h, -1); k < FACES; k = next_face(h, k)) {
    const face *f = &h->box->faces[k];
    face_take(f, x, h->send + h->offsets[f->neighbor]);
  }
  return transports[h->transport].begin(h);
}

void halo_progress(void *self)
{
  halo *h = self;
  transports[h->transport].progress(h);
}

ovk_err halo_end(halo *h, double *y)
{
  TRY(transports[h->transport].end(h));
  for (int k = next_face(h, -1); k < FACES; k = next_face(h, k)) {
    const face *f = &h->box->faces[k];
    face_subtract(f, h->receive + h->offsets[f->neighbor], y);
  }
  return OVK_OK;
}
