/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressing and gathering blocks. */
#include "bench/compress/blocks.h"
#include "bench/support/share.h"
#include "bench/support/timing.h"
#include "splitmix64.h"
#include "tool.h"

#include <ovkrylov/comm/collectives.h>
#include <stdlib.h>
#include <string.h>

const char *const gathering_names[GATHERINGS] = {
    [GATHER_BLOCKING] = "gather", [GATHER_NBC] = "nbc"};

/* Where a block begins in the input of all ranks. */
static int begin_of(const blocks *b, int rank, int block)
{
  const int nblocks = b->request.nblocks;
  return share_begin(b->request.bytes, ovk_ctx_size(b->ctx) * nblocks, rank * nblocks + block);
}

static int bytes_of(const blocks *b, int rank, int block)
{
  return begin_of(b, rank, block + 1) - begin_of(b, rank, block);
}

/* The bytes of the longest block. */
static int most_bytes(const blocks *b)
{
  return share_most(b->request.bytes, ovk_ctx_size(b->ctx) * b->request.nblocks);
}

static unsigned char letter(const blocks *b, int at)
{
  const uint64_t random = splitmix64((uint64_t)at) >> 56;
  return (unsigned char)(random * (uint64_t)b->request.letters >> 8);
}

static ovk_err compress(const blocks *b, int block, ovk_poll poll, unsigned char *to, size_t room,
                        size_t *length)
{
  const int rank = ovk_ctx_rank(b->ctx), at = begin_of(b, rank, block) - begin_of(b, rank, 0);
  return codec_compress(b->codec, b->input + at, bytes_of(b, rank, block), poll, to, room, length);
}

/* Compresses all blocks once, to see how long they become. */
static ovk_err find_place(blocks *b)
{
  const size_t room = codec_bound(b->codec, (size_t)most_bytes(b));
  unsigned char *trial = malloc(room);
  ovk_err err = tool_got_memory(b->ctx, trial);
  double place = 0;
  for (int k = 0; k < b->request.nblocks && !err; k++) {
    size_t length;
    err = compress(b, k, ovk_poll_none(), trial, room, &length);
    place = (double)length > place ? (double)length : place;
  }
  free(trial);
  TRY(err);
  TRY(tool_greatest(b->ctx, &place, 1));
  b->place = (size_t)place;
  return OVK_OK;
}

static ovk_err make_input(blocks *b)
{
  const int rank = ovk_ctx_rank(b->ctx), begin = begin_of(b, rank, 0);
  const int n = begin_of(b, rank + 1, 0) - begin;
  b->input = malloc((size_t)n);
  b->unpacked = malloc((size_t)most_bytes(b));
  TRY(tool_got_memory(b->ctx, b->input && b->unpacked));
  for (int k = 0; k < n; k++) b->input[k] = letter(b, begin + k);
  return OVK_OK;
}

static size_t places_bytes(const blocks *b, int nranks)
{
  return (size_t)nranks * (size_t)b->request.nblocks * b->place;
}

static ovk_err make_gathers(blocks *b)
{
  const int nranks = ovk_ctx_size(b->ctx), rank = ovk_ctx_rank(b->ctx);
  b->packed = calloc(places_bytes(b, 1), 1);
  b->gathered = calloc(rank == 0 ? places_bytes(b, nranks) : 1, 1);
  b->gathers = calloc((size_t)b->request.nblocks, sizeof(ovk_collective *));
  TRY(tool_got_memory(b->ctx, b->packed && b->gathered && b->gathers));
  for (int k = 0; k < b->request.nblocks; k++) {
    unsigned char *receive = b->gathered + (size_t)(rank == 0 ? k * nranks : 0) * b->place;
    TRY(ovk_collective_create_gather(b->ctx, b->request.spec, b->packed + (size_t)k * b->place,
                                     receive, (int)b->place, 1, 0, &b->gathers[k]));
  }
  return OVK_OK;
}

ovk_err blocks_create(ovk_ctx *ctx, const blocks_request *request, blocks *out)
{
  *out = (blocks){.ctx = ctx, .request = *request};
  if (request->bytes / ovk_ctx_size(ctx) < request->nblocks) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%d bytes cannot be cut into %d blocks on %d ranks",
                        request->bytes, request->nblocks, ovk_ctx_size(ctx));
  }
  TRY(codec_create(ctx, request->level, &out->codec));
  TRY(make_input(out));
  TRY(find_place(out));
  return make_gathers(out);
}

