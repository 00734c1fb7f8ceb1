/* SPDX-License-Identifier: BSD-2-Clause */
/* Plug-ins of the program in addition to those of the library. */
#ifndef OVK_TOOL_PLUGINS_H
#define OVK_TOOL_PLUGINS_H

#include <ovkrylov/ctx.h>

/* Makes them known to a context, all ranks alike. */
ovk_err plugins_register(ovk_ctx *ctx);

#endif
