/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of a reduction backend against the contract of reduction.h, for authors of backends. They
 * are in a separate static library, ovkrylov_conformance, to be linked before ovkrylov. */
#ifndef OVKRYLOV_PLUGIN_CONFORMANCE_H
#define OVKRYLOV_PLUGIN_CONFORMANCE_H

#include <ovkrylov/comm/reduction.h>

OVK_BEGIN_DECLS

/** The backend to check. */
typedef struct ovk_conformance {
  MPI_Comm comm;    /**< all its ranks take part, with the same values below; use at least two */
  const char *spec; /**< the backend, as for ovk_reduction_create(), except "auto" */
  /** OPTIONAL. Register the backend with a context of the checks. */
  ovk_err (*introduce)(ovk_ctx *ctx);
  /**
   * OPTIONAL. Called on a rank where a check has failed, with file, line, spec, rank and the fault.
   * It must not return, and should end the program on all ranks, as others may wait for this one.
   * Without it the message is written to stderr, and MPI_Abort() is called.
   */
  void (*failed)(const char *message);
  bool quick; /**< a tenth of the repetitions, for more ranks than processors */
} ovk_conformance;

/** Run all checks except those below. Returns only if they hold. Collective over comm. */
void ovk_conformance_check(const ovk_conformance *backend);

/**
 * Check that a rank that waits for a reduction progresses a collective operation for which other
 * ranks wait first. Not for backends whose begin or wait blocks until the other ranks begin.
 * Collective over comm.
 */
void ovk_conformance_check_mixed(const ovk_conformance *backend);

/** Check that thousands of reductions exhaust nothing, such as communicators. One call per backend
 * is enough. Collective over comm. */
void ovk_conformance_check_thousands(const ovk_conformance *backend);

OVK_END_DECLS

#endif
