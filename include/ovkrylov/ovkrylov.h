/* SPDX-License-Identifier: BSD-2-Clause */
/* ovkrylov: Krylov solvers that hide global sums behind work. This one header is all a user needs.
 * Authors of backends include backend.h as well, and who simulates solves model.h. */
#ifndef OVKRYLOV_H
#define OVKRYLOV_H

#include <ovkrylov/base.h>
#include <ovkrylov/board.h>
#include <ovkrylov/collectives.h>
#include <ovkrylov/ctx.h>
#include <ovkrylov/error.h>
#include <ovkrylov/gallery.h>
#include <ovkrylov/io.h>
#include <ovkrylov/list.h>
#include <ovkrylov/log.h>
#include <ovkrylov/matrix.h>
#include <ovkrylov/mpi.h>
#include <ovkrylov/poll.h>
#include <ovkrylov/precond.h>
#include <ovkrylov/reduction.h>
#include <ovkrylov/schedule.h>
#include <ovkrylov/solver.h>
#include <ovkrylov/spec.h>
#include <ovkrylov/vector.h>
#include <ovkrylov/version.h>

#endif
