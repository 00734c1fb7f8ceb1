/* SPDX-License-Identifier: BSD-2-Clause */
/* The dissemination barrier: in each round a rank has heard, directly or indirectly, from twice as
 * many as before (Hensgen, Finkel, Manber 1988). */
#include "backends/verbs/recovery/shutdown.h"
#include "core/context/ctx_impl.h"

ovk_err ovk__shutdown_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__shutdown *out)
{
  int64_t number;
  *out = (ovk__shutdown){.comm = comm, .distance = 1, .request = MPI_REQUEST_NULL};
  out->rank = ovk_ctx_rank(ctx);
  out->size = ovk_ctx_size(ctx);
  OVK_TRY(ovk__tags_deal(ctx, comm, tags, &number));
  out->tags = tags;
  out->used_tag = ovk__tag_use(tags, &out->tag, number);
  return OVK_OK;
}

/* Sends to another rank: a message of one byte if there is news, else of none. */
static int send_news(const ovk__shutdown *f)
{
  static const char mark;
  const int after = (f->rank + f->distance) % f->size;
  MPI_Request sent;
  const int err = MPI_Isend(&mark, f->news, MPI_BYTE, after, f->used_tag, f->comm, &sent);
  return err ? err : MPI_Request_free(&sent);
}

static int begin_round(ovk__shutdown *f)
{
  const int before = (f->rank + f->size - f->distance) % f->size;
  const int err = MPI_Irecv(&f->mark, 1, MPI_BYTE, before, f->used_tag, f->comm, &f->request);
  return err ? err : send_news(f);
}

/* Completes the remaining rounds without waiting, so that no other rank waits for this one.
 * MPI_Wait does not block: a message of at most one byte arrives as a whole, so its receive is
 * complete or has not been matched and can be cancelled. */
static void send_remaining(ovk__shutdown *f)
{
  MPI_Cancel(&f->request);
  MPI_Wait(&f->request, MPI_STATUS_IGNORE);
  for (f->distance *= 2; f->distance < f->size; f->distance *= 2) (void)send_news(f);
}

void ovk__shutdown_free(ovk__shutdown *shutdown)
{
  ovk__shutdown *f = shutdown;
  if (!f->tags) return;
  if (f->request != MPI_REQUEST_NULL && !ovk__mpi_is_over()) send_remaining(f);
  ovk__tag_free(f->tags, &f->tag);
}

/* *heard: the round is complete. */
static int end_round(ovk__shutdown *f, bool *heard)
{
  MPI_Status status;
  int flag = 0, bytes = 0;
  int err = MPI_Test(&f->request, &flag, &status);
  if (!err && flag) err = MPI_Get_count(&status, MPI_BYTE, &bytes);
  *heard = flag;
  if (bytes) f->news = true;
  if (flag) f->distance *= 2;
  return err;
}

int ovk__shutdown_move_on(ovk__shutdown *shutdown, bool news, bool *all)
{
  ovk__shutdown *f = shutdown;
  int err = MPI_SUCCESS;
  bool heard = true;
  if (news) f->news = true;
  while (!err && heard && f->distance < f->size) {
    if (f->request == MPI_REQUEST_NULL) err = begin_round(f);
    if (!err) err = end_round(f, &heard);
  }
  *all = f->distance >= f->size;
  return err;
}
