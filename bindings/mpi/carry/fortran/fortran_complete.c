/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of requests in Fortran, over the C calls. Indices count from 1. */
#include "fortran.h"

#include <stdlib.h>

/* Requests and statuses of a Fortran call as those of C. */
typedef struct list {
  int n;
  MPI_Request *requests;
  MPI_Status *statuses;
} list;

static bool open_list(list *l, in *n, const out *requests, out *err)
{
  l->n = *n > 0 ? *n : 0;
  l->requests = malloc(((size_t)l->n + 1) * sizeof *l->requests);
  l->statuses = malloc(((size_t)l->n + 1) * sizeof *l->statuses);
  *err = MPI_ERR_NO_MEM;
  if (!l->requests || !l->statuses) {
    free(l->requests);
    free(l->statuses);
    return false;
  }
  for (int k = 0; k < l->n; k++) l->requests[k] = PMPI_Request_f2c(requests[k]);
  return true;
}

static void put_status(const MPI_Status *from, out *to)
{
  if (to != MPI_F_STATUS_IGNORE) PMPI_Status_c2f(from, to);
}

/* Returns the requests, and the first `n` statuses, to the program. */
static void close_list(list *l, out *requests, int n, out *statuses)
{
  enum { INTEGERS = sizeof(MPI_Status) / sizeof(MPI_Fint) };
  for (int k = 0; k < l->n; k++) requests[k] = PMPI_Request_c2f(l->requests[k]);
  for (int k = 0; k < n && statuses != MPI_F_STATUSES_IGNORE; k++) {
    PMPI_Status_c2f(&l->statuses[k], statuses + (size_t)k * INTEGERS);
  }
  free(l->requests);
  free(l->statuses);
}

static int from_one(int index)
{
  return index == MPI_UNDEFINED ? index : index + 1;
}

CARRY_FORTRAN(mpi_wait_, out *request, out *status, out *err)
{
  MPI_Request r = PMPI_Request_f2c(*request);
  MPI_Status s;
  *err = MPI_Wait(&r, &s);
  if (*err != MPI_SUCCESS) return;
  *request = PMPI_Request_c2f(r);
  put_status(&s, status);
}

CARRY_FORTRAN(mpi_test_, out *request, out *flag, out *status, out *err)
{
  MPI_Request r = PMPI_Request_f2c(*request);
  MPI_Status s;
  *err = MPI_Test(&r, flag, &s);
  if (*err != MPI_SUCCESS || !*flag) return;
  *request = PMPI_Request_c2f(r);
  put_status(&s, status);
}

CARRY_FORTRAN(mpi_request_get_status_, in *request, out *flag, out *status, out *err)
{
  MPI_Status s;
  *err = MPI_Request_get_status(PMPI_Request_f2c(*request), flag, &s);
  if (*err == MPI_SUCCESS && *flag) put_status(&s, status);
}

CARRY_FORTRAN(mpi_waitall_, in *n, out *requests, out *statuses, out *err)
{
  list l;
  if (!open_list(&l, n, requests, err)) return;
  *err = MPI_Waitall(*n, l.requests, l.statuses);
  close_list(&l, requests, l.n, statuses);
}

CARRY_FORTRAN(mpi_testall_, in *n, out *requests, out *flag, out *statuses, out *err)
{
  list l;
  if (!open_list(&l, n, requests, err)) return;
  *err = MPI_Testall(*n, l.requests, flag, l.statuses);
  close_list(&l, requests, *err == MPI_SUCCESS && *flag ? l.n : 0, statuses);
}

CARRY_FORTRAN(mpi_waitany_, in *n, out *requests, out *index, out *status, out *err)
{
  list l;
  MPI_Status s;
  if (!open_list(&l, n, requests, err)) return;
  *err = MPI_Waitany(*n, l.requests, index, &s);
  if (*err == MPI_SUCCESS) put_status(&s, status);
  *index = from_one(*index);
  close_list(&l, requests, 0, MPI_F_STATUSES_IGNORE);
}

CARRY_FORTRAN(mpi_testany_, in *n, out *requests, out *index, out *flag, out *status, out *err)
{
  list l;
  MPI_Status s;
  if (!open_list(&l, n, requests, err)) return;
  *err = MPI_Testany(*n, l.requests, index, flag, &s);
  if (*err == MPI_SUCCESS && *flag) put_status(&s, status);
  *index = from_one(*index);
  close_list(&l, requests, 0, MPI_F_STATUSES_IGNORE);
}

/* Of some of them: their number and indices, as C has given them. */
static void close_some(list *l, out *requests, const out *count, out *indices, out *statuses)
{
  const int n = *count == MPI_UNDEFINED ? 0 : *count;
  for (int k = 0; k < n; k++) indices[k] = from_one(indices[k]);
  close_list(l, requests, n, statuses);
}

CARRY_FORTRAN(mpi_waitsome_, in *n, out *requests, out *count, out *indices, out *statuses,
              out *err)
{
  list l;
  if (!open_list(&l, n, requests, err)) return;
  *count = 0;
  *err = MPI_Waitsome(*n, l.requests, count, indices, l.statuses);
  close_some(&l, requests, count, indices, statuses);
}

CARRY_FORTRAN(mpi_testsome_, in *n, out *requests, out *count, out *indices, out *statuses,
              out *err)
{
  list l;
  if (!open_list(&l, n, requests, err)) return;
  *count = 0;
  *err = MPI_Testsome(*n, l.requests, count, indices, l.statuses);
  close_some(&l, requests, count, indices, statuses);
}
