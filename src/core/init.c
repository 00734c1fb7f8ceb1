/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI for programs that make no MPI calls. It is apart from ctx.c, as contexts never initialize or
 * finalize MPI. */
#include "core/context/ctx_impl.h"

#include <ovkrylov/init.h>

#define TEXT(x) #x
#define VERSION(major, minor, release) TEXT(major) "." TEXT(minor) "." TEXT(release)

ovk_err ovk_init_self(bool *initialized)
{
  int before = 0, provided = MPI_THREAD_SINGLE;
  if (initialized) *initialized = false;
  MPI_Initialized(&before);
  if (before) return ovk__mpi_is_over() ? OVK_ERR_STATE : OVK_OK;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
    return OVK_ERR_MPI;
  if (initialized) *initialized = true;
  return OVK_OK;
}

ovk_err ovk_finalize_self(void)
{
  int before = 0;
  MPI_Initialized(&before);
  if (!before || ovk__mpi_is_over()) return OVK_OK;
  return MPI_Finalize() == MPI_SUCCESS ? OVK_OK : OVK_ERR_MPI;
}

ovk_err ovk_ctx_create_self(ovk_ctx **out)
{
  return ovk_ctx_create(MPI_COMM_SELF, out);
}

const char *ovk_mpi_library(void)
{
#if defined OPEN_MPI
  return "Open MPI " VERSION(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#elif defined MPICH_VERSION
  return "MPICH " MPICH_VERSION;
#else
  return "";
#endif
}
