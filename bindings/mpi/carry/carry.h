/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi.so executes all-reduces, reductions, broadcasts, barriers, gathers, scatters and
 * all-to-alls of any MPI program on boards (ovkrylov/comm/board.h) of the nodes, and between nodes
 * by schedules. It uses the MPI profiling interface.
 *
 * All ranks of a communicator must decide alike whether an operation is carried. The decision
 * depends only on data that MPI requires to be equal there: order of collective calls, whether they
 * block, operation, type of a reduction, bytes of a broadcast. It also depends on the agreement of
 * the ranks when the boards of the communicator were created.
 *
 * State is global: a process has one MPI, and its calls have no context. */
#ifndef OVK_CARRY_H
#define OVK_CARRY_H

/* The functions that replace those of the MPI; all other names are local to the library. */
#define CARRY_REPLACES __attribute__((visibility("default")))

#endif
