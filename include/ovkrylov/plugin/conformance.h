/* SPDX-License-Identifier: BSD-2-Clause */
/* For authors of reduction backends: checks whether a backend keeps the contract of reduction.h. In
 * a separate static library, ovkrylov_conformance, to be linked before ovkrylov. */
#ifndef OVKRYLOV_PLUGIN_CONFORMANCE_H
#define OVKRYLOV_PLUGIN_CONFORMANCE_H

#include <ovkrylov/comm/reduction.h>

OVK_BEGIN_DECLS

/** What to check. */
typedef struct ovk_conformance {
  MPI_Comm comm;    /**< all its ranks take part, with the same values below; use at least two */
  const char *spec; /**< the backend, as for ovk_reduction_create(), except "auto" */
  /** OPTIONAL. Registers the backend with a context that the checks have made. */
  ovk_err (*introduce)(ovk_ctx *ctx);
  /**
   * OPTIONAL. Called on a rank where a check has failed, with file, line, spec, rank and what is
   * wrong. It must not return, and should end the program on all ranks, as others may wait for this
   * one. Without it the message is written to stderr, and MPI_Abort() is called.
   */
  void (*failed)(const char *message);
  bool quick; /**< a tenth of the repetitions, for more ranks than processors */
} ovk_conformance;

/** Runs all checks except those below. Returns only if they hold. Collective over comm. */
void ovk_conformance_check(const ovk_conformance *what);

/**
 * Checks that a rank that waits for a sum progresses a collective operation which other ranks wait
 * for first. Not for backends whose begin or wait blocks until the other ranks begin. Collective
 * over comm.
 */
void ovk_conformance_check_mixed(const ovk_conformance *what);

/** Checks that thousands of reductions exhaust nothing, such as communicators. One call per backend
 * is enough. Collective over comm. */
void ovk_conformance_check_thousands(const ovk_conformance *what);

OVK_END_DECLS

#endif
