/* SPDX-License-Identifier: BSD-2-Clause */
/* Progress of operations: by the caller when it tests or waits, or by a thread. */
#ifndef OVK_COMM_ENGINE_PROGRESS_H
#define OVK_COMM_ENGINE_PROGRESS_H

#include "comm/engine/executor.h"
#include "core/job.h"

typedef struct ovk__progress ovk__progress;

enum { OVK__NO_CORE = -1 };

/* Open the progress of an engine. `threaded`: start a thread, bound to processor `core`, which
 * sleeps while there is no job. It needs MPI_THREAD_MULTIPLE. Not collective. ovk__progress_close()
 * must be called also after an error. */
ovk_err ovk__progress_open(const ovk__engine *engine, bool threaded, int core, ovk__progress **out);

/* No job may be in flight. Not collective. */
void ovk__progress_close(ovk__progress **progress);

/* Begin (a job that has been started), test and wait: by the thread, or as in core/job.h. test and
 * wait return MPI error codes. */
void ovk__progress_begin(ovk__progress *progress, ovk__job *job);
int ovk__progress_test(ovk__progress *progress, ovk__job *job, bool *complete);
int ovk__progress_wait(ovk__progress *progress, ovk__job *job);

#endif
