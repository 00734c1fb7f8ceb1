/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of the library as those of the MPI. */
#include "carry/boards/errors.h"

int carry_report(MPI_Comm comm, int code)
{
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

static int code_of(ovk_err err)
{
  return err == OVK_ERR_MEMORY  ? MPI_ERR_NO_MEM
         : err == OVK_ERR_STATE ? MPI_ERR_REQUEST
                                : MPI_ERR_ARG;
}

int carry_error(MPI_Comm comm, ovk_err err)
{
  return carry_report(comm, code_of(err));
}

int carry_operation_code(const carry_comm *c, const ovk_board_operation *o)
{
  const bool wrong = o->root < 0 || o->root >= c->ranks; /* the root is 0 where there is none */
  return !o->error ? MPI_SUCCESS : wrong ? MPI_ERR_ROOT : code_of(o->error);
}
