/* SPDX-License-Identifier: BSD-2-Clause */
/* This rank's end of an RDMA network: a NIC, registered memory, and a queue pair to each rank
 * that it writes to. */
#ifndef OVK_COMM_NET_ENDPOINT_H
#define OVK_COMM_NET_ENDPOINT_H

#include "comm/net/fault.h"
#include "comm/net/registered_memory.h"

#include <ovkrylov/plugin/spec.h>

/* The options of an endpoint, rows for the table of a plug-in. The default device is the first one
 * with an active port; nic.h says more on port and gid. The default timeout is longer than
 * ranks take to write a file, and short enough that a hang is reported while a user is waiting. */
#define OVK__DEVICE_OPTIONS                                                                        \
  OVK_TEXT("device", "NAME|emulated", NULL, "RDMA device; emulated: shared memory in its place"),  \
      OVK_INTEGER("port", 1, 255, 0, "port of the device"),                                        \
      OVK_INTEGER("gid", 0, OVK__GID_MOST, -1, "index of the address of the port"),                \
      OVK_INTEGER("timeout_ms", 0, INT_MAX, 600000, "longest wait for other ranks; 0: no limit")
#define OVK__ENDPOINT_OPTIONS OVK__DEVICE_OPTIONS, OVK__FAULT_OPTIONS

typedef struct ovk__endpoint ovk__endpoint;

enum { OVK__WHY_SIZE = 256 }; /* size of the reason of a failure */

/* What the two ends of a connection tell each other in order to connect: plain bytes. */
typedef struct ovk__endpoint_address {
  ovk__nic_address queue;
  uint64_t listens; /* whether this end may sleep: then the other one's messages notify */
} ovk__endpoint_address;

/* The connection to a peer; created once and kept. */
typedef struct ovk__connection {
  int peer;
  ovk__queue *queue;
  bool connected, notifies;       /* messages to this peer end its sleep */
  ovk__endpoint_address own, its; /* for connecting, */
  MPI_Request requests[2];        /* so that nothing is allocated then */
  uint64_t posted, done; /* ids of the last posted work, and of the last one known to be complete */
  uint64_t signaled;     /* the last work posted as signaled */
  uint64_t probed;       /* the last probe of the peer */
} ovk__connection;

/* Opens the NIC that a spec asks for. Not collective. comm has the context's ranks and must
 * outlive the endpoint; MPI_COMM_NULL in a process without MPI, which does not call
 * ovk__endpoint_connect(). */
ovk_err ovk__endpoint_open(ovk_ctx *ctx, MPI_Comm comm, const ovk_spec *spec, ovk__endpoint **out);
void ovk__endpoint_close(ovk__endpoint **endpoint);

const ovk__nic_limits *ovk__endpoint_limits(const ovk__endpoint *endpoint);

double ovk__endpoint_timeout(const ovk__endpoint *endpoint); /* seconds; 0: none */

/* A block of registered memory, see registered_memory.h. */
ovk_err ovk__endpoint_take(ovk__endpoint *endpoint, size_t bytes, ovk__block *out);

/* Peers are ranks, and one more, with the number behind the last rank's: of a rank its remote
 * agent, of that agent its rank. To others an agent has its rank's number. */
int ovk__endpoint_agent_peer(const ovk__endpoint *endpoint);

/* From then on adding more than `most` connections is an error. Initially there is no limit. */
void ovk__endpoint_limit_connections(ovk__endpoint *endpoint, size_t most);

/* From then on registering more than `most` bytes in all is an error. Initially there is no limit.
 */
void ovk__endpoint_limit_memory(ovk__endpoint *endpoint, size_t most);

/* The bytes that are registered. */
size_t ovk__endpoint_memory(const ovk__endpoint *endpoint);

/* Adds a connection to `peer` if there is none; not connected yet. Not collective. */
ovk_err ovk__endpoint_add(ovk__endpoint *endpoint, int peer);

/* Connects the peers that are not connected yet; all have been added. Both ranks of a connection
 * call it with the same tag. Errors are not agreed, but no rank hangs. Works may be posted once all
 * ranks have returned from it. */
ovk_err ovk__endpoint_connect(ovk__endpoint *endpoint, const int *peers, int npeers, int tag);

