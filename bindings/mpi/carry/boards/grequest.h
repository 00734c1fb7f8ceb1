/* SPDX-License-Identifier: BSD-2-Clause */
/* Generalized requests of collective operations. */
#ifndef OVK_CARRY_GREQUEST_H
#define OVK_CARRY_GREQUEST_H

#include <mpi.h>

/* Returns no error: an MPI would report it to the handler of MPI_COMM_WORLD; see
 * carry_request_failure(). */
static inline int carry_grequest_query(void *extra, MPI_Status *status)
{
  (void)extra;
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

static inline int carry_grequest_cancel(void *extra, int complete)
{
  (void)extra, (void)complete;
  return MPI_ERR_REQUEST; /* MPI forbids it for collective operations */
}

#endif
