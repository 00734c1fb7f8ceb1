/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of the collective operations on one rank: if accepted, this rank's items are moved to
 * their place and nothing else is written; otherwise there is an error message. Input: function,
 * flags, count, items' size, root, offset, type, operation, a byte each; then the spec. */
#include "fuzz.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 512, UNTOUCHED = 0xa5, SENT = 0x3c }; /* of bytes of items */

/* The arguments; each function uses some of them. */
typedef struct call {
  unsigned function;
  const char *spec;
  void *send, *receive;
  int count, root;
  size_t size;
  const int *counts;      /* NULL, or `count` */
  const int64_t *offsets; /* NULL, or one */
  ovk_type type;
  ovk_op op;
} call;

enum { BARRIER, ALLREDUCE = 10, REDUCE_SCATTER, REDUCE, SCAN, EXSCAN, NFUNCTIONS };

static ovk_err create(const call *c, ovk_collective **out)
{
  ovk_ctx *ctx = fuzz_ctx();
  const int64_t *at = c->offsets;
  void *to = c->receive;
  switch (c->function) {
  case BARRIER:
    return ovk_collective_create_barrier(ctx, c->spec, out);
  case 1:
    return ovk_collective_create_bcast(ctx, c->spec, to, c->count, c->size, c->root, out);
  case 2:
    return ovk_collective_create_gather(ctx, c->spec, c->send, to, c->count, c->size, c->root, out);
  case 3:
    return ovk_collective_create_gatherv(ctx, c->spec, c->send, c->count, to, c->counts, at,
                                         c->size, c->root, out);
  case 4:
    return ovk_collective_create_scatter(ctx, c->spec, c->send, to, c->count, c->size, c->root,
                                         out);
  case 5:
    return ovk_collective_create_scatterv(ctx, c->spec, c->send, c->counts, NULL, to, c->count,
                                          c->size, c->root, out);
  case 6:
    return ovk_collective_create_allgather(ctx, c->spec, c->send, to, c->count, c->size, out);
  case 7:
    return ovk_collective_create_allgatherv(ctx, c->spec, c->send, to, c->counts, at, c->size, out);
  case 8:
    return ovk_collective_create_alltoall(ctx, c->spec, c->send, to, c->count, c->size, out);
  case 9:
    return ovk_collective_create_alltoallv(ctx, c->spec, c->send, c->counts, NULL, to, c->counts,
                                           at, c->size, out);
  case ALLREDUCE:
    return ovk_collective_create_allreduce(ctx, c->spec, c->send, to, c->count, c->type, c->op,
                                           out);
  case REDUCE_SCATTER:
    return ovk_collective_create_reduce_scatter(ctx, c->spec, c->send, to, c->counts, c->type,
                                                c->op, out);
  case REDUCE:
    return ovk_collective_create_reduce(ctx, c->spec, c->send, to, c->count, c->type, c->op,
                                        c->root, out);
  case SCAN:
    return ovk_collective_create_scan(ctx, c->spec, c->send, to, c->count, c->type, c->op, out);
  default:
    return ovk_collective_create_exscan(ctx, c->spec, c->send, to, c->count, c->type, c->op, out);
  }
}

static bool has_offsets(const call *c)
{
  return c->offsets && (c->function == 3 || c->function == 7 || c->function == 9);
}

/* Where this rank's items arrive, if they fit into the test's buffers. */
static bool find_items(const call *c, size_t *first, size_t *bytes)
{
  const size_t size = c->function >= ALLREDUCE ? sizeof(double) : c->size;
  *first = *bytes = 0;
  if (c->function == BARRIER || c->function == EXSCAN || c->count == 0) return true;
  const int64_t offset = has_offsets(c) ? *c->offsets : 0;
  FUZZ_CHECK(c->count > 0 && offset >= 0, "taken: %d items from %lld on", c->count,
             (long long)offset);
  FUZZ_CHECK(size > 0, "taken: items of no bytes");
  FUZZ_CHECK(c->receive && (c->send || c->function == 1), "taken: no buffer for %d items",
             c->count);
  if (size > ROOM || (uint64_t)offset + (uint64_t)c->count > ROOM / size) return false;
  *first = (size_t)offset * size;
  *bytes = (size_t)c->count * size;
  return true;
}

static void carry_out(ovk_collective *op, const call *c, bool in_place)
{
  size_t first, bytes;
  unsigned char *to = c->receive;
  if (!find_items(c, &first, &bytes)) return;
  const bool alone = c->function == 1 || in_place || !to; /* nothing to compare */
  for (int times = 0; times < 2; times++) {
    if (!alone) memset(to, UNTOUCHED, ROOM);
    FUZZ_CHECK(ovk_collective_begin(op) == OVK_OK, "not begun");
    FUZZ_CHECK(ovk_collective_begin(op) == OVK_ERR_STATE, "begun twice");
    FUZZ_CHECK(ovk_collective_wait(op) == OVK_OK, "no end");
    for (size_t k = 0; k < ROOM && !alone; k++) {
      const bool item = k >= first && k < first + bytes;
      FUZZ_CHECK(to[k] == (item ? SENT : UNTOUCHED), "function %u: byte %zu is %x", c->function, k,
                 to[k]);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const int counts[] = {0, 1, 2, 3, 7, 64, -1, INT_MAX, INT_MIN};
  static const size_t sizes[] = {8, 1, 0, 3, 64, (size_t)1 << 33, SIZE_MAX};
  static const int64_t offsets[] = {0, 1, 5, -1, INT64_MAX, INT64_MIN, INT64_C(1) << 40};
  static const int roots[] = {0, 0, 0, 1, -1, INT_MAX};
  fuzz_bytes in = {data, data + size};
  call c = {.function = fuzz_byte(&in) % NFUNCTIONS};
  const unsigned flags = fuzz_byte(&in);
  c.count = counts[fuzz_below(&in, 9)];
  c.size = sizes[fuzz_below(&in, 7)];
  c.root = roots[fuzz_below(&in, 6)];
  const bool in_place = flags / 16 % 4 == 1; /* then items stay where they are */
  c.offsets = flags % 2 ? &offsets[fuzz_below(&in, 7)] : NULL;
  if (in_place) c.offsets = NULL;
  c.counts = flags / 2 % 8 ? &c.count : NULL;
  c.type = (ovk_type)fuzz_below(&in, 2);
  c.op = (ovk_op)fuzz_below(&in, 3);
  unsigned char *buffers = malloc(2 * ROOM); /* aligned for doubles */
  FUZZ_CHECK(buffers, "no memory");
  memset(buffers, SENT, 2 * ROOM);
  c.receive = flags / 64 == 1 ? NULL : buffers + ROOM;
  c.send = flags / 64 == 2 ? NULL : in_place ? buffers + ROOM : buffers;
  char *text = fuzz_text(&in);
  c.spec = *text ? text : NULL;
  ovk_collective *op = NULL;
  const ovk_err err = create(&c, &op);
  FUZZ_CHECK((err == OVK_OK) == (op != NULL), "no operation");
  if (err) {
    fuzz_refused(err);
  } else {
    carry_out(op, &c, in_place);
  }
  ovk_collective_destroy(&op);
  free(text);
  free(buffers);
  return 0;
}
