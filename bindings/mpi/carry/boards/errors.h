/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of the library as those of the MPI. */
#ifndef OVK_CARRY_ERRORS_H
#define OVK_CARRY_ERRORS_H

#include "carry/boards/boards.h"

/* Calls the error handler of the communicator, and returns `code`. */
int carry_report(MPI_Comm comm, int code);

/* Reports an error of the library, and returns its MPI code. */
int carry_error(MPI_Comm comm, ovk_err err);

/* The MPI code of an operation that is complete. */
int carry_operation_code(const carry_comm *c, const ovk_board_operation *operation);

#endif
