/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocking reductions: each decides, and carries the operation or hands it back. */
#ifndef OVK_CARRY_BLOCKING_H
#define OVK_CARRY_BLOCKING_H

#include "carry/plan.h"

/* Carries an operation that is planned and decided. */
int carry_run(carry_plan *p);

int carry_run_allreduce(carry_plan *p, const void *send, void *receive, int count,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int carry_run_reduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                     MPI_Op op, int root, MPI_Comm comm);

#endif
