/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend shm, src/backends/shm/shm.c, in slots of src/core/node/arena.c: sums one after
 * another in the same slot, each of some generations. */
#include "model.h"

namespace
{

using namespace model;

/* The first sum leaves a number in the slot that the second one begins with. */
constexpr int RANKS = 3, GENERATIONS[] = {1, 3};

/* As in the library. */
struct library {
  rl::memory_order publish = mo_release; /* shm_begin(): the store of the generation */
  rl::memory_order look = mo_acquire;    /* shm_test_arrived(): its load */
  int places = 2;                        /* shm_place() */
  bool clear = true;                     /* arena.c, write_zeros() */
  bool meet = true;                      /* and the barrier after it */
  bool agree = true;                     /* ovk__slot_take(): the all-reduce */
} how;

struct place {
  rl::atomic<int> generation;
  rl::var<int> value;
};

struct sums : rl::test_suite<sums, RANKS> {
  place places[RANKS][2];
  barrier agreement, cleared;

  void before()
  {
    agreement.make();
    cleared.make();
    for (auto &both : places) {
      for (auto &p : both) {
        p.generation($) = 0;
        p.value($) = 0;
      }
    }
  }

  static int term(int sum, int generation, int rank)
  {
    return (100 * sum + 10 * generation + 1) * (rank + 1);
  }

  place &place_of(int rank, int generation)
  {
    return places[rank][generation % how.places];
  }

  /* ovk__slot_take() of a slot that was used before: ovk__slot_release() does not synchronize. */
  void take_slot(int rank, int sum)
  {
    if (how.agree) agreement.pass(sum + 1, RANKS);
    for (auto &p : places[rank]) {
      if (!how.clear) break;
      p.generation.store(0, mo_relaxed, $);
      p.value($) = 0;
    }
    if (how.meet) cleared.pass(sum + 1, RANKS);
  }

  void begin(int rank, int sum, int generation)
  {
    place &own = place_of(rank, generation);
    own.value($) = term(sum, generation, rank);
    own.generation.store(generation, how.publish, $);
  }

  /* shm_test_arrived() until all parts are there, and shm_add_up(); a rank's own part is taken from
   * its own memory.
   */
  void wait(int rank, int sum, int generation)
  {
    for (int other = 0; other < RANKS; other++) {
      while (other != rank &&
             place_of(other, generation).generation.load(how.look, $) != generation)
        rl::yield(1, $);
    }
    for (int other = 0; other < RANKS; other++) {
      if (other == rank) continue;
      const int value = place_of(other, generation).value($);
      RL_ASSERT(value == term(sum, generation, other));
    }
  }

  void thread(unsigned index)
  {
    const int rank = (int)index;
    for (int sum = 0; sum < 2; sum++) {
      take_slot(rank, sum);
      for (int generation = 1; generation <= GENERATIONS[sum]; generation++) {
        begin(rank, sum, generation);
        wait(rank, sum, generation);
      }
    }
  }
};

} // namespace

int main()
{
  holds<sums>("shm");
  fails<sums>("shm, relaxed store of the generation", how, {.publish = mo_relaxed});
  fails<sums>("shm, relaxed load of the generation", how, {.look = mo_relaxed});
  fails<sums>("shm, one place", how, {.places = 1});
  fails<sums>("shm, slot not cleared", how, {.clear = false});
  fails<sums>("shm, no barrier after clearing", how, {.meet = false});
  fails<sums>("shm, slot taken without agreement", how, {.agree = false});
}
