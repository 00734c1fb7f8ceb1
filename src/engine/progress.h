/* SPDX-License-Identifier: BSD-2-Clause */
/* Who moves operations on: the caller whenever it looks, or a thread. */
#ifndef OVK_ENGINE_PROGRESS_H
#define OVK_ENGINE_PROGRESS_H

#include "engine/run.h"
#include "engine/yield.h"

#include <stdatomic.h>

typedef struct ovk__progress ovk__progress;

/* An operation to move on. What begins it is the caller's to do, before ovk__progress_begin(). */
typedef struct ovk__job {
  ovk__advance *advance;
  void *self;
  /* of the thread */
  struct ovk__job *next;
  atomic_bool over;
  int code; /* MPI's, once it is over */
} ovk__job;

enum { OVK__NO_CORE = -1 };

/* `threaded`: starts a thread, bound to processor `core`; it sleeps while there is no job. It needs
 * MPI_THREAD_MULTIPLE. Not collective. Whatever happens, ovk__progress_close() is due. */
ovk_err ovk__progress_open(const ovk__engine *engine, bool threaded, int core, ovk__progress **out);

/* No job may be under way. Not collective. */
void ovk__progress_close(ovk__progress **progress);

/* These return MPI's codes. Between begin and completion the job is not the caller's. */
void ovk__progress_begin(ovk__progress *progress, ovk__job *job);
int ovk__progress_test(ovk__progress *progress, ovk__job *job, bool *complete);
int ovk__progress_wait(ovk__progress *progress, ovk__job *job);

#endif
