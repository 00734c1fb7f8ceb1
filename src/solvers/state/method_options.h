/* SPDX-License-Identifier: BSD-2-Clause */
/* Options that several methods have, as rows of their tables. settings.c reads them. */
#ifndef OVK_SOLVERS_STATE_METHOD_OPTIONS_H
#define OVK_SOLVERS_STATE_METHOD_OPTIONS_H

#include <ovkrylov/plugin/spec.h>

#define OVK__RESTART_OPTION                                                                        \
  OVK_INTEGER("restart", 1, 1000, 30, "iterations between restarts: vectors of the basis")

#define OVK__DEPTH_OPTION(most, default_)                                                          \
  OVK_INTEGER("l", 1, most, default_, "iterations between the start and the end of a reduction")

/* The default side depends on the norm. */
#define OVK__SIDE_OPTION OVK_WORD("side", -1, "side of the preconditioner", "right", "left")

#endif
