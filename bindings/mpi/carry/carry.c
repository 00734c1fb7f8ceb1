/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocking and nonblocking calls. Each decides, carries the operation or hands it back, and adds
 * the call to the log. */
#include "carry/carry.h"
#include "carry/blocking.h"
#include "carry/exact_sums.h"
#include "carry/process/process.h"
#include "carry/types/packing.h"

#include <stdlib.h>

static bool carries(const carry_plan *p)
{
  return p->reason == CARRY_CARRIED;
}

static int end(const carry_plan *p, carry_call call, int code)
{
  carry_note_plan(p, call, code);
  return code;
}

CARRY_REPLACES int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Allreduce(send, receive, count, type, op, comm);
  carry_plan p;
  carry_exact exact;
  return end(&p, CARRY_ALLREDUCE,
             carry_exact_plan(send, receive, count, type, op, CARRY_ALL_RANKS, comm, &exact)
                 ? carry_exact_run(&exact, &p)
                 : carry_run_allreduce(&p, send, receive, count, type, op, comm));
}

CARRY_REPLACES int MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type,
                              MPI_Op op, int root, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Reduce(send, receive, count, type, op, root, comm);
  carry_plan p;
  carry_exact exact;
  return end(&p, CARRY_REDUCE,
             carry_exact_plan(send, receive, count, type, op, root, comm, &exact)
                 ? carry_exact_run(&exact, &p)
                 : carry_run_reduce(&p, send, receive, count, type, op, root, comm));
}

CARRY_REPLACES int MPI_Barrier(MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Barrier(comm);
  carry_plan p;
  carry_barrier(&p);
  carry_decide(&p, comm, CARRY_BLOCKS);
  return end(&p, CARRY_BARRIER, carries(&p) ? carry_run(&p) : PMPI_Barrier(comm));
}

/* Packs items with gaps. */
static int carry_run_packed(carry_plan *p)
{
  void *packed = malloc((size_t)p->bytes);
  p->operation.send = p->operation.receive = carry_pack(p, packed);
  int code = carry_run(p);
  if (!code && p->on->rank != p->operation.root) {
    code = carry_unpack_items(packed, (int)p->bytes, p->items, p->count, p->type, p->on->comm);
  }
  free(packed);
  return code;
}

CARRY_REPLACES int MPI_Bcast(void *items, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Bcast(items, count, type, root, comm);
  carry_plan p;
  carry_broadcast(&p, items, count, type, root);
  carry_decide(&p, comm, CARRY_BLOCKS);
  return end(&p, CARRY_BCAST,
             !carries(&p)                  ? PMPI_Bcast(items, count, type, root, comm)
             : p.type == MPI_DATATYPE_NULL ? carry_run(&p)
                                           : carry_run_packed(&p));
}

CARRY_REPLACES int MPI_Iallreduce(const void *send, void *receive, int count, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  if (carry_is_left(CARRY_IALLREDUCE, CARRY_CALLER)) {
    return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
  }
  carry_plan p;
  carry_exact exact;
  if (carry_exact_plan(send, receive, count, type, op, CARRY_ALL_RANKS, comm, &exact) &&
      carry_exact_begins(&exact)) {
    return end(&p, CARRY_IALLREDUCE, carry_exact_begin(&exact, request, &p));
  }
  carry_allreduce(&p, send, receive, count, type, op);
  carry_decide(&p, comm, CARRY_BEGINS);
  return end(&p, CARRY_IALLREDUCE,
             carries(&p) ? carry_begin(&p, request)
                         : PMPI_Iallreduce(send, receive, count, type, op, comm, request));
}

CARRY_REPLACES int MPI_Ireduce(const void *send, void *receive, int count, MPI_Datatype type,
                               MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
  if (carry_is_left(CARRY_IREDUCE, CARRY_CALLER)) {
    return PMPI_Ireduce(send, receive, count, type, op, root, comm, request);
  }
  carry_plan p;
  carry_exact exact;
  if (carry_exact_plan(send, receive, count, type, op, root, comm, &exact) &&
      carry_exact_begins(&exact)) {
    return end(&p, CARRY_IREDUCE, carry_exact_begin(&exact, request, &p));
  }
  carry_reduce(&p, send, receive, count, type, op, root);
  carry_decide(&p, comm, CARRY_BEGINS);
  return end(&p, CARRY_IREDUCE,
             carries(&p) ? carry_begin(&p, request)
                         : PMPI_Ireduce(send, receive, count, type, op, root, comm, request));
}

CARRY_REPLACES int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
  if (carry_is_left(CARRY_IBARRIER, CARRY_CALLER)) return PMPI_Ibarrier(comm, request);
  carry_plan p;
  carry_barrier(&p);
  carry_decide(&p, comm, CARRY_BEGINS);
  return end(&p, CARRY_IBARRIER,
             carries(&p) ? carry_begin(&p, request) : PMPI_Ibarrier(comm, request));
}

CARRY_REPLACES int MPI_Ibcast(void *items, int count, MPI_Datatype type, int root, MPI_Comm comm,
                              MPI_Request *request)
{
  if (carry_is_left(CARRY_IBCAST, CARRY_CALLER)) {
    return PMPI_Ibcast(items, count, type, root, comm, request);
  }
  carry_plan p;
  carry_broadcast(&p, items, count, type, root);
  carry_decide(&p, comm, CARRY_BEGINS);
  return end(&p, CARRY_IBCAST,
             carries(&p) ? carry_begin(&p, request)
                         : PMPI_Ibcast(items, count, type, root, comm, request));
}