void blocks_destroy(blocks *b)
{
  for (int k = 0; b->gathers && k < b->request.nblocks; k++) {
    ovk_collective_destroy(&b->gathers[k]);
  }
  free(b->gathers);
  free(b->gathered);
  free(b->packed);
  free(b->unpacked);
  free(b->input);
  codec_destroy(&b->codec);
}

/* The poll callback: progresses all gathers in flight. */
static void progress(void *self)
{
  const blocks *b = self;
  for (int k = b->ended; k < b->begun; k++) {
    bool complete;
    ovk_collective_test(b->gathers[k], &complete); /* an error is reported by wait */
  }
}

static ovk_err end_oldest(blocks *b)
{
  return ovk_collective_wait(b->gathers[b->ended++]);
}

static ovk_err begin_next(blocks *b)
{
  if (b->begun - b->ended == b->request.window) TRY(end_oldest(b));
  return ovk_collective_begin(b->gathers[b->begun++]);
}

static ovk_err gather_all(const blocks *b)
{
  const int n = (int)places_bytes(b, 1);
  return tool_mpi(b->ctx,
                  MPI_Gather(b->packed, n, MPI_BYTE, b->gathered, n, MPI_BYTE, 0, MPI_COMM_WORLD),
                  "MPI_Gather");
}

ovk_err blocks_gather(blocks *b, gathering how, double *seconds, double *after)
{
  const ovk_poll poll = {progress, b, share_most(most_bytes(b), b->request.polls + 1)};
  double start, compressed = 0;
  b->begun = b->ended = 0;
  memset(b->gathered, 0, ovk_ctx_rank(b->ctx) == 0 ? places_bytes(b, ovk_ctx_size(b->ctx)) : 1);
  TRY(timing_start(b->ctx, &start));
  for (int k = 0; k < b->request.nblocks; k++) {
    size_t length;
    TRY(compress(b, k, poll, b->packed + (size_t)k * b->place, b->place, &length));
    compressed = MPI_Wtime();
    if (how == GATHER_NBC) TRY(begin_next(b));
  }
  if (how == GATHER_BLOCKING) TRY(gather_all(b));
  while (b->ended < b->begun) TRY(end_oldest(b));
  const double end = MPI_Wtime();
  *seconds = end - start;
  *after = end - compressed;
  return OVK_OK;
}

double blocks_packed(const blocks *b)
{
  return (double)places_bytes(b, ovk_ctx_size(b->ctx)) / b->request.bytes;
}

/* Gathers of single blocks deliver them by block and then by rank, MPI_Gather by rank and then by
 * block. */
static const unsigned char *place_of(const blocks *b, gathering how, int rank, int block)
{
  const int nranks = ovk_ctx_size(b->ctx), nblocks = b->request.nblocks;
  const int at = how == GATHER_NBC ? block * nranks + rank : rank * nblocks + block;
  return b->gathered + (size_t)at * b->place;
}

static ovk_err check_block(const blocks *b, gathering how, int rank, int block)
{
  const int begin = begin_of(b, rank, block), n = bytes_of(b, rank, block);
  if (!codec_decompress(b->codec, place_of(b, how, rank, block), b->place, b->unpacked, n)) {
    return ovk_ctx_fail(b->ctx, OVK_ERR_INTERNAL, "%s: block %d of rank %d cannot be decompressed",
                        gathering_names[how], block, rank);
  }
  for (int k = 0; k < n; k++) {
    if (b->unpacked[k] == letter(b, begin + k)) continue;
    return ovk_ctx_fail(b->ctx, OVK_ERR_INTERNAL, "%s: byte %d of block %d of rank %d is wrong",
                        gathering_names[how], k, block, rank);
  }
  return OVK_OK;
}

ovk_err blocks_check(const blocks *b, gathering how)
{
  ovk_err err = OVK_OK;
  const int nranks = ovk_ctx_rank(b->ctx) == 0 ? ovk_ctx_size(b->ctx) : 0;
  for (int rank = 0; rank < nranks; rank++) {
    for (int k = 0; k < b->request.nblocks && !err; k++) err = check_block(b, how, rank, k);
  }
  return tool_agree(b->ctx, err);
}
