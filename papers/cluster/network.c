/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* ppoll() */
#include "cluster/network.h"
#include "cluster/device.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUEUE = 1024, IPV4 = 4, IPV4_HEADER = 20, LAST_BYTE_OF_DESTINATION = 19 };

struct packet {
  double due; /* time to hand it to its node */
  size_t bytes;
  unsigned char data[DEVICE_MTU];
};

static double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int network_create(network *net)
{
  for (int k = 0; k < net->nnodes; k++) {
    net->nodes[k].queue = malloc(QUEUE * sizeof *net->nodes[k].queue);
    if (!net->nodes[k].queue) return -1;
  }
  return 0;
}

void network_destroy(network *net)
{
  for (int k = 0; k < net->nnodes; k++) free(net->nodes[k].queue);
}

/* Hands the packets that are due to their node. Returns the time of the next one. */
static double node_deliver(node *to, double now)
{
  for (; to->waiting; to->waiting--) {
    const packet *p = &to->queue[to->first];
    if (p->due > now) return p->due;
    if (write(to->device, p->data, p->bytes) < 0 && errno == EAGAIN) return now;
    to->first = (to->first + 1) % QUEUE;
  }
  return INFINITY;
}

/* The receiver of a packet; NULL for packets of other protocols, such as those of IPv6. */
static node *network_receiver(network *net, const packet *p)
{
  if (p->bytes < IPV4_HEADER || p->data[0] >> 4 != IPV4) return NULL;
  const int number = p->data[LAST_BYTE_OF_DESTINATION];
  return number >= 1 && number <= net->nnodes ? &net->nodes[number - 1] : NULL;
}

/* Reads one packet of a node. The caller ensures that each queue has space. */
static void network_take(network *net, node *from, double now)
{
  packet p;
  const ssize_t got = read(from->device, p.data, sizeof p.data);
  if (got <= 0) return;
  p.bytes = (size_t)got;
  node *to = network_receiver(net, &p);
  if (!to) return;
  const double takes = (double)got * net->seconds_per_byte;
  from->leaves = fmax(from->leaves, now) + takes;
  to->arrives = fmax(from->leaves + net->latency, to->arrives + takes);
  packet *place = &to->queue[(to->first + to->waiting++) % QUEUE];
  place->due = to->arrives;
  place->bytes = p.bytes;
  memcpy(place->data, p.data, p.bytes);
}

/* A sender may fill any queue by one packet. */
static bool network_has_space(const network *net)
{
  for (int k = 0; k < net->nnodes; k++) {
    if (net->nodes[k].waiting + (size_t)net->nnodes > QUEUE) return false;
  }
  return true;
}

/* For at most so many seconds; < 0: as 0. */
static int poll_for(struct pollfd *wanted, int n, double seconds)
{
  const double left = fmin(fmax(seconds, 0), 3600);
  const struct timespec limit = {.tv_sec = (time_t)left,
                                 .tv_nsec = (long)(1e9 * (left - floor(left)))};
  return ppoll(wanted, (nfds_t)n, &limit, NULL);
}

static int compare(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

void network_measure(network *net)
{
  enum { SLEEPS = 101 };
  static const double each = 100e-6;
  double late[SLEEPS];
  for (int k = 0; k < SLEEPS; k++) {
    const double end = seconds_now() + each;
    (void)poll_for(NULL, 0, each);
    late[k] = seconds_now() - end;
  }
  qsort(late, SLEEPS, sizeof *late, compare);
  net->late = fmin(late[SLEEPS / 2], each);
}

/* Waits for packets of nodes whose links are free, for the time `next`, and for the end of standard
 * input. It may return earlier, and returns at once where a sleep would end after `next`. But it
 * sleeps while a link is busy: a stream that is limited by its rate would take a whole processor.
 */
static int network_wait(const network *net, double now, double next, struct pollfd *wanted)
{
  const bool space = network_has_space(net);
  bool streams = false;
  for (int k = 0; k < net->nnodes; k++) {
    const node *n = &net->nodes[k];
    const bool busy = n->leaves > now;
    if (busy) next = fmin(next, n->leaves);
    streams = streams || busy;
    wanted[k] = (struct pollfd){.fd = space && !busy ? n->device : -1, .events = POLLIN};
  }
  wanted[net->nnodes] = (struct pollfd){.fd = STDIN_FILENO};
  const double left = next - seconds_now(), sleep = left > 2 * net->late ? left - net->late : 0;
  return poll_for(wanted, net->nnodes + 1, streams ? left : sleep);
}

int network_run(network *net)
{
  struct pollfd wanted[MOST_NODES + 1];
  for (;;) {
    double now = seconds_now(), next = INFINITY;
    for (int k = 0; k < net->nnodes; k++) next = fmin(next, node_deliver(&net->nodes[k], now));
    const int ready = network_wait(net, now, next, wanted);
    if (ready < 0 && errno != EINTR) return -1;
    if (ready <= 0) continue;
    if (wanted[net->nnodes].revents) return 0;
    now = seconds_now();
    for (int k = 0; k < net->nnodes; k++) {
      if (wanted[k].revents) network_take(net, &net->nodes[k], now);
    }
  }
}
