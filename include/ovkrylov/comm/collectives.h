/* SPDX-License-Identifier: BSD-2-Clause */
/* Non-blocking collective operations: how they are carried out, and all that make one. */
#ifndef OVKRYLOV_COMM_COLLECTIVES_H
#define OVKRYLOV_COMM_COLLECTIVES_H

#include <ovkrylov/comm/collective.h>
#include <ovkrylov/comm/collectives_move.h>
#include <ovkrylov/comm/collectives_reduce.h>

#endif
