/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking operations of ranks on several nodes. Both steps of an operation, on the board and
 * between nodes, are advanced here, as these may call the MPI. */
#ifndef OVK_CARRY_CROSSINGS_H
#define OVK_CARRY_CROSSINGS_H

#include "carry/boards/requests.h"

/* Begins the operation of a request that has messages. *late: this rank is. Not while locked. */
ovk_err carry_crossings_begin(carry_request *r, bool *late);

/* Advances all of them. Not while locked. */
void carry_crossings_advance(void);

/* Waits for one. Not while locked. */
void carry_crossings_wait(const carry_request *r);

#endif