/* The same without MPI: the address to be brought to the peer, and connecting to the peer's; does
 * nothing where that is done. Not collective. */
void ovk__connection_address(const ovk__endpoint *endpoint, const ovk__connection *connection,
                             ovk__endpoint_address *out);
ovk_err ovk__connection_connect(ovk__endpoint *endpoint, ovk__connection *connection,
                                const ovk__endpoint_address *its);

/* The connection to `peer`; NULL if it was not added. */
ovk__connection *ovk__endpoint_connection(const ovk__endpoint *endpoint, int peer);

/* For a thread that serves the endpoint and sleeps in between (src/comm/agent). From then on
 * whoever uses the endpoint is between enter and leave, which nest, and everything else here but
 * failed and why, sleep and wake is called there. Before any connection is added. Not collective.
 */
ovk_err ovk__endpoint_listen(ovk__endpoint *endpoint);
void ovk__endpoint_enter(ovk__endpoint *endpoint);
bool ovk__endpoint_try_enter(ovk__endpoint *endpoint); /* false: another thread is in there */
void ovk__endpoint_leave(ovk__endpoint *endpoint);

/* To sleep: arm, then look at everything once more, leave, and sleep. It lasts until something
 * arrives, or wake is called, since arm; if `expecting`, until the next check of peers is due at
 * most. */
void ovk__endpoint_arm(ovk__endpoint *endpoint);
void ovk__endpoint_sleep(ovk__endpoint *endpoint, bool expecting);
void ovk__endpoint_wake(ovk__endpoint *endpoint); /* from any thread */

/* The following do not block, and return false once the endpoint has failed. */

/* The number of free entries in the queue; polls for completions if fewer than `wanted`. 0 after a
 * failure. */
int ovk__connection_room(ovk__endpoint *endpoint, ovk__connection *connection, int wanted);

/* Posts works, for which there must be room. Their ids are assigned here, and completions requested
 * as often as needed. The last one has the id connection->posted afterwards. */
bool ovk__connection_post(ovk__endpoint *endpoint, ovk__connection *connection, ovk__work *works,
                          int n);

/* Polls for completions and updates connection->done. */
bool ovk__connection_poll(ovk__endpoint *endpoint, ovk__connection *connection);

/* True once no posted work is in flight; requests a completion if no work in flight has. */
bool ovk__connection_is_idle(ovk__endpoint *endpoint, ovk__connection *connection);

/* How long a wait has lasted, and when the peer was last probed; initially zero. */
typedef struct ovk__timer {
  unsigned polls;
  double since, probed;
} ovk__timer;

/* To be called while waiting for the peer of this connection, after each unsuccessful poll: checks
 * at intervals that the timeout has not passed and that the peer can still be reached. */
bool ovk__connection_check(ovk__endpoint *endpoint, ovk__connection *connection, ovk__timer *timer);

/* The same while waiting for something else, with a separate timer: the timeout only. */
bool ovk__endpoint_check_timeout(ovk__endpoint *endpoint, ovk__timer *timer);

/* The same while not waiting for this peer: only that it can still be reached. Each call reads the
 * clock and asks the NIC. */
bool ovk__connection_check_peer(ovk__endpoint *endpoint, ovk__connection *connection,
                                ovk__timer *timer);

/* Called when the endpoint fails, with the reason, before connections are broken, so that peers can
 * be notified before they detect it. NULL: none. */
typedef void ovk__alarm(void *arg, const char *why);
void ovk__endpoint_on_failure(ovk__endpoint *endpoint, ovk__alarm *alarm, void *arg);

/* Fails the endpoint: no more works are posted, and all connections are broken, so that peers
 * detect it. Only the first reason is kept. An endpoint that listens may be failed by its thread,
 * which cannot notify peers: it calls no alarm and breaks no connection; who finds it failed
 * notifies them and hangs up. These may be called at any time. */
void ovk__endpoint_fail(ovk__endpoint *endpoint, const char *format, ...) OVK_PRINTF(2, 3);
void ovk__endpoint_hang_up(ovk__endpoint *endpoint); /* breaks all connections */
bool ovk__endpoint_failed(const ovk__endpoint *endpoint);
const char *ovk__endpoint_why(const ovk__endpoint *endpoint);

#endif
