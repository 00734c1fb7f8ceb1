/* SPDX-License-Identifier: BSD-2-Clause */
/* Preconditioners of hypre. */
#include "plugins.h"

#include <ovk_hypre.h>

ovk_err plugins_register(ovk_ctx *ctx)
{
  return ovk_hypre_register(ctx);
}
