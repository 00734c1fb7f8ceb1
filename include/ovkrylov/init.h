/* SPDX-License-Identifier: BSD-2-Clause */
/* For programs that make no MPI calls, such as an interpreter: MPI, and a context of one process.
 */
#ifndef OVKRYLOV_INIT_H
#define OVKRYLOV_INIT_H

#include <ovkrylov/ctx.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/**
 * Initialize MPI, unless the program has done so. Collective. All processes of MPI_COMM_WORLD call
 * it, which without mpiexec is this process alone. MPI_THREAD_MULTIPLE is requested.
 *
 * @param initialized  true if this call initialized MPI: the program then calls ovk_finalize_self()
 *                     before it ends. NULL: not wanted
 * @return OVK_ERR_STATE if MPI is finalized; OVK_ERR_MPI. The message is in ovk_ctx_error(NULL)
 */
OVK_API ovk_err ovk_init_self(bool *initialized);

/**
 * Finalize MPI, unless it is finalized or was never initialized. Collective.
 * Only a program for which ovk_init_self() initialized MPI should call this function.
 *
 * @return OVK_ERR_MPI
 */
OVK_API ovk_err ovk_finalize_self(void);

/**
 * Create a context of this process alone, as ovk_ctx_create() does over MPI_COMM_SELF. Not
 * collective.
 *
 * @param out  the new context, to be freed with ovk_ctx_destroy()
 * @return as ovk_ctx_create(): OVK_ERR_STATE if MPI is not initialized, ...
 */
OVK_API ovk_err ovk_ctx_create_self(ovk_ctx **out);

/** @return name and version of the MPI that the library was compiled with, such as
 * "Open MPI 4.1.4" or "MPICH 4.0.2"; "" for an unknown one. A program that has loaded another MPI
 * must not use the library. Not collective. */
OVK_API const char *ovk_mpi_library(void);

OVK_END_DECLS

#endif
