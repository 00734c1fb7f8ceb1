/* SPDX-License-Identifier: BSD-2-Clause */
/* Connecting and looking after several ranks. */
#include "backends/verbs/atomic/company.h"
#include "core/mem.h"

#include <stdlib.h>

ovk_err ovk__company_make(ovk_ctx *ctx, ovk__endpoint *endpoint, const int *peers, int npeers,
                          ovk__company *out)
{
  *out = (ovk__company){.endpoint = endpoint, .n = npeers};
  OVK_NEW_ARRAY(ctx, out->peers, npeers);
  OVK_NEW_ZEROS(ctx, out->list, npeers);
  for (int k = 0; k < npeers; k++) {
    out->peers[k] = peers[k];
    OVK_TRY(ovk__endpoint_add(endpoint, peers[k]));
    out->list[k].pair = ovk__endpoint_pair(endpoint, peers[k]);
  }
  return OVK_OK;
}

void ovk__company_free(ovk__company *company)
{
  free(company->peers);
  free(company->list);
}

ovk_err ovk__company_connect(ovk__company *company, int tag)
{
  return ovk__endpoint_connect(company->endpoint, company->peers, company->n, tag);
}

/* One after the other, each at its own pace. */
bool ovk__company_watch(ovk__company *company, uint64_t generation)
{
  ovk__companion *c = &company->list[company->turn];
  company->turn = (company->turn + 1) % company->n;
  if (c->generation != generation) c->patience = (ovk__patience){0};
  c->generation = generation;
  return ovk__pair_watch(company->endpoint, c->pair, &c->patience);
}
