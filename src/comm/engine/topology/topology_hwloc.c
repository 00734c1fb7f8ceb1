/* SPDX-License-Identifier: BSD-2-Clause */
/* The topology of this node, from hwloc. */
#include "comm/engine/topology/topology.h"

#include <hwloc.h>

static ovk_err load(ovk_ctx *ctx, hwloc_topology_t *out)
{
  OVK_CHECK(hwloc_topology_init(out) == 0, ctx, OVK_ERR_MEMORY, "no memory for hwloc");
  /* the whole machine: ranks with different allowed sets would number domains differently */
  hwloc_topology_set_flags(*out, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(*out) == 0) return OVK_OK;
  hwloc_topology_destroy(*out);
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED, "hwloc cannot read the topology of this machine");
}

/* The number of the first domain that contains all of `where`; -1: none does. */
static int find_domain(hwloc_topology_t machine, hwloc_obj_type_t type, hwloc_const_cpuset_t where)
{
  if (hwloc_bitmap_iszero(where)) return -1;
  hwloc_obj_t domain = NULL;
  while ((domain = hwloc_get_next_obj_by_type(machine, type, domain))) {
    if (hwloc_bitmap_isincluded(where, domain->cpuset)) return (int)domain->logical_index;
  }
  return -1;
}

/* `where` is scratch space. */
static ovk_err locate(ovk_ctx *ctx, hwloc_topology_t machine, ovk__grouping grouping,
                      hwloc_cpuset_t where, int *number)
{
  const bool socket = grouping == OVK__SOCKET;
  const hwloc_obj_type_t type = socket ? HWLOC_OBJ_PACKAGE : HWLOC_OBJ_NUMANODE;
  *number = 0;
  if (grouping == OVK__NODE || hwloc_get_nbobjs_by_type(machine, type) < 2) return OVK_OK;
  hwloc_bitmap_zero(where);
  hwloc_get_cpubind(machine, where, HWLOC_CPUBIND_THREAD); /* stays empty on failure */
  *number = find_domain(machine, type, where);
  if (*number >= 0) return OVK_OK;
  hwloc_bitmap_zero(where);
  hwloc_get_last_cpu_location(machine, where, HWLOC_CPUBIND_THREAD);
  *number = find_domain(machine, type, where);
  OVK_CHECK(*number >= 0, ctx, OVK_ERR_UNSUPPORTED,
            "hwloc does not report on which %s rank %d runs", socket ? "socket" : "NUMA domain",
            ovk_ctx_rank(ctx));
  return OVK_OK;
}

ovk_err ovk__topology_locate(ovk_ctx *ctx, const ovk__grouping *groupings, int n, int *numbers)
{
  hwloc_topology_t machine;
  OVK_TRY(load(ctx, &machine));
  hwloc_cpuset_t where = hwloc_bitmap_alloc();
  ovk_err err = where ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for hwloc");
  for (int k = 0; k < n && !err; k++) err = locate(ctx, machine, groupings[k], where, &numbers[k]);
  hwloc_bitmap_free(where);
  hwloc_topology_destroy(machine);
  return err;
}

static ovk_err pin(ovk_ctx *ctx, hwloc_topology_t machine, int core)
{
  char cores[256];
  const hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(machine);
  hwloc_bitmap_list_snprintf(cores, sizeof cores, allowed);
  OVK_CHECK(core >= 0 && hwloc_bitmap_isset(allowed, (unsigned)core), ctx, OVK_ERR_ARG,
            "rank %d cannot use core %d: there are %s", ovk_ctx_rank(ctx), core, cores);
  const hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(machine, (unsigned)core);
  OVK_CHECK(hwloc_set_cpubind(machine, unit->cpuset, HWLOC_CPUBIND_THREAD) == 0, ctx,
            OVK_ERR_UNSUPPORTED, "the system does not bind a thread of rank %d to core %d",
            ovk_ctx_rank(ctx), core);
  return OVK_OK;
}

ovk_err ovk__pin_thread(ovk_ctx *ctx, int core)
{
  hwloc_topology_t machine;
  OVK_TRY(load(ctx, &machine));
  const ovk_err err = pin(ctx, machine, core);
  hwloc_topology_destroy(machine);
  return err;
}
