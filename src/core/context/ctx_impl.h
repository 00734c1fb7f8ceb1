/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of a context, for the layers of the library. */
#ifndef OVK_CORE_CONTEXT_CTX_IMPL_H
#define OVK_CORE_CONTEXT_CTX_IMPL_H

#include "core/context/log_impl.h"

#include <ovkrylov/ctx.h>
#include <stdbool.h>
#include <string.h>

enum { OVK__MESSAGE_SIZE = 1024 };

/* The variables that the library reads, without "OVK_": X(name, member). */
#define OVK__ENV_LIST(X)                                                                           \
  X(BACKEND, backend)                                                                              \
  X(TUNING, tuning) /* file with the table of "auto" */                                            \
  X(METHOD, method)                                                                                \
  X(EXACT, exact)                                                                                  \
  X(HALO, halo)                                                                                    \
  X(LOG, log) /* file for the event log at the end of the context */                               \
  X(CHECK, check)                                                                                  \
  X(CHECK_TIMEOUT, check_timeout)                                                                  \
  X(DEBUG, debug)                                                                                  \
  X(AGENT_SECRET, agent_secret) /* file with the secret of remote agents */

/* The environment of rank 0, used on all ranks. Variables that are not set are NULL. */
typedef struct ovk__env {
#define OVK__ENV_MEMBER(name, member) char *member;
  OVK__ENV_LIST(OVK__ENV_MEMBER)
#undef OVK__ENV_MEMBER
  bool unchecked; /* ovk__env_check() has still to look at it */
} ovk__env;

/* An object that is destroyed with the context: an opened backend, a registered plug-in. It is the
 * first member of that object; `owner` identifies the kind of object. */
typedef struct ovk__resource {
  struct ovk__resource *next;
  const void *owner;
  void (*destroy)(struct ovk__resource *self);
} ovk__resource;

struct ovk_ctx {
  MPI_Comm comm;
  int rank, size;
  int references; /* the user's handle, and objects created with it */
  int in_backend; /* > 0 while a backend opens or prepares, or an inner sum is created */
  int next_tag;   /* next message tag; assigned cyclically, the same on all ranks */
  ovk__log log;
  ovk__env env;
  ovk__resource *resources; /* newest first, which is the order of destruction */
  struct ovk__job *jobs;    /* operations in flight: core/job.h */
  void (*serve)(ovk_ctx *); /* advances them while ranks agree */
  /* Meetings of ranks that share memory, core/node/meeting.h; `meeting` NULL: there are none. */
  struct ovk__meeting *meeting;
  int (*meet)(ovk_ctx *, void *values, int n, MPI_Datatype type, MPI_Op op, size_t bytes);
  size_t most_met;          /* bytes of their values */
  bool lacks_shared_memory; /* set when this rank got no shared memory */
  ovk_notice_fn notice;     /* or NULL */
  void *notice_arg;
  struct ovk__compare *compare; /* check mode's state, core/context/compare.h; or NULL */
  char message[OVK__MESSAGE_SIZE];
  unsigned message_count; /* to detect whether a user's function set a message */
};

/* A context of a process that acts for a rank and has no MPI: `comm` is MPI_COMM_NULL. It carries
 * messages, the rank and the size; nothing collective is called. */
ovk_err ovk__ctx_create_alone(int rank, int size, ovk_ctx **out);

/* Every object holds a reference to its context; the last release frees it. Returns the reference
 * to be released: NULL for an object that a backend creates for itself. Since the context owns its
 * backends, such an object must not hold the context. */
ovk_ctx *ovk__ctx_hold(ovk_ctx *ctx);
void ovk__ctx_release(ovk_ctx *ctx); /* NULL is allowed */

/* True for the value of a switch that is set: anything but "0". */
static inline bool ovk__env_is_on(const char *value)
{
  return value && strcmp(value, "0") != 0;
}

/* Transfers ownership of `resource` to ctx. */
void ovk__ctx_own(ovk_ctx *ctx, ovk__resource *resource);

/* The newest resource of this owner, or NULL. */
ovk__resource *ovk__ctx_find(const ovk_ctx *ctx, const void *owner);

/* A message tag for an object's messages on ctx->comm. All ranks must ask in the same order. */
int ovk__ctx_tag(ovk_ctx *ctx);

/* Fills env from rank 0's environment. Collective; errors are agreed. */
ovk_err ovk__env_read(ovk_ctx *ctx, ovk__env *env);
void ovk__env_free(ovk__env *env);

/* Has rank 0 notified, once, of variables whose names it does not know and of a log that cannot be
 * written. Not collective. */
void ovk__env_check(ovk_ctx *ctx);

/* Prepends the name of the variable whose value has led to an error to the error message; returns
 * err. */
ovk_err ovk__env_name_variable(ovk_ctx *ctx, ovk_err err, const char *variable);

/* Destruction after MPI_Finalize(), as by destructors of other languages: memory is freed and no
 * MPI function is called; MPI has freed its own objects. */

/* True after MPI_Finalize(). To be checked before an MPI object is freed. */
static inline bool ovk__mpi_is_over(void)
{
  int finalized = 0;
  return MPI_Finalized(&finalized) == MPI_SUCCESS && finalized;
}

/* Frees a communicator, unless it is MPI_COMM_NULL or MPI is finalized. */
static inline void ovk__comm_free(MPI_Comm *comm)
{
  if (*comm != MPI_COMM_NULL && !ovk__mpi_is_over()) MPI_Comm_free(comm);
}

#endif
