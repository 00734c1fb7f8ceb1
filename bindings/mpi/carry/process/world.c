/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of a communicator that need no message. Processes that were spawned or connected may
 * run without this library, so a message to them would match a call of the program. All ranks get
 * the same answer, as each has processes of another world in such a communicator. */
#include "carry/process/process.h"

#include <stdatomic.h>

bool carry_has_world(void)
{
  int begun = 0, over = 1;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&over);
  return begun && !over;
}

bool carry_is_threaded(void)
{
  enum { UNKNOWN = -1 };
  static atomic_int provided = UNKNOWN;
  int level = atomic_load_explicit(&provided, memory_order_relaxed);
  if (level == UNKNOWN) {
    if (!carry_has_world()) return true; /* it is not known yet */
    PMPI_Query_thread(&level);
    atomic_store_explicit(&provided, level, memory_order_relaxed);
  }
  return level == MPI_THREAD_MULTIPLE;
}

/* Whether all ranks of a group are in MPI_COMM_WORLD. */
static bool is_of_world(MPI_Group group, int size)
{
  enum { FEW = 64 };
  int ranks[FEW], found[FEW];
  MPI_Group world;
  bool all = true;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int from = 0; from < size && all; from += FEW) {
    const int n = size - from < FEW ? size - from : FEW;
    for (int k = 0; k < n; k++) ranks[k] = from + k;
    PMPI_Group_translate_ranks(group, n, ranks, world, found);
    for (int k = 0; k < n; k++) all = all && found[k] != MPI_UNDEFINED;
  }
  PMPI_Group_free(&world);
  return all;
}

int carry_most_tag(void)
{
  enum { AT_LEAST = 32767 };
  int *most = NULL, flag = 0;
  const bool known = !PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag) && flag;
  return known ? *most : AT_LEAST;
}

carry_reason carry_judge_comm(MPI_Comm comm)
{
  int between = 0, size = 0;
  MPI_Group group;
  if (PMPI_Comm_test_inter(comm, &between)) return CARRY_NO_COMM;
  if (between) return CARRY_INTER;
  PMPI_Comm_size(comm, &size);
  if (size == 1) return CARRY_ONE_RANK;
  PMPI_Comm_group(comm, &group);
  const bool own = is_of_world(group, size);
  PMPI_Group_free(&group);
  return own ? CARRY_CARRIED : CARRY_WORLDS;
}
