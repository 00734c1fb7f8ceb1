/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes of a set of ranks. */
#include "carry/nodes/nodes.h"
#include "carry/nodes/receive.h"
#include "carry/process/process.h"

#include <stdlib.h>

bool carry_nodes_agree(MPI_Comm comm, bool here)
{
  int all = here;
  return !PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm) && all;
}

static int *ints(int n)
{
  return malloc((size_t)n * sizeof(int));
}

/* The communicators and the memory. */
static bool nodes_make(MPI_Comm comm, carry_nodes *s)
{
  if (PMPI_Comm_split(comm, 0, 0, &s->all)) return false; /* without attributes */
  PMPI_Comm_set_errhandler(s->all, MPI_ERRORS_RETURN);
  if (PMPI_Comm_split_type(s->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &s->inside)) {
    return false;
  }
  PMPI_Comm_set_errhandler(s->inside, MPI_ERRORS_RETURN);
  if (PMPI_Comm_split(comm, 0, 0, &s->begun)) return false;
  PMPI_Comm_set_errhandler(s->begun, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(s->all, &s->rank);
  PMPI_Comm_size(s->all, &s->size);
  s->node = ints(s->size);
  s->place = ints(s->size);
  s->leader = ints(s->size);
  s->early = ints(s->size);
  s->apart = malloc((size_t)s->size * sizeof *s->apart);
  return s->node && s->place && s->leader && s->early && s->apart;
}

/* Ranks of the node with fewest. */
static int count_fewest(const carry_nodes *s)
{
  int fewest = s->size;
  for (int node = 0; node < s->n; node++) {
    int ranks = 0;
    for (int rank = 0; rank < s->size; rank++) ranks += s->node[rank] == node;
    if (ranks < fewest) fewest = ranks;
  }
  return fewest;
}

/* Numbers the nodes. */
static bool nodes_number(carry_nodes *s)
{
  int place, lowest = s->rank;
  PMPI_Comm_rank(s->inside, &place);
  if (PMPI_Bcast(&lowest, 1, MPI_INT, 0, s->inside)) return false;
  if (PMPI_Allgather(&place, 1, MPI_INT, s->place, 1, MPI_INT, s->all)) return false;
  if (PMPI_Allgather(&lowest, 1, MPI_INT, s->node, 1, MPI_INT, s->all)) return false;
  for (int rank = 0; rank < s->size; rank++) {
    s->early[rank] = -1;
    if (s->node[rank] == rank) s->leader[s->n++] = rank;
    if (s->place[rank] >= s->largest) s->largest = s->place[rank] + 1;
  }
  for (int rank = s->size - 1; rank >= 0; rank--) {
    int node = 0;
    while (s->leader[node] != s->node[rank]) node++;
    s->node[rank] = node;
  }
  s->fewest = count_fewest(s);
  s->most_tag = carry_most_tag();
  return true;
}

carry_nodes *carry_nodes_new(MPI_Comm comm)
{
  carry_nodes *s = calloc(1, sizeof *s);
  if (!carry_nodes_agree(comm, s != NULL)) {
    free(s);
    return NULL;
  }
  s->all = s->inside = s->begun = MPI_COMM_NULL;
  if (!carry_nodes_agree(comm, nodes_make(comm, s)) || !carry_nodes_agree(comm, nodes_number(s))) {
    carry_nodes_free(&s);
  }
  return s;
}

void carry_nodes_free(carry_nodes **nodes)
{
  carry_nodes *s = *nodes;
  if (!s) return;
  if (s->inside != MPI_COMM_NULL) PMPI_Comm_free(&s->inside);
  if (s->begun != MPI_COMM_NULL) PMPI_Comm_free(&s->begun);
  if (s->all != MPI_COMM_NULL) PMPI_Comm_free(&s->all);
  carry_receive_forget(s);
  free(s->node);
  free(s->place);
  free(s->leader);
  free(s->early);
  free(s->apart);
  free(s);
  *nodes = NULL;
}
