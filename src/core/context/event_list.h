/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of the log with their texts: X(name, text). */
#ifndef OVK_CORE_CONTEXT_EVENT_LIST_H
#define OVK_CORE_CONTEXT_EVENT_LIST_H

#define OVK_EVENT_LIST(X)                                                                          \
  X(OVK_EVENT_READ, "file read")                                                                   \
  X(OVK_EVENT_ADD, "adding entries")                                                               \
  X(OVK_EVENT_ASSEMBLE, "matrix assembly")                                                         \
  X(OVK_EVENT_RESET, "matrix reset")                                                               \
  X(OVK_EVENT_PRECOND_SETUP, "precond setup")                                                      \
  X(OVK_EVENT_SOLVE, "solve")                                                                      \
  X(OVK_EVENT_MULT, "matrix product")                                                              \
  X(OVK_EVENT_HALO_WAIT, "halo wait")                                                              \
  X(OVK_EVENT_PRECOND, "preconditioner")                                                           \
  X(OVK_EVENT_VECTOR, "vector updates")                                                            \
  X(OVK_EVENT_REDUCTION_BEGIN, "reduction begin")                                                  \
  X(OVK_EVENT_REDUCTION_WAIT, "reduction wait")

#endif
