/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a context, for the layers of the library. */
#ifndef OVK_CORE_CTX_IMPL_H
#define OVK_CORE_CTX_IMPL_H

#include "core/log_impl.h"

#include <ovkrylov/ctx.h>

enum { OVK__MESSAGE_SIZE = 1024 };

/* The environment of rank 0, which decides for all. */
typedef struct ovk__env {
  char *backend; /* OVK_BACKEND, or NULL */
  char *method;  /* OVK_METHOD, or NULL */
  char *halo;    /* OVK_HALO, or NULL */
  char *log;     /* OVK_LOG: where the event log goes when the context ends, or NULL */
} ovk__env;

/* Something that lives until the context ends: an opened backend, a registered plug-in. It is the
 * first member of what it stands for; `owner` tells whose it is. */
typedef struct ovk__resource {
  struct ovk__resource *next;
  const void *owner;
  void (*destroy)(struct ovk__resource *self);
} ovk__resource;

struct ovk_ctx {
  MPI_Comm comm;
  int rank, size;
  int next_tag; /* tags are dealt out to halo exchanges in turn, the same on all ranks */
  ovk__log log;
  ovk__env env;
  ovk__resource *resources; /* the youngest first: they are destroyed in that order */
  struct ovk__job *jobs;    /* operations under way: engine/job.h; */
  void (*serve)(ovk_ctx *); /* moves them on, while ranks agree */
  ovk_notice_fn notice;     /* or NULL */
  void *notice_arg;
  char message[OVK__MESSAGE_SIZE];
};

/* Hands `resource` over to ctx. */
void ovk__ctx_own(ovk_ctx *ctx, ovk__resource *resource);

/* A message tag for an object's own traffic on ctx->comm. All ranks must ask in the same order. */
int ovk__ctx_tag(ovk_ctx *ctx);

/* Fills env from rank 0's environment. Collective. The only place that reads it. */
ovk_err ovk__env_read(ovk_ctx *ctx, ovk__env *env);
void ovk__env_free(ovk__env *env);

#endif
