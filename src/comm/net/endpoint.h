/* SPDX-License-Identifier: BSD-2-Clause */
/* The endpoint of this rank in an RDMA network: a NIC, registered memory, and a queue pair for each
 * rank to which it writes. */
#ifndef OVK_COMM_NET_ENDPOINT_H
#define OVK_COMM_NET_ENDPOINT_H

#include "comm/net/fault.h"
#include "comm/net/registered_memory.h"

#include <ovkrylov/plugin/spec.h>

/* The options of an endpoint, as rows for the table of a plug-in. The default device is the first
 * one with an active port; nic.h describes port and gid. The default timeout is longer than a
 * typical write of a file, and short enough that a hang is reported while a user waits. */
#define OVK__DEVICE_OPTIONS                                                                        \
  OVK_TEXT("device", "NAME|emulated", NULL, "RDMA device; emulated: shared memory in its place"),  \
      OVK_INTEGER("port", 1, 255, 0, "port of the device"),                                        \
      OVK_INTEGER("gid", 0, OVK__GID_MOST, -1, "index of the address of the port"),                \
      OVK_REAL("rate", 0, 1e6, 0, "Gbit/s at which device=emulated reads; 0: no limit"),           \
      OVK_INTEGER("timeout_ms", 0, INT_MAX, 600000, "longest wait for other ranks; 0: no limit")
#define OVK__ENDPOINT_OPTIONS OVK__DEVICE_OPTIONS, OVK__FAULT_OPTIONS

typedef struct ovk__endpoint ovk__endpoint;

enum { OVK__WHY_SIZE = 256 }; /* size of the reason of a failure */

/* The plain bytes that both ends of a connection exchange in order to connect. */
typedef struct ovk__endpoint_address {
  ovk__nic_address queue;
  uint64_t listens; /* whether this end may sleep: then messages of the other end notify it */
} ovk__endpoint_address;

/* The connection to a peer; created once and kept. */
typedef struct ovk__connection {
  int peer;
  ovk__queue *queue;
  bool connected, notifies;       /* messages to this peer end its sleep */
  ovk__endpoint_address own, its; /* for connecting, */
  MPI_Request requests[2];        /* allocated in advance */
  uint64_t posted, done;          /* ids of the last posted work and of the last complete one */
  uint64_t signaled;              /* the last work posted as signaled */
  uint64_t probed;                /* the last probe of the peer */
} ovk__connection;

/* Open the NIC that a spec names. Not collective. comm has the ranks of the context and must
 * outlive the endpoint. It is MPI_COMM_NULL in a process without MPI, which does not call
 * ovk__endpoint_connect(). */
ovk_err ovk__endpoint_open(ovk_ctx *ctx, MPI_Comm comm, const ovk_spec *spec, ovk__endpoint **out);
void ovk__endpoint_close(ovk__endpoint **endpoint);

const ovk__nic_limits *ovk__endpoint_limits(const ovk__endpoint *endpoint);

double ovk__endpoint_timeout(const ovk__endpoint *endpoint); /* seconds; 0: none */

/* A block of registered memory, see registered_memory.h. */
ovk_err ovk__endpoint_take(ovk__endpoint *endpoint, size_t bytes, ovk__block *out);

/* The buffers of an operation, lent to the NIC: peers read the input, and reads write the output.
 */
typedef struct ovk__lent {
  ovk__region input, output; /* without a handle: none */
} ovk__lent;

/* Lend both buffers; those of 0 bytes need not be. After an error neither is lent. return_lent ends
 * it, and may be called without any lent buffers. No work may be in flight, unless the endpoint has
 * failed. */
ovk_err ovk__endpoint_lend(ovk__endpoint *endpoint, const void *input, size_t input_bytes,
                           void *output, size_t output_bytes, ovk__lent *out);
void ovk__endpoint_return_lent(ovk__endpoint *endpoint, ovk__lent *lent);

/* Peers are ranks, and one more with the number of ranks as its number: on a rank its remote agent,
 * on that agent its rank. Other processes address an agent by the number of its rank. */
int ovk__endpoint_agent_peer(const ovk__endpoint *endpoint);

/* From now on adding more than `most` connections is an error. Initially there is no limit. */
void ovk__endpoint_limit_connections(ovk__endpoint *endpoint, size_t most);

/* From now on registering more than `most` bytes in all is an error. Initially there is no limit.
 */
void ovk__endpoint_limit_memory(ovk__endpoint *endpoint, size_t most);

/* The bytes that are registered. */
size_t ovk__endpoint_memory(const ovk__endpoint *endpoint);

/* Adds a connection to `peer` if there is none; not connected yet. Not collective. */
ovk_err ovk__endpoint_add(ovk__endpoint *endpoint, int peer);

