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

static int end(carry_move *m, int code)
{
  carry_note(m->call, m->plan->reason, m->plan->bytes, m->plan->start);
  return code;
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
    if (!m->known) m->plan->reason = CARRY_TYPE;
    if (!m->known) return false;
    m->send = m->receive;
  }
  return carry_move_run(m, code);
}

CARRY_REPLACES int MPI_Gather(const void *send, int count, MPI_Datatype type, void *receive,
                              int each, MPI_Datatype as, int root, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Gather(send, count, type, receive, each, as, root, comm);
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_GATHER,
                  .send = blocks_of(send, count, type),
                  .receive = blocks_of(receive, each, as),
                  .root = root,
                  .known = true};
  int code;
  return end(&m, gathers(&m, false, comm, &code)
                     ? code
                     : PMPI_Gather(send, count, type, receive, each, as, root, comm));
}

CARRY_REPLACES int MPI_Gatherv(const void *send, int count, MPI_Datatype type, void *receive,
                               const int *counts, const int *displs, MPI_Datatype as, int root,
                               MPI_Comm comm)
{
  if (carry_is_inside()) {
    return PMPI_Gatherv(send, count, type, receive, counts, displs, as, root, comm);
  }
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_GATHERV,
                  .send = blocks_of(send, count, type),
                  .receive = blocks_with(receive, counts, displs, as),
                  .root = root};
  int code;
  return end(&m, gathers(&m, false, comm, &code)
                     ? code
                     : PMPI_Gatherv(send, count, type, receive, counts, displs, as, root, comm));
}

CARRY_REPLACES int MPI_Allgather(const void *send, int count, MPI_Datatype type, void *receive,
                                 int each, MPI_Datatype as, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Allgather(send, count, type, receive, each, as, comm);
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_ALLGATHER,
                  .send = blocks_of(send, count, type),
                  .receive = blocks_of(receive, each, as),
                  .known = true};
  int code;
  return end(&m, gathers(&m, true, comm, &code)
                     ? code
                     : PMPI_Allgather(send, count, type, receive, each, as, comm));
}

CARRY_REPLACES int MPI_Allgatherv(const void *send, int count, MPI_Datatype type, void *receive,
                                  const int *counts, const int *displs, MPI_Datatype as,
                                  MPI_Comm comm)
{
  if (carry_is_inside()) {
    return PMPI_Allgatherv(send, count, type, receive, counts, displs, as, comm);
  }
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_ALLGATHERV,
                  .send = blocks_of(send, count, type),
                  .receive = blocks_with(receive, counts, displs, as),
                  .known = true};
  int code;
  return end(&m, gathers(&m, true, comm, &code)
                     ? code
                     : PMPI_Allgatherv(send, count, type, receive, counts, displs, as, comm));
}

CARRY_REPLACES int MPI_Scatter(const void *send, int each, MPI_Datatype as, void *receive,
                               int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Scatter(send, each, as, receive, count, type, root, comm);
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_SCATTER,
                  .send = blocks_of(send, each, as),
                  .receive = blocks_of(receive, count, type),
                  .root = root,
                  .known = true};
  int code;
  return end(&m, scatters(&m, comm, &code)
                     ? code
                     : PMPI_Scatter(send, each, as, receive, count, type, root, comm));
}

CARRY_REPLACES int MPI_Scatterv(const void *send, const int *counts, const int *displs,
                                MPI_Datatype as, void *receive, int count, MPI_Datatype type,
                                int root, MPI_Comm comm)
{
  if (carry_is_inside()) {
    return PMPI_Scatterv(send, counts, displs, as, receive, count, type, root, comm);
  }
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_SCATTERV,
                  .send = blocks_with(send, counts, displs, as),
                  .receive = blocks_of(receive, count, type),
                  .root = root};
  int code;
  return end(&m, scatters(&m, comm, &code)
                     ? code
                     : PMPI_Scatterv(send, counts, displs, as, receive, count, type, root, comm));
}

CARRY_REPLACES int MPI_Alltoall(const void *send, int count, MPI_Datatype type, void *receive,
                                int each, MPI_Datatype as, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Alltoall(send, count, type, receive, each, as, comm);
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_ALLTOALL,
                  .send = blocks_of(send, count, type),
                  .receive = blocks_of(receive, each, as),
                  .known = true};
  int code;
  return end(&m, exchanges(&m, comm, &code)
                     ? code
                     : PMPI_Alltoall(send, count, type, receive, each, as, comm));
}

CARRY_REPLACES int MPI_Alltoallv(const void *send, const int *counts, const int *displs,
                                 MPI_Datatype type, void *receive, const int *each,
                                 const int *places, MPI_Datatype as, MPI_Comm comm)
{
  if (carry_is_inside()) {
    return PMPI_Alltoallv(send, counts, displs, type, receive, each, places, as, comm);
  }
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_ALLTOALLV,
                  .send = blocks_with(send, counts, displs, type),
                  .receive = blocks_with(receive, each, places, as)};
  int code;
  return end(&m, exchanges(&m, comm, &code)
                     ? code
                     : PMPI_Alltoallv(send, counts, displs, type, receive, each, places, as, comm));
}

CARRY_REPLACES int MPI_Alltoallw(const void *send, const int *counts, const int *displs,
                                 const MPI_Datatype *types, void *receive, const int *each,
                                 const int *places, const MPI_Datatype *as, MPI_Comm comm)
{
  if (carry_is_inside()) {
    return PMPI_Alltoallw(send, counts, displs, types, receive, each, places, as, comm);
  }
  carry_plan p;
  carry_move m = {.plan = &p,
                  .call = CARRY_ALLTOALLW,
                  .send = blocks_of_types(send, counts, displs, types),
                  .receive = blocks_of_types(receive, each, places, as)};
  int code;
  return end(&m, exchanges(&m, comm, &code) ? code
                                            : PMPI_Alltoallw(send, counts, displs, types, receive,
                                                             each, places, as, comm));
}
