/* SPDX-License-Identifier: BSD-2-Clause */
/* Support for a thread that serves an endpoint: mutual exclusion and sleep. */
#include "comm/net/endpoint_impl.h"

ovk_err ovk__endpoint_listen(ovk__endpoint *endpoint)
{
  OVK_TRY(endpoint->ops->listen(endpoint->ctx, endpoint->nic));
  endpoint->listens = true;
  return OVK_OK;
}

void ovk__endpoint_enter(ovk__endpoint *endpoint)
{
  pthread_mutex_lock(&endpoint->mutex);
}

bool ovk__endpoint_try_enter(ovk__endpoint *endpoint)
{
  return pthread_mutex_trylock(&endpoint->mutex) == 0;
}

void ovk__endpoint_leave(ovk__endpoint *endpoint)
{
  pthread_mutex_unlock(&endpoint->mutex);
}

void ovk__endpoint_arm(ovk__endpoint *endpoint)
{
  endpoint->ops->arm(endpoint->nic);
}

void ovk__endpoint_sleep(ovk__endpoint *endpoint, bool expecting)
{
  const int until_probe = 1 + (int)(1000 * endpoint->probe_interval);
  endpoint->ops->sleep(endpoint->nic, expecting ? until_probe : -1);
}

void ovk__endpoint_wake(ovk__endpoint *endpoint)
{
  endpoint->ops->wake(endpoint->nic);
}
