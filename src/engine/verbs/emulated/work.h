/* SPDX-License-Identifier: BSD-2-Clause */
/* Works of the emulated adapter: which ones it takes, and what they do to memory that this process
 * has mapped. */
#ifndef OVK_ENGINE_VERBS_EMULATED_WORK_H
#define OVK_ENGINE_VERBS_EMULATED_WORK_H

#include "engine/verbs/nic.h"

enum { OVK__EMULATED_INLINE_MOST = 220, OVK__EMULATED_WORK_MOST = 1 << 30 };

bool ovk__emulated_takes(const ovk__work *work);

/* `local` and `remote` are where the work's memory is in this process. Words of 8 bytes that are
 * aligned in the region that a write or a read is about are there as a whole or not at all, and in
 * ascending order. */
void ovk__emulated_do(const ovk__work *work, char *local, char *remote);

#endif
