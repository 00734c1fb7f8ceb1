/* SPDX-License-Identifier: BSD-2-Clause */
/* All built-in preconditioners: X(ops table). */
#define OVK_PRECOND_LIST(X)                                                                        \
  X(ovk__precond_none)                                                                             \
  X(ovk__precond_jacobi)                                                                           \
  X(ovk__precond_ssor)                                                                             \
  X(ovk__precond_chebyshev)                                                                        \
  X(ovk__precond_bjacobi)                                                                          \
  X(ovk__precond_ic)                                                                               \
  X(ovk__precond_ilu)                                                                              \
  X(ovk__precond_amg)                                                                              \
  X(ovk__precond_auto)
