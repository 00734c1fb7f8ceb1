/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages as remote writes, src/comm/engine/channels/rdma.c. Nothing is assumed about the order in
 * which a NIC makes the words of one write visible: here they come in any order, and without
 * any memory order. (The emulated NIC, src/comm/net/emulated/work.c, does more: it writes
 * upwards, with release.) Two writes of one queue come in their order: the second is a release. */
#include "model.h"

namespace
{

using namespace model;

/* As in the library. */
struct library {
  bool flagged_data = true;           /* flag_of(): data up to SHORT bytes */
  bool flag_behind = true;            /* post(): a second write for longer ones */
  rl::memory_order look = mo_acquire; /* has_arrived(): the load of the flag, */
  bool fence = true;                  /* and the fence after it */
  int places = 2;                     /* turn() */
  int behind = 2;                     /* ready() */
} how;

/* What is here beside the words, for places that a real NIC fills: words are atomic. */
template <bool is_short> struct port : rl::test_suite<port<is_short>, 2> {
  enum { WORDS = 2, GENERATIONS = 4 };
  struct place {
    rl::atomic<int> word[WORDS + 1]; /* the flag is behind the data */
  } places[2];
  rl::atomic<int> finished; /* the sender's word that the receiver writes to */

  void before()
  {
    finished($) = 0;
    for (auto &p : places) {
      for (auto &w : p.word) w($) = 0;
    }
  }

  /* Words are small: so this flag, unlike one of 64 bits, is of one message only. */
  static int flag_of(int generation, const int *data)
  {
    int flag = 1 + generation;
    for (int k = 0; k < WORDS && is_short && how.flagged_data; k++) flag = 100 * flag + data[k];
    return flag;
  }

  static int word_of(int generation, int k)
  {
    return 2 * generation + k;
  }

  /* One write, of some words from a first on, in any order. */
  void write(place &p, const int *words, int first, int n)
  {
    const int turn = (int)rl::rand((unsigned)n);
    for (int k = 0; k < n; k++) {
      const int at = first + (k + turn) % n;
      p.word[at].store(words[at], mo_relaxed, $);
    }
  }

  void send()
  {
    for (int generation = 1; generation <= GENERATIONS; generation++) {
      while (finished.load(mo_acquire, $) + how.behind < generation) rl::yield(1, $);
      int words[WORDS + 1];
      for (int k = 0; k < WORDS; k++) words[k] = word_of(generation, k);
      words[WORDS] = flag_of(generation, words);
      place &p = places[generation % how.places];
      if (is_short || !how.flag_behind) {
        write(p, words, 0, WORDS + 1);
      } else {
        write(p, words, 0, WORDS);
        p.word[WORDS].store(words[WORDS], mo_release, $);
      }
    }
  }

  void read(place &p, int *data)
  {
    for (int k = 0; k < WORDS; k++) data[k] = p.word[k].load(mo_relaxed, $);
  }

  bool has_arrived(place &p, int generation)
  {
    int data[WORDS] = {};
    const int flag = p.word[WORDS].load(how.look, $);
    if (is_short) read(p, data);
    if (flag != flag_of(generation, data)) return false;
    if (how.fence) rl::atomic_thread_fence(mo_acquire, $);
    return true;
  }

  void receive()
  {
    for (int generation = 1; generation <= GENERATIONS; generation++) {
      place &p = places[generation % how.places];
      while (!has_arrived(p, generation)) rl::yield(1, $);
      int data[WORDS];
      read(p, data); /* memcpy() */
      for (int k = 0; k < WORDS; k++) RL_ASSERT(data[k] == word_of(generation, k));
      finished.store(generation, mo_release, $); /* ovk__rdma_finish() */
    }
  }

  void thread(unsigned index)
  {
    if (index == 0) send();
    if (index == 1) receive();
  }
};

} // namespace

int main()
{
  holds<port<true>>("short message");
  fails<port<true>>("short message, flag of the generation only", how, {.flagged_data = false});
  fails<port<true>>("short message, one place", how, {.places = 1});
  fails<port<true>>("short message, ready a generation too early", how, {.behind = 3});
  holds<port<false>>("long message");
  fails<port<false>>("long message, its flag in the same write", how, {.flag_behind = false});
  fails<port<false>>("long message, no acquire", how, {.look = mo_relaxed, .fence = false});
  fails<port<false>>("long message, one place", how, {.places = 1});
  fails<port<false>>("long message, ready a generation too early", how, {.behind = 3});
}
