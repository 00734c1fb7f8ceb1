/* SPDX-License-Identifier: BSD-2-Clause */
/* The network of an emulated cluster: a switch that all nodes have a link to. A packet takes its
 * bytes at the rate of a link to leave its node, then the latency, then again its bytes to arrive;
 * packets follow each other as on a wire, so that a stream of packets has the full rate. No packet
 * is lost: while a link is busy, or a queue is full, packets wait in the kernel of their node. */
#ifndef OVK_CLUSTER_NETWORK_H
#define OVK_CLUSTER_NETWORK_H

#include <stddef.h>

enum { MOST_NODES = 64 };

typedef struct packet packet;

typedef struct node {
  int device;            /* from device_open() */
  double leaves;         /* time at which its link has sent all packets so far, */
  double arrives;        /* and received all */
  packet *queue;         /* packets in transit to it, a ring in the order of arrival */
  size_t first, waiting; /* the oldest, their number */
} node;

typedef struct network {
  node nodes[MOST_NODES]; /* number k + 1 has the address 10.77.0.(k + 1) */
  int nnodes;
  double latency;          /* seconds */
  double seconds_per_byte; /* 0: unlimited rate */
  double late;             /* seconds by which a sleep ends late; from network_measure() */
} network;

/* Allocates the queues. -1: errno has the reason. */
int network_create(network *net);
void network_destroy(network *net);

/* Measures `late`: a few us, but 50 us on some virtual machines. Instead of the last part of a
 * sleep the network looks for packets all the time. */
void network_measure(network *net);

/* Forwards packets until standard input ends. -1: errno has the reason. */
int network_run(network *net);

#endif
