/* SPDX-License-Identifier: BSD-2-Clause */
/* The boards of communicators: made in a communicator's first blocking call, in which all ranks
 * are, and freed with it. They are an attribute of the communicator. What is left at the end is
 * freed with an attribute of MPI_COMM_SELF, which MPI_Finalize deletes while MPI still works. */
#include "carry.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;
static carry_comm *newest;                              /* a list */
static carry_comm refused = {.reason = CARRY_NO_SETUP}; /* without memory for another */
static carry_comm *last; /* found; programs call many times with one communicator */
static _Thread_local bool inside;
static bool over;     /* MPI_Finalize has begun, or this is a child of the process */
static int in_flight; /* on all communicators */

bool carry_is_inside(void)
{
  return inside || over;
}

void carry_progress(void)
{
  for (carry_comm *c = newest; c && in_flight > 0; c = c->next) {
    if (c->in_flight > 0) (void)ovk_board_progress(c->small);
  }
}

static void progress(void *arg)
{
  (void)arg;
  carry_progress();
}

const ovk_poll carry_idle = {.progress = progress, .every = 1};

void carry_comm_count(carry_comm *c, int more)
{
  c->in_flight += more;
  in_flight += more;
}

/* Other ranks may not have begun yet what is in flight here. The requests outlive it. */
static void finish_operations(const carry_comm *c)
{
  while (c->in_flight > 0) {
    int flag;
    carry_requests_advance();
    (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    sched_yield();
  }
}

static void close_boards(carry_comm *c)
{
  finish_operations(c);
  inside = true;
  ovk_board_destroy(&c->small);
  ovk_board_destroy(&c->large);
  ovk_ctx_destroy(&c->ctx);
  inside = false;
}

static void unlist(const carry_comm *c)
{
  carry_comm **link = &newest;
  while (*link && *link != c) link = &(*link)->next;
  if (*link) *link = c->next;
  if (last == c) last = NULL;
}

static int on_free(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
  carry_comm *c = attribute;
  (void)comm, (void)keyval, (void)extra;
  if (over || c == &refused) return MPI_SUCCESS; /* on_end() has freed all */
  close_boards(c);
  unlist(c);
  free(c);
  return MPI_SUCCESS;
}

/* The newest first: boards were made by blocking calls, so their order is one for all ranks. */
static int on_end(MPI_Comm self, int keyval, void *attribute, void *extra)
{
  (void)self, (void)keyval, (void)attribute, (void)extra;
  while (newest) {
    carry_comm *c = newest;
    close_boards(c);
    unlist(c);
    free(c);
  }
  over = true;
  return MPI_SUCCESS;
}

/* A child of fork() shares the boards' memory, and must not write there. */
static void in_child(void)
{
  over = true;
}

static bool make_keys(void)
{
  if (key != MPI_KEYVAL_INVALID) return true;
  if (pthread_atfork(NULL, NULL, in_child)) return false;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &end_key, NULL)) return false;
  if (PMPI_Comm_set_attr(MPI_COMM_SELF, end_key, &end_key)) return false;
  return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &key, NULL) == MPI_SUCCESS;
}

carry_comm *carry_comm_find(MPI_Comm comm)
{
  if (last && last->comm == comm) return last;
  void *found = NULL;
  int flag = 0;
  if (key == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL) return NULL;
  if (PMPI_Comm_get_attr(comm, key, &found, &flag) || !flag) return NULL;
  return last = found;
}

/* What this rank brings to the agreement. */
static bool is_willing(carry_reason *reason)
{
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  *reason = !carry_settings_of_process.on  ? CARRY_OFF
            : level == MPI_THREAD_MULTIPLE ? CARRY_THREADS
                                           : CARRY_CARRIED;
  return *reason == CARRY_CARRIED;
}

/* A context over a communicator without the program's attributes and error handler. */
static ovk_err make_context(carry_comm *c)
{
  MPI_Comm own;
  if (PMPI_Comm_split(c->comm, 0, c->rank, &own)) return OVK_ERR_MPI;
  PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  const ovk_err err = ovk_ctx_create(own, &c->ctx);
  PMPI_Comm_free(&own);
  return err;
}

static ovk_err make_boards(carry_comm *c)
{
  enum { PLACES = 128 };
  const ovk_err err = make_context(c);
  return err ? err : ovk_board_create(c->ctx, PLACES, CARRY_SMALL, &c->small);
}

void carry_comm_enlarge(carry_comm *c)
{
  enum { PLACES = 4 };
  inside = true;
  if (ovk_board_create(c->ctx, PLACES, (size_t)c->most, &c->large)) c->most = CARRY_SMALL;
  inside = false;
}

/* `here`: this rank has memory for its state. */
static carry_reason agree_and_make(carry_comm *c, int size, bool here)
{
  carry_reason reason;
  const bool willing = is_willing(&reason) && here;
  long offer[2] = {willing, carry_settings_of_process.most};
  if (PMPI_Allreduce(MPI_IN_PLACE, offer, 2, MPI_LONG, MPI_MIN, c->comm)) return CARRY_NO_SETUP;
  if (!offer[0]) return reason != CARRY_CARRIED ? reason : CARRY_NO_SETUP;
  c->most = offer[1] * 2 / size; /* each rank reads the parts of all */
  const ovk_err err = make_boards(c);
  if (err) close_boards(c);
  return !err ? CARRY_CARRIED : err == OVK_ERR_UNSUPPORTED ? CARRY_NODES : CARRY_NO_SETUP;
}

static carry_reason set_up(carry_comm *c, bool here)
{
  int size = 0, between = 0;
  PMPI_Comm_rank(c->comm, &c->rank);
  PMPI_Comm_size(c->comm, &size);
  PMPI_Comm_test_inter(c->comm, &between);
  if (between) return CARRY_INTER;
  if (size == 1) return CARRY_ONE_RANK;
  inside = true;
  const carry_reason reason = agree_and_make(c, size, here);
  inside = false;
  return reason;
}

carry_comm *carry_comm_open(MPI_Comm comm)
{
  carry_comm *c = carry_comm_find(comm);
  if (c || comm == MPI_COMM_NULL) return c;
  const bool keys = make_keys();
  c = calloc(1, sizeof *c);
  bool here = c && keys && PMPI_Comm_set_attr(comm, key, c) == MPI_SUCCESS;
  if (!here) {
    free(c);
    c = &refused;
    if (keys) (void)PMPI_Comm_set_attr(comm, key, c);
  }
  c->comm = comm;
  c->reason = set_up(c, here);
  if (!here) return c;
  c->next = newest;
  newest = c;
  return last = c;
}
