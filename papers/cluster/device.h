/* SPDX-License-Identifier: BSD-2-Clause */
/* The network device of a node of an emulated cluster. */
#ifndef OVK_CLUSTER_DEVICE_H
#define OVK_CLUSTER_DEVICE_H

enum { DEVICE_MTU = 9000 };

/* Creates the TUN device ovk0 with the address 10.77.0.number in the network namespace of a
 * process, and starts it and the loopback. This process then is in that namespace. Returns a
 * descriptor that does not block: a read takes one packet that the node sends, a write hands one to
 * the node. -1: errno has the reason. */
int device_open(const char *pid, int number);

#endif
