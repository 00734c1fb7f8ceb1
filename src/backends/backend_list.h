/* SPDX-License-Identifier: BSD-2-Clause */
/* All built-in reduction backends: X(ops table). */
#define OVK_BACKEND_LIST(X)                                                                        \
  X(ovk__backend_auto)                                                                             \
  X(ovk__backend_blocking)                                                                         \
  X(ovk__backend_emulate_latency)                                                                  \
  X(ovk__backend_iallreduce)                                                                       \
  X(ovk__backend_nbc)                                                                              \
  X(ovk__backend_shm)                                                                              \
  X(ovk__backend_verbs)
