/* SPDX-License-Identifier: BSD-2-Clause */
/* For an MPI without persistent collective operations. */
#include "carry/persistent.h"

bool carry_persistent_any(void)
{
  return false;
}

MPI_Request carry_persistent_active(MPI_Request request)
{
  return request;
}

MPI_Request carry_persistent_after(MPI_Request request, MPI_Request seen)
{
  (void)request;
  return seen;
}
