/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI_Gather, MPI_Scatter, MPI_Alltoall and their like. MPI_IN_PLACE is replaced by the block in
 * its place. */
#include "carry/carry.h"
#include "carry/parts/move.h"
#include "carry/process/process.h"

static carry_blocks blocks_of(const void *at, int count, MPI_Datatype type)
{
  return (carry_blocks){.at = (char *)(uintptr_t)at, .count = count, .type = type};
}

static carry_blocks blocks_with(const void *at, const int *counts, const int *displs,
                                MPI_Datatype type)
{
  return (carry_blocks){
      .at = (char *)(uintptr_t)at, .counts = counts, .displs = displs, .type = type};
}

static carry_blocks blocks_of_types(const void *at, const int *counts, const int *displs,
                                    const MPI_Datatype *types)
{
  carry_blocks b = blocks_with(at, counts, displs, MPI_DATATYPE_NULL);
  b.types = types;
  return b;
}

/* Each rank sends one block to all ranks, or to the root. */
static bool gathers(carry_move *m, bool all, MPI_Comm comm, int *code)
{
  if (!carry_move_opens(m, comm)) return false;
  const carry_comm *c = m->plan->on;
  m->nsend = 1;
  m->rooted = !all;
  if (all || c->rank == m->root) m->end = c->ranks;
  m->send.alone = true;
  if (m->end > 0 && m->send.at == MPI_IN_PLACE) {
    m->send = carry_blocks_one(&m->receive, c->rank);
  }
  return carry_move_run(m, code);
}

/* The root sends a block to each rank. */
static bool scatters(carry_move *m, MPI_Comm comm, int *code)
{
  if (!carry_move_opens(m, comm)) return false;
  const carry_comm *c = m->plan->on;
  m->first = m->root >= 0 && m->root < c->ranks ? m->root : 0;
  m->end = m->first + 1;
  if (c->rank == m->root) m->nsend = c->ranks;
  m->receive.alone = true;
  if (m->nsend > 0 && m->receive.at == MPI_IN_PLACE) {
    m->receive = carry_blocks_one(&m->send, c->rank);
  }
  return carry_move_run(m, code);
}

/* All ranks send a block to each rank. In place the blocks of a rank must be of known length: a
 * message would arrive where its predecessor has not left. */
static bool exchanges(carry_move *m, MPI_Comm comm, int *code)
{
  if (!carry_move_opens(m, comm)) return false;
  m->nsend = m->end = m->plan->on->ranks;
  if (m->send.at == MPI_IN_PLACE) {
    if (!m->known) m->plan->reason = CARRY_IN_PLACE;
    if (!m->known) return false;
    m->send = m->receive;
  }
  return carry_move_run(m, code);
}

/* Defines MPI_`name`: `runs` executes the move of these members, else the MPI does. */
#define CARRY_MOVE(name, label, parameters, arguments, runs, ...)                                  \
  CARRY_REPLACES int MPI_##name parameters                                                         \
  {                                                                                                \
    if (carry_is_inside()) return PMPI_##name arguments;                                           \
    carry_plan p;                                                                                  \
    carry_move m = {.plan = &p, .call = (label), __VA_ARGS__};                                     \
    int code;                                                                                      \
    if (!(runs)) code = PMPI_##name arguments;                                                     \
    carry_note(m.call, p.reason, p.bytes, p.start);                                                \
    return code;                                                                                   \
  }

CARRY_MOVE(Gather, CARRY_GATHER,
           (const void *send, int count, MPI_Datatype type, void *receive, int each,
            MPI_Datatype as, int root, MPI_Comm comm),
           (send, count, type, receive, each, as, root, comm), gathers(&m, false, comm, &code),
           .send = blocks_of(send, count, type), .receive = blocks_of(receive, each, as),
           .root = root, .known = true)

CARRY_MOVE(Gatherv, CARRY_GATHERV,
           (const void *send, int count, MPI_Datatype type, void *receive, const int *counts,
            const int *displs, MPI_Datatype as, int root, MPI_Comm comm),
           (send, count, type, receive, counts, displs, as, root, comm),
           gathers(&m, false, comm, &code), .send = blocks_of(send, count, type),
           .receive = blocks_with(receive, counts, displs, as), .root = root)

CARRY_MOVE(Allgather, CARRY_ALLGATHER,
           (const void *send, int count, MPI_Datatype type, void *receive, int each,
            MPI_Datatype as, MPI_Comm comm),
           (send, count, type, receive, each, as, comm), gathers(&m, true, comm, &code),
           .send = blocks_of(send, count, type), .receive = blocks_of(receive, each, as),
           .known = true)

CARRY_MOVE(Allgatherv, CARRY_ALLGATHERV,
           (const void *send, int count, MPI_Datatype type, void *receive, const int *counts,
            const int *displs, MPI_Datatype as, MPI_Comm comm),
           (send, count, type, receive, counts, displs, as, comm), gathers(&m, true, comm, &code),
           .send = blocks_of(send, count, type),
           .receive = blocks_with(receive, counts, displs, as), .known = true)

CARRY_MOVE(Scatter, CARRY_SCATTER,
           (const void *send, int each, MPI_Datatype as, void *receive, int count,
            MPI_Datatype type, int root, MPI_Comm comm),
           (send, each, as, receive, count, type, root, comm), scatters(&m, comm, &code),
           .send = blocks_of(send, each, as), .receive = blocks_of(receive, count, type),
           .root = root, .known = true)

CARRY_MOVE(Scatterv, CARRY_SCATTERV,
           (const void *send, const int *counts, const int *displs, MPI_Datatype as, void *receive,
            int count, MPI_Datatype type, int root, MPI_Comm comm),
           (send, counts, displs, as, receive, count, type, root, comm), scatters(&m, comm, &code),
           .send = blocks_with(send, counts, displs, as),
           .receive = blocks_of(receive, count, type), .root = root)

CARRY_MOVE(Alltoall, CARRY_ALLTOALL,
           (const void *send, int count, MPI_Datatype type, void *receive, int each,
            MPI_Datatype as, MPI_Comm comm),
           (send, count, type, receive, each, as, comm), exchanges(&m, comm, &code),
           .send = blocks_of(send, count, type), .receive = blocks_of(receive, each, as),
           .known = true)

CARRY_MOVE(Alltoallv, CARRY_ALLTOALLV,
           (const void *send, const int *counts, const int *displs, MPI_Datatype type,
            void *receive, const int *each, const int *places, MPI_Datatype as, MPI_Comm comm),
           (send, counts, displs, type, receive, each, places, as, comm),
           exchanges(&m, comm, &code), .send = blocks_with(send, counts, displs, type),
           .receive = blocks_with(receive, each, places, as))

CARRY_MOVE(Alltoallw, CARRY_ALLTOALLW,
           (const void *send, const int *counts, const int *displs, const MPI_Datatype *types,
            void *receive, const int *each, const int *places, const MPI_Datatype *as,
            MPI_Comm comm),
           (send, counts, displs, types, receive, each, places, as, comm),
           exchanges(&m, comm, &code), .send = blocks_of_types(send, counts, displs, types),
           .receive = blocks_of_types(receive, each, places, as))
