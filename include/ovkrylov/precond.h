/* SPDX-License-Identifier: BSD-2-Clause */
/* Preconditioners: create them by spec; a user-defined one is a table of functions. */
#ifndef OVKRYLOV_PRECOND_H
#define OVKRYLOV_PRECOND_H

#include <ovkrylov/multivec.h>
#include <ovkrylov/plugin/spec.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/** A preconditioner M of a matrix A: M is close to A, and z = M^-1 r is cheap to compute. */
typedef struct ovk_precond ovk_precond;

/**
 * Create a preconditioner. Collective.
 *
 * @param A     kept until the preconditioner is destroyed
 * @param spec  "none", "jacobi" or another name of `ovk list preconds`, with its options
 * @param out   the preconditioner, to be freed with ovk_precond_destroy()
 * @return OVK_ERR_UNKNOWN for a name or a key, with the closest match; OVK_ERR_ARG for the value of
 *         a key, and if A is unsuitable, such as "row 17 has 0" for jacobi; OVK_ERR_INDEFINITE if A
 *         is not positive definite and the kind needs that, as amg and chebyshev do;
 *         OVK_ERR_UNSUPPORTED for a shell without the entries or the diagonal; OVK_ERR_STATE before
 *         assembly; OVK_ERR_RANGE; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_precond_create(ovk_mat *A, const char *spec, ovk_precond **out);

/**
 * Destroy a preconditioner and set *M to NULL. Not collective. NULL is allowed. The memory is freed
 * when no solver and no call uses the preconditioner any more.
 */
OVK_API void ovk_precond_destroy(ovk_precond **M);

/**
 * Recompute a preconditioner after its matrix has got new values on the same pattern. Collective.
 * Factors of M = L L^T are recomputed, too. Solvers created with M use the new values.
 *
 * Some kinds update in place and keep the parts that depend on the pattern only. Other kinds are
 * set up a second time, in memory of their own, before the previous state is freed.
 *
 * @return OVK_ERR_STATE if the matrix is not assembled, and while M is in use, as by a solve, see
 *         ovk_ctx; as ovk_precond_create(). After a failure the previous state is kept, unless the
 *         kind updates in place. It is then unusable, which each use reports, until an update
 *         succeeds
 */
OVK_API ovk_err ovk_precond_update(ovk_precond *M);

/**
 * Apply the preconditioner: z <- M^-1 r. Collective. r and z must be different vectors with the
 * rows of A that share no memory.
 *
 * @param poll  called every poll.every rows; ovk_poll_none() for none
 * @return OVK_ERR_ARG if a layout differs; OVK_ERR_STATE while z is in use, see ovk_ctx; the error
 *         of the function of the preconditioner
 */
OVK_API ovk_err ovk_precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z,
                                  ovk_poll poll);

/**
 * Apply the preconditioner to several vectors: Z <- M^-1 R, each column with the bits of
 * ovk_precond_apply(). Collective. The first call with a number of columns allocates memory, which
 * M keeps.
 *
 * @param R     columns with the rows of A
 * @param Z     as many of them, not R itself
 * @param poll  as in ovk_precond_apply()
 * @return OVK_ERR_ARG if a layout or the number of columns differs; OVK_ERR_STATE while Z is in
 * use, see ovk_ctx; OVK_ERR_MEMORY; the error of the function of the preconditioner
 */
OVK_API ovk_err ovk_precond_apply_many(ovk_precond *M, const ovk_multivec *R, ovk_multivec *Z,
                                       ovk_poll poll);

/**
 * Compute the factors of M = L L^T, which split methods need. Collective. The first call computes
 * them, later calls return its result. M itself does not change, so it may be in use. If "auto" has
 * taken a preconditioner without factors, those are of the next one that has some.
 *
 * @return OVK_ERR_UNSUPPORTED if this kind has no factors; OVK_ERR_INDEFINITE if M is not positive
 *         definite
 */
OVK_API ovk_err ovk_precond_factor(ovk_precond *M);

/**
 * Apply the left factor: t <- L^-1 r. Collective. Call ovk_precond_factor() first.
 *
 * @return as ovk_precond_apply(); OVK_ERR_STATE without factors
 */
OVK_API ovk_err ovk_precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t,
                                       ovk_poll poll);

