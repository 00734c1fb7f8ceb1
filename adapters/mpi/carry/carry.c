/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls that are carried. Each decides, carries or hands back, and notes what it did. */
#include "carry.h"

#include <stdlib.h>
#include <string.h>

int carry_error(MPI_Comm comm, ovk_err err)
{
  const int code = err == OVK_ERR_MEMORY ? MPI_ERR_NO_MEM : MPI_ERR_ARG;
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

/* What is decided about a call. */
typedef struct plan {
  double start;
  carry_comm *on; /* may be NULL where nothing is carried */
  carry_reason reason;
  ovk_board_operation operation;
  int64_t bytes;
} plan;

/* Why the communicator's boards do not take what could be carried otherwise. */
static carry_reason judge_size(const plan *p, bool blocks)
{
  carry_comm *c = p->on;
  if (p->operation.kind == OVK_BOARD_BARRIER) return CARRY_CARRIED;
  if (p->bytes <= 0) return CARRY_EMPTY;
  if (p->bytes > CARRY_SMALL && blocks && p->bytes <= c->most && !c->large) carry_comm_enlarge(c);
  return p->bytes > c->most || (p->bytes > CARRY_SMALL && !blocks) ? CARRY_LARGE : CARRY_CARRIED;
}

/* `bytes` < 0: an argument that the MPI is to complain about. */
static void decide(plan *p, MPI_Comm comm, bool blocks)
{
  p->start = carry_now();
  p->on = carry_comm_find(comm);
  if (!p->on && blocks && p->bytes >= 0) p->on = carry_comm_open(comm);
  if (!p->on) {
    p->reason = CARRY_NOT_YET;
  } else if (p->on->reason != CARRY_CARRIED) {
    p->reason = p->on->reason;
  } else if (p->reason == CARRY_CARRIED) {
    p->reason = judge_size(p, blocks);
  }
}

/* A reduction; root < 0: to all ranks. */
static plan reduction(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                      int root)
{
  plan p = {.operation = {.kind = root < 0 ? OVK_BOARD_ALLREDUCE : OVK_BOARD_REDUCE,
                          .send = send == MPI_IN_PLACE ? receive : send,
                          .receive = receive,
                          .root = root < 0 ? 0 : root}};
  if (!carry_numbers(type, op, count, &p.operation, &p.bytes)) {
    p.reason = CARRY_TYPE;
    p.bytes = 0;
  }
  return p;
}

static plan barrier(void)
{
  return (plan){.operation = {.kind = OVK_BOARD_BARRIER}};
}

/* Of bytes; decided by their number alone, as ranks may give different types for them. */
static plan broadcast(void *items, int count, MPI_Datatype type, int root)
{
  int size = 0;
  plan p = {.operation = {.kind = OVK_BOARD_BCAST,
                          .send = items,
                          .receive = items,
                          .type = OVK_TYPE_UINT8,
                          .root = root}};
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &size);
  p.bytes = (int64_t)count * size;
  if (p.bytes <= CARRY_MOST) p.operation.count = (int)p.bytes;
  return p;
}

static bool carries(const plan *p)
{
  return p->reason == CARRY_CARRIED;
}

static int end(const plan *p, carry_call call, int code)
{
  carry_note(call, p->reason, p->bytes, p->start);
  return code;
}

/* An operation with wrong arguments is waited for, too: it may still lie in the board's queue. */
static int run(plan *p)
{
  ovk_board *board = p->bytes <= CARRY_SMALL ? p->on->small : p->on->large;
  carry_lock();
  (void)ovk_board_begin(board, &p->operation);
  const ovk_err err = ovk_board_wait(board, &p->operation, &carry_idle);
  carry_unlock();
  return err ? carry_error(p->on->comm, err) : MPI_SUCCESS;
}

CARRY_REPLACES int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Allreduce(send, receive, count, type, op, comm);
  plan p = reduction(send, receive, count, type, op, -1);
  decide(&p, comm, true);
  return end(&p, CARRY_ALLREDUCE,
             carries(&p) ? run(&p) : PMPI_Allreduce(send, receive, count, type, op, comm));
}

CARRY_REPLACES int MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type,
                              MPI_Op op, int root, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Reduce(send, receive, count, type, op, root, comm);
  plan p = reduction(send, receive, count, type, op, root < 0 ? 0 : root);
  decide(&p, comm, true);
  return end(&p, CARRY_REDUCE,
             carries(&p) ? run(&p) : PMPI_Reduce(send, receive, count, type, op, root, comm));
}

