/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations of the MPI. */
#ifndef OVK_TOOL_OPERATION_MPI_H
#define OVK_TOOL_OPERATION_MPI_H

#include "bench/operations/operation.h"

/* Carries an operation out if it is blocking, else begins op->request. @return the code of the MPI
 * */
int operation_mpi_begin(operation *op);

#endif
