/* SPDX-License-Identifier: BSD-2-Clause */
/* Works of the emulated NIC: which ones it accepts, and their effect on mapped memory. */
#ifndef OVK_COMM_NET_EMULATED_WORK_H
#define OVK_COMM_NET_EMULATED_WORK_H

#include "comm/net/nic.h"

enum { OVK__EMULATED_INLINE_MOST = 220, OVK__EMULATED_WORK_MOST = 1 << 30 };

bool ovk__emulated_takes(const ovk__work *work);

/* `local` and `remote` are the addresses of the work's memory in this process. 8-byte words that
 * are aligned in the region are written and read atomically, in ascending order. */
void ovk__emulated_do(const ovk__work *work, char *local, char *remote);

#endif
