/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks on a board. Those with gaps are packed. */
#include "carry/parts/moving.h"
#include "carry/types/packing.h"

#include <stdlib.h>
#include <string.h>

int64_t carry_posted_bytes(const carry_moving *v, int k)
{
  const int to = carry_goes_to(v, k);
  return to == v->rank || carry_is_message(v, &v->out[k], to) ? 0 : v->out[k].bytes;
}

void carry_put_pieces(void *moving, void *part)
{
  const carry_moving *v = moving;
  const int n = v->move->nsend;
  int32_t *ends = part, end = 0;
  char *to = (char *)part + (v->lists ? sizeof *ends * (size_t)n : 0);
  for (int k = 0; k < n; k++) {
    const int64_t bytes = carry_posted_bytes(v, k);
    if (bytes > 0) memcpy(to + end, v->out[k].at, (size_t)bytes);
    end += (int32_t)bytes;
    if (v->lists) ends[k] = end;
  }
}

/* The block of this rank need not pass the board. */
static bool take_own_piece(const carry_moving *v)
{
  const carry_piece *in = &v->in[v->rank], *out = &v->out[v->move->nsend > 1 ? v->rank : 0];
  if (in->bytes > 0 && out->bytes == in->bytes && in->at != out->at) {
    memcpy(in->at, out->at, (size_t)in->bytes);
  }
  return out->bytes == in->bytes;
}

bool carry_take_piece(void *moving, int rank, const void *part, size_t bytes)
{
  const carry_moving *v = moving;
  const int64_t expected = carry_is_message(v, &v->in[rank], rank) ? 0 : v->in[rank].bytes;
  const int32_t *ends = part;
  int64_t from = 0, end = (int64_t)bytes;
  if (rank == v->rank) return take_own_piece(v);
  if (v->lists) {
    const int64_t start = carry_listed_bytes(v, 0);
    if (end < start) return false; /* it is no root */
    from = start + (v->rank > 0 ? ends[v->rank - 1] : 0);
    end = start + ends[v->rank];
  }
  if (end - from != expected) return false;
  if (expected > 0) memcpy(v->in[rank].at, (const char *)part + from, (size_t)expected);
  return true;
}

bool carry_find_pieces(carry_moving *v)
{
  const carry_move *m = v->move;
  bool valid = true;
  for (int k = 0; k < m->nsend; k++) {
    v->out[k] = carry_blocks_piece(&m->send, k);
    valid = valid && v->out[k].bytes >= 0;
  }
  for (int rank = m->first; rank < m->end; rank++) {
    v->in[rank] = carry_blocks_piece(&m->receive, rank);
    valid = valid && v->in[rank].bytes >= 0;
  }
  return valid;
}

/* Bytes of a block with gaps when it is packed; 0 for other blocks. */
static int64_t packed_bytes(const carry_moving *v, const carry_piece *piece, int other)
{
  return piece->at || carry_is_message(v, piece, other) ? 0 : piece->bytes;
}

/* Assigns the bytes from *at on to a block with gaps. */
static void place_packed(const carry_moving *v, carry_piece *piece, int other, int64_t *at)
{
  const int64_t bytes = packed_bytes(v, piece, other);
  piece->packed = bytes > 0;
  if (piece->packed) piece->at = v->packed + *at;
  *at += bytes;
}

static bool pack_block(const carry_moving *v, int k)
{
  const carry_blocks *b = &v->move->send;
  const carry_piece *piece = &v->out[k];
  carry_plan *p = v->move->plan;
  p->failed = carry_pack_items(carry_blocks_at(b, k), carry_blocks_count(b, k),
                               carry_blocks_type(b, k), piece->at, (int)piece->bytes, p->on->comm);
  return !p->failed;
}

bool carry_pack_pieces(carry_moving *v)
{
  const carry_move *m = v->move;
  int64_t bytes = 0, at = 0;
  for (int k = 0; k < m->nsend; k++) bytes += packed_bytes(v, &v->out[k], carry_goes_to(v, k));
  for (int rank = m->first; rank < m->end; rank++) bytes += packed_bytes(v, &v->in[rank], rank);
  if (bytes == 0) return true;
  v->packed = malloc((size_t)bytes);
  if (!v->packed) return false;
  for (int k = 0; k < m->nsend; k++) {
    place_packed(v, &v->out[k], carry_goes_to(v, k), &at);
    if (v->out[k].packed && !pack_block(v, k)) return false;
  }
  for (int rank = m->first; rank < m->end; rank++) place_packed(v, &v->in[rank], rank, &at);
  return true;
}

int carry_unpack_pieces(const carry_moving *v)
{
  const carry_move *m = v->move;
  int code = MPI_SUCCESS;
  for (int rank = m->first; rank < m->end && !code; rank++) {
    const carry_piece *piece = &v->in[rank];
    if (!piece->packed) continue;
    code = carry_unpack_items(piece->at, (int)piece->bytes, carry_blocks_at(&m->receive, rank),
                              carry_blocks_count(&m->receive, rank),
                              carry_blocks_type(&m->receive, rank), m->plan->on->comm);
  }
  return code;
}
