/* SPDX-License-Identifier: BSD-2-Clause */
/* Persistent operations. The program has a persistent request of the MPI, which is never started:
 * each start creates a generalized request, which calls that complete requests use in its place
 * (complete.c).
 *
 * Ranks may start their requests in different orders, so each request has a separate board. Two
 * places are enough: a rank that starts again has completed the previous start. */
#include "carry/persistent.h"
#include "carry/boards/errors.h"
#include "carry/boards/progress.h"
#include "carry/boards/progress_thread.h"
#include "carry/boards/requests.h"
#include "carry/carry.h"
#include "carry/persistent_names.h"
#include "carry/plan.h"
#include "carry/process/process.h"

#include <stdlib.h>

/* A persistent request. */
typedef struct kept {
  MPI_Request request;
  carry_plan plan;
  carry_call call;
  MPI_Request active; /* MPI_REQUEST_NULL: not started */
  carry_lane lane;    /* between nodes */
  struct kept *next;
} kept;

static kept *newest; /* while locked */
static carry_number known;

/* After the boards are destroyed, in MPI_Finalize, all requests are those of the MPI. */
static kept *find(MPI_Request request)
{
  if (!carry_persistent_any() || carry_is_inside()) return NULL;
  carry_lock();
  kept *k = newest;
  while (k && k->request != request) k = k->next;
  carry_unlock();
  return k;
}

bool carry_persistent_any(void)
{
  return !carry_number_is_zero(&known);
}

MPI_Request carry_persistent_active(MPI_Request request)
{
  const kept *k = find(request);
  return k ? k->active : request;
}

MPI_Request carry_persistent_after(MPI_Request request, MPI_Request seen)
{
  kept *k = find(request);
  if (!k) return seen;
  if (seen == MPI_REQUEST_NULL) k->active = MPI_REQUEST_NULL;
  return request;
}

/* Destroys the boards whose requests are freed: in a collective call, as a thread that frees a
 * request may do so while another one makes a board in the same memory. */
static void sweep_boards(carry_comm *c)
{
  ovk_board *gone[CARRY_KEPT];
  int n = 0, ngone = 0;
  carry_lock();
  for (int k = 0; k < c->nkept; k++) {
    if (c->kept[k].freed) {
      gone[ngone++] = c->kept[k].board;
    } else {
      c->kept[n++] = c->kept[k];
    }
  }
  c->nkept = n;
  carry_unlock();
  while (ngone > 0) ovk_board_destroy(&gone[--ngone]);
}

/* A board for one more; NULL: none. Collective; all ranks have room. */
static ovk_board *add_board(carry_comm *c)
{
  enum { PLACES = 2 };
  ovk_board *made;
  if (carry_comm_board(c, PLACES, CARRY_SMALL, &made)) return NULL;
  carry_lock();
  c->kept[c->nkept++] = (carry_kept){.board = made};
  carry_unlock();
  return made;
}

/* NULL: the operation is left to the MPI on all ranks, because a rank has no memory, no board or no
 * request of the MPI. Collective. */
static kept *kept_new(const carry_plan *p, carry_call call, bool made)
{
  carry_comm *c = p->on;
  kept *k = malloc(sizeof *k);
  sweep_boards(c);
  carry_lane lane = {0};
  bool all = carry_comm_agree(c, made && k && c->nkept < CARRY_KEPT);
  if (all && c->exchange) all = carry_lane_open(c->team->nodes, &lane);
  ovk_board *board = all ? add_board(c) : NULL;
  if (!board) {
    free(k);
    return NULL;
  }
  *k = (kept){.plan = *p, .call = call, .active = MPI_REQUEST_NULL, .lane = lane};
  k->plan.board = board;
  if (c->exchange) k->plan.lane = &k->lane;
  if (p->type != MPI_DATATYPE_NULL) PMPI_Type_dup(p->type, &k->plan.type);
  return k;
}

static void kept_enlist(kept *k)
{
  carry_lock();
  k->next = newest;
  newest = k;
  carry_number_add(&known, 1);
  carry_comm_count(k->plan.on, 0, 1);
  carry_unlock();
}

