/* SPDX-License-Identifier: BSD-2-Clause */
/* Of an MPI that has no persistent collective operations. */
#include "carry.h"

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
