/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of `use mpi_f08` with MPICH, whose Fortran library begins operations by MPI_Iallreduce and
 * its like, but completes them by PMPI_Wait, which does not know the requests of this library. */
#define _GNU_SOURCE /* dladdr */
#include "carry/process/process.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether the library that an address is in has functions of `use mpi_f08`. */
static bool has_f08(const Dl_info *of)
{
  void *library = dlopen(of->dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  Dl_info found;
  if (!library) return false; /* the program itself */
  const void *wait = dlsym(library, "mpi_wait_f08_");
  const bool has = wait && dladdr(wait, &found) && found.dli_fbase == of->dli_fbase;
  dlclose(library);
  return has;
}

/* In that library only the functions of `mpif.h` and `use mpi` call MPI_Iallreduce directly. Others
 * do so by functions that are local to the library, and so have no name here. */
static bool judge_caller(const void *caller)
{
  Dl_info in;
  if (!dladdr(caller, &in) || !has_f08(&in)) return false;
  return !in.dli_sname || strstr(in.dli_sname, "f08") || strstr(in.dli_sname, "cdesc");
}

/* A judgment takes microseconds, so the table keeps it: twice the address, plus 1 if true. */
static bool is_f08(const void *caller)
{
  enum { CALLERS = 256 };
  static atomic_uintptr_t known[CALLERS];
  const uintptr_t at = (uintptr_t)caller;
  for (size_t k = 0; k < CALLERS; k++) {
    atomic_uintptr_t *entry = &known[(at + k) % CALLERS];
    uintptr_t is = atomic_load_explicit(entry, memory_order_relaxed);
    if (is == 0) {
      is = at << 1 | judge_caller(caller);
      atomic_store_explicit(entry, is, memory_order_relaxed);
    }
    if (is >> 1 == at) return is & 1;
  }
  return judge_caller(caller);
}

bool carry_is_left(carry_call call, const void *caller)
{
  if (carry_is_inside()) return true;
  if (!is_f08(caller)) return false;
  carry_note(call, CARRY_F08, 0, carry_now());
  return true;
}