static void kept_drop(kept *k)
{
  carry_comm *c = k->plan.on;
  kept **link = &newest;
  int at = 0;
  carry_lock();
  while (*link != k) link = &(*link)->next;
  *link = k->next;
  while (c->kept[at].board != k->plan.board) at++;
  c->kept[at].freed = true;
  carry_number_add(&known, -1);
  carry_comm_count(c, 0, -1);
  carry_unlock();
  if (k->plan.type != MPI_DATATYPE_NULL) PMPI_Type_free(&k->plan.type);
  free(k);
}

/* `code`: the result of the MPI call that created the request. */
static int keep(carry_plan *p, carry_call call, int code, const MPI_Request *request)
{
  kept *k = NULL;
  if (p->reason == CARRY_CARRIED) {
    k = kept_new(p, call, code == MPI_SUCCESS);
    if (!k) p->reason = CARRY_MANY;
  }
  if (k) {
    k->request = *request;
    kept_enlist(k);
  } else {
    carry_note_plan(p, call, code);
  }
  return code;
}

CARRY_REPLACES int MPI_Allreduce_init(const void *send, void *receive, int count, MPI_Datatype type,
                                      MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
  if (carry_is_left(CARRY_ALLREDUCE_INIT, CARRY_CALLER)) {
    return PMPI_Allreduce_init(send, receive, count, type, op, comm, info, request);
  }
  carry_plan p;
  carry_allreduce(&p, send, receive, count, type, op);
  carry_decide(&p, comm, CARRY_KEEPS);
  return keep(&p, CARRY_ALLREDUCE_INIT,
              PMPI_Allreduce_init(send, receive, count, type, op, comm, info, request), request);
}

CARRY_REPLACES int MPI_Reduce_init(const void *send, void *receive, int count, MPI_Datatype type,
                                   MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
  if (carry_is_left(CARRY_REDUCE_INIT, CARRY_CALLER)) {
    return PMPI_Reduce_init(send, receive, count, type, op, root, comm, info, request);
  }
  carry_plan p;
  carry_reduce(&p, send, receive, count, type, op, root);
  carry_decide(&p, comm, CARRY_KEEPS);
  return keep(&p, CARRY_REDUCE_INIT,
              PMPI_Reduce_init(send, receive, count, type, op, root, comm, info, request), request);
}

CARRY_REPLACES int MPI_Bcast_init(void *items, int count, MPI_Datatype type, int root,
                                  MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
  if (carry_is_left(CARRY_BCAST_INIT, CARRY_CALLER)) {
    return PMPI_Bcast_init(items, count, type, root, comm, info, request);
  }
  carry_plan p;
  carry_broadcast(&p, items, count, type, root);
  carry_decide(&p, comm, CARRY_KEEPS);
  return keep(&p, CARRY_BCAST_INIT, PMPI_Bcast_init(items, count, type, root, comm, info, request),
              request);
}

CARRY_REPLACES int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
  if (carry_is_left(CARRY_BARRIER_INIT, CARRY_CALLER)) {
    return PMPI_Barrier_init(comm, info, request);
  }
  carry_plan p;
  carry_barrier(&p);
  carry_decide(&p, comm, CARRY_KEEPS);
  return keep(&p, CARRY_BARRIER_INIT, PMPI_Barrier_init(comm, info, request), request);
}

CARRY_REPLACES int MPI_Start(MPI_Request *request)
{
  kept *k = find(*request);
  if (!k) return PMPI_Start(request);
  if (k->active != MPI_REQUEST_NULL) return carry_error(k->plan.on->comm, OVK_ERR_STATE);
  const double start = carry_now();
  const int code = carry_begin(&k->plan, &k->active);
  carry_note(k->call, CARRY_CARRIED, k->plan.bytes, start);
  return code;
}

CARRY_REPLACES int MPI_Startall(int n, MPI_Request requests[])
{
  int code = MPI_SUCCESS;
  if (!carry_persistent_any()) return PMPI_Startall(n, requests);
  for (int k = 0; k < n && code == MPI_SUCCESS; k++) code = MPI_Start(&requests[k]);
  return code;
}

CARRY_REPLACES int MPI_Request_free(MPI_Request *request)
{
  kept *k = find(*request);
  if (k) {
    /* MPI forbids this for an active request, so it ends first. */
    if (k->active != MPI_REQUEST_NULL) (void)carry_request_wait(&k->active, MPI_STATUS_IGNORE);
    kept_drop(k);
  }
  return PMPI_Request_free(request);
}
