/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the tests of NICs: a NIC on every rank, connected with all others, and works
 * between their regions. */
#ifndef OVK_TEST_NIC_WORLD_H
#define OVK_TEST_NIC_WORLD_H

#include "comm/net/nic.h"
#include "support/system/mappings.h"
#include "support/test_main.h"

#include <stdatomic.h>

enum { MOST_RANKS = 8, DEPTH = 64 /* of the queues */ };

/* A region: data to be sent are at its front, then received data, and then words. */
enum {
  MESSAGE = 1 << 20,
  LANDING = MESSAGE + 64,
  WORDS = LANDING + MESSAGE + 128,
  REGION = WORDS + 1024 * 8
};

/* The NIC under test: the emulated one unless a test sets another. */
extern const ovk__nic_ops *ops;
extern ovk__nic_choice choice;

/* Takes that of OVK_TEST_DEVICE; where there is none, ends the program as skipped: the set-up of a
 * group. */
int choose_nic(void **state);

typedef struct place {
  uint64_t address;
  uint32_t key, bytes;
} place;

typedef struct world {
  ovk__nic *nic;
  ovk__nic_limits limits;
  ovk__region region;
  ovk__queue *queues[MOST_RANKS]; /* [rank]; also to itself */
  place places[MOST_RANKS];       /* the ranks' regions */
} world;

/* The neighbors of this rank. */
int next(void);
int previous(void);

void meet(void);

/* Collective. */
void open_world(world *w);
void open_listening_world(world *w);
void close_world(world *w);
#define scoped_world SCOPED(close_world) world

/* Sends the addresses of the regions to all ranks. Collective. */
void share(const ovk__region *region, place *places);

/* A work between a place in this rank's region and one in a peer's. */
ovk__work between(const world *w, ovk__work_kind kind, size_t from, int peer, size_t to,
                  size_t bytes);

/* Inlined works: a value for a word of a peer, or no data. */
ovk__work write_word(const world *w, uint64_t *value, int peer, int word);
ovk__work empty_write(void);

_Atomic uint64_t *word_of(const world *w, int word);

/* All waits end, by failing the test if necessary: for loops that began at a given time, */
void assert_in_time(double since);
/* for the value of a word of this rank, */
void await_word(const world *w, int word, uint64_t value);
/* and for a completion: returns a status, or 0 once this id was reported. */
int await_id(ovk__queue *q, uint64_t id);

/* Posts a work and waits for it: returns its status, asserts success, or asserts a failure with a
 * message, after which the queue is unusable. */
int try_work(ovk__queue *q, ovk__work work);
#define succeed(queue, work) succeed_((queue), (work), __FILE__, __LINE__)
void succeed_(ovk__queue *q, ovk__work work, const char *file, int line);
void fail_with_words(ovk__queue *q, ovk__work work);

/* Asserts that all queues except those between ranks a and b transfer words. Collective. */
void check_others(const world *w, int a, int b);

/* The number of mappings by the emulated NIC in this process. */
static inline int mappings(void)
{
  return count_mappings("memfd:ovkrylov");
}

#endif
