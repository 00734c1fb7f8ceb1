/* SPDX-License-Identifier: BSD-2-Clause */
/* Communication-hiding Krylov solvers: the one header that users of solvers need. Reductions,
 * collective operations and schedules are in comm/, the interfaces of plug-ins in plugin/. */
#ifndef OVKRYLOV_H
#define OVKRYLOV_H

#include <ovkrylov/assembly.h>
#include <ovkrylov/base.h>
#include <ovkrylov/ctx.h>
#include <ovkrylov/error.h>
#include <ovkrylov/gallery.h>
#include <ovkrylov/init.h>
#include <ovkrylov/io.h>
#include <ovkrylov/list.h>
#include <ovkrylov/log.h>
#include <ovkrylov/matrix.h>
#include <ovkrylov/mpi.h>
#include <ovkrylov/multivec.h>
#include <ovkrylov/plugin/poll.h>
#include <ovkrylov/plugin/spec.h>
#include <ovkrylov/precond.h>
#include <ovkrylov/reorder.h>
#include <ovkrylov/result.h>
#include <ovkrylov/solver.h>
#include <ovkrylov/solver_opts.h>
#include <ovkrylov/vector.h>
#include <ovkrylov/version.h>

#endif
