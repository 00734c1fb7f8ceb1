/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations of the MPI and of the engine, by kind. */
#ifndef OVK_TOOL_OPERATION_KINDS_H
#define OVK_TOOL_OPERATION_KINDS_H

#include "bench/operations/operation.h"

/* Carries an operation out if it is blocking, else begins op->request. @return the code of the MPI
 * */
int operation_mpi_begin(operation *op);

/* Creates op->collective, of any kind but a sum. Collective. */
ovk_err operation_create_collective(operation *op);

#endif
