/* SPDX-License-Identifier: BSD-2-Clause */
/* The error codes with their texts: X(name, value, text). */
#ifndef OVK_CORE_CONTEXT_ERROR_LIST_H
#define OVK_CORE_CONTEXT_ERROR_LIST_H

#define OVK_ERROR_LIST(X)                                                                          \
  X(OVK_OK, 0, "success")                                                                          \
  X(OVK_ERR_ARG, 1, "invalid argument")                                                            \
  X(OVK_ERR_STATE, 2, "call not allowed in this state")                                            \
  X(OVK_ERR_MEMORY, 3, "out of memory")                                                            \
  X(OVK_ERR_RANGE, 4, "a number is out of range")                                                  \
  X(OVK_ERR_UNKNOWN, 5, "unknown name or key")                                                     \
  X(OVK_ERR_UNSUPPORTED, 6, "not supported by this object or this build")                          \
  X(OVK_ERR_INDEFINITE, 7, "not positive definite")                                                \
  X(OVK_ERR_IO, 8, "a file cannot be read or written")                                             \
  X(OVK_ERR_FORMAT, 9, "malformed file")                                                           \
  X(OVK_ERR_USER, 10, "a user's function failed")                                                  \
  X(OVK_ERR_MPI, 11, "an MPI call failed")                                                         \
  X(OVK_ERR_NETWORK, 12, "the network failed")                                                     \
  X(OVK_ERR_INTERNAL, 13, "a fault in ovkrylov itself")                                            \
  X(OVK_ERR_DIFFER, 14, "ranks that should be alike differ")

#endif
