/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of the collective operations on one rank: if accepted, this rank's items are moved to
 * their place and nothing else is written; otherwise there is an error message. Input: function,
 * flags, count, items' size, root, offset, type, operation, a byte each; then the spec. */
#include "support/fuzz/fuzz.h"

#include <limits.h>
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/schedule.h>
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
  MPI_Datatype mpi_type;
  MPI_Op mpi_op;
  ovk_ctx *ctx;
} call;

enum {
  BARRIER,
  BCAST,
  ALLTOALLV = 9,
  ALLREDUCE,
  REDUCE_SCATTER,
  REDUCE,
  SCAN,
  EXSCAN,
  ALLREDUCE_MPI,
  REDUCE_SCATTER_MPI,
  REDUCE_MPI,
  SCAN_MPI,
  EXSCAN_MPI,
  NEIGHBOR,
  NEIGHBORV,
  SCHEDULED,
  NFUNCTIONS
};

/* Items of the input to the output: copied, and combined with nothing. */
static ovk_err create_scheduled(const call *c, ovk_collective **out)
{
  SCOPED(ovk_schedule_destroy) ovk_schedule *s = NULL;
  FUZZ_CHECK(ovk_schedule_create(c->ctx, &s) == OVK_OK, "no schedule");
  (void)ovk_schedule_copy(s, (ovk_place){OVK_INPUT, 0}, (ovk_place){OVK_OUTPUT, 0}, c->count);
  return ovk_collective_create_scheduled(c->ctx, c->spec, s, c->send, c->count, c->receive,
                                         c->count, c->mpi_type, c->mpi_op, out);
}

#define CREATE(kind, ...) ovk_collective_create_##kind(c->ctx, c->spec, __VA_ARGS__, out)

static ovk_err create_with_mpi(const call *c, ovk_collective **out)
{
  const int pair[2] = {c->count, c->count};
  const int *counts = c->counts ? pair : NULL;
  void *to = c->receive;
  switch (c->function) {
  case ALLREDUCE_MPI:
    return CREATE(allreduce_mpi, c->send, to, c->count, c->mpi_type, c->mpi_op);
  case REDUCE_SCATTER_MPI:
    return CREATE(reduce_scatter_mpi, c->send, to, c->counts, c->mpi_type, c->mpi_op);
  case REDUCE_MPI:
    return CREATE(reduce_mpi, c->send, to, c->count, c->mpi_type, c->mpi_op, c->root);
  case SCAN_MPI:
    return CREATE(scan_mpi, c->send, to, c->count, c->mpi_type, c->mpi_op);
  case EXSCAN_MPI:
    return CREATE(exscan_mpi, c->send, to, c->count, c->mpi_type, c->mpi_op);
  case NEIGHBOR:
    return CREATE(neighbor_alltoall, c->send, to, c->count, c->size);
  case NEIGHBORV:
    return CREATE(neighbor_alltoallv, c->send, counts, NULL, to, counts, NULL, c->size);
  default:
    return create_scheduled(c, out);
  }
}

static ovk_err create_collective(const call *c, ovk_collective **out)
{
  const int64_t *at = c->offsets;
  void *to = c->receive;
  switch (c->function) {
  case BARRIER:
    return ovk_collective_create_barrier(c->ctx, c->spec, out);
  case BCAST:
    return CREATE(bcast, to, c->count, c->size, c->root);
  case 2:
    return CREATE(gather, c->send, to, c->count, c->size, c->root);
  case 3:
    return CREATE(gatherv, c->send, c->count, to, c->counts, at, c->size, c->root);
  case 4:
    return CREATE(scatter, c->send, to, c->count, c->size, c->root);
  case 5:
    return CREATE(scatterv, c->send, c->counts, NULL, to, c->count, c->size, c->root);
  case 6:
    return CREATE(allgather, c->send, to, c->count, c->size);
  case 7:
    return CREATE(allgatherv, c->send, to, c->counts, at, c->size);
  case 8:
    return CREATE(alltoall, c->send, to, c->count, c->size);
  case ALLTOALLV:
    return CREATE(alltoallv, c->send, c->counts, NULL, to, c->counts, at, c->size);
  case ALLREDUCE:
    return CREATE(allreduce, c->send, to, c->count, c->type, c->op);
  case REDUCE_SCATTER:
    return CREATE(reduce_scatter, c->send, to, c->counts, c->type, c->op);
  case REDUCE:
    return CREATE(reduce, c->send, to, c->count, c->type, c->op, c->root);
  case SCAN:
    return CREATE(scan, c->send, to, c->count, c->type, c->op);
  case EXSCAN:
    return CREATE(exscan, c->send, to, c->count, c->type, c->op);
  default:
    return create_with_mpi(c, out);
  }
}

