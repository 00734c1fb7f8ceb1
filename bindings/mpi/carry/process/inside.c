/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a call comes from the program, or from the library itself. */
#include "carry/process/process.h"

static CARRY_THREADS_OWN int inside; /* enters without a leave */
static bool ended; /* MPI_Finalize has begun, or this process is a child of fork() */

bool carry_is_inside(void)
{
  return inside > 0 || ended;
}

void carry_enter(void)
{
  inside++;
}

void carry_leave(void)
{
  inside--;
}

void carry_end(void)
{
  ended = true;
}

bool carry_has_ended(void)
{
  return ended;
}
