/* SPDX-License-Identifier: BSD-2-Clause */
/* In each round a rank hears from twice as many as before (Hensgen, Finkel, Manber 1988). */
#include "backends/verbs/recovery/farewell.h"

ovk_err ovk__farewell_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__farewell *out)
{
  int64_t number;
  *out = (ovk__farewell){.comm = comm, .distance = 1, .request = MPI_REQUEST_NULL};
  out->rank = ovk_ctx_rank(ctx);
  out->size = ovk_ctx_size(ctx);
  OVK_TRY(ovk__tags_deal(ctx, comm, tags, &number));
  out->tags = tags;
  out->used_tag = ovk__tag_use(tags, &out->tag, number);
  return OVK_OK;
}

/* Tells another rank: a message of a byte, or none. */
static int tell(const ovk__farewell *f)
{
  static const char mark;
  const int after = (f->rank + f->distance) % f->size;
  MPI_Request sent;
  const int err = MPI_Isend(&mark, f->news, MPI_BYTE, after, f->used_tag, f->comm, &sent);
  return err ? err : MPI_Request_free(&sent);
}

static int begin_round(ovk__farewell *f)
{
  const int before = (f->rank + f->size - f->distance) % f->size;
  const int err = MPI_Irecv(&f->mark, 1, MPI_BYTE, before, f->used_tag, f->comm, &f->request);
  return err ? err : tell(f);
}

/* Who gives up holds up nobody. */
static void give_up(ovk__farewell *f)
{
  MPI_Cancel(&f->request);
  MPI_Wait(&f->request, MPI_STATUS_IGNORE);
  for (f->distance *= 2; f->distance < f->size; f->distance *= 2) (void)tell(f);
}

void ovk__farewell_free(ovk__farewell *farewell)
{
  ovk__farewell *f = farewell;
  if (!f->tags) return;
  if (f->request != MPI_REQUEST_NULL) give_up(f);
  ovk__tag_free(f->tags, &f->tag);
}

/* *heard: the round is through. */
static int end_round(ovk__farewell *f, bool *heard)
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

int ovk__farewell_move_on(ovk__farewell *farewell, bool news, bool *all)
{
  ovk__farewell *f = farewell;
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