/* Connect the peers that are not connected yet; all of them have been added. Both ranks of a
 * connection pass the same tag. Errors are not agreed, but no rank hangs. Works may be posted after
 * all ranks have returned. */
ovk_err ovk__endpoint_connect(ovk__endpoint *endpoint, const int *peers, int npeers, int tag);

/* The same without MPI: get the address for the peer, and connect to the address of the peer. Does
 * nothing if the connection exists. Not collective. */
void ovk__connection_address(const ovk__endpoint *endpoint, const ovk__connection *connection,
                             ovk__endpoint_address *out);
ovk_err ovk__connection_connect(ovk__endpoint *endpoint, ovk__connection *connection,
                                const ovk__endpoint_address *its);

/* The connection to `peer`; NULL if it was not added. */
ovk__connection *ovk__endpoint_connection(const ovk__endpoint *endpoint, int peer);

/* For a thread that serves the endpoint and sleeps (src/comm/agent). After listen, each user of the
 * endpoint calls enter before and leave after its calls; both nest. Only failed, why, sleep and
 * wake may be called outside. To be called before any connection is added. Not collective. */
ovk_err ovk__endpoint_listen(ovk__endpoint *endpoint);
void ovk__endpoint_enter(ovk__endpoint *endpoint);
bool ovk__endpoint_try_enter(ovk__endpoint *endpoint); /* false: another thread has entered */
void ovk__endpoint_leave(ovk__endpoint *endpoint);

/* To sleep: arm, check all work once more, leave, and sleep. The sleep ends when a message arrives
 * or wake is called after arm, and with `expecting` at the latest when the next check of peers is
 * due. */
void ovk__endpoint_arm(ovk__endpoint *endpoint);
void ovk__endpoint_sleep(ovk__endpoint *endpoint, bool expecting);
void ovk__endpoint_wake(ovk__endpoint *endpoint); /* from any thread */

/* The following do not block, and return false after the endpoint has failed. */

/* Return the number of free entries in the queue, 0 after a failure. Polls for completions if there
 * are fewer than `wanted`. */
int ovk__connection_room(ovk__endpoint *endpoint, ovk__connection *connection, int wanted);

/* Post works. The queue must have room for them. Assigns their ids and requests completions as
 * often as needed. The last work has the id connection->posted afterwards. */
bool ovk__connection_post(ovk__endpoint *endpoint, ovk__connection *connection, ovk__work *works,
                          int n);

/* Poll for completions and update connection->done. */
bool ovk__connection_poll(ovk__endpoint *endpoint, ovk__connection *connection);

/* Return true if no posted work is in flight. Requests a completion if no work in flight has one.
 */
bool ovk__connection_is_idle(ovk__endpoint *endpoint, ovk__connection *connection);

/* The duration of a wait, and the time of the last probe of the peer; initially zero. */
typedef struct ovk__timer {
  unsigned polls;
  double since, probed;
} ovk__timer;

/* To be called after each unsuccessful poll of a wait for the peer of this connection. Checks at
 * intervals that the timeout has not passed and that the peer can be reached. */
bool ovk__connection_check(ovk__endpoint *endpoint, ovk__connection *connection, ovk__timer *timer);

/* The same for other waits, with a separate timer: checks only the timeout. */
bool ovk__endpoint_check_timeout(ovk__endpoint *endpoint, ovk__timer *timer);

/* The same without a wait: checks only that the peer can be reached. Each call reads the clock and
 * queries the NIC. */
bool ovk__connection_check_peer(ovk__endpoint *endpoint, ovk__connection *connection,
                                ovk__timer *timer);

/* A function to call when the endpoint fails, with the reason, before connections are broken. It
 * can notify peers before they detect the failure. NULL: none. */
typedef void ovk__alarm(void *arg, const char *why);
void ovk__endpoint_on_failure(ovk__endpoint *endpoint, ovk__alarm *alarm, void *arg);

/* Fail the endpoint: no more works are posted, and all connections are broken, so that peers detect
 * the failure. Only the first reason is kept. The thread of a listening endpoint cannot notify
 * peers, so there this neither calls the alarm nor breaks connections. The rank that finds the
 * endpoint failed notifies the peers and calls hang_up. These functions may be called at any time.
 */
void ovk__endpoint_fail(ovk__endpoint *endpoint, const char *format, ...) OVK_PRINTF(2, 3);
void ovk__endpoint_hang_up(ovk__endpoint *endpoint); /* breaks all connections */
bool ovk__endpoint_failed(const ovk__endpoint *endpoint);
const char *ovk__endpoint_why(const ovk__endpoint *endpoint);

#endif
