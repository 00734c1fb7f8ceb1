/* SPDX-License-Identifier: BSD-2-Clause */
/* Error codes, their names and texts, and a macro for sequences of calls. */
#ifndef OVKRYLOV_ERROR_H
#define OVKRYLOV_ERROR_H

#include <ovkrylov/base.h>

OVK_BEGIN_DECLS

/**
 * The result of a function. Unless a function is documented as "not collective", all ranks of the
 * context return the same code, and ovk_ctx_error() gives the same message on all of them.
 *
 * That also holds if a handle is NULL on one rank and the function has another handle there: the
 * ranks agree through its context. If the handle is the only one, as in ovk_vec_norm(NULL, &value),
 * the rank cannot report the error to other ranks. It returns OVK_ERR_ARG without a message, and
 * the other ranks wait for it.
 *
 * Functions that return a value instead of an ovk_err return nothing for a NULL handle: 0, false,
 * NULL, the text "", MPI_COMM_NULL, the hook ovk_poll_none().
 *
 * Each function documents the codes that it can return. In addition any function may return
 * OVK_ERR_ARG for a NULL handle. Any collective function may return OVK_ERR_MPI, OVK_ERR_DIFFER in
 * check mode, and OVK_ERR_STATE after MPI_Finalize().
 */
typedef enum ovk_err {
  OVK_OK = 0,              /**< success */
  OVK_ERR_ARG = 1,         /**< invalid argument */
  OVK_ERR_STATE = 2,       /**< call not allowed in this state */
  OVK_ERR_MEMORY = 3,      /**< out of memory */
  OVK_ERR_RANGE = 4,       /**< a number is out of range */
  OVK_ERR_UNKNOWN = 5,     /**< unknown name or key */
  OVK_ERR_UNSUPPORTED = 6, /**< not supported by this object or this build */
  OVK_ERR_INDEFINITE = 7,  /**< not positive definite */
  OVK_ERR_IO = 8,          /**< a file cannot be read or written */
  OVK_ERR_FORMAT = 9,      /**< malformed file */
  OVK_ERR_USER = 10,       /**< a function of the user failed */
  OVK_ERR_MPI = 11,        /**< an MPI call failed */
  OVK_ERR_NETWORK = 12,    /**< the network failed */
  OVK_ERR_INTERNAL = 13,   /**< a fault in ovkrylov itself */
  OVK_ERR_DIFFER = 14      /**< ranks that must agree differ */
} ovk_err;

/**
 * Call a function unless an earlier call has failed: err is OVK_OK at first and then the code of
 * the first failure. A sequence of such calls needs no branches: the handles that a call that was
 * omitted would have created are still NULL, and destroying NULL is allowed.
 */
#define OVK_CALL(err, call)                                                                        \
  do {                                                                                             \
    if (!(err)) (err) = (call);                                                                    \
  } while (0)

/** @return the name of a code, such as "OVK_ERR_ARG"; "unknown" for a number not in the list. Not
 * collective. */
OVK_API const char *ovk_err_name(ovk_err err);

/** @return a short text for a code, such as "invalid argument". Not collective. */
OVK_API const char *ovk_err_text(ovk_err err);

OVK_END_DECLS

#endif
