/* SPDX-License-Identifier: BSD-2-Clause */
/* Lends the buffers of an operation to the NIC of an endpoint. */
#include "comm/net/endpoint_impl.h"

static ovk_err lend(ovk__endpoint *e, void *start, size_t bytes, bool written, ovk__region *out)
{
  if (bytes == 0) return OVK_OK;
  return e->ops->lend(e->ctx, e->nic, start, bytes, written, out);
}

ovk_err ovk__endpoint_lend(ovk__endpoint *endpoint, const void *input, size_t input_bytes,
                           void *output, size_t output_bytes, ovk__lent *out)
{
  *out = (ovk__lent){0};
  ovk_err err = lend(endpoint, (void *)input, input_bytes, false, &out->input); /* only read from */
  if (!err) err = lend(endpoint, output, output_bytes, true, &out->output);
  if (err) ovk__endpoint_return_lent(endpoint, out);
  return err;
}

void ovk__endpoint_return_lent(ovk__endpoint *endpoint, ovk__lent *lent)
{
  if (lent->input.handle) endpoint->ops->return_lent(endpoint->nic, &lent->input);
  if (lent->output.handle) endpoint->ops->return_lent(endpoint->nic, &lent->output);
}
