/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault injection for tests: only in builds with -DOVK_FAULTS=ON. */
#ifndef OVK_COMM_NET_FAULT_H
#define OVK_COMM_NET_FAULT_H

#include "core/context/check.h"

#include <limits.h>
#include <ovkrylov/plugin/spec.h>

#define OVK__FAULT_OPTIONS                                                                         \
  OVK_WORD("fault", OVK__NO_FAULT, "fault to inject, in test builds", "none", "kill", "break",     \
           "device", "silence"),                                                                   \
      OVK_INTEGER("fault_rank", 0, INT_MAX, 0, "rank with the fault"),                             \
      OVK_INTEGER("fault_at", 1, 0x1p53, 1, "work request with the fault")

/* The fault: fault=kill (the process), break (the connection of the work), device (the NIC) or
 * silence (works are discarded). It occurs on rank fault_rank= (default 0) at work number fault_at=
 * (default 1). */
typedef enum ovk__fault_kind {
  OVK__NO_FAULT,
  OVK__FAULT_KILL,
  OVK__FAULT_BREAK,
  OVK__FAULT_DEVICE,
  OVK__FAULT_SILENCE
} ovk__fault_kind;

typedef struct ovk__fault {
  ovk__fault_kind kind;
  long at;     /* number of the work */
  long nworks; /* works counted so far */
} ovk__fault;

/* Reads the keys. Not collective. */
ovk_err ovk__fault_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__fault *out);

/* Return the fault to apply when works are posted; `n` of them count. kill does not return; device
 * and silence apply from then on, break only once. */
ovk__fault_kind ovk__fault_strikes(ovk__fault *fault, int n);

#endif
