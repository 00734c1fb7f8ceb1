/* SPDX-License-Identifier: BSD-2-Clause */
/* This rank's end of a network of remote writes: an adapter, registered memory, and a queue pair to
 * each rank that something has to be written to. */
#ifndef OVK_ENGINE_VERBS_ENDPOINT_H
#define OVK_ENGINE_VERBS_ENDPOINT_H

#include "engine/verbs/fault.h"
#include "engine/verbs/slab.h"

#include <ovkrylov/spec.h>

/* The keys of an endpoint in specs, for a plug-in's list of keys:
 * - device: the adapter's name; "emulated": shared memory in its place. Default: the first adapter
 *   with an active port
 * - port, gid: of the adapter, see nic.h
 * - timeout_ms: how long this rank looks in vain for what others should bring; 0: for ever */
#define OVK__ENDPOINT_KEYS "device", "port", "gid", "timeout_ms", OVK__FAULT_KEYS

typedef struct ovk__endpoint ovk__endpoint;

enum { OVK__WHY_SIZE = 256 }; /* of a sentence about a failure */

/* The connection to a rank; made once and kept. */
typedef struct ovk__pair {
  int peer;
  ovk__queue *queue;
  bool connected;
  ovk__nic_address own, its; /* while it is connected, */
  MPI_Request requests[2];   /* that nothing has to be allocated then */
  uint64_t posted, done;     /* works; done: as far as completions tell */
  uint64_t signaled;         /* the last one whose completion will be told */
  uint64_t asked;            /* the last one that asked whether the peer is there */
} ovk__pair;

/* Opens the adapter that a spec asks for. Not collective; comm has the context's ranks and must
 * outlive the endpoint. */
ovk_err ovk__endpoint_open(ovk_ctx *ctx, MPI_Comm comm, const ovk_spec *spec, ovk__endpoint **out);
void ovk__endpoint_close(ovk__endpoint **endpoint);

const ovk__nic_limits *ovk__endpoint_limits(const ovk__endpoint *endpoint);

double ovk__endpoint_timeout(const ovk__endpoint *endpoint); /* seconds; 0: none */

/* A block of registered memory, see slab.h. */
ovk_err ovk__endpoint_take(ovk__endpoint *endpoint, size_t bytes, ovk__block *out);

/* A queue to `peer`, if there is none yet; not connected. Not collective. */
ovk_err ovk__endpoint_add(ovk__endpoint *endpoint, int peer);

/* Connects those of the peers that are not yet; all were added. Both ranks of a pair call it, with
 * the same tag. Errors are not agreed, but no rank hangs. Works may be posted once all ranks have
 * come out of it. */
ovk_err ovk__endpoint_connect(ovk__endpoint *endpoint, const int *peers, int npeers, int tag);

/* NULL if it was not added. */
ovk__pair *ovk__endpoint_pair(const ovk__endpoint *endpoint, int peer);

/* From here on, nothing blocks, and false means that the endpoint has failed. */

/* How many works have a place in the queue; looks for completions if these are fewer than wanted. 0
 * after a failure. */
int ovk__pair_room(ovk__endpoint *endpoint, ovk__pair *pair, int wanted);

/* Posts works, for which there is room; ids are dealt out here, and completions asked for as often
 * as it takes. The last one has the id pair->posted afterwards. */
bool ovk__pair_post(ovk__endpoint *endpoint, ovk__pair *pair, ovk__work *works, int n);

/* Looks for completions: brings pair->done up to date. */
bool ovk__pair_poll(ovk__endpoint *endpoint, ovk__pair *pair);

/* True once nothing that was posted is under way; asks for the completion if nothing does. */
bool ovk__pair_is_idle(ovk__endpoint *endpoint, ovk__pair *pair);

/* How long somebody has waited, and when he last asked; all zeros at the start. */
typedef struct ovk__patience {
  unsigned looks;
  double since, asked;
} ovk__patience;

/* Looks now and then, for somebody who waits for the peer of this pair in vain, whether it can
 * still be reached and whether his time is over. */
bool ovk__pair_watch(ovk__endpoint *endpoint, ovk__pair *pair, ovk__patience *patience);

/* The same for somebody who waits for something else, with a patience of his own: whether his time
 * is over. */
bool ovk__endpoint_watch(ovk__endpoint *endpoint, ovk__patience *patience);

/* The same for somebody who does not wait for this peer: whether it can still be reached. */
bool ovk__pair_look_after(ovk__endpoint *endpoint, ovk__pair *pair, ovk__patience *patience);

/* Is told why the endpoint fails, before connections are broken: so that peers can be told before
 * they notice. NULL: nobody is. */
typedef void ovk__alarm(void *arg, const char *why);
void ovk__endpoint_on_failure(ovk__endpoint *endpoint, ovk__alarm *alarm, void *arg);

/* Failed: no more works; all connections are broken, so that peers notice. `why` is kept from the
 * first time. */
void ovk__endpoint_fail(ovk__endpoint *endpoint, const char *format, ...) OVK_PRINTF(2, 3);
bool ovk__endpoint_failed(const ovk__endpoint *endpoint);
const char *ovk__endpoint_why(const ovk__endpoint *endpoint);

#endif
