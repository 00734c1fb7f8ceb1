/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded: the creation of every context fails. */
#include <ovkrylov/ctx.h>
#include <stddef.h>

ovk_err ovk_ctx_create(MPI_Comm comm, ovk_ctx **out)
{
  (void)comm;
  *out = NULL;
  return OVK_ERR_MEMORY;
}
