/* SPDX-License-Identifier: BSD-2-Clause */
/* The boards of communicators: made in a communicator's first blocking call, in which all ranks
 * are. They are an attribute of the communicator, and of no more use when it is freed and the last
 * request has gone that outlives it. The next set-up frees them: without a message, as ranks may
 * free communicators in any order. The rest ends with an attribute of MPI_COMM_SELF, which
 * MPI_Finalize deletes while MPI still works. */
#include "carry.h"

#include <ovkrylov/comm/board.h>
#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;
static atomic_bool keyed;  /* `key` is there */
static carry_comm *newest; /* a list of those with boards */
/* What communicators have as attribute, or at least as answer, of which nothing is agreed. */
static carry_comm without[CARRY_NREASONS] = {
    [CARRY_NO_WORLD] = {.reason = CARRY_NO_WORLD}, [CARRY_SESSION] = {.reason = CARRY_SESSION},
    [CARRY_WORLDS] = {.reason = CARRY_WORLDS},     [CARRY_ONE_RANK] = {.reason = CARRY_ONE_RANK},
    [CARRY_INTER] = {.reason = CARRY_INTER},       [CARRY_NO_SETUP] = {.reason = CARRY_NO_SETUP}};
static struct {
  MPI_Comm comm;
  carry_comm *found; /* or NULL */
} last;              /* programs call many times with one communicator */
static CARRY_THREADS_OWN bool inside;
static bool over;     /* MPI_Finalize has begun, or this is a child of the process */
static int in_flight; /* on all communicators */

bool carry_is_inside(void)
{
  return inside || over;
}

bool carry_progress(void)
{
  bool behind = false;
  for (carry_comm *c = newest; c && in_flight > 0; c = c->next) {
    if (c->in_flight > 0) behind = carry_comm_progress(c) || behind;
  }
  return behind;
}

static void enlist(carry_comm *c)
{
  pthread_mutex_init(&c->boards, NULL);
  carry_lock();
  c->next = newest;
  newest = c;
  carry_unlock();
}

/* Of the list, one that is of no more use, or any; NULL: none. */
static carry_comm *unlist(bool any)
{
  carry_lock();
  carry_comm **link = &newest;
  while (*link && !any && !((*link)->freed && (*link)->requests == 0)) link = &(*link)->next;
  carry_comm *c = *link;
  if (c) *link = c->next;
  carry_unlock();
  return c;
}

/* Frees those that are of no more use, or all. */
static void sweep(bool all)
{
  for (carry_comm *c = unlist(all); c; c = unlist(all)) {
    ovk_board_destroy(&c->small);
    ovk_board_destroy(&c->large);
    while (c->nkept > 0) ovk_board_destroy(&c->kept[--c->nkept].board);
    carry_team_leave(c);
    pthread_mutex_destroy(&c->boards);
    free(c);
  }
}

void carry_comm_count(carry_comm *c, int more, int more_requests)
{
  c->in_flight += more;
  in_flight += more;
  c->requests += more_requests;
}

static int on_free(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
  carry_comm *c = attribute;
  (void)keyval, (void)extra;
  if (over) return MPI_SUCCESS; /* on_end() has freed all */
  if (!carry_is_threaded() && last.comm == comm) last.found = NULL;
  if (c == &without[c->reason]) return MPI_SUCCESS;
  if (c->reason != CARRY_CARRIED) {
    free(c);
    return MPI_SUCCESS;
  }
  carry_lock();
  c->freed = true;
  c->comm = MPI_COMM_SELF;
  carry_unlock();
  return MPI_SUCCESS;
}

/* Duplicates of a session's communicators are left to the MPI, too. */
static int on_copy(MPI_Comm comm, int keyval, void *extra, void *attribute, void *copy, int *flag)
{
  (void)comm, (void)keyval, (void)extra;
  *flag = attribute == &without[CARRY_SESSION];
  if (*flag) *(void **)copy = attribute;
  return MPI_SUCCESS;
}

/* Other ranks may not have begun yet what is in flight here. */
static void finish_operations(void)
{
  while (in_flight > 0) {
    carry_requests_advance();
    carry_let_others_run();
  }
}

