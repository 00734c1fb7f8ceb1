/* SPDX-License-Identifier: BSD-2-Clause */
/* Reduction backends, for their authors: the table of functions of a plug-in. Users need
 * reduction.h only. conformance.h checks a backend against the contract. */
#ifndef OVKRYLOV_PLUGIN_BACKEND_H
#define OVKRYLOV_PLUGIN_BACKEND_H

#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/plugin/spec.h>

OVK_BEGIN_DECLS

/** An open backend, as passed to its functions. There is one for each context and spec. */
typedef struct ovk_backend {
  ovk_ctx *ctx;         /**< for ovk_ctx_fail() */
  MPI_Comm comm;        /**< a duplicate of the context's for this backend; freed by the library */
  const ovk_spec *spec; /**< its keys have been checked against ops->keys */
  void *user;           /**< the argument of the registration */
  void *state;          /**< of the backend: set by open, freed by close */
} ovk_backend;

/** A persistent reduction, as passed to the functions of its backend. */
typedef struct ovk_sum {
  ovk_backend *backend;
  double *values; /**< parts before begin, totals when complete; aligned to 64 bytes */
  int count;      /**< doubles in values */
  int number; /**< number of this reduction in its backend, from 0, equal on all ranks: for tags */
  void *request; /**< of the backend: set by prepare, freed by release */
  /** For a decorator, the decorated reduction over the same values; otherwise NULL. begin of the
   * decorator must begin it. test or wait must call ovk_reduction_wait() for it once before the
   * decorator is complete, even if ovk_reduction_test() reported completion. They return its
   * errors.
   */
  ovk_reduction *inner;
} ovk_sum;

/**
 * A reduction backend. reduction.h has the contract.
 *
 * The front end ensures the order of calls: prepare, { begin, { test }, wait }, release. test and
 * wait follow begin and are not called after completion. After a failure only release is called.
 * A backend need not track these states.
 *
 * Ranks agree on errors of open and prepare: after a failure on one rank the front end undoes them
 * on the others. Ranks do not agree on errors of begin, test and wait: these must fail on all
 * ranks. A program may destroy its objects after MPI_Finalize(), so release and close must call
 * MPI_Finalized() before other MPI functions. No function may destroy its reduction.
 */
typedef struct ovk_backend_ops {
  size_t size;            /**< sizeof(ovk_backend_ops), see @ref struct_sizes */
  const char *name;       /**< REQUIRED. The name in specs. */
  const char *summary;    /**< OPTIONAL. One line for lists. */
  const ovk_option *keys; /**< OPTIONAL. The table of its options, the keys of its spec. */
  bool decorates;         /**< OPTIONAL. It is a decorator, "name|SPEC": see ovk_sum.inner. */
  bool begins_at_once;    /**< OPTIONAL. begin never waits for other ranks: then begin does not
                           * with OVK_CHECK=1 either. */

  /** REQUIRED. Begin the reduction. It should send the part of this rank immediately. */
  ovk_err (*begin)(ovk_sum *sum);
  /** REQUIRED. Progress the reduction without blocking, and set *complete. Ranks test the
   * reductions in flight in different orders: test may start messages on backend->comm, but MPI
   * collectives belong into begin. */
  ovk_err (*test)(ovk_sum *sum, bool *complete);

  /** OPTIONAL. Set backend->state. Called on all ranks at once, so it may communicate. After a
   * failure a rank must still complete its communication. Objects that open or prepare create from
   * the context of the backend do not keep the context: close and release must destroy them. */
  ovk_err (*open)(ovk_backend *backend);
  /** OPTIONAL. Free backend->state. Not called if open failed on this rank. */
  void (*close)(ovk_backend *backend);
  /** OPTIONAL. Set sum->request. Called on all ranks at once, as open is. */
  ovk_err (*prepare)(ovk_sum *sum);
  /** OPTIONAL. Free sum->request. Not called if prepare failed on this rank. If the network may
   * still access the values after a failure, set sum->values to NULL: then they are never freed. */
  void (*release)(ovk_sum *sum);
  /** OPTIONAL. Wait for completion. Without it, the front end calls test until completion. */
  ovk_err (*wait)(ovk_sum *sum);
  const char *aliases; /**< OPTIONAL. Other accepted names, separated by blanks. */
  bool needs_no_comm;  /**< OPTIONAL. The backend sends no messages: its comm is MPI_COMM_NULL. */
} ovk_backend_ops;

/**
 * Register a user-defined backend with this context under ops->name. Not collective. All ranks must
 * register it.
 *
 * @param ops   copied; its strings and keys must remain valid until the context and all objects
 *              created from it are freed
 * @param user  stored in ovk_backend.user
 * @return OVK_ERR_ARG if the name is taken or a required function is missing, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_backend_register(ovk_ctx *ctx, const ovk_backend_ops *ops, void *user);

/**
 * Open a companion: a second backend for internal reductions of this one. Collective. Errors are
 * agreed. Only in open, and once.
 *
 * The companion is not shared, even if the same spec is open already. Ranks must keep the order of
 * begins within one backend only, and the internal reductions may begin at different times on
 * different ranks. It is closed after this backend.
 *
 * @param spec  as for ovk_reduction_create(), the same on all ranks
 * @return as ovk_reduction_create(); OVK_ERR_STATE outside of open and for a second call; errors of
 *         open of the companion
 */
OVK_API ovk_err ovk_backend_open_companion(ovk_backend *backend, const char *spec);

/**
 * Create a reduction over the companion, in open or in prepare. Collective. Errors are agreed.
 *
 * @param out  to be freed with ovk_reduction_destroy(), before this backend is closed
 * @return as ovk_reduction_create(); OVK_ERR_STATE without a companion
 */
OVK_API ovk_err ovk_backend_companion_sum(ovk_backend *backend, int count, ovk_reduction **out);

OVK_END_DECLS

#endif
