/* SPDX-License-Identifier: BSD-2-Clause */
/* Hierarchies of the machine: each rank finds its location, and the ranks gather the locations. */
#include "comm/engine/topology/topology.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/processors.h"

#include <stdlib.h>

static ovk_err split_by_node(ovk_ctx *ctx, MPI_Comm comm, MPI_Comm *node)
{
  OVK_TRY_MPI(ctx, MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node));
  return OVK_OK;
}

ovk_err ovk__topology_node_size(ovk_ctx *ctx, MPI_Comm comm, int *size)
{
  MPI_Comm node;
  OVK_TRY(split_by_node(ctx, comm, &node));
  OVK_TRY_MPI(ctx, MPI_Comm_size(node, size));
  OVK_TRY_MPI(ctx, MPI_Comm_free(&node));
  return OVK_OK;
}

ovk_err ovk__topology_node_processors(ovk_ctx *ctx, MPI_Comm comm, int *n)
{
  MPI_Comm node;
  OVK_TRY(split_by_node(ctx, comm, &node));
  OVK_TRY(ovk__processors(ctx, node, n));
  OVK_TRY_MPI(ctx, MPI_Comm_free(&node));
  return OVK_OK;
}

/* *color <- the lowest rank on this node with the same domain number. Domain numbers repeat on each
 * node; these colors do not. */
static ovk_err find_color(ovk_ctx *ctx, MPI_Comm node, int number, int *color)
{
  const int rank = ovk_ctx_rank(ctx);
  MPI_Comm domain;
  OVK_TRY_MPI(ctx, MPI_Comm_split(node, number, 0, &domain));
  OVK_TRY_MPI(ctx, MPI_Allreduce(&rank, color, 1, MPI_INT, MPI_MIN, domain));
  OVK_TRY_MPI(ctx, MPI_Comm_free(&domain));
  return OVK_OK;
}

/* colors[k * size + rank] <- the domain of each rank at grouping k; numbers[k]: the number of this
 * rank's domain on its node. */
static ovk_err gather_colors(ovk_ctx *ctx, MPI_Comm comm, const int *numbers, int n, int *colors)
{
  const size_t size = (size_t)ovk_ctx_size(ctx);
  MPI_Comm node;
  OVK_TRY(split_by_node(ctx, comm, &node));
  for (int k = 0; k < n; k++) {
    int color = 0;
    OVK_TRY(find_color(ctx, node, numbers[k], &color));
    OVK_TRY_MPI(ctx,
                MPI_Allgather(&color, 1, MPI_INT, colors + (size_t)k * size, 1, MPI_INT, comm));
  }
  OVK_TRY_MPI(ctx, MPI_Comm_free(&node));
  return OVK_OK;
}

/* The local part: allocates, and locates this rank. */
static ovk_err locate_rank(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms, int *numbers,
                           int **colors)
{
  bool inside = false; /* the spec requests groups inside nodes */
  for (int k = 0; k < algorithms->ngroupings; k++) {
    numbers[k] = 0;
    if (algorithms->grouping[k] != OVK__NODE) inside = true;
  }
  OVK_NEW_ARRAY(ctx, *colors, (size_t)algorithms->ngroupings * (size_t)ovk_ctx_size(ctx));
  if (!inside) return OVK_OK;
  return ovk__topology_locate(ctx, algorithms->grouping, algorithms->ngroupings, numbers);
}

ovk_err ovk__topology_hierarchy(ovk_ctx *ctx, MPI_Comm comm, const ovk__algorithm_spec *algorithms,
                                ovk__hierarchy *out)
{
  const int size = ovk_ctx_size(ctx), n = algorithms->ngroupings;
  if (algorithms->by_size || !n) return ovk__hierarchy_by_size(ctx, size, algorithms->size, n, out);
  *out = (ovk__hierarchy){0};
  int numbers[OVK__MAX_LEVELS], *colors = NULL;
  ovk_err err = ovk__agree(ctx, locate_rank(ctx, algorithms, numbers, &colors));
  if (!err) err = gather_colors(ctx, comm, numbers, n, colors);
  if (!err) err = ovk__hierarchy_by_color(ctx, size, colors, n, out);
  free(colors);
  return err;
}
