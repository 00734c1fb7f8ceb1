/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of a context, for the layers of the library. */
#ifndef OVK_CORE_CTX_IMPL_H
#define OVK_CORE_CTX_IMPL_H

#include "core/log_impl.h"

#include <ovkrylov/ctx.h>
#include <stdbool.h>

enum { OVK__MESSAGE_SIZE = 1024 };

/* The environment of rank 0, used on all ranks. */
typedef struct ovk__env {
  char *backend;       /* OVK_BACKEND, or NULL */
  char *method;        /* OVK_METHOD, or NULL */
  char *halo;          /* OVK_HALO, or NULL */
  char *log;           /* OVK_LOG: file for the event log at the end of the context, or NULL */
  char *check;         /* OVK_CHECK, or NULL */
  char *check_timeout; /* OVK_CHECK_TIMEOUT, or NULL */
  char *debug;         /* OVK_DEBUG, or NULL */
  char *agent_secret;  /* OVK_AGENT_SECRET: file with the secret of remote agents, or NULL */
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
  bool lacks_shared_memory; /* set when a shared window could not be allocated on this rank */
  ovk_notice_fn notice;     /* or NULL */
  void *notice_arg;
  struct ovk__compare *compare; /* check mode's state, core/compare.h; or NULL */
  char message[OVK__MESSAGE_SIZE];
  unsigned message_count; /* to detect whether a user's function set a message */
};

/* A context of a process that acts for a rank and has no MPI: `comm` is MPI_COMM_NULL. It carries
 * messages, the rank and the size; nothing collective is called. */
ovk_err ovk__ctx_create_alone(int rank, int size, ovk_ctx **out);

/* Every object holds a reference to its context; the last release frees it. Returns what is to be
 * released: NULL for an object that a backend creates for itself. Since the context owns its
 * backends, such an object must not hold the context. */
ovk_ctx *ovk__ctx_hold(ovk_ctx *ctx);
void ovk__ctx_release(ovk_ctx *ctx); /* NULL is allowed */

/* True for the value of a switch that is set: anything but "0". */
bool ovk__env_is_on(const char *value);

/* Transfers ownership of `resource` to ctx. */
void ovk__ctx_own(ovk_ctx *ctx, ovk__resource *resource);

/* A message tag for an object's messages on ctx->comm. All ranks must ask in the same order. */
int ovk__ctx_tag(ovk_ctx *ctx);

/* Fills env from rank 0's environment. Collective; errors are agreed. The only function that reads
 * the environment. */
ovk_err ovk__env_read(ovk_ctx *ctx, ovk__env *env);
void ovk__env_free(ovk__env *env);

/* Prepends the name of the variable whose value has led to an error to the error message; returns
 * err. */
ovk_err ovk__env_name_variable(ovk_ctx *ctx, ovk_err err, const char *variable);

#endif
