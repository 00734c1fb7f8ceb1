/* SPDX-License-Identifier: BSD-2-Clause */
/* The network of scripts/cluster: `ovk-cluster LATENCY_US BITS_PER_SECOND PID...` joins the network
 * namespaces of these processes, one a node. It prints "ready", and forwards packets until standard
 * input ends. It needs root. */
#define _GNU_SOURCE /* SCHED_FIFO */
#include "cluster/device.h"
#include "cluster/network.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fault(const char *what)
{
  fprintf(stderr, "ovk-cluster: %s: %s\n", what, strerror(errno));
  return EXIT_FAILURE;
}

static int open_devices(network *net, char **pids)
{
  for (int k = 0; k < net->nnodes; k++) {
    net->nodes[k].device = device_open(pids[k], k + 1);
    if (net->nodes[k].device < 0) return -1;
  }
  return 0;
}

/* Packets are due at a time, so this process goes before others where it may. */
static void go_first(void)
{
  const struct sched_param first = {.sched_priority = 1};
  (void)sched_setscheduler(0, SCHED_FIFO, &first);
}

int main(int argc, char **argv)
{
  static network net;
  net.nnodes = argc - 3;
  if (net.nnodes < 1 || net.nnodes > MOST_NODES) {
    fputs("usage: ovk-cluster LATENCY_US BITS_PER_SECOND PID...\n", stderr);
    return 2;
  }
  const double bits = strtod(argv[2], NULL);
  net.latency = 1e-6 * strtod(argv[1], NULL);
  net.seconds_per_byte = bits > 0 ? 8 / bits : 0;
  int status = EXIT_SUCCESS;
  if (network_create(&net)) status = fault("no memory");
  if (!status && open_devices(&net, argv + 3)) status = fault("cannot create a network device");
  if (!status) {
    go_first();
    network_measure(&net);
    puts("ready");
    fflush(stdout);
    if (network_run(&net)) status = fault("cannot forward packets");
  }
  network_destroy(&net);
  return status;
}
