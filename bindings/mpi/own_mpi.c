/* SPDX-License-Identifier: BSD-2-Clause */
#include "own_mpi.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPEN_MPI
static const bool MADE_FOR_OPEN_MPI = true;
#else
static const bool MADE_FOR_OPEN_MPI = false;
#endif

void own_mpi_require(const char *library)
{
  /* The text may be longer than MPI_MAX_LIBRARY_VERSION_STRING of this MPI: 8192 is the greatest.
   * */
  char version[2 * 8192] = "";
  int length;
  if (PMPI_Get_library_version(version, &length)) return;
  if ((strstr(version, "Open MPI") != NULL) == MADE_FOR_OPEN_MPI) return;
  version[strcspn(version, ",\n")] = '\0';
  fprintf(stderr, "%s: made for %s, but the program uses %s\n", library,
          MADE_FOR_OPEN_MPI ? "Open MPI" : "another MPI", version);
  exit(2);
}
