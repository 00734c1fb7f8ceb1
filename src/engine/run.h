/* SPDX-License-Identifier: BSD-2-Clause */
/* The executor: carries schedules out, as LibNBC does (Hoefler, Lumsdaine, Rehm, SC'07). A run
 * starts its first round at once and is moved on by whoever advances it; many can be under way at a
 * time. */
#ifndef OVK_ENGINE_RUN_H
#define OVK_ENGINE_RUN_H

#include "engine/combine.h"
#include "engine/schedule/schedule.h"

/* Where runs take place: a communicator of its own, and the memory that this node's ranks share.
 * One of these an opened backend. */
typedef struct ovk__engine ovk__engine;
struct ovk__endpoint;

/* What a run returns, among MPI's codes, after a failure of the engine's endpoint. */
enum { OVK__NETWORK_FAILED = -1 };

/* Collective over comm, which has the context's ranks and must outlive the engine; errors are
 * agreed. */
ovk_err ovk__engine_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine **out);
void ovk__engine_close(ovk__engine **engine); /* collective */

/* Brings the channel verbs to an engine without runs; the endpoint is closed after it. Not
 * collective. */
void ovk__engine_use(ovk__engine *engine, struct ovk__endpoint *endpoint);

/* The sentence for what a run of the engine returned. */
ovk_err ovk__engine_fail(const ovk__engine *engine, int code, const char *file, int line,
                         const char *what);

/* What a run is about. The schedule and the buffers must outlive it. */
typedef struct ovk__task {
  const ovk__schedule *schedule;
  const void *input; /* NULL where the schedule does not use it */
  void *output;
  size_t element;        /* bytes of an element */
  ovk__combine *combine; /* NULL if nothing is combined */
  int window;            /* writes under way over verbs at most; 0: no limit */
} ovk__task;

/* A schedule with its memory, its requests and its place in shared memory, to be carried out again
 * and again; nothing is allocated later. */
typedef struct ovk__run ovk__run;

/* Collective; errors are not agreed, but if one rank says that it has `failed` before (its task is
 * not looked at), or fails in here, though not within MPI, no rank hangs. The caller agrees; *out
 * may be NULL where another rank has failed. */
ovk_err ovk__run_create(ovk__engine *engine, const ovk__task *task, bool failed, ovk__run **out);

/* Not while it is under way, unless something has failed. Not collective, but it may wait until
 * others have begun what this rank has completed. */
void ovk__run_destroy(ovk__run **run);

/* These return MPI's codes, not sentences: a thread may call them; after a failure the run can only
 * be destroyed. start sends what can be sent; advance is an ovk__advance, see job.h. */
int ovk__run_start(ovk__run *run);
int ovk__run_advance(void *run, bool *complete);

#endif
