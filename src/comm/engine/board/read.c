/* SPDX-License-Identifier: BSD-2-Clause */
/* Executes operations on posted parts: each kind needs the parts of certain ranks and computes a
 * result. */
#include "comm/engine/board/board.h"
#include "comm/engine/combine.h"

#include <string.h>

static bool is_reduction(const ovk_board_operation *o)
{
  return o->kind == OVK_BOARD_REDUCE || o->kind == OVK_BOARD_ALLREDUCE;
}

static bool has_root(const ovk_board_operation *o)
{
  return o->kind == OVK_BOARD_BCAST || o->kind == OVK_BOARD_REDUCE || o->kind == OVK_BOARD_PARTS;
}

size_t ovk__board_bytes_of(const ovk_board_operation *o)
{
  return o->kind == OVK_BOARD_BARRIER ? 0 : (size_t)o->count * ovk__type_size(o->type);
}

/* The type and the operation of a reduction in one byte. */
static uint64_t describe_reduction(const ovk_board_operation *o)
{
  enum { ITEMS = 15 }; /* no ovk_type */
  return o->items ? ITEMS | (uint64_t)o->items->number << 4
                  : (uint64_t)o->type | (uint64_t)o->op << 4;
}

enum { BYTES_AT = 33 }; /* of a description */

uint64_t ovk__board_describe(const ovk_board_operation *o)
{
  const uint64_t numbers = is_reduction(o)              ? describe_reduction(o) << 4
                           : o->kind == OVK_BOARD_PARTS ? (uint64_t)o->parts->number << 4
                                                        : 0;
  const uint64_t root = has_root(o) ? (uint64_t)o->root << 12 : 0;
  return 1 | (uint64_t)o->kind << 1 | numbers | root | (uint64_t)ovk__board_bytes_of(o) << BYTES_AT;
}

static bool has_operation(const ovk_board_operation *o)
{
  enum { NUMBERS = 16, CALLS = 256 };
  if (o->kind == OVK_BOARD_PARTS) {
    return o->parts && o->type == OVK_TYPE_UINT8 && (unsigned)o->parts->number < CALLS;
  }
  if (!is_reduction(o)) return ovk__type_size(o->type) > 0;
  return o->items ? o->type == OVK_TYPE_UINT8 && (unsigned)o->items->number < NUMBERS
                  : ovk__combine_of(o->type, o->op) != NULL;
}

static ovk_err check_parts(const ovk_board *b, const ovk_board_operation *o)
{
  const ovk_board_parts *parts = o->parts;
  OVK_CHECK(parts->first >= 0 && parts->end <= b->size, b->ctx, OVK_ERR_ARG,
            "board: parts of the ranks %d to %d, there are %d ranks", parts->first, parts->end - 1,
            b->size);
  OVK_CHECK((parts->put || o->count == 0) && (parts->take || parts->first >= parts->end), b->ctx,
            OVK_ERR_ARG, "board: the function that puts or takes parts is NULL");
  return OVK_OK;
}

static ovk_err check_buffers(const ovk_board *b, const ovk_board_operation *o)
{
  const bool root = !has_root(o) || b->rank == o->root;
  const bool sends = o->kind != OVK_BOARD_BCAST || root;
  const bool receives = o->kind == OVK_BOARD_BCAST ? !root : root;
  OVK_CHECK(o->send || !sends, b->ctx, OVK_ERR_ARG, "board: the buffer to send is NULL");
  OVK_CHECK(o->receive || !receives, b->ctx, OVK_ERR_ARG, "board: the buffer to receive is NULL");
  return OVK_OK;
}

ovk_err ovk__board_check(const ovk_board *b, const ovk_board_operation *o)
{
  OVK_CHECK((unsigned)o->kind <= OVK_BOARD_PARTS, b->ctx, OVK_ERR_ARG,
            "board: unknown kind of operation %d", (int)o->kind);
  if (o->kind == OVK_BOARD_BARRIER) return OVK_OK;
  OVK_CHECK(has_operation(o), b->ctx, OVK_ERR_ARG, "board: operation %d is not defined for type %d",
            o->items ? o->items->number : (int)o->op, (int)o->type);
  const size_t size = ovk__type_size(o->type);
  OVK_CHECK(o->count >= 0 && (size_t)o->count <= b->bytes / size, b->ctx, OVK_ERR_ARG,
            "board: %d %s, but parts have at most %zu bytes", o->count, ovk__type_name(o->type),
            b->bytes);
  OVK_CHECK(!has_root(o) || (o->root >= 0 && o->root < b->size), b->ctx, OVK_ERR_ARG,
            "board: the root is %d, there are %d ranks", o->root, b->size);
  if (o->kind == OVK_BOARD_PARTS) return check_parts(b, o);
  return o->count == 0 ? OVK_OK : check_buffers(b, o);
}