/**
 * Apply the right factor: w <- L^-T t. Collective. Call ovk_precond_factor() first.
 *
 * @return as ovk_precond_apply(); OVK_ERR_STATE without factors
 */
OVK_API ovk_err ovk_precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w,
                                        ovk_poll poll);

/** @return the name of the preconditioner, such as "jacobi". Not collective. */
OVK_API const char *ovk_precond_name(const ovk_precond *M);

/** @return bytes of storage on all ranks, vectors and the matrix not included; 0 if the
 * preconditioner does not report them. Not collective. */
OVK_API int64_t ovk_precond_bytes(const ovk_precond *M);

/**
 * Get a description of the setup: the changes that it made to the spec, such as "shift 0.001 after
 * a pivot of -2 in row 17" for ic, or the levels of amg. Not collective.
 *
 * @return the text of the lowest rank that has one, the same on all ranks; "" if there is none.
 *         Valid until M is updated or destroyed
 */
OVK_API const char *ovk_precond_info(const ovk_precond *M);

/**
 * Write a table of the parts of a preconditioner. Not collective.
 *
 * For amg it has a line for each level: rows and entries a row of all ranks, the storage format on
 * this rank, megabytes of all ranks, and the bound of the spectrum of D^-1 A. The seconds of this
 * rank follow: of each phase of the setup or of the last update, and of an application, a mean of
 * those since. A preconditioner without parts writes nothing.
 *
 * @param file  a FILE *, such as stdout; NULL on ranks that write nothing
 */
OVK_API void ovk_precond_view(const ovk_precond *M, void *file);

/**
 * The functions of a kind of preconditioner. Arrays hold the rows of this rank. All ranks call each
 * function, so it may communicate. The library propagates a failure on one rank to all ranks; a
 * function that communicates must still complete its communication.
 */
