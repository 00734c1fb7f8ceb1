/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules over shared memory: src/comm/engine/channels/shm.c, in the order of
 * src/comm/engine/executor.c.
 */
#include "model.h"

namespace
{

using namespace model;

/* As in the library. */
struct library {
  rl::memory_order publish = mo_release; /* shm_start(): the number */
  rl::memory_order look = mo_acquire;    /* shm_test(): its load */
  rl::memory_order finish = mo_release;  /* shm_finish(): the store */
  rl::memory_order ready = mo_acquire;   /* ready(): its load */
  int places = 2;                        /* `generation & 1` */
  int behind = 2;                        /* ready(): finished + 2 < generation */
} how;

/* One send copy: its two places. */
struct send_copy {
  struct line {
    rl::atomic<int> number;
    rl::var<int> data;
  } lines[2];

  void make()
  {
    for (auto &l : lines) {
      l.number($) = 0;
      l.data($) = 0;
    }
  }

  void start(int value, int generation)
  {
    line &l = lines[generation % how.places];
    l.data($) = value;
    l.number.store(generation, how.publish, $);
  }

  int test(int generation)
  {
    line &l = lines[generation % how.places];
    while (l.number.load(how.look, $) != generation) rl::yield(1, $);
    return l.data($);
  }
};

/* A schedule that is a barrier: values go round a ring, in as many rounds as there are other ranks.
 * No rank writes what it has finished: that its places of g - 2 have been read follows from the
 * values received through the other ranks, as happens-before is transitive. */
struct ring : rl::test_suite<ring, 3> {
  enum { RANKS = 3, ROUNDS = RANKS - 1, GENERATIONS = 4 };
  send_copy copies[RANKS][ROUNDS]; /* to the next rank, in each round */

  void before()
  {
    for (auto &rank : copies) {
      for (auto &w : rank) w.make();
    }
  }

  void thread(unsigned index)
  {
    const int rank = (int)index, last = (rank + RANKS - 1) % RANKS;
    for (int generation = 1; generation <= GENERATIONS; generation++) {
      int value = 10 * generation + rank;
      for (int round = 0; round < ROUNDS; round++) {
        copies[rank][round].start(value, generation);
        value = copies[last][round].test(generation);
        RL_ASSERT(value == 10 * generation + (rank + RANKS - 1 - round) % RANKS);
      }
    }
  }
};

/* A schedule that is no barrier: rank 0 sends, and continues once the others have finished g - 2.
 */
struct broadcast : rl::test_suite<broadcast, 3> {
  enum { RANKS = 3, GENERATIONS = 5 };
  send_copy copy;
  rl::atomic<int> finished[RANKS];

  void before()
  {
    copy.make();
    for (auto &f : finished) f($) = 0;
  }

  void thread(unsigned index)
  {
    for (int generation = 1; generation <= GENERATIONS; generation++) {
      if (index == 0) {
        for (int k = 1; k < RANKS; k++) {
          while (finished[k].load(how.ready, $) + how.behind < generation) rl::yield(1, $);
        }
        copy.start(10 * generation, generation);
      } else {
        const int value = copy.test(generation);
        RL_ASSERT(value == 10 * generation);
      }
      finished[index].store(generation, how.finish, $);
    }
  }
};

} // namespace

int main()
{
  holds<ring>("ring over the shm channel");
  fails<ring>("ring over the shm channel, relaxed store of the number", how,
              {.publish = mo_relaxed});
  fails<ring>("ring over the shm channel, relaxed load of the number", how, {.look = mo_relaxed});
  fails<ring>("ring over the shm channel, one place", how, {.places = 1});
  holds<broadcast>("broadcast over the shm channel");
  fails<broadcast>("broadcast over the shm channel, relaxed store of the number", how,
                   {.publish = mo_relaxed});
  fails<broadcast>("broadcast over the shm channel, relaxed load of the number", how,
                   {.look = mo_relaxed});
  fails<broadcast>("broadcast over the shm channel, relaxed store of finished", how,
                   {.finish = mo_relaxed});
  fails<broadcast>("broadcast over the shm channel, relaxed load of finished", how,
                   {.ready = mo_relaxed});
  fails<broadcast>("broadcast over the shm channel, one place", how, {.places = 1});
  fails<broadcast>("broadcast over the shm channel, ready a generation too early", how,
                   {.behind = 3});
}
