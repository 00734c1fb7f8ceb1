/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of MPI that ranks with shared memory need, implemented for threads. Calls from other
 * threads are passed on to MPI. */
#include "support/comm/thread_world.h"
#include "core/node/shared_memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MESSAGES = 1024, WORD = sizeof(uint64_t), MOST_WORDS = 256, WINDOWS = 64 };

/* Small messages from one rank to another, in order. */
typedef struct mailbox {
  int sent, received;
  uint64_t messages[MAX_MESSAGES];
} mailbox;

/* Windows are numbered in the order of creation, which is the same on all ranks. */
typedef struct window {
  char *segments[THREAD_RANKS];
} window;

static _Thread_local int me = -1; /* a rank, or -1 */
static _Thread_local int nwindows;
static void (*run_body)(int rank);
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static mailbox mail[THREAD_RANKS][THREAD_RANKS]; /* [to][from], protected by the mutex */
static window windows[WINDOWS];         /* each rank writes its own entries, until a barrier */
static const void *shown[THREAD_RANKS]; /* between two barriers */

void thread_check(bool holds, const char *what)
{
  if (holds) return;
  fprintf(stderr, "rank %d of the threads: not so: %s\n", me, what);
  abort();
}

static void *run_rank(void *rank)
{
  me = (int)(intptr_t)rank;
  nwindows = 0;
  run_body(me);
  return NULL;
}

void thread_world_run(void (*body)(int rank))
{
  pthread_t threads[THREAD_RANKS];
  run_body = body;
  memset(mail, 0, sizeof mail);
  thread_check(!pthread_barrier_init(&barrier, NULL, THREAD_RANKS), "a barrier is made");
  for (int k = 0; k < THREAD_RANKS; k++) {
    thread_check(!pthread_create(&threads[k], NULL, run_rank, (void *)(intptr_t)k),
                 "threads start");
  }
  for (int k = 0; k < THREAD_RANKS; k++) pthread_join(threads[k], NULL);
  pthread_barrier_destroy(&barrier);
  for (int k = 0; k < WINDOWS; k++) {
    for (int rank = 0; rank < THREAD_RANKS; rank++) free(windows[k].segments[rank]);
    windows[k] = (window){0};
  }
}

/* Communicators; all have the same ranks. */

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
  if (me < 0) return PMPI_Comm_rank(comm, rank);
  *rank = me;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
  if (me < 0) return PMPI_Comm_size(comm, size);
  *size = THREAD_RANKS;
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
  if (me < 0) return PMPI_Comm_dup(comm, out);
  *out = comm;
  return MPI_SUCCESS;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  if (me < 0) return PMPI_Comm_split_type(comm, type, key, info, out);
  *out = comm;
  return MPI_SUCCESS;
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
  if (me < 0) return PMPI_Comm_test_inter(comm, flag);
  *flag = 0;
  return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
  return me < 0 ? PMPI_Comm_set_errhandler(comm, handler) : MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm)
{
  if (me < 0) return PMPI_Comm_free(comm);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
  if (me < 0) return PMPI_Comm_group(comm, group);
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

int MPI_Group_translate_ranks(MPI_Group from, int n, const int *ranks, MPI_Group to, int *out)
{
  if (me < 0) return PMPI_Group_translate_ranks(from, n, ranks, to, out);
  memcpy(out, ranks, (size_t)n * sizeof *out);
  return MPI_SUCCESS;
}

/* Collective calls. */

int MPI_Barrier(MPI_Comm comm)
{
  if (me < 0) return PMPI_Barrier(comm);
  pthread_barrier_wait(&barrier);
  return MPI_SUCCESS;
}

static uint64_t combine(uint64_t a, uint64_t b, MPI_Op op)
{
  thread_check(op == MPI_BOR || op == MPI_SUM || op == MPI_MAX || op == MPI_MIN,
               "a known operation");
  if (op == MPI_BOR) return a | b;
  if (op == MPI_SUM) return a + b;
  return op == MPI_MAX ? (a > b ? a : b) : a < b ? a : b;
}

static uint64_t combine_doubles(uint64_t left, uint64_t right, MPI_Op op)
{
  double a, b;
  uint64_t result;
  memcpy(&a, &left, WORD);
  memcpy(&b, &right, WORD);
  thread_check(op == MPI_SUM || op == MPI_MAX || op == MPI_MIN, "a known operation");
  if (op == MPI_SUM) {
    a += b;
  } else if (op == MPI_MAX ? b > a : b < a) {
    a = b;
  }
  memcpy(&result, &a, WORD);
  return result;
}

/* A number that is not negative; of a double its bits. */
static uint64_t number_at(const void *numbers, MPI_Datatype type, int k)
{
  if (type == MPI_UINT64_T || type == MPI_DOUBLE) return ((const uint64_t *)numbers)[k];
  if (type == MPI_INT64_T) return (uint64_t)((const int64_t *)numbers)[k];
  if (type == MPI_BYTE) return ((const unsigned char *)numbers)[k];
  thread_check(type == MPI_INT, "a known type");
  return (uint64_t)((const int *)numbers)[k];
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  if (me < 0) return PMPI_Allreduce(in, out, count, type, op, comm);
  uint64_t totals[MOST_WORDS];
  thread_check(count <= MOST_WORDS, "a few numbers are reduced");
  shown[me] = in == MPI_IN_PLACE ? out : in;
  pthread_barrier_wait(&barrier);
  for (int k = 0; k < count; k++) {
    totals[k] = number_at(shown[0], type, k);
    for (int rank = 1; rank < THREAD_RANKS; rank++) {
      const uint64_t number = number_at(shown[rank], type, k);
      totals[k] = type == MPI_DOUBLE ? combine_doubles(totals[k], number, op)
                                     : combine(totals[k], number, op);
    }
  }
  pthread_barrier_wait(&barrier);
  for (int k = 0; k < count; k++) {
    if (type == MPI_INT) {
      ((int *)out)[k] = (int)totals[k];
    } else if (type == MPI_BYTE) {
      ((unsigned char *)out)[k] = (unsigned char)totals[k];
    } else {
      ((uint64_t *)out)[k] = totals[k];
    }
  }
  return MPI_SUCCESS;
}

/* May block, as the callers have no other operation in flight meanwhile. */
int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
  if (me < 0) return PMPI_Iallreduce(in, out, count, type, op, comm, request);
  *request = MPI_REQUEST_NULL;
  return MPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  if (me < 0) return PMPI_Bcast(data, count, type, root, comm);
  int size;
  PMPI_Type_size(type, &size);
  if (me == root) shown[root] = data;
  pthread_barrier_wait(&barrier);
  if (me != root) memcpy(data, shown[root], (size_t)count * (size_t)size);
  pthread_barrier_wait(&barrier);
  return MPI_SUCCESS;
}

