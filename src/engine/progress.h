/* SPDX-License-Identifier: BSD-2-Clause */
/* Who moves operations on: the caller whenever it looks, or a thread. */
#ifndef OVK_ENGINE_PROGRESS_H
#define OVK_ENGINE_PROGRESS_H

#include "engine/job.h"
#include "engine/run.h"

typedef struct ovk__progress ovk__progress;

enum { OVK__NO_CORE = -1 };

/* `threaded`: starts a thread, bound to processor `core`; it sleeps while there is no job. It needs
 * MPI_THREAD_MULTIPLE. Not collective. Whatever happens, ovk__progress_close() is due. */
ovk_err ovk__progress_open(const ovk__engine *engine, bool threaded, int core, ovk__progress **out);

/* No job may be under way. Not collective. */
void ovk__progress_close(ovk__progress **progress);

/* Begin a job that has been started, test and wait: by the thread or as in job.h. These return
 * MPI's codes. */
void ovk__progress_begin(ovk__progress *progress, ovk__job *job);
int ovk__progress_test(ovk__progress *progress, ovk__job *job, bool *complete);
int ovk__progress_wait(ovk__progress *progress, ovk__job *job);

#endif
