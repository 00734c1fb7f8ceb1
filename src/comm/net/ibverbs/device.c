/* SPDX-License-Identifier: BSD-2-Clause */
/* Selects the device, its port and its address. Machines differ, so an error message lists the
 * devices that exist. */
#include "comm/net/ibverbs/ibverbs.h"
#include "core/base/did_you_mean.h"
#include "core/context/mem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reasons why the tested devices cannot be used. */
typedef struct ovk__objections {
  char text[512];
  size_t used;
} objections;

OVK_PRINTF(2, 3) static void object(objections *o, const char *format, ...)
{
  if (o->used) o->used += (size_t)snprintf(o->text + o->used, sizeof o->text - o->used, "; ");
  if (o->used >= sizeof o->text) o->used = sizeof o->text - 1;
  va_list values;
  va_start(values, format);
  const int n = vsnprintf(o->text + o->used, sizeof o->text - o->used, format, values);
  va_end(values);
  if (n > 0) o->used += (size_t)n;
  if (o->used >= sizeof o->text) o->used = sizeof o->text - 1;
}

/* Selects the port if it is active; returns whether it is. */
static bool take_port(ovk__nic *nic, int port)
{
  struct ibv_port_attr attr;
  if (ibv_query_port(nic->context, (uint8_t)port, &attr) != 0) return false;
  if (attr.state != IBV_PORT_ACTIVE) return false;
  nic->port = (uint8_t)port;
  nic->link_layer = attr.link_layer;
  nic->mtu = (uint8_t)attr.active_mtu;
  nic->lid = attr.lid;
  nic->limits.work_most = attr.max_msg_sz;
  return true;
}

/* Selects port `wanted`, or the first active one if that is 0. */
static ovk_err find_port(ovk__nic *nic, int wanted, objections *o)
{
  struct ibv_device_attr attr;
  const char *name = ibv_get_device_name(nic->context->device);
  const int error = ovk__ibverbs_errno(ibv_query_device(nic->context, &attr));
  if (error) {
    object(o, "%s cannot be queried: %s", name, ovk__ibverbs_text(-error));
    return OVK_ERR_UNSUPPORTED;
  }
  for (int port = 1; port <= attr.phys_port_cnt; port++) {
    if ((!wanted || port == wanted) && take_port(nic, port)) return OVK_OK;
  }
  if (!wanted) {
    object(o, "%s has no active port", name);
  } else if (wanted < 0 || wanted > attr.phys_port_cnt) {
    object(o, "port=%d: the ports of %s are 1 to %d", wanted, name, attr.phys_port_cnt);
    return OVK_ERR_ARG;
  } else {
    object(o, "port=%d: that port of %s is not active", wanted, name);
  }
  return OVK_ERR_UNSUPPORTED;
}

/* Opens a device if it has such a port. Otherwise adds to the reasons. */
static ovk_err try_device(struct ibv_device *device, int port, ovk__nic *nic, objections *o)
{
  if (device->transport_type != IBV_TRANSPORT_IB) {
    object(o, "%s is neither InfiniBand nor RoCE", ibv_get_device_name(device));
    return OVK_ERR_UNSUPPORTED;
  }
  nic->context = ibv_open_device(device);
  if (!nic->context) {
    object(o, "%s cannot be opened: %s", ibv_get_device_name(device), ovk__ibverbs_text(-errno));
    return OVK_ERR_UNSUPPORTED;
  }
  const ovk_err err = find_port(nic, port, o);
  if (!err) return OVK_OK;
  ibv_close_device(nic->context);
  nic->context = NULL;
  return err;
}

static ovk_err refuse_name(ovk_ctx *ctx, const char *name, struct ibv_device **devices, int n)
{
  char hint[OVK__HINT_SIZE];
  const char **names;
  OVK_NEW_ARRAY(ctx, names, n);
  for (int k = 0; k < n; k++) names[k] = ibv_get_device_name(devices[k]);
  ovk__hint(hint, name, names, n, "there are");
  free(names);
  return OVK_FAIL(ctx, OVK_ERR_ARG, "no RDMA device '%s'%s", name, hint);
}

