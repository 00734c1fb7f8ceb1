/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI's own collective operations. */
#ifndef OVK_TOOL_OPERATION_MPI_H
#define OVK_TOOL_OPERATION_MPI_H

#include "bench/operations/operation.h"

/* Carries an operation out if it is blocking, else begins op->request. @return the MPI's code */
int operation_mpi_begin(operation *op);

#endif
