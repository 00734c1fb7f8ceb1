/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows to send, packed into buffers. */
#include "core/context/mem.h"
#include "matrix/halo/halo_impl.h"

#include <stdlib.h>
#include <string.h>

ovk_err ovk__halo_buffer(ovk__halo *halo)
{
  free(halo->send_buffer);
  OVK_NEW_ARRAY(halo->ctx, halo->send_buffer, halo->nsend_rows * (size_t)halo->width);
  return OVK_OK;
}

void ovk__halo_pack(const ovk__halo *halo, ovk__halo_values x, size_t first, size_t count,
                    double *to)
{
  const size_t width = (size_t)halo->width;
  const ovk_lidx *rows = halo->send_rows + first;
  if (!x.vectors) {
    for (size_t k = 0; k < count; k++) {
      memcpy(to + k * width, x.block + (size_t)rows[k] * width, width * sizeof *to);
    }
    return;
  }
  for (size_t v = 0; v < width; v++) {
    for (size_t k = 0; k < count; k++) to[k * width + v] = x.vectors[v][rows[k]];
  }
}
