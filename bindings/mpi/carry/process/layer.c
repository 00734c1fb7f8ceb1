/* SPDX-License-Identifier: BSD-2-Clause */
/* Other profiling layers. If one in front has MPI_Wait and calls PMPI_Wait, requests do not reach
 * this library, and its operations would never be complete for the program. One after it starts in
 * MPI_Init, so it must get that call. */
#define _GNU_SOURCE /* RTLD_DEFAULT, RTLD_NEXT, dladdr */
#include "carry/process/process.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef struct call_name {
  const char *name, *of_mpi;
} call_name;

#define C_CALL(name)                                                                               \
  {                                                                                                \
    "MPI_" name, "PMPI_" name                                                                      \
  }
#define FORTRAN_CALL(name)                                                                         \
  {                                                                                                \
    "mpi_" name "_", "pmpi_" name "_"                                                              \
  }

static const call_name calls[] = {
    C_CALL("Wait"),           C_CALL("Waitall"),
    C_CALL("Waitany"),        C_CALL("Waitsome"),
    C_CALL("Test"),           C_CALL("Testall"),
    C_CALL("Testany"),        C_CALL("Testsome"),
    C_CALL("Start"),          C_CALL("Startall"),
    C_CALL("Request_free"),   C_CALL("Request_get_status"),
    FORTRAN_CALL("wait"),     FORTRAN_CALL("waitall"),
    FORTRAN_CALL("waitany"),  FORTRAN_CALL("waitsome"),
    FORTRAN_CALL("test"),     FORTRAN_CALL("testall"),
    FORTRAN_CALL("testany"),  FORTRAN_CALL("testsome"),
    FORTRAN_CALL("startall"), FORTRAN_CALL("request_get_status"),
};
enum { CALLS = sizeof calls / sizeof *calls };

/* The start of the library that an address is in. */
static const void *library_of(const void *address)
{
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : NULL;
}

bool carry_completes_requests(void)
{
  const void *own = library_of(&calls);
  for (int k = 0; k < CALLS; k++) {
    const void *called = library_of(dlsym(RTLD_DEFAULT, calls[k].name));
    const void *mpi = library_of(dlsym(RTLD_DEFAULT, calls[k].of_mpi));
    if (called && called != own && called != mpi) return false;
  }
  return true;
}

carry_function *carry_next(const char *name, carry_function *of_mpi)
{
  void *found = dlsym(RTLD_NEXT, name);
  if (found) memcpy(&of_mpi, &found, sizeof of_mpi);
  return of_mpi;
}