static int on_end(MPI_Comm self, int keyval, void *attribute, void *extra)
{
  (void)self, (void)keyval, (void)attribute, (void)extra;
  finish_operations();
  carry_progress_thread_end();
  inside = true;
  sweep(true);
  carry_teams_end();
  over = true;
  return MPI_SUCCESS;
}

/* A child of fork() shares the boards' memory, and must not write there. */
static void in_child(void)
{
  over = true;
}

static bool make_key(void)
{
  if (key == MPI_KEYVAL_INVALID) (void)PMPI_Comm_create_keyval(on_copy, on_free, &key, NULL);
  atomic_store(&keyed, key != MPI_KEYVAL_INVALID);
  return key != MPI_KEYVAL_INVALID;
}

static bool watch_end(void)
{
  if (end_key != MPI_KEYVAL_INVALID) return true;
  int made = MPI_KEYVAL_INVALID;
  if (pthread_atfork(NULL, NULL, in_child)) return false;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &made, NULL)) return false;
  if (PMPI_Comm_set_attr(MPI_COMM_SELF, made, &end_key)) return false;
  end_key = made;
  return true;
}

static bool with_mutex(bool function(void))
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const bool result = function();
  pthread_mutex_unlock(&mutex);
  return result;
}

carry_comm *carry_comm_find(MPI_Comm comm)
{
  void *found = NULL;
  int flag = 0;
  if (!atomic_load_explicit(&keyed, memory_order_acquire)) return NULL;
  const bool remembers = !carry_is_threaded();
  if (remembers && last.found && last.comm == comm) return last.found;
  if (comm == MPI_COMM_NULL) return NULL;
  if (PMPI_Comm_get_attr(comm, key, &found, &flag) || !flag) return NULL;
  if (remembers) {
    last.comm = comm;
    last.found = found;
  }
  return found;
}

ovk_err carry_comm_board(carry_comm *c, int places, size_t bytes, ovk_board **out)
{
  inside = true;
  const ovk_err err = ovk_board_create(c->team->ctx, places, bytes, out);
  inside = false;
  return err;
}

void carry_comm_enlarge(carry_comm *c)
{
  enum { PLACES = 4 };
  if (carry_comm_board(c, PLACES, (size_t)c->most, &c->large)) c->most = CARRY_SMALL;
}

/* The state of a communicator, as its attribute; NULL without memory. */
static carry_comm *attach(MPI_Comm comm)
{
  if (!with_mutex(make_key) || !with_mutex(watch_end)) return NULL;
  carry_comm *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->reason = CARRY_NO_SETUP;
  c->comm = comm;
  PMPI_Comm_rank(comm, &c->rank);
  if (PMPI_Comm_set_attr(comm, key, c) == MPI_SUCCESS) return c;
  free(c);
  return NULL;
}

carry_comm *carry_comm_hand_back(MPI_Comm comm, carry_reason reason)
{
  if (with_mutex(make_key)) (void)PMPI_Comm_set_attr(comm, key, &without[reason]);
  return &without[reason];
}

/* The attribute comes before the agreement: without it on one rank, that rank would set up again.
 * Where one has no memory for it, none keeps it, and the next blocking call of all ranks tries
 * again. */
static carry_comm *set_up(MPI_Comm comm)
{
  bool able;
  inside = true;
  sweep(false);
  carry_comm *c = attach(comm);
  const carry_reason reason = carry_team_join(comm, c, &able);
  if (able) {
    c->reason = reason;
  } else if (c) {
    (void)PMPI_Comm_delete_attr(comm, key);
  }
  inside = false;
  if (reason == CARRY_CARRIED) enlist(c);
  return able ? c : &without[CARRY_NO_SETUP];
}

carry_comm *carry_comm_open(MPI_Comm comm)
{
  if (comm == MPI_COMM_NULL) return NULL;
  if (!carry_has_world()) return &without[CARRY_NO_WORLD];
  const carry_reason reason = carry_judge_comm(comm);
  return reason == CARRY_CARRIED ? set_up(comm) : carry_comm_hand_back(comm, reason);
}
