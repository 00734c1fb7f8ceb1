/* SPDX-License-Identifier: BSD-2-Clause */
/* Preconditioners: use them by spec; write your own by filling one table. */
#ifndef OVKRYLOV_PRECOND_H
#define OVKRYLOV_PRECOND_H

#include <ovkrylov/matrix.h>
#include <ovkrylov/plugin/spec.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/** A preconditioner C of some matrix, ready to solve C z = r. */
typedef struct ovk_precond ovk_precond;

/**
 * Sets up a preconditioner. Collective.
 *
 * @param A     kept until the preconditioner is gone
 * @param spec  "none", "jacobi", a registered name; see `ovk list preconds`
 * @param out   to be freed with ovk_precond_destroy()
 * @return OVK_ERR_UNKNOWN with the closest match; OVK_ERR_ARG where A does not allow it, such as
 *         jacobi's "row 17 has 0"; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_precond_create(const ovk_mat *A, const char *spec, ovk_precond **out);

/** Gives a preconditioner up and sets *M to NULL. NULL is allowed. Not collective. It is freed when
 * solvers made with it are gone, too, and no call uses it. */
OVK_API void ovk_precond_destroy(ovk_precond **M);

/**
 * Sets a preconditioner up anew after its matrix has got new values on the same pattern, and makes
 * its factors anew if there were any. Collective.
 *
 * What can be kept of the old one is kept where the kind of preconditioner can do that; others are
 * set up a second time, in memory of their own, before the old one is freed. Solvers made with it
 * use the new one.
 *
 * @return OVK_ERR_STATE while the matrix is not assembled, and while M is in use, as by a solve of
 *         any solver made with it, see ovk_ctx; as ovk_precond_create(). After a failure the old
 * one stays, unless the kind updates in place: then it is unusable, which each use reports, until
 *         an update succeeds
 */
OVK_API ovk_err ovk_precond_update(ovk_precond *M);

/**
 * z <- C^-1 r. Collective. r and z must be different vectors with the rows of A, without common
 * memory.
 *
 * @param poll  called while local rows are worked on; ovk_poll_none() for none
 * @return OVK_ERR_ARG if a layout differs, OVK_ERR_STATE while z is in use, see ovk_ctx, what the
 *         preconditioner's function returned
 */
OVK_API ovk_err ovk_precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z,
                                  ovk_poll poll);

/**
 * OVK_OK if the preconditioner has the factors of C = L L^T that split methods need. Collective.
 * Makes them at the first call, also while M is in use, as this does not change C.
 *
 * @return OVK_ERR_UNSUPPORTED if this kind has none; OVK_ERR_INDEFINITE if C is not positive
 * definite
 */
OVK_API ovk_err ovk_precond_factor(ovk_precond *M);

/**
 * t <- L^-1 r, after ovk_precond_factor(). Collective.
 *
 * @return as ovk_precond_apply(); OVK_ERR_STATE without factors
 */
OVK_API ovk_err ovk_precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t,
                                       ovk_poll poll);

/**
 * w <- L^-T t, after ovk_precond_factor(). Collective.
 *
 * @return as ovk_precond_apply(); OVK_ERR_STATE without factors
 */
OVK_API ovk_err ovk_precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w,
                                        ovk_poll poll);

/** @return the name of the preconditioner, such as "jacobi". Not collective. */
OVK_API const char *ovk_precond_name(const ovk_precond *M);

/** @return the bytes that it holds on all ranks, vectors and the matrix not counted; 0 for one that
 * does not say. Not collective. */
OVK_API int64_t ovk_precond_bytes(const ovk_precond *M);

/**
 * What its setup had to do beyond what was asked for, such as ic's "shift 0.001 after a pivot of -2
 * in row 17", of the lowest rank that has something to say; the same on all ranks.
 *
 * @return "" if there is nothing. Valid until M is updated or destroyed. Not collective.
 */
OVK_API const char *ovk_precond_info(const ovk_precond *M);

/**
 * A kind of preconditioner. Arrays hold this rank's rows. Functions are called on all ranks at once
 * and may communicate. A failure on one rank is made known to all by the library; a function that
 * communicates must still see its communication through.
 */
