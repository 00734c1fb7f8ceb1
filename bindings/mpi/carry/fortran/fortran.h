/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of Fortran programs (mpif.h, use mpi) that the Fortran library of Open MPI would
 * otherwise pass by the C ones. Numbers and handles come by address, the error goes to the last
 * argument.
 */
#ifndef OVK_CARRY_FORTRAN_H
#define OVK_CARRY_FORTRAN_H

#include "carry/carry.h"

#include <mpi.h>
#include <stdbool.h>

typedef const MPI_Fint in;
typedef MPI_Fint out;

CARRY_REPLACES void mpi_allreduce_(void *send, void *receive, in *count, in *type, in *op, in *comm,
                                   out *err);
CARRY_REPLACES void mpi_reduce_(void *send, void *receive, in *count, in *type, in *op, in *root,
                                in *comm, out *err);
CARRY_REPLACES void mpi_scan_(void *send, void *receive, in *count, in *type, in *op, in *comm,
                              out *err);
CARRY_REPLACES void mpi_exscan_(void *send, void *receive, in *count, in *type, in *op, in *comm,
                                out *err);
CARRY_REPLACES void mpi_reduce_scatter_(void *send, void *receive, in *counts, in *type, in *op,
                                        in *comm, out *err);
CARRY_REPLACES void mpi_reduce_scatter_block_(void *send, void *receive, in *count, in *type,
                                              in *op, in *comm, out *err);
CARRY_REPLACES void mpi_bcast_(void *items, in *count, in *type, in *root, in *comm, out *err);
CARRY_REPLACES void mpi_barrier_(in *comm, out *err);
CARRY_REPLACES void mpi_iallreduce_(void *send, void *receive, in *count, in *type, in *op,
                                    in *comm, out *request, out *err);
CARRY_REPLACES void mpi_ireduce_(void *send, void *receive, in *count, in *type, in *op, in *root,
                                 in *comm, out *request, out *err);
CARRY_REPLACES void mpi_ibcast_(void *items, in *count, in *type, in *root, in *comm, out *request,
                                out *err);
CARRY_REPLACES void mpi_ibarrier_(in *comm, out *request, out *err);

CARRY_REPLACES void mpi_wait_(out *request, out *status, out *err);
CARRY_REPLACES void mpi_test_(out *request, out *flag, out *status, out *err);
CARRY_REPLACES void mpi_request_get_status_(in *request, out *flag, out *status, out *err);
CARRY_REPLACES void mpi_waitall_(in *n, out *requests, out *statuses, out *err);
CARRY_REPLACES void mpi_testall_(in *n, out *requests, out *flag, out *statuses, out *err);
CARRY_REPLACES void mpi_waitany_(in *n, out *requests, out *index, out *status, out *err);
CARRY_REPLACES void mpi_testany_(in *n, out *requests, out *index, out *flag, out *status,
                                 out *err);
CARRY_REPLACES void mpi_waitsome_(in *n, out *requests, out *count, out *indices, out *statuses,
                                  out *err);
CARRY_REPLACES void mpi_testsome_(in *n, out *requests, out *count, out *indices, out *statuses,
                                  out *err);

#endif
