/* SPDX-License-Identifier: BSD-2-Clause */
/* The boards of communicators: made in a communicator's first blocking call, in which all ranks
 * are, and freed with it. They are an attribute of the communicator. What is left at the end is
 * freed with an attribute of MPI_COMM_SELF, which MPI_Finalize deletes while MPI still works. */
#include "carry.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;
static atomic_bool keyed;  /* they are there */
static carry_comm *newest; /* a list of those with boards */
/* What those without have as attribute, by reason. */
static carry_comm without[CARRY_NREASONS] = {
    [CARRY_OFF] = {.reason = CARRY_OFF},           [CARRY_THREADS] = {.reason = CARRY_THREADS},
    [CARRY_ONE_RANK] = {.reason = CARRY_ONE_RANK}, [CARRY_INTER] = {.reason = CARRY_INTER},
    [CARRY_NODES] = {.reason = CARRY_NODES},       [CARRY_NO_SETUP] = {.reason = CARRY_NO_SETUP}};
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

bool carry_is_threaded(void)
{
  enum { UNKNOWN = -1 };
  static atomic_int provided = UNKNOWN;
  int level = atomic_load_explicit(&provided, memory_order_relaxed);
  if (level == UNKNOWN) {
    PMPI_Query_thread(&level);
    atomic_store_explicit(&provided, level, memory_order_relaxed);
  }
  return level == MPI_THREAD_MULTIPLE;
}

bool carry_progress(void)
{
  bool behind = false;
  for (carry_comm *c = newest; c && in_flight > 0; c = c->next) {
    if (c->in_flight == 0) continue;
    (void)ovk_board_progress(c->small);
    behind = behind || ovk_board_is_behind(c->small);
    for (int k = 0; k < c->kept.n; k++) {
      (void)ovk_board_progress(c->kept.boards[k]);
      behind = behind || ovk_board_is_behind(c->kept.boards[k]);
    }
  }
  return behind;
}

static void progress(void *arg)
{
  (void)arg;
  (void)carry_progress();
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
  inside = true;
  ovk_board_destroy(&c->small);
  ovk_board_destroy(&c->large);
  while (c->kept.n > 0) ovk_board_destroy(&c->kept.boards[--c->kept.n]);
  ovk_ctx_destroy(&c->ctx);
  inside = false;
}

static void enlist(carry_comm *c)
{
  carry_lock();
  c->next = newest;
  newest = c;
  carry_unlock();
}

static void unlist(const carry_comm *c)
{
  carry_lock();
  carry_comm **link = &newest;
  while (*link && *link != c) link = &(*link)->next;
  if (*link) *link = c->next;
  carry_unlock();
}

static void end(carry_comm *c)
{
  finish_operations(c);
  unlist(c);
  close_boards(c);
  free(c);
}

int carry_comm_kept(const carry_comm *c, uint32_t *used)
{
  *used = c->kept.used;
  return PMPI_Allreduce(MPI_IN_PLACE, used, 1, MPI_UINT32_T, MPI_BOR, ovk_ctx_comm(c->ctx));
}

/* Whether persistent requests outlive it. Collective. */
static bool is_needed(const carry_comm *c)
{
  uint32_t used;
  return c->kept.n > 0 && (carry_comm_kept(c, &used) || used);
}

static int on_free(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
  carry_comm *c = attribute;
  (void)keyval, (void)extra;
  if (over) return MPI_SUCCESS; /* on_end() has freed all */
  if (!carry_is_threaded() && last.comm == comm) last.found = NULL;
  if (c->reason != CARRY_CARRIED) return MPI_SUCCESS;
  if (is_needed(c)) {
    c->comm = MPI_COMM_SELF; /* on_end() frees all */
  } else {
    end(c);
  }
  return MPI_SUCCESS;
}

/* The newest first: boards were made by blocking calls, so their order is one for all ranks. */
static int on_end(MPI_Comm self, int keyval, void *attribute, void *extra)
{
  (void)self, (void)keyval, (void)attribute, (void)extra;
  while (newest) end(newest);
  carry_progress_thread_end();
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

static bool have_keys(void)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const bool made = make_keys();
  pthread_mutex_unlock(&mutex);
  atomic_store(&keyed, made);
  return made;
}

carry_comm *carry_comm_find(MPI_Comm comm)
{
  void *found = NULL;
  int flag = 0;
  const bool remembers = !carry_is_threaded();
  if (remembers && last.found && last.comm == comm) return last.found;
  if (!atomic_load(&keyed) || comm == MPI_COMM_NULL) return NULL;
  if (PMPI_Comm_get_attr(comm, key, &found, &flag) || !flag) return NULL;
  if (remembers) {
    last.comm = comm;
    last.found = found;
  }
  return found;
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

ovk_err carry_comm_board(carry_comm *c, int places, size_t bytes, ovk_board **out)
{
  inside = true;
  const ovk_err err = ovk_board_create(c->ctx, places, bytes, out);
  inside = false;
  return err;
}

void carry_comm_enlarge(carry_comm *c)
{
  enum { PLACES = 4 };
  if (carry_comm_board(c, PLACES, (size_t)c->most, &c->large)) c->most = CARRY_SMALL;
}

static carry_reason make_or_close(carry_comm *c)
{
  const ovk_err err = make_boards(c);
  if (err) close_boards(c);
  return !err ? CARRY_CARRIED : err == OVK_ERR_UNSUPPORTED ? CARRY_NODES : CARRY_NO_SETUP;
}

/* Boards, where all ranks are willing and have memory for their state. `c` may be NULL. */
static carry_reason agree_and_make(MPI_Comm comm, int size, carry_comm *c)
{
  const carry_reason here = !carry_settings_of_process.on ? CARRY_OFF
                            : carry_is_threaded()         ? CARRY_THREADS
                            : !c                          ? CARRY_NO_SETUP
                                                          : CARRY_CARRIED;
  long offer[2] = {here == CARRY_CARRIED, carry_settings_of_process.most};
  if (PMPI_Allreduce(MPI_IN_PLACE, offer, 2, MPI_LONG, MPI_MIN, comm)) return CARRY_NO_SETUP;
  if (here != CARRY_CARRIED) return here;
  if (!offer[0]) return CARRY_NO_SETUP;
  c->most = offer[1] * 2 / size; /* each rank reads the parts of all */
  return make_or_close(c);
}

static carry_reason set_up(MPI_Comm comm, carry_comm *c)
{
  int size = 0, between = 0;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_test_inter(comm, &between);
  if (between) return CARRY_INTER;
  if (size == 1) return CARRY_ONE_RANK;
  inside = true;
  const carry_reason reason = agree_and_make(comm, size, c);
  inside = false;
  return reason;
}

static carry_comm *make_empty(MPI_Comm comm)
{
  carry_comm *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->reason = CARRY_NO_SETUP;
  c->comm = comm;
  PMPI_Comm_rank(comm, &c->rank);
  return c;
}

/* The attribute comes first: without one, a rank would set up again. */
carry_comm *carry_comm_open(MPI_Comm comm)
{
  if (comm == MPI_COMM_NULL) return NULL;
  carry_comm *c = have_keys() ? make_empty(comm) : NULL;
  if (c && PMPI_Comm_set_attr(comm, key, c)) {
    free(c);
    c = NULL;
  }
  const carry_reason reason = set_up(comm, c);
  if (reason == CARRY_CARRIED) {
    c->reason = reason;
    enlist(c);
    return c;
  }
  if (have_keys()) (void)PMPI_Comm_set_attr(comm, key, &without[reason]);
  free(c);
  return &without[reason];
}
