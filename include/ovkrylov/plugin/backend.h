/* SPDX-License-Identifier: BSD-2-Clause */
/* For authors of reduction backends: the table that a plug-in fills. Users need reduction.h only.
 * conformance.h checks whether a backend keeps the contract. */
#ifndef OVKRYLOV_PLUGIN_BACKEND_H
#define OVKRYLOV_PLUGIN_BACKEND_H

#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/plugin/spec.h>

OVK_BEGIN_DECLS

/** An open backend, as its own functions see it. One a context and spec. */
typedef struct ovk_backend {
  ovk_ctx *ctx;         /**< for ovk_ctx_fail() */
  MPI_Comm comm;        /**< this backend's own duplicate of the context's; freed by the library */
  const ovk_spec *spec; /**< its keys have been checked against ops->keys */
  void *user;           /**< what was given at the registration */
  void *state;          /**< the backend's own: set by open, freed by close */
} ovk_backend;

/** One persistent sum, as its backend sees it. */
typedef struct ovk_sum {
  ovk_backend *backend;
  double *values; /**< parts before begin, totals when complete; aligned to 64 bytes */
  int count;      /**< doubles in values */
  int number;     /**< counts the sums of this backend from 0, the same on all ranks: for tags */
  void *request;  /**< the backend's own: set by prepare, freed by release */
  /** Of a decorator: the sum that it decorates, over the same values; else NULL. The decorator's
   * begin must begin it. Its test and wait must ovk_reduction_wait() for it, once, before their own
   * sum is complete, also if ovk_reduction_test() told that this one is. It returns their errors.
   */
  ovk_reduction *inner;
} ovk_sum;

/**
 * A reduction backend. The front end keeps the order of calls: prepare, { begin, { test }, wait },
 * release; test and wait come only after begin, not again after completion, and a failed sum sees
 * nothing but release. So a backend keeps no such state of its own. See reduction.h for what all
 * must do. open and prepare are agreed on: if they fail on one rank the front end undoes them on
 * the others. begin, test and wait are not: a failure there must show on all ranks. A program may
 * destroy its objects after MPI_Finalize(), so release and close must ask MPI_Finalized() before
 * they call MPI. None of them may destroy the reduction that it is called for.
 */
typedef struct ovk_backend_ops {
  size_t size;            /**< sizeof(ovk_backend_ops), see @ref struct_sizes */
  const char *name;       /**< REQUIRED. What a spec calls it. */
  const char *summary;    /**< OPTIONAL. One line for lists. */
  const ovk_option *keys; /**< OPTIONAL. The table of its options, the keys of its spec. */
  bool decorates;         /**< OPTIONAL. It is a decorator, "name|SPEC": see ovk_sum.inner. */
  bool begins_at_once;    /**< OPTIONAL. begin never waits for other ranks: then begin does not
                           * with OVK_CHECK=1 either. */

  /** REQUIRED. Starts the sum. It should send this rank's part at once. */
  ovk_err (*begin)(ovk_sum *sum);
  /** REQUIRED. Moves the sum on, without blocking; sets *complete. Ranks test the sums that are in
   * flight in different orders, so what it starts on backend->comm is messages: MPI's collective
   * operations are for begin. */
  ovk_err (*test)(ovk_sum *sum, bool *complete);

  /** OPTIONAL. Sets backend->state. Called on all ranks at once, so it may communicate; a rank
   * whose part fails must still see its communication through. Objects that open or prepare make
   * from the backend's own context do not keep that: they are for close and release to destroy. */
  ovk_err (*open)(ovk_backend *backend);
  /** OPTIONAL. Frees backend->state. Not called if open failed on this rank. */
  void (*close)(ovk_backend *backend);
  /** OPTIONAL. Sets sum->request. Called on all ranks at once, as open is. */
  ovk_err (*prepare)(ovk_sum *sum);
  /** OPTIONAL. Frees sum->request. Not called if prepare failed on this rank. If something may
   * still read or write the values, after a failure, it sets sum->values to NULL: they are never
   * freed. */
  void (*release)(ovk_sum *sum);
  /** OPTIONAL. Blocks until the sum is complete; without it test is called until it is. */
  ovk_err (*wait)(ovk_sum *sum);
} ovk_backend_ops;

/**
 * Makes a user's backend known to this context under ops->name. Not collective. All ranks must do
 * it, though.
 *
 * @param ops   copied; its strings and keys must stay until the context and all made from it are
 *              gone
 * @param user  found again in ovk_backend.user
 * @return OVK_ERR_ARG if the name is taken or a required function missing, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_backend_register(ovk_ctx *ctx, const ovk_backend_ops *ops, void *user);

/**
 * Opens another backend for this one alone, its companion, for sums of its own. It is shared with
 * nobody, even if the same spec is open already: ranks owe the same order of begins within one
 * backend only, and a backend may begin sums of its own at other moments on other ranks. It is
 * closed after this one. Only in open, once. Collective. Errors are agreed.
 *
 * @param spec  as for ovk_reduction_create(), the same on all ranks
 * @return as ovk_reduction_create(); OVK_ERR_STATE where it is not open that calls, or has called
 * it already; what the companion's open returns
 */
OVK_API ovk_err ovk_backend_open_companion(ovk_backend *backend, const char *spec);

/**
 * Makes a reduction over the companion. In open, after it, or in prepare. Collective. Errors are
 * agreed.
 *
 * @param out  to be freed with ovk_reduction_destroy(), before this backend is closed
 * @return as ovk_reduction_create(); OVK_ERR_STATE without a companion
 */
OVK_API ovk_err ovk_backend_companion_sum(ovk_backend *backend, int count, ovk_reduction **out);

OVK_END_DECLS

#endif