typedef struct ovk_precond_ops {
  size_t size;            /**< sizeof(ovk_precond_ops), see @ref struct_sizes */
  const char *name;       /**< REQUIRED. Its name in a spec. */
  const char *summary;    /**< OPTIONAL. One line for lists. */
  const ovk_option *keys; /**< OPTIONAL. The table of its options, the keys of its spec. */

  /** REQUIRED. Apply the preconditioner: z <- M^-1 r. It calls ovk_poll_call(poll) every poll.every
   * rows, see ovk_poll_until(). */
  ovk_err (*apply)(void *state, const double *r, double *z, ovk_poll poll);

  /**
   * OPTIONAL. Create the state; without this function the state is the `user` pointer of the
   * registration. It reads the options with ovk_spec_int(), ovk_spec_double() and ovk_spec_word(),
   * which check them, and the rows of A with ovk_mat_for_each_row(). All ranks have the same spec.
   */
  ovk_err (*setup)(const ovk_mat *A, const ovk_spec *spec, void *user, void **state);
  /** OPTIONAL. Free the state. Not called if setup failed. */
  void (*destroy)(void *state);

  /** OPTIONAL, the three together. Compute the factors of M = L L^T; called once after setup and
   * again after each update. */
  ovk_err (*factor)(void *state);
  /** Apply the left factor: t <- L^-1 r. */
  ovk_err (*apply_left)(void *state, const double *r, double *t, ovk_poll poll);
  /** Apply the right factor: w <- L^-T t. */
  ovk_err (*apply_right)(void *state, const double *t, double *w, ovk_poll poll);

  /**
   * OPTIONAL. Get the diagonal d of M^-1 = diag(d), which methods apply inside their vector
   * updates. Called when a solver is created and at the start of each solve; d may change between
   * solves. If a rank with rows returns NULL when the solver is created, all ranks treat M as not
   * diagonal.
   */
  const double *(*inverse_diagonal)(void *state);

  /** OPTIONAL. Get the bytes of the state on this rank. Called after setup, factor and update. */
  int64_t (*bytes)(void *state);
  /**
   * OPTIONAL. Update the state for new values of A on the same pattern. After a failure only update
   * and destroy are called. Without this function the library calls setup again, then destroy for
   * the previous state.
   */
  ovk_err (*update)(const ovk_mat *A, void *state);
  /** OPTIONAL. Get the text for ovk_precond_info(), less than 200 characters; NULL or "" for none.
   * Called after setup and update. */
  const char *(*info)(void *state);
  /** OPTIONAL. True if apply, apply_left and apply_right do not communicate; the same on all ranks.
   * ovk_precond_apply() then makes one agreement instead of two, as a rank with wrong arguments can
   * omit the call. */
  bool local;
  /** OPTIONAL. True if `apply` does not call its poll, such as one that calls another library. The
   * method "auto" then measures how much of a reduction overlaps with it. One rank with true
   * suffices. */
  bool never_polls;
  /**
   * OPTIONAL, only with factors. Compute p <- L^-T u, s <- A p, q <- L^-1 s at less cost than in
   * three calls, for example if L has the entries of A (Eisenstat, 1981). It communicates as one
   * product with A does, also after a failure. Methods that iterate with L^-1 A L^-T use it if all
   * ranks have it, while A has the values of the setup or the last update.
   */
  ovk_err (*apply_split)(void *state, const double *u, double *p, double *s, double *q,
                         ovk_poll poll);
  const char *aliases; /**< OPTIONAL. Other accepted names, separated by blanks. */
  /** OPTIONAL. Get the text of a warning, less than 200 characters; NULL or "" for none. Called
   * after setup and update. It is issued as in ovk_ctx_on_notice(), with the text of the lowest
   * rank that has one on all ranks. */
  const char *(*warning)(void *state);
  /** OPTIONAL. Write the table for ovk_precond_view() to `file`, a FILE *. Not collective. */
  void (*view)(void *state, void *file);
  /** OPTIONAL. Get the parts that update keeps from older values, and the remedy, less than 200
   * characters, such as "aggregates are of old values: amg:update=all"; NULL or "" if update keeps
   * none. The same on all ranks. The library compares the first solve after an update with the
   * first solve after setup, if they use the same method. If it takes more than 1.5 times as many
   * iterations for each digit of the residual, the text is issued as in ovk_ctx_on_notice(). */
  const char *(*stale)(void *state);
  /** OPTIONAL. True if the bits of an application do not depend on which rank has which rows:
   * solves with exact = "all" take only such preconditioners. */
  bool any_partition;
  /**
   * OPTIONAL. Apply the preconditioner to `width` vectors at once: 2, 4 or 8. r and z have the
   * `width` values of a row side by side, row after row, and are aligned to 64 bytes. A NaN in
   * one vector must not reach another. Without this function on all ranks `apply` is
   * called for one vector after the other.
   */
  ovk_err (*apply_many)(void *state, int width, const double *r, double *z, ovk_poll poll);
  /** OPTIONAL. Allocate the memory that `apply_many` needs for a width. Called on all ranks before
   * the first application of this width, also after each setup and update; the state keeps it until
   * destroy.
   */
  ovk_err (*prepare_many)(void *state, int width);
  /** OPTIONAL, only with factors. Get whether the factors are those of the M that `apply` applies;
   * without this function they are. False if another preconditioner is factored in its place: then
   * the method "auto" takes no method that needs factors. The same on all ranks. */
  bool (*has_own_factors)(void *state);
} ovk_precond_ops;

/**
 * Register a user-defined preconditioner under ops->name in this context. Not collective. All ranks
 * must register it nevertheless.
 *
 * @param ops   copied; its strings and keys must stay until the context and all objects created
 *              from it are destroyed
 * @param user  passed to setup
 * @return OVK_ERR_ARG if the name is taken or a required function is missing; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_precond_register(ovk_ctx *ctx, const ovk_precond_ops *ops, void *user);

/**
 * Create a user-defined preconditioner from its functions, without registration. Collective.
 *
 * @param A     kept until the preconditioner is destroyed
 * @param ops   as for ovk_precond_register(); `name` must be the same on all ranks, `keys` and
 *              `summary` are ignored
 * @param user  passed to ops->setup; without that function it is the state, and the caller frees it
 * @param out   the preconditioner, to be freed with ovk_precond_destroy()
 * @return OVK_ERR_ARG, also if a required function is missing or names differ; OVK_ERR_MEMORY; the
 *         error of ops->setup
 */
OVK_API ovk_err ovk_precond_create_from_ops(ovk_mat *A, const ovk_precond_ops *ops, void *user,
                                            ovk_precond **out);

/** Former name: programs that use it still compile. */
#define ovk_precond_create_shell ovk_precond_create_from_ops

OVK_END_DECLS

#endif
