/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranks that this one may wait for in a sum: connected, and looked after while it waits. A rank
 * that has died is missed by those who wait for its addends; who waits for the home alone learns of
 * it when that one breaks its connections. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_COMPANY_H
#define OVK_BACKENDS_VERBS_ATOMIC_COMPANY_H

#include "engine/verbs/endpoint.h"

typedef struct ovk__companion {
  ovk__pair *pair;
  ovk__patience patience;
  uint64_t generation; /* that the patience is about */
} ovk__companion;

typedef struct ovk__company {
  ovk__endpoint *endpoint;
  int n, turn; /* whom to look after next */
  int *peers;
  ovk__companion *list;
} ovk__company;

/* Makes queues to `peers`, each there once. Not collective. Whatever happens, ovk__company_free()
 * is due. */
ovk_err ovk__company_make(ovk_ctx *ctx, ovk__endpoint *endpoint, const int *peers, int npeers,
                          ovk__company *out);
void ovk__company_free(ovk__company *company);

/* As ovk__endpoint_connect(): a rank is in the company of those who are in its own. */
ovk_err ovk__company_connect(ovk__company *company, int tag);

/* For somebody who waits in vain; false once the endpoint has failed. */
bool ovk__company_watch(ovk__company *company, uint64_t generation);

#endif