static ovk_err choose_device(ovk_ctx *ctx, const ovk__nic_choice *choice,
                             struct ibv_device **devices, int n, ovk__nic *nic)
{
  objections o = {.used = 0};
  ovk_err err = OVK_OK;
  int tried = 0;
  for (int k = 0; k < n; k++) {
    if (choice->device && strcmp(choice->device, ibv_get_device_name(devices[k])) != 0) continue;
    err = try_device(devices[k], choice->port, nic, &o);
    if (!err) return OVK_OK;
    tried++;
  }
  if (!tried) return refuse_name(ctx, choice->device, devices, n);
  return OVK_FAIL(ctx, tried == 1 ? err : OVK_ERR_UNSUPPORTED, "no RDMA device can be used: %s",
                  o.text);
}

ovk_err ovk__ibverbs_open_device(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic *nic)
{
  int n = 0;
  /* Without this call, on kernels before 5.12, the program and the NIC would use different pages
   * after a fork() (system(), popen()). The call fails if the MPI library has registered memory
   * before; that is ignored. */
  (void)ibv_fork_init();
  struct ibv_device **devices = ibv_get_device_list(&n);
  ovk_err err;
  if (!devices || n == 0) {
    err = OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED, "no RDMA device on this machine");
  } else {
    err = choose_device(ctx, choice, devices, n, nic);
  }
  if (devices) ibv_free_device_list(devices);
  return err;
}

/* Rates an address. The best is RoCE v2 over IPv4, which any IPv4 network transports without
 * configuration. The last resort is RoCE v1, over Ethernet only. 0: not usable. */
static int rate(const struct ibv_gid_entry *entry)
{
  static const uint8_t ipv4[12] = {[10] = 0xff, [11] = 0xff}; /* prefix of an IPv4-mapped address */
  if (entry->gid_type != IBV_GID_TYPE_ROCE_V2) return 1;
  return memcmp(entry->gid.raw, ipv4, sizeof ipv4) == 0 ? 3 : 2;
}

static ovk_err find_gid(ovk_ctx *ctx, int entries, ovk__nic *nic)
{
  int best = 0;
  for (int k = 0; k < entries && k <= OVK__GID_MOST && best < 3; k++) {
    struct ibv_gid_entry entry;
    if (ibv_query_gid_ex(nic->context, nic->port, (uint32_t)k, &entry, 0) != 0) continue;
    if (rate(&entry) <= best) continue;
    best = rate(&entry);
    nic->gid_index = k;
    nic->gid = entry.gid;
  }
  OVK_CHECK(best, ctx, OVK_ERR_UNSUPPORTED,
            "port %d of %s has no address: its network device needs one", nic->port,
            ibv_get_device_name(nic->context->device));
  return OVK_OK;
}

ovk_err ovk__ibverbs_choose_gid(ovk_ctx *ctx, int wanted, ovk__nic *nic)
{
  const char *name = ibv_get_device_name(nic->context->device);
  struct ibv_port_attr attr;
  struct ibv_gid_entry entry;
  int error = ovk__ibverbs_errno(ibv_query_port(nic->context, nic->port, &attr));
  OVK_CHECK(!error, ctx, OVK_ERR_UNSUPPORTED, "port %d of %s cannot be queried: %s", nic->port,
            name, ovk__ibverbs_text(-error));
  OVK_CHECK(wanted < attr.gid_tbl_len, ctx, OVK_ERR_ARG,
            "gid=%d: port %d of %s has room for %d addresses, 0 to %d", wanted, nic->port, name,
            attr.gid_tbl_len, attr.gid_tbl_len - 1);
  nic->global = wanted >= 0 || attr.link_layer == IBV_LINK_LAYER_ETHERNET || attr.lid == 0;
  if (wanted < 0 && attr.link_layer == IBV_LINK_LAYER_ETHERNET) {
    return find_gid(ctx, attr.gid_tbl_len, nic);
  }
  nic->gid_index = wanted < 0 ? 0 : wanted;
  error = ovk__ibverbs_errno(
      ibv_query_gid_ex(nic->context, nic->port, (uint32_t)nic->gid_index, &entry, 0));
  if (error && !nic->global) return OVK_OK;
  OVK_CHECK(!error, ctx, OVK_ERR_ARG, "gid=%d: that address of port %d of %s is not in use: %s",
            nic->gid_index, nic->port, name, ovk__ibverbs_text(-error));
  nic->gid = entry.gid;
  return OVK_OK;
}
