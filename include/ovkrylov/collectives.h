/* SPDX-License-Identifier: BSD-2-Clause */
/* Non-blocking collective operations: how they are carried out, and all that make one. */
#ifndef OVKRYLOV_COLLECTIVES_H
#define OVKRYLOV_COLLECTIVES_H

#include <ovkrylov/collective.h>
#include <ovkrylov/collectives_move.h>
#include <ovkrylov/collectives_reduce.h>

#endif
