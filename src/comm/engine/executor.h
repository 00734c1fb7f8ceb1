/* SPDX-License-Identifier: BSD-2-Clause */
/* The executor of schedules, like LibNBC (Hoefler, Lumsdaine, Rehm, SC'07). A request starts its
 * first round at once; each call of advance makes further progress. Many requests can be in flight
 * at a time.
 */
#ifndef OVK_COMM_ENGINE_EXECUTOR_H
#define OVK_COMM_ENGINE_EXECUTOR_H

#include "comm/engine/channels/channel.h"
#include "comm/engine/combine.h"
#include "comm/engine/schedule/schedule.h"

/* What requests use in common: a communicator of its own, and memory shared by the node's ranks.
 * Each opened backend has one engine. */
typedef struct ovk__engine ovk__engine;
struct ovk__endpoint;

/* Collective over comm, which has the context's ranks and must outlive the engine; errors are
 * agreed. */
ovk_err ovk__engine_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine **out);
void ovk__engine_close(ovk__engine **engine); /* collective */

/* Sets the endpoint for RDMA writes of an engine that has no requests yet; the endpoint is closed
 * after the engine. Not collective. */
void ovk__engine_use(ovk__engine *engine, struct ovk__endpoint *endpoint);

/* Records the error message for a code that a request of the engine returned. */
ovk_err ovk__engine_fail(const ovk__engine *engine, int code, const char *file, int line,
                         const char *what);

/* The arguments of a request. The schedule and the buffers must outlive it. */
typedef struct ovk__op_desc {
  const ovk__schedule *schedule;
  const void *input; /* NULL where the schedule does not use it */
  void *output;
  size_t element;        /* bytes of an element */
  ovk__combine *combine; /* of all combinations; NULL: MPI's `op` for elements of `type` */
  MPI_Datatype type;
  MPI_Op op;
  int window; /* RDMA writes in flight at most; 0: no limit */
} ovk__op_desc;

/* A schedule with its memory, its requests and its slots in shared memory, to be executed
 * repeatedly without further allocation. */
typedef struct ovk__request ovk__request;

/* Collective; errors are not agreed, but if one rank passes `failed` (then its `desc` is ignored)
 * or fails here outside MPI, no rank hangs. The caller agrees on errors; *out may be NULL where
 * another rank has failed. */
ovk_err ovk__request_create(ovk__engine *engine, const ovk__op_desc *desc, bool failed,
                            ovk__request **out);

/* The same without MPI, for requests whose messages all go over rdma; not collective. `number` is
 * that of its tag. ovk__request_destroy() must be called also after an error. The handshakes of the
 * request, NULL if it has other messages or none, are brought to its peers and filled with theirs,
 * by whatever means; then it is joined to its peers. */
ovk_err ovk__request_make(ovk__engine *engine, const ovk__op_desc *desc, int64_t number,
                          ovk__request **out);
ovk__handshakes *ovk__request_handshakes(ovk__request *request);
int ovk__request_tag(const ovk__request *request); /* for ranks that exchange them over MPI */
ovk_err ovk__request_connect(ovk__request *request);

/* Of such a request that is not in flight: whether the messages of the first round of its next
 * generation have come. */
bool ovk__request_is_due(const ovk__request *request);

/* The request must not be in flight, unless it has failed. Not collective, but it may wait until
 * other ranks have begun what this rank has completed. False, after some failures: MPI may still
 * access the buffers of the operation, which must then never be freed. */
bool ovk__request_destroy(ovk__request **request);

/* Gives a request that is not in flight other buffers of the same lengths. */
void ovk__request_move(ovk__request *request, const void *input, void *output);

/* These return MPI's error codes or OVK__NETWORK_FAILED, and record no message, so that a thread
 * may call them. After a failure the request can only be destroyed. start sends what can be sent;
 * advance is an ovk__advance, see core/job.h. */
int ovk__request_start(void *request);
int ovk__request_advance(void *request, bool *complete);

#endif
