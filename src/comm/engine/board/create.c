/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates and destroys boards. */
#include "comm/engine/board/board.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "core/node/node.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_PLACES = 1 << 16, MOST_BYTES = 1 << 30 };

static ovk_err check(ovk_ctx *ctx, int places, size_t bytes, ovk_board **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "board: out is NULL");
  OVK_CHECK(places >= 2 && places <= MOST_PLACES, ctx, OVK_ERR_ARG,
            "board: %d places, allowed are 2 to %d", places, MOST_PLACES);
  OVK_CHECK(bytes >= 1 && bytes <= MOST_BYTES, ctx, OVK_ERR_ARG,
            "board: parts of %zu bytes, allowed are 1 to %d", bytes, MOST_BYTES);
  return OVK_OK;
}

static ovk_err check_same(ovk_ctx *ctx, int places, size_t bytes)
{
  char text[80];
  snprintf(text, sizeof text, "%d places of %zu bytes", places, bytes);
  return ovk__agree_same(ctx, "boards", text);
}

static ovk_err check_node(ovk_ctx *ctx, const ovk__node *node)
{
  OVK_CHECK(ovk__node_has_all(node), ctx, OVK_ERR_UNSUPPORTED,
            "a board needs all ranks on one node: rank %d shares memory with %d of %d", ctx->rank,
            node->arenas.size, ctx->size);
  return OVK_OK;
}

static ovk_err make_empty(ovk_ctx *ctx, int places, size_t bytes, ovk_board **out)
{
  enum { LINE = 64 };
  OVK_NEW_AT(ctx, *out, ovk_board, board);
  board->ctx = ctx;
  board->held = ovk__ctx_hold(ctx);
  board->rank = ovk_ctx_rank(ctx);
  board->size = ovk_ctx_size(ctx);
  for (board->places = 2; board->places < (uint64_t)places;) board->places *= 2;
  board->bytes = bytes;
  board->stride = (sizeof(ovk__posted) + bytes + LINE - 1) / LINE * LINE;
  OVK_NEW_ZEROS(ctx, board->in_flight, board->places);
  OVK_NEW_ZEROS(ctx, board->areas, board->size);
  return OVK_OK;
}

/* Their memory belongs to the context, so that a board is freed without waiting for other ranks,
 * and the next board reuses the memory. */
static ovk_err take_slot(ovk_board *b, ovk__node *node)
{
  const size_t bytes = sizeof(ovk__reader) + b->places * b->stride;
  bool failed = false;
  const ovk_err err = ovk__slot_take(&node->arenas, bytes, &failed, &b->slot);
  if (err || failed) return err;
  for (int rank = 0; rank < b->size; rank++) b->areas[rank] = ovk__slot_area(&b->slot, rank);
  return OVK_OK;
}

static void board_free(ovk_board **board)
{
  ovk_board *b = *board;
  if (!b) return;
  if (b->slot.arena) ovk__slot_release(&b->slot);
  ovk__ctx_release(b->held);
  free(b->in_flight);
  free(b->areas);
  free(b);
  *board = NULL;
}

ovk_err ovk_board_create(ovk_ctx *ctx, int places, size_t bytes, ovk_board **out)
{
  if (!ctx) return OVK_ERR_ARG;
  if (out) *out = NULL;
  OVK_TRY(ovk__agree(ctx, check(ctx, places, bytes, out)));
  OVK_TRY(check_same(ctx, places, bytes));
  ovk__node *node;
  OVK_TRY(ovk__node_find(ctx, &node));
  OVK_TRY(ovk__agree(ctx, check_node(ctx, node)));
  ovk_err err = ovk__agree(ctx, make_empty(ctx, places, bytes, out));
  if (!err) err = ovk__agree(ctx, take_slot(*out, node));
  if (err) {
    board_free(out);
  } else {
    (*out)->spins = node->few_spins;
  }
  return err;
}

void ovk_board_destroy(ovk_board **board)
{
  if (!board || !*board) return;
  ovk_board *b = *board;
  const bool over = ovk__mpi_is_over();
  while (b->queue && !over) (void)ovk_board_wait(b, b->queue, NULL);
  for (uint64_t k = 0; k < b->places && !over; k++) {
    if (b->in_flight[k]) (void)ovk_board_wait(b, b->in_flight[k], NULL);
  }
  board_free(board);
}
