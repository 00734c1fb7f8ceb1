/* SPDX-License-Identifier: BSD-2-Clause */
/* Communicators that the program is freeing. */
#ifndef OVK_CARRY_FREEING_H
#define OVK_CARRY_FREEING_H

#include <mpi.h>
#include <stdbool.h>

/* Whether this thread is in a call that frees the communicator. */
bool carry_is_freeing(MPI_Comm comm);

#endif