static bool has_offsets(const call *c)
{
  return c->offsets && (c->function == 3 || c->function == 7 || c->function == ALLTOALLV);
}

/* Where this rank's items arrive, if they fit into the test's buffers. */
static bool find_items(const call *c, size_t *first, size_t *bytes)
{
  const size_t size = c->size;
  const bool nothing = c->function == BARRIER || c->function == EXSCAN || c->function == EXSCAN_MPI;
  const int shares = c->function == NEIGHBOR || c->function == NEIGHBORV ? 2 : 1;
  *first = *bytes = 0;
  if (nothing || c->count == 0) return true;
  const int64_t offset = has_offsets(c) ? *c->offsets : 0;
  FUZZ_CHECK(c->count > 0 && offset >= 0, "taken: %d items from %lld on", c->count,
             (long long)offset);
  FUZZ_CHECK(size > 0, "taken: items of no bytes");
  FUZZ_CHECK(c->receive && (c->send || c->function == BCAST), "taken: no buffer for %d items",
             c->count);
  const uint64_t items = (uint64_t)c->count * (unsigned)shares;
  if (size > ROOM || (uint64_t)offset + items > ROOM / size) return false;
  *first = (size_t)offset * size;
  *bytes = (size_t)items * size;
  return true;
}

static void carry_out(ovk_collective *op, const call *c, bool in_place)
{
  size_t first, bytes;
  unsigned char *to = c->receive;
  if (!find_items(c, &first, &bytes)) return;
  const bool alone = c->function == BCAST || in_place || !to; /* nothing to compare */
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

/* A context on a grid of one dimension, whose end is its beginning. */
static ovk_ctx *open_grid(MPI_Comm *grid)
{
  const int ends_meet = 1;
  int size;
  ovk_ctx *ctx = NULL;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &ends_meet, 0, grid);
  FUZZ_CHECK(ovk_ctx_create(*grid, &ctx) == OVK_OK, "no context");
  return ctx;
}

/* The types and operations of the functions that have them, and the size of an item. */
static void choose_items(call *c, fuzz_bytes *in)
{
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_2INT, MPI_BYTE, MPI_DATATYPE_NULL};
  const MPI_Op ops[] = {MPI_SUM, MPI_BOR, MPI_MAXLOC, MPI_REPLACE, MPI_OP_NULL};
  const unsigned type = fuzz_below(in, 10), op = fuzz_below(in, 15);
  c->type = (ovk_type)(type % 2);
  c->op = (ovk_op)(op % 3);
  c->mpi_type = types[type % 5];
  c->mpi_op = ops[op % 5];
  if (c->function >= ALLREDUCE && c->function <= EXSCAN) c->size = sizeof(double);
  if ((c->function >= ALLREDUCE_MPI && c->function <= EXSCAN_MPI) || c->function == SCHEDULED)
    c->size = type % 5 == 0 || type % 5 == 2 ? sizeof(double) : type % 5 == 1 ? sizeof(int) : 1;
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
  choose_items(&c, &in);
  scoped_array unsigned char *buffers = malloc(2 * ROOM); /* aligned for doubles */
  FUZZ_CHECK(buffers, "no memory");
  memset(buffers, SENT, 2 * ROOM);
  c.receive = flags / 64 == 1 ? NULL : buffers + ROOM;
  c.send = flags / 64 == 2 ? NULL : in_place ? buffers + ROOM : buffers;
  scoped_array char *text = fuzz_text(&in);
  c.spec = *text ? text : NULL;
  ovk_collective *op = NULL;
  MPI_Comm grid = MPI_COMM_NULL;
  const bool has_grid = (c.function == NEIGHBOR || c.function == NEIGHBORV) && flags % 16 != 15;
  c.ctx = has_grid ? open_grid(&grid) : fuzz_ctx();
  const ovk_err err = create_collective(&c, &op);
  FUZZ_CHECK((err == OVK_OK) == (op != NULL), "no operation");
  if (err) {
    fuzz_refused_by(c.ctx, err);
  } else {
    carry_out(op, &c, in_place);
  }
  ovk_collective_destroy(&op);
  if (has_grid) {
    ovk_ctx_destroy(&c.ctx);
    MPI_Comm_free(&grid);
  }
  return 0;
}
