/* SPDX-License-Identifier: BSD-2-Clause */
/* Translates the errors of libibverbs to text and to error codes of this library. */
#include "comm/net/ibverbs/ibverbs.h"

#include <errno.h>

/* Not strerror(): its text may be overwritten by another thread. */
static const struct {
  int status;
  const char *text;
} texts[] = {
    {OVK__IBVERBS_GONE, "the RDMA device has failed or was removed"},
    {OVK__IBVERBS_LOST, "completions of RDMA work were lost"},
    {OVK__IBVERBS_HUNG_UP, "this side has hung up"},
    {IBV_WC_RETRY_EXC_ERR, "the peer does not answer (transport retry counter exceeded)"},
    {IBV_WC_WR_FLUSH_ERR, "the connection broke before (work flushed)"},
    {-EPERM, "not permitted"},
    {-EACCES, "no permission"},
    {-ENOENT, "there is no such thing"},
    {-ENODATA, "there is nothing"},
    {-EIO, "the device does not answer"},
    {-ENODEV, "the device is not there"},
    {-ENXIO, "the device is not there"},
    {-EBUSY, "the device is busy"},
    {-EAGAIN, "a resource is used up (if it is locked memory, see ulimit -l)"},
    {-ENOMEM, "no memory, or none that may be locked (see ulimit -l)"},
    {-ENOSPC, "the device has no room left"},
    {-EMFILE, "too many open files"},
    {-EFAULT, "an address without memory"},
    {-EINVAL, "the device does not accept these values"},
    {-ENOSYS, "the device or its driver cannot do this"},
    {-EOPNOTSUPP, "the device or its driver cannot do this"},
    {-ENETUNREACH, "the network cannot be reached"},
    {-EHOSTUNREACH, "no route to the peer"},
    {-ETIMEDOUT, "it took too long"},
};

const char *ovk__ibverbs_text(int status)
{
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    if (texts[k].status == status) return texts[k].text;
  }
  if (status < 0) return "the device or its driver failed";
  return ibv_wc_status_str((enum ibv_wc_status)status);
}

int ovk__ibverbs_errno(int returned)
{
  if (returned >= 0) return returned;
  return errno ? errno : EIO;
}

ovk_err ovk__ibverbs_code(int error)
{
  const bool is_short = error == ENOMEM || error == EAGAIN || error == EMFILE;
  return is_short ? OVK_ERR_MEMORY : OVK_ERR_NETWORK;
}