/* Whether this rank needs the part of another rank. */
static bool needs(const ovk_board *b, const ovk_board_operation *o, int rank)
{
  if (rank == b->rank) return false;
  if (o->kind == OVK_BOARD_PARTS) return rank >= o->parts->first && rank < o->parts->end;
  if (o->kind == OVK_BOARD_BCAST) return rank == o->root;
  return o->kind != OVK_BOARD_REDUCE || b->rank == o->root;
}

bool ovk__board_has_arrived(const ovk_board *b, const ovk_board_operation *o)
{
  for (int rank = 0; rank < b->size; rank++) {
    if (!needs(b, o, rank)) continue;
    /* Pairs with post(): the data is that of this operation. */
    const uint64_t number =
        atomic_load_explicit(&ovk__board_place(b, rank, o->number)->number, memory_order_acquire);
    if ((number & ~OVK__BOARD_CLAIMED) != o->number) return false;
  }
  return true;
}

/* Checks that all ranks whose parts are needed have passed the same arguments. */
static ovk_err compare(const ovk_board *b, const ovk_board_operation *o)
{
  const uint64_t own = ovk__board_describe(o);
  const int ignored = o->kind == OVK_BOARD_PARTS ? 64 - BYTES_AT : 0; /* bits: the lengths */
  for (int rank = 0; rank < b->size; rank++) {
    if (!needs(b, o, rank)) continue;
    const uint64_t other = ovk__board_place(b, rank, o->number)->what;
    OVK_CHECK(other, b->ctx, OVK_ERR_ARG, "board: operation %llu has wrong arguments on rank %d",
              o->number, rank);
    OVK_CHECK(own << ignored == other << ignored, b->ctx, OVK_ERR_ARG,
              "board: operation %llu differs between rank %d and rank %d: %zu and %llu bytes, or "
              "another kind, type, operation or root",
              o->number, b->rank, rank, ovk__board_bytes_of(o),
              (unsigned long long)(other >> BYTES_AT));
  }
  return OVK_OK;
}

/* Also the part of this rank is read from the board: a caller that sends temporary objects, such as
 * mpi4py, may have freed the buffer. */
static const char *part_of(const ovk_board *b, const ovk_board_operation *o, int rank)
{
  return ovk__board_place(b, rank, o->number)->data;
}

/* to <- to op from. */
static void combine_piece(const ovk_board_operation *o, void *to, const char *from, size_t bytes)
{
  if (o->items) {
    o->items->combine(to, from, bytes);
  } else {
    ovk__combine_of(o->type, o->op)(to, from, bytes / ovk__type_size(o->type));
  }
}

/* receive <- the combination of all parts, in the order of ranks. It is computed in chunks, because
 * a chunk that was read from other ranks stays in the cache until it is combined. */
static void combine(const ovk_board *b, const ovk_board_operation *o)
{
  enum { PIECE = 2048 };
  _Alignas(64) char sum[PIECE];
  const size_t bytes = ovk__board_bytes_of(o);
  for (size_t at = 0, n; at < bytes; at += n) {
    n = bytes - at < PIECE ? bytes - at : PIECE;
    memcpy(sum, part_of(b, o, 0) + at, n);
    for (int rank = 1; rank < b->size; rank++) {
      combine_piece(o, sum, part_of(b, o, rank) + at, n);
    }
    if (o->items) {
      o->items->store((char *)o->receive + at, sum, n);
    } else {
      memcpy((char *)o->receive + at, sum, n);
    }
  }
}

/* Passes the parts to their function, also that of this rank. */
static ovk_err take_parts(const ovk_board *b, const ovk_board_operation *o)
{
  const ovk_board_parts *parts = o->parts;
  for (int rank = parts->first; rank < parts->end; rank++) {
    const size_t bytes = (size_t)(ovk__board_place(b, rank, o->number)->what >> BYTES_AT);
    OVK_CHECK(parts->take(parts->self, rank, part_of(b, o, rank), bytes), b->ctx, OVK_ERR_ARG,
              "board: the part of rank %d in operation %llu is not what rank %d expects", rank,
              o->number, b->rank);
  }
  return OVK_OK;
}

/* Computes the result on this rank. All parts that it needs have arrived. */
static void take_result(const ovk_board *b, const ovk_board_operation *o)
{
  const size_t bytes = ovk__board_bytes_of(o);
  const bool root = has_root(o) && b->rank == o->root;
  if (bytes == 0) return;
  if (o->kind == OVK_BOARD_ALLREDUCE || (o->kind == OVK_BOARD_REDUCE && root)) {
    combine(b, o);
  } else if (o->kind == OVK_BOARD_BCAST && !root) {
    memcpy(o->receive, part_of(b, o, o->root), bytes);
  }
}

void ovk__board_read(const ovk_board *b, ovk_board_operation *o)
{
  if (!ovk__board_has_arrived(b, o)) return;
  if (!o->error) o->error = compare(b, o);
  if (!o->error && o->kind == OVK_BOARD_PARTS) o->error = take_parts(b, o);
  if (!o->error && o->kind != OVK_BOARD_PARTS) take_result(b, o);
  o->complete = true;
}
