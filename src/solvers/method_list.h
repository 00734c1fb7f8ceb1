/* SPDX-License-Identifier: BSD-2-Clause */
/* All methods: X(table). */
#define OVK_METHOD_LIST(X)                                                                         \
  X(ovk__method_auto)                                                                              \
  X(ovk__method_cg)                                                                                \
  X(ovk__method_split_cg)                                                                          \
  X(ovk__method_two_reductions)                                                                    \
  X(ovk__method_overlap)                                                                           \
  X(ovk__method_single_reduction)                                                                  \
  X(ovk__method_groppcg)                                                                           \
  X(ovk__method_pipecg)                                                                            \
  X(ovk__method_pipeprcg)                                                                          \
  X(ovk__method_pipelcg)                                                                           \
  X(ovk__method_blockcg)                                                                           \
  X(ovk__method_fcg)                                                                               \
  X(ovk__method_pipefcg)                                                                           \
  X(ovk__method_chebyshev)                                                                         \
  X(ovk__method_minres)                                                                            \
  X(ovk__method_pipelined_minres)                                                                  \
  X(ovk__method_bcgs)                                                                              \
  X(ovk__method_pipebcgs)                                                                          \
  X(ovk__method_gmres)                                                                             \
  X(ovk__method_fgmres)                                                                            \
  X(ovk__method_pgmres)