typedef struct ovk_precond_ops {
  size_t size;            /**< sizeof(ovk_precond_ops), see @ref struct_sizes */
  const char *name;       /**< REQUIRED. What a spec calls it. */
  const char *summary;    /**< OPTIONAL. One line for lists. */
  const ovk_option *keys; /**< OPTIONAL. The table of its options, the keys of its spec. */

  /** REQUIRED. z <- C^-1 r. Calls ovk_poll_call(poll) every poll.every rows, see ovk_poll_until().
   */
  ovk_err (*apply)(void *state, const double *r, double *z, ovk_poll poll);

  /**
   * OPTIONAL. Makes the state; without it the state is the `user` pointer of the registration.
   * Reads the spec's keys with ovk_spec_int(), ovk_spec_double() and ovk_spec_word(), which check
   * them, and this rank's entries of A with ovk_mat_local_rows(). All ranks have the same spec.
   */
  ovk_err (*setup)(const ovk_mat *A, const ovk_spec *spec, void *user, void **state);
  /** OPTIONAL. Frees what setup made. Not called if setup failed. */
  void (*destroy)(void *state);

  /** OPTIONAL, the three together. Prepares the factors of C = L L^T; once after setup, and again
   * after each update. */
  ovk_err (*factor)(void *state);
  /** t <- L^-1 r. */
  ovk_err (*apply_left)(void *state, const double *r, double *t, ovk_poll poll);
  /** w <- L^-T t. */
  ovk_err (*apply_right)(void *state, const double *t, double *w, ovk_poll poll);

  /**
   * OPTIONAL. Only for C^-1 = diag(d): gives d, so that methods can do it inside their updates.
   * Called when a solver is made and at the start of each solve; d may change between solves. NULL
   * on any rank with rows when the solver is made: C counts as not diagonal, on all ranks.
   */
  const double *(*inverse_diagonal)(void *state);

  /** OPTIONAL. The bytes that the state holds on this rank. Called after setup, factor and update.
   */
  int64_t (*bytes)(void *state);
  /**
   * OPTIONAL. Changes the state to that of A with its new values on the same pattern. After a
   * failure only update and destroy are called. Without it the library calls setup again, then
   * destroy for the old state.
   */
  ovk_err (*update)(const ovk_mat *A, void *state);
  /** OPTIONAL. For ovk_precond_info(): what this rank's setup had to do beyond what was asked for,
   * in less than 200 characters; NULL or "" if nothing. Called after setup and update. */
  const char *(*info)(void *state);
  /** OPTIONAL. Whether apply, apply_left and apply_right communicate with no rank, so that a rank
   * with wrong arguments can leave them out: ovk_precond_apply() then makes one agreement instead
   * of two. The same on all ranks. */
  bool local;
  /** OPTIONAL. `apply` makes no use of its poll, as it calls another library, say: the method
   * "auto" then measures what of a sum goes on behind it. True if it is so on any rank. */
  bool never_polls;
  /**
   * OPTIONAL, for a C with factors. p <- L^-T u, s <- A p, q <- L^-1 s, where that costs less than
   * its three parts, as where L is made of the entries of A (Eisenstat, 1981). Communicates as one
   * product with A does, also after a failure. Used if all ranks have it, by methods that iterate
   * with the split operator L^-1 A L^-T, while A is that of the setup or the last update, with the
   * values of then.
   */
  ovk_err (*apply_split)(void *state, const double *u, double *p, double *s, double *q,
                         ovk_poll poll);
  const char *aliases; /**< OPTIONAL. Other accepted names, separated by blanks. */
} ovk_precond_ops;

/**
 * Makes a user's preconditioner known to this context under ops->name. Not collective. All
 * ranks must do it, though.
 *
 * @param ops   copied; its strings and keys must stay until the context and all made from it are
 *              gone
 * @param user  handed to setup
 * @return OVK_ERR_ARG if the name is taken or a required function missing, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_precond_register(ovk_ctx *ctx, const ovk_precond_ops *ops, void *user);

/**
 * Sets a user's preconditioner up without registering it: one made around the user's own data, such
 * as another library's. Collective.
 *
 * @param A     kept until the preconditioner is gone
 * @param ops   as for ovk_precond_register(); `name`, the same on all ranks, is what
 *              ovk_precond_name() gives; `keys` and `summary` are not used
 * @param user  handed to ops->setup, without which it is the state, and stays the caller's
 * @param out   to be freed with ovk_precond_destroy()
 * @return OVK_ERR_ARG, also for a required function that is missing and names that differ;
 *         OVK_ERR_MEMORY; what ops->setup returned
 */
OVK_API ovk_err ovk_precond_create_shell(const ovk_mat *A, const ovk_precond_ops *ops, void *user,
                                         ovk_precond **out);

OVK_END_DECLS

#endif
