/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of sockets. */
#ifndef OVK_AGENT_ADDRESS_H
#define OVK_AGENT_ADDRESS_H

#include <sys/socket.h>

enum { ADDRESS_SIZE = 320 };

/* *name <- "HOST:PORT", in numbers. */
void name_address(const struct sockaddr_storage *address, socklen_t size, char name[ADDRESS_SIZE]);

/* A nonblocking socket that listens at "HOST:PORT", with a line in the log; -1: there is none, and
 * the log has the reason. */
int open_listener(const char *where);

#endif
