/* SPDX-License-Identifier: BSD-2-Clause */
/* The executor of schedules, similar to LibNBC (Hoefler, Lumsdaine, Rehm, SC'07). A request starts
 * its first round at once; each call of advance progresses it. Many requests can be in flight at a
 * time. */
#ifndef OVK_COMM_ENGINE_EXECUTOR_H
#define OVK_COMM_ENGINE_EXECUTOR_H

#include "comm/engine/channels/channel.h"
#include "comm/engine/combine.h"
#include "comm/engine/schedule/schedule.h"

/* The resources that requests share: a communicator for them alone, and memory shared by the ranks
 * of the node. Each opened backend has one engine. */
typedef struct ovk__engine ovk__engine;
struct ovk__endpoint;
struct ovk__lent;

/* Open an engine. Collective over comm, which has the ranks of the context and must outlive the
 * engine; errors are agreed. */
ovk_err ovk__engine_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine **out);
void ovk__engine_close(ovk__engine **engine); /* collective */

/* Set the endpoint for RDMA writes of an engine that has no requests yet. Close the endpoint after
 * the engine. Not collective. */
void ovk__engine_use(ovk__engine *engine, struct ovk__endpoint *endpoint);

/* Record the error message for a code that a request of the engine returned. */
ovk_err ovk__engine_fail(const ovk__engine *engine, int code, const char *file, int line,
                         const char *what);

/* Descriptor of an operation: the arguments of a request. The schedule and the buffers must outlive
 * the request. */
typedef struct ovk__op_desc {
  const ovk__schedule *schedule;
  const void *input; /* NULL if the schedule does not use it */
  void *output;
  size_t element;        /* bytes of an element */
  ovk__combine *combine; /* NULL: the MPI operation `op` for elements of `type` */
  MPI_Datatype type;
  MPI_Op op;
  int window; /* maximum number of RDMA writes in flight; 0: no limit */
  /* The buffers, lent to the NIC on all ranks or on none; NULL: not lent. A schedule of one round
   * then moves long messages from buffer to buffer. Somebody must advance it until it is complete.
   */
  const struct ovk__lent *lent;
} ovk__op_desc;

/* A schedule with its buffers, messages and slots in shared memory. As an MPI persistent request,
 * it can be started repeatedly, without further allocation. */
typedef struct ovk__request ovk__request;

/* Create a request. Collective; errors are not agreed, but no rank hangs if one rank passes
 * `failed` (then its `desc` is ignored) or fails here outside MPI. The caller agrees on errors.
 * *out may be NULL if another rank has failed. */
ovk_err ovk__request_create(ovk__engine *engine, const ovk__op_desc *desc, bool failed,
                            ovk__request **out);

/* The same without MPI, for requests whose messages all use rdma; not collective. `number` is the
 * number of its tag. ovk__request_destroy() must be called also after an error. The handshakes of
 * the request (NULL if it has other messages or none) must be sent to its peers and filled with
 * theirs by the caller. Then ovk__request_connect() connects it. */
ovk_err ovk__request_make(ovk__engine *engine, const ovk__op_desc *desc, int64_t number,
                          ovk__request **out);
ovk__handshakes *ovk__request_handshakes(ovk__request *request);
int ovk__request_tag(const ovk__request *request); /* for ranks that exchange handshakes over MPI */
ovk_err ovk__request_connect(ovk__request *request);

/* For such a request that is not in flight: return whether the messages of the first round of its
 * next generation have arrived. */
bool ovk__request_is_due(const ovk__request *request);

/* Destroy a request. It must not be in flight, unless it has failed. Not collective, but it may
 * wait until other ranks have begun the operations that this rank has completed. Returns false
 * after some failures: MPI may still access the buffers of the operation, which must then never be
 * freed. */
bool ovk__request_destroy(ovk__request **request);

/* Change the buffers of a request that is not in flight. The lengths must be the same. */
void ovk__request_move(ovk__request *request, const void *input, void *output);

/* start and advance return MPI error codes or OVK__NETWORK_FAILED. They record no message, so that
 * a thread may call them. After a failure the request can only be destroyed. start sends all
 * messages that can be sent; advance is an ovk__advance, see core/job.h. */
int ovk__request_start(void *request);
int ovk__request_advance(void *request, bool *complete);

#endif