CARRY_REPLACES int MPI_Barrier(MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Barrier(comm);
  plan p = barrier();
  decide(&p, comm, true);
  return end(&p, CARRY_BARRIER, carries(&p) ? run(&p) : PMPI_Barrier(comm));
}

/* Packs this rank's items if it is the root. Without memory the board gets no buffer, which is an
 * error on all ranks. */
static void pack(const plan *p, void *packed, const void *items, int count, MPI_Datatype type)
{
  int at = 0;
  if (!packed || p->on->rank != p->operation.root) return;
  (void)PMPI_Pack(items, count, type, packed, (int)p->bytes, &at, p->on->comm);
}

/* Items with gaps are packed on the way. */
static int run_packed(plan *p, void *items, int count, MPI_Datatype type)
{
  int at = 0;
  void *packed = malloc((size_t)p->bytes);
  pack(p, packed, items, count, type);
  p->operation.send = p->operation.receive = packed;
  int code = run(p);
  if (!code && p->on->rank != p->operation.root) {
    code = PMPI_Unpack(packed, (int)p->bytes, &at, items, count, type, p->on->comm);
  }
  free(packed);
  return code;
}

CARRY_REPLACES int MPI_Bcast(void *items, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  if (carry_is_inside()) return PMPI_Bcast(items, count, type, root, comm);
  plan p = broadcast(items, count, type, root);
  decide(&p, comm, true);
  const int code = !carries(&p)           ? PMPI_Bcast(items, count, type, root, comm)
                   : carry_is_plain(type) ? run(&p)
                                          : run_packed(&p, items, count, type);
  return end(&p, CARRY_BCAST, code);
}

/* Of those that do not block. */
static int begin(plan *p, carry_request *r, MPI_Request *request)
{
  r->on = p->on;
  r->operation = p->operation;
  return carry_request_begin(r, request);
}

static int begin_plain(plan *p, MPI_Request *request)
{
  carry_request *r = carry_request_new();
  return r ? begin(p, r, request) : carry_error(p->on->comm, OVK_ERR_MEMORY);
}

static int begin_packed(plan *p, void *items, int count, MPI_Datatype type, MPI_Request *request)
{
  carry_request *r = carry_request_new();
  if (!r) return carry_error(p->on->comm, OVK_ERR_MEMORY);
  r->items = items;
  r->count = count;
  PMPI_Type_dup(type, &r->type); /* the program may free it */
  pack(p, r->packed, items, count, type);
  p->operation.send = p->operation.receive = r->packed;
  return begin(p, r, request);
}

CARRY_REPLACES int MPI_Iallreduce(const void *send, void *receive, int count, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  if (carry_is_inside()) return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
  plan p = reduction(send, receive, count, type, op, -1);
  decide(&p, comm, false);
  return end(&p, CARRY_IALLREDUCE,
             carries(&p) ? begin_plain(&p, request)
                         : PMPI_Iallreduce(send, receive, count, type, op, comm, request));
}

CARRY_REPLACES int MPI_Ireduce(const void *send, void *receive, int count, MPI_Datatype type,
                               MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
  if (carry_is_inside()) return PMPI_Ireduce(send, receive, count, type, op, root, comm, request);
  plan p = reduction(send, receive, count, type, op, root < 0 ? 0 : root);
  decide(&p, comm, false);
  return end(&p, CARRY_IREDUCE,
             carries(&p) ? begin_plain(&p, request)
                         : PMPI_Ireduce(send, receive, count, type, op, root, comm, request));
}

CARRY_REPLACES int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
  if (carry_is_inside()) return PMPI_Ibarrier(comm, request);
  plan p = barrier();
  decide(&p, comm, false);
  return end(&p, CARRY_IBARRIER,
             carries(&p) ? begin_plain(&p, request) : PMPI_Ibarrier(comm, request));
}

CARRY_REPLACES int MPI_Ibcast(void *items, int count, MPI_Datatype type, int root, MPI_Comm comm,
                              MPI_Request *request)
{
  if (carry_is_inside()) return PMPI_Ibcast(items, count, type, root, comm, request);
  plan p = broadcast(items, count, type, root);
  decide(&p, comm, false);
  const int code = !carries(&p)           ? PMPI_Ibcast(items, count, type, root, comm, request)
                   : carry_is_plain(type) ? begin_plain(&p, request)
                                          : begin_packed(&p, items, count, type, request);
  return end(&p, CARRY_IBCAST, code);
}
