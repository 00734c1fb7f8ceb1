/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums by remote additions, src/backends/verbs/atomic/accumulator.c: words of a set are added to in
 * their order and read in any, without any memory order. */
#include "model.h"

namespace
{

using namespace model;

enum { COUNTER, SEAL, NUMBER, WORDS };

/* As in the library. */
struct library {
  bool flagged = true; /* is_whole() */
  int sets = 2;        /* `generation & 1` in work_at() */
} how;

struct accumulator : rl::test_suite<accumulator, 3> {
  enum { RANKS = 3, GENERATIONS = 3 };
  rl::atomic<int> sets[2][WORDS];

  void before()
  {
    for (auto &set : sets) {
      for (auto &word : set) word($) = 0;
    }
  }

  static int weight(int word)
  {
    return word == COUNTER ? 1 : 1000;
  }
  static int term(int generation, int rank)
  {
    return 1 << (3 * (generation - 1) + rank);
  }

  void add(int set, int value)
  {
    sets[set][NUMBER].fetch_add(value, mo_seq_cst, $);
    sets[set][SEAL].fetch_add(weight(NUMBER) * value + weight(COUNTER), mo_seq_cst, $);
    sets[set][COUNTER].fetch_add(1, mo_seq_cst, $);
  }

  void read(int set, int *landing)
  {
    const int turn = (int)rl::rand(WORDS);
    for (int k = 0; k < WORDS; k++) {
      const int word = (k + turn) % WORDS;
      landing[word] = sets[set][word].load(mo_relaxed, $);
    }
  }

  static bool has_come(const int *landing, const int *seen)
  {
    if (landing[COUNTER] - seen[COUNTER] != RANKS) return false;
    const int flag = weight(COUNTER) * RANKS + weight(NUMBER) * (landing[NUMBER] - seen[NUMBER]);
    return !how.flagged || landing[SEAL] - seen[SEAL] == flag;
  }

  void thread(unsigned index)
  {
    int seen[2][WORDS] = {};
    for (int generation = 1; generation <= GENERATIONS; generation++) {
      const int set = generation % how.sets;
      int landing[WORDS], total = 0;
      add(set, term(generation, (int)index));
      for (read(set, landing); !has_come(landing, seen[set]); read(set, landing)) rl::yield(1, $);
      for (int rank = 0; rank < RANKS; rank++) total += term(generation, rank);
      RL_ASSERT(landing[NUMBER] - seen[set][NUMBER] == total);
      for (int word = 0; word < WORDS; word++) seen[set][word] = landing[word];
    }
  }
};

} // namespace

int main()
{
  holds<accumulator>("accumulator");
  fails<accumulator>("accumulator, no flag", how, {.flagged = false});
  fails<accumulator>("accumulator, one set", how, {.sets = 1});
}
