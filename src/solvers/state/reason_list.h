/* SPDX-License-Identifier: BSD-2-Clause */
/* The reasons for which solves end: X(name, value, text, the PETSc reason with that meaning). */
#ifndef OVK_SOLVERS_STATE_REASON_LIST_H
#define OVK_SOLVERS_STATE_REASON_LIST_H

#define OVK_REASON_LIST(X)                                                                         \
  X(OVK_REASON_CONVERGED_RTOL, 1, "CONVERGED_RTOL", "KSP_CONVERGED_RTOL")                          \
  X(OVK_REASON_CONVERGED_ATOL, 2, "CONVERGED_ATOL", "KSP_CONVERGED_ATOL")                          \
  X(OVK_REASON_CONVERGED_ZERO_RHS, 3, "CONVERGED_ZERO_RHS", "KSP_CONVERGED_ATOL")                  \
  X(OVK_REASON_NOT_RUN, 0, "NOT_RUN", "KSP_CONVERGED_ITERATING")                                   \
  X(OVK_REASON_MAXIT, -1, "MAXIT", "KSP_DIVERGED_ITS")                                             \
  X(OVK_REASON_BREAKDOWN_INDEFINITE_A, -2, "BREAKDOWN_INDEFINITE_A",                               \
    "KSP_DIVERGED_INDEFINITE_MAT")                                                                 \
  X(OVK_REASON_BREAKDOWN_INDEFINITE_M, -3, "BREAKDOWN_INDEFINITE_M", "KSP_DIVERGED_INDEFINITE_PC") \
  X(OVK_REASON_NAN, -4, "NAN", "KSP_DIVERGED_NANORINF")                                            \
  X(OVK_REASON_DIVERGED, -5, "DIVERGED", "KSP_DIVERGED_DTOL")                                      \
  X(OVK_REASON_STAGNATED, -6, "STAGNATED", "KSP_DIVERGED_ITS")                                     \
  X(OVK_REASON_MONITOR, -7, "MONITOR", "KSP_DIVERGED_USER")                                        \
  X(OVK_REASON_BREAKDOWN_LANCZOS, -8, "BREAKDOWN_LANCZOS", "KSP_DIVERGED_BREAKDOWN")               \
  X(OVK_REASON_BREAKDOWN_BICG, -9, "BREAKDOWN_BICG", "KSP_DIVERGED_BREAKDOWN_BICG")                \
  X(OVK_REASON_STAGNATED_RESTART, -10, "STAGNATED_RESTART", "KSP_DIVERGED_ITS")                    \
  X(OVK_REASON_SINGULAR, -11, "SINGULAR", "KSP_DIVERGED_BREAKDOWN")

#endif
