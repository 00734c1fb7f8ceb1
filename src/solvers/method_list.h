/* SPDX-License-Identifier: BSD-2-Clause */
/* All methods: X(table). */
#define OVK_METHOD_LIST(X)                                                                         \
  X(ovk__pcg_auto)                                                                                 \
  X(ovk__pcg_algorithm1)                                                                           \
  X(ovk__pcg_algorithm2)                                                                           \
  X(ovk__pcg_two_reductions)                                                                       \
  X(ovk__pcg_overlap)                                                                              \
  X(ovk__pcg_single_reduction)                                                                     \
  X(ovk__pcg_gropp)                                                                                \
  X(ovk__pcg_pipelined)                                                                            \
  X(ovk__pcg_predict_recompute)                                                                    \
  X(ovk__pcg_deep)                                                                                 \
  X(ovk__flexible_cg)                                                                              \
  X(ovk__pipelined_fcg)                                                                            \
  X(ovk__chebyshev)                                                                                \
  X(ovk__minres)                                                                                   \
  X(ovk__pipelined_minres)                                                                         \
  X(ovk__bicgstab)                                                                                 \
  X(ovk__pipelined_bicgstab)                                                                       \
  X(ovk__restarted_gmres)                                                                          \
  X(ovk__flexible_gmres)                                                                           \
  X(ovk__pipelined_gmres)
