/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations of the engine. */
#ifndef OVK_TOOL_OPERATION_COLLECTIVE_H
#define OVK_TOOL_OPERATION_COLLECTIVE_H

#include "bench/operations/operation.h"

/* Creates op->collective, of any kind but a sum. Collective. */
ovk_err operation_create_collective(operation *op);

#endif
