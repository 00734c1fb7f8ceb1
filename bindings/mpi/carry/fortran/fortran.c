/* SPDX-License-Identifier: BSD-2-Clause */
/* Begins and collective calls of Fortran programs, by the C functions. */
#include "fortran.h"

/* MPI_IN_PLACE and MPI_BOTTOM of Fortran programs are variables of Open MPI. */
extern char mpi_fortran_in_place_, mpi_fortran_bottom_;

static void *buffer(void *given)
{
  return given == (void *)&mpi_fortran_in_place_ ? MPI_IN_PLACE
         : given == (void *)&mpi_fortran_bottom_ ? MPI_BOTTOM
                                                 : given;
}

CARRY_FORTRAN(mpi_init_, out *err)
{
  *err = MPI_Init(NULL, NULL);
}

CARRY_FORTRAN(mpi_init_thread_, in *required, out *provided, out *err)
{
  int given = 0;
  *err = MPI_Init_thread(NULL, NULL, *required, &given);
  *provided = given;
}

CARRY_FORTRAN(mpi_allreduce_, void *send, void *receive, in *count, in *type, in *op, in *comm,
              out *err)
{
  *err = MPI_Allreduce(buffer(send), buffer(receive), *count, PMPI_Type_f2c(*type),
                       PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm));
}

CARRY_FORTRAN(mpi_reduce_, void *send, void *receive, in *count, in *type, in *op, in *root,
              in *comm, out *err)
{
  *err = MPI_Reduce(buffer(send), buffer(receive), *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op),
                    *root, PMPI_Comm_f2c(*comm));
}

CARRY_FORTRAN(mpi_scan_, void *send, void *receive, in *count, in *type, in *op, in *comm, out *err)
{
  *err = MPI_Scan(buffer(send), buffer(receive), *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op),
                  PMPI_Comm_f2c(*comm));
}

CARRY_FORTRAN(mpi_exscan_, void *send, void *receive, in *count, in *type, in *op, in *comm,
              out *err)
{
  *err = MPI_Exscan(buffer(send), buffer(receive), *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op),
                    PMPI_Comm_f2c(*comm));
}

CARRY_FORTRAN(mpi_reduce_scatter_, void *send, void *receive, in *counts, in *type, in *op,
              in *comm, out *err)
{
  *err = MPI_Reduce_scatter(buffer(send), buffer(receive), counts, PMPI_Type_f2c(*type),
                            PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm));
}

CARRY_FORTRAN(mpi_reduce_scatter_block_, void *send, void *receive, in *count, in *type, in *op,
              in *comm, out *err)
{
  *err = MPI_Reduce_scatter_block(buffer(send), buffer(receive), *count, PMPI_Type_f2c(*type),
                                  PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm));
}

CARRY_FORTRAN(mpi_bcast_, void *items, in *count, in *type, in *root, in *comm, out *err)
{
  *err = MPI_Bcast(buffer(items), *count, PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm));
}

CARRY_FORTRAN(mpi_barrier_, in *comm, out *err)
{
  *err = MPI_Barrier(PMPI_Comm_f2c(*comm));
}

/* Gives the program its request. */
static void hand_out(int code, MPI_Request made, out *request, out *err)
{
  *err = code;
  if (code == MPI_SUCCESS) *request = PMPI_Request_c2f(made);
}

CARRY_FORTRAN(mpi_iallreduce_, void *send, void *receive, in *count, in *type, in *op, in *comm,
              out *request, out *err)
{
  MPI_Request made;
  const int code = MPI_Iallreduce(buffer(send), buffer(receive), *count, PMPI_Type_f2c(*type),
                                  PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm), &made);
  hand_out(code, made, request, err);
}

CARRY_FORTRAN(mpi_ireduce_, void *send, void *receive, in *count, in *type, in *op, in *root,
              in *comm, out *request, out *err)
{
  MPI_Request made;
  const int code = MPI_Ireduce(buffer(send), buffer(receive), *count, PMPI_Type_f2c(*type),
                               PMPI_Op_f2c(*op), *root, PMPI_Comm_f2c(*comm), &made);
  hand_out(code, made, request, err);
}

CARRY_FORTRAN(mpi_ibcast_, void *items, in *count, in *type, in *root, in *comm, out *request,
              out *err)
{
  MPI_Request made;
  const int code =
      MPI_Ibcast(buffer(items), *count, PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm), &made);
  hand_out(code, made, request, err);
}

CARRY_FORTRAN(mpi_ibarrier_, in *comm, out *request, out *err)
{
  MPI_Request made;
  const int code = MPI_Ibarrier(PMPI_Comm_f2c(*comm), &made);
  hand_out(code, made, request, err);
}

static void free_with(int frees(MPI_Comm *), out *comm, out *err)
{
  MPI_Comm given = PMPI_Comm_f2c(*comm);
  *err = frees(&given);
  if (*err == MPI_SUCCESS) *comm = PMPI_Comm_c2f(given);
}

CARRY_FORTRAN(mpi_comm_free_, out *comm, out *err)
{
  free_with(MPI_Comm_free, comm, err);
}

CARRY_FORTRAN(mpi_comm_disconnect_, out *comm, out *err)
{
  free_with(MPI_Comm_disconnect, comm, err);
}