/* The items that a rank sends to the others: `first` items before those for each. */
typedef struct spread {
  const char *data;
  const int *first;
} spread;

int MPI_Alltoallv(const void *out, const int *nout, const int *first_out, MPI_Datatype type,
                  void *in, const int *nin, const int *first_in, MPI_Datatype in_type,
                  MPI_Comm comm)
{
  if (me < 0) return PMPI_Alltoallv(out, nout, first_out, type, in, nin, first_in, in_type, comm);
  int size;
  PMPI_Type_size(type, &size);
  const spread own = {out, first_out};
  shown[me] = &own;
  pthread_barrier_wait(&barrier);
  for (int rank = 0; rank < THREAD_RANKS; rank++) {
    const spread *s = shown[rank];
    const size_t to = (size_t)first_in[rank], from = (size_t)s->first[me], item = (size_t)size;
    memcpy((char *)in + to * item, s->data + from * item, (size_t)nin[rank] * item);
  }
  pthread_barrier_wait(&barrier);
  return MPI_SUCCESS;
}

int MPI_Alltoall(const void *out, int nout, MPI_Datatype type, void *in, int nin,
                 MPI_Datatype in_type, MPI_Comm comm)
{
  if (me < 0) return PMPI_Alltoall(out, nout, type, in, nin, in_type, comm);
  int counts[THREAD_RANKS], first[THREAD_RANKS];
  for (int rank = 0; rank < THREAD_RANKS; rank++) {
    counts[rank] = nout;
    first[rank] = rank * nout;
  }
  return MPI_Alltoallv(out, counts, first, type, in, counts, first, in_type, comm);
}

int MPI_Allgather(const void *out, int nout, MPI_Datatype type, void *in, int nin,
                  MPI_Datatype in_type, MPI_Comm comm)
{
  if (me < 0) return PMPI_Allgather(out, nout, type, in, nin, in_type, comm);
  int size;
  PMPI_Type_size(type, &size);
  const size_t bytes = (size_t)nout * (size_t)size;
  shown[me] = out;
  pthread_barrier_wait(&barrier);
  for (int rank = 0; rank < THREAD_RANKS; rank++) {
    memcpy((char *)in + (size_t)rank * bytes, shown[rank], bytes);
  }
  pthread_barrier_wait(&barrier);
  return MPI_SUCCESS;
}

/* Messages of one word. */

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  if (me < 0) return PMPI_Isend(data, count, type, to, tag, comm, request);
  thread_check(count == WORD && type == MPI_BYTE, "messages are words");
  *request = MPI_REQUEST_NULL;
  pthread_mutex_lock(&mutex);
  mailbox *box = &mail[to][me];
  thread_check(box->sent < MAX_MESSAGES, "there is room for a message");
  memcpy(&box->messages[box->sent++], data, WORD);
  pthread_cond_broadcast(&news);
  pthread_mutex_unlock(&mutex);
  return MPI_SUCCESS;
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
  if (me < 0) return PMPI_Recv(data, count, type, from, tag, comm, status);
  mailbox *box = &mail[me][from];
  pthread_mutex_lock(&mutex);
  while (box->received == box->sent) pthread_cond_wait(&news, &mutex);
  memcpy(data, &box->messages[box->received++], WORD);
  pthread_mutex_unlock(&mutex);
  return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  return me < 0 ? PMPI_Wait(request, status) : MPI_SUCCESS;
}

int MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
  return me < 0 ? PMPI_Waitall(n, requests, statuses) : MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  if (me < 0) return PMPI_Test(request, flag, status);
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
  if (me < 0) return PMPI_Iprobe(from, tag, comm, flag, status);
  *flag = 0;
  return MPI_SUCCESS;
}

/* Shared memory: replaces src/core/node/shared_memory.c, whose maps of one file at several
 * addresses would hide races from a sanitizer. */

ovk_err ovk__shared_memory_map(ovk_ctx *ctx, MPI_Comm comm, size_t bytes, char *parts[],
                               ovk__shared_memory *out)
{
  (void)ctx, (void)comm;
  thread_check(nwindows < WINDOWS, "there is room for a window");
  window *w = &windows[nwindows++];
  w->segments[me] = aligned_alloc(64, bytes);
  thread_check(w->segments[me], "there is memory for a window");
  memset(w->segments[me], 0xff, bytes); /* slots are cleared when they are taken */
  pthread_barrier_wait(&barrier);
  for (int rank = 0; rank < THREAD_RANKS; rank++) parts[rank] = w->segments[rank];
  *out = (ovk__shared_memory){NULL, 0};
  return OVK_OK;
}

void ovk__shared_memory_unmap(ovk__shared_memory *memory)
{
  (void)memory; /* thread_world_run() frees it */
}
