/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of communicators. It is created in the first blocking call of a communicator, in which
 * all its ranks take part, and stored as an attribute. After the communicator is freed, the state
 * remains until its last request is complete. The next set-up destroys it without a message, as
 * ranks may free communicators in any order. An attribute of MPI_COMM_SELF destroys all states:
 * MPI_Finalize deletes it while the MPI still works. It deletes the newest one first, and those of
 * the program may call, so ours is the first of all. Where MPI_Init is called past this library, it
 * is set later. */
#include "carry/communicator.h"
#include "carry/boards/progress.h"
#include "carry/boards/progress_thread.h"
#include "carry/boards/requests.h"
#include "carry/carry.h"
#include "carry/process/process.h"

#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;
static atomic_bool keyed; /* `key` exists */
/* The states of communicators whose ranks have agreed on nothing. */
static carry_comm without[CARRY_NREASONS] = {
    [CARRY_NO_WORLD] = {.reason = CARRY_NO_WORLD}, [CARRY_NO_COMM] = {.reason = CARRY_NO_COMM},
    [CARRY_SESSION] = {.reason = CARRY_SESSION},   [CARRY_WORLDS] = {.reason = CARRY_WORLDS},
    [CARRY_ONE_RANK] = {.reason = CARRY_ONE_RANK}, [CARRY_INTER] = {.reason = CARRY_INTER},
    [CARRY_NO_SETUP] = {.reason = CARRY_NO_SETUP}, [CARRY_FREEING] = {.reason = CARRY_FREEING}};
static struct {
  MPI_Comm comm;
  carry_comm *found; /* or NULL */
} last;              /* programs call many times with one communicator */

/* Destroys the states that are no longer used, or all. */
static void sweep_states(bool all)
{
  for (carry_comm *c = carry_progress_unlist(all); c; c = carry_progress_unlist(all)) {
    carry_comm_close(c);
    carry_team_leave(c);
    pthread_mutex_destroy(&c->boards);
    free(c);
  }
}

static int on_free(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
  carry_comm *c = attribute;
  (void)keyval, (void)extra;
  if (carry_has_ended()) return MPI_SUCCESS; /* on_end() has freed all */
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

/* Duplicates of communicators of sessions are left to the MPI, too. */
static int on_copy(MPI_Comm comm, int keyval, void *extra, void *attribute, void *copy, int *flag)
{
  (void)comm, (void)keyval, (void)extra;
  *flag = attribute == &without[CARRY_SESSION];
  if (*flag) *(void **)copy = attribute;
  return MPI_SUCCESS;
}

/* Other ranks may not have begun these operations yet. */
static void finish_operations(void)
{
  while (carry_is_in_flight()) {
    carry_requests_advance();
    carry_let_others_run();
  }
}

static int on_end(MPI_Comm self, int keyval, void *attribute, void *extra)
{
  (void)self, (void)keyval, (void)attribute, (void)extra;
  finish_operations();
  carry_progress_thread_end();
  carry_enter();
  sweep_states(true);
  carry_teams_end();
  carry_end();
  return MPI_SUCCESS;
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
  /* A child of fork() shares the memory of the boards, and must not write there. */
  if (pthread_atfork(NULL, NULL, carry_end)) return false;
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

/* The state of a communicator, as its attribute; NULL without memory. */
static carry_comm *attach(MPI_Comm comm)
{
  if (!with_mutex(make_key) || !with_mutex(watch_end)) return NULL;
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  carry_comm *c = calloc(1, sizeof *c + (size_t)ranks * CARRY_SCRATCH);
  if (!c) return NULL;
  c->reason = CARRY_NO_SETUP;
  c->comm = comm;
  c->ranks = ranks;
  c->scratch = c + 1;
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

/* The attribute comes before the agreement: a rank without it would set up again. If one rank has
 * no memory for it, no rank keeps it, and the next blocking call of all ranks tries again. */
static carry_comm *set_up(MPI_Comm comm)
{
  bool able;
  carry_enter();
  sweep_states(false);
  carry_comm *c = attach(comm);
  const carry_reason reason = carry_team_join(comm, c, &able);
  if (able) {
    c->reason = reason;
  } else if (c) {
    (void)PMPI_Comm_delete_attr(comm, key);
  }
  carry_leave();
  if (reason == CARRY_CARRIED) carry_progress_enlist(c);
  return able ? c : &without[CARRY_NO_SETUP];
}

/* A communicator that this thread is freeing. The MPI deletes the attributes of the program, whose
 * functions may still call on the communicator, and may free others. If the state has been deleted
 * before, such a call must not create another one: no call would delete it, and the next
 * communicator may have the same handle. */
typedef struct freeing {
  MPI_Comm comm;
  const struct freeing *outer;
} freeing;

static CARRY_THREADS_OWN const freeing *innermost;

static bool is_freeing(MPI_Comm comm)
{
  const freeing *f = innermost;
  while (f && f->comm != comm) f = f->outer;
  return f;
}

carry_comm *carry_comm_open(MPI_Comm comm)
{
  if (comm == MPI_COMM_NULL) return NULL;
  if (!carry_has_world()) return &without[CARRY_NO_WORLD];
  if (is_freeing(comm)) return &without[CARRY_FREEING];
  const carry_reason reason = carry_judge_comm(comm);
  if (reason == CARRY_NO_COMM) return &without[reason];
  return reason == CARRY_CARRIED ? set_up(comm) : carry_comm_hand_back(comm, reason);
}

/* The calls below are those of the program alone, so a profiling layer after this library gets
 * them. */
static int free_comm(const char *name, int by_mpi(MPI_Comm *), MPI_Comm *comm)
{
  int (*next)(MPI_Comm *) = (int (*)(MPI_Comm *))carry_next(name, (carry_function *)by_mpi);
  const freeing f = {comm ? *comm : MPI_COMM_NULL, innermost};
  innermost = &f;
  const int code = next(comm);
  innermost = f.outer;
  return code;
}

CARRY_REPLACES int MPI_Init(int *argc, char ***argv)
{
  typedef int function(int *, char ***);
  const int code = ((function *)carry_next("MPI_Init", (carry_function *)PMPI_Init))(argc, argv);
  if (!code) (void)with_mutex(watch_end); /* or else in the first call that is to be carried */
  return code;
}

CARRY_REPLACES int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  typedef int function(int *, char ***, int, int *);
  function *next = (function *)carry_next("MPI_Init_thread", (carry_function *)PMPI_Init_thread);
  const int code = next(argc, argv, required, provided);
  if (!code) (void)with_mutex(watch_end);
  return code;
}

CARRY_REPLACES int MPI_Comm_free(MPI_Comm *comm)
{
  return free_comm("MPI_Comm_free", PMPI_Comm_free, comm);
}

CARRY_REPLACES int MPI_Comm_disconnect(MPI_Comm *comm)
{
  return free_comm("MPI_Comm_disconnect", PMPI_Comm_disconnect, comm);
}
