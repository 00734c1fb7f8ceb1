/* SPDX-License-Identifier: BSD-2-Clause */
/* A build without other libraries' plug-ins. */
#include "plugins.h"

ovk_err plugins_register(ovk_ctx *ctx)
{
  (void)ctx;
  return OVK_OK;
}
