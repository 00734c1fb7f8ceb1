/* SPDX-License-Identifier: BSD-2-Clause */
/* A board, src/comm/engine/board: operations whose parts ranks post in places that are used again,
 * each after all ranks have told that they read it. Ranks begin up to three operations before they
 * wait, which is one more than there are places for. */
#include "model.h"

namespace
{

using namespace model;

constexpr int RANKS = 3, PLACES = 2, OPERATIONS = 4;

/* As in the library. */
struct library {
  rl::memory_order post = mo_release;   /* post(): the store of the number */
  rl::memory_order arrive = mo_acquire; /* has_arrived(): its load */
  rl::memory_order tell = mo_release;   /* tell_read(): the store of `read` */
  rl::memory_order look = mo_acquire;   /* look_at_readers(): its load */
  bool waits = true;                    /* post_queued(): for a place */
  int places = PLACES;                  /* has_place() */
  bool in_order = true;                 /* tell_read(): up to the oldest in flight */
  bool data_first = true;               /* post(): the part, then the number */
} how;

struct posted {
  rl::atomic<int> number;
  rl::var<int> part;
};

/* What only the rank itself uses. Operations that are begun, not posted, are in the queue. */
struct state {
  int begun, posted, read, read_by_all;
  bool in_flight[OPERATIONS + 1];
};

struct operations : rl::test_suite<operations, RANKS> {
  posted places[RANKS][PLACES];
  rl::atomic<int> readers[RANKS];
  state states[RANKS];

  void before()
  {
    for (int rank = 0; rank < RANKS; rank++) {
      readers[rank]($) = 0;
      states[rank] = state();
      for (auto &p : places[rank]) {
        p.number($) = 0;
        p.part($) = 0;
      }
    }
  }

  static int part_of(int rank, int number)
  {
    return 100 * number + rank + 1;
  }

  posted &place_of(int rank, int number)
  {
    return places[rank][number % PLACES];
  }

  /* An operation's root needs all parts, the others need the root's: roots change, so ranks differ
   * in what they have read. */
  static bool needs(int rank, int number, int other)
  {
    const int root = number % RANKS;
    return other != rank && (rank == root || other == root);
  }

  bool has_arrived(int rank, int number)
  {
    for (int other = 0; other < RANKS; other++) {
      if (needs(rank, number, other) &&
          place_of(other, number).number.load(how.arrive, $) != number)
        return false;
    }
    return true;
  }

  void take_result(int rank, int number)
  {
    for (int other = 0; other < RANKS; other++) {
      if (!needs(rank, number, other)) continue;
      const int part = place_of(other, number).part($);
      RL_ASSERT(part == part_of(other, number));
    }
  }

  void tell_read(int rank)
  {
    state &s = states[rank];
    const int before = s.read;
    while (s.read < s.posted && !s.in_flight[s.read + 1]) s.read++;
    if (!how.in_order) {
      for (int number = s.read + 1; number <= s.posted; number++)
        if (!s.in_flight[number]) s.read = number;
    }
    if (s.read != before) readers[rank].store(s.read, how.tell, $);
  }

  void progress(int rank)
  {
    state &s = states[rank];
    for (int number = 1; number <= s.posted; number++) {
      if (!s.in_flight[number] || !has_arrived(rank, number)) continue;
      take_result(rank, number);
      s.in_flight[number] = false;
    }
    tell_read(rank);
    post_queued(rank);
  }

  bool has_place(int rank)
  {
    state &s = states[rank];
    if (s.posted + 1 <= s.read_by_all + how.places) return true;
    s.read_by_all = s.read;
    for (auto &reader : readers) {
      const int read = reader.load(how.look, $);
      if (read < s.read_by_all) s.read_by_all = read;
    }
    return s.posted + 1 <= s.read_by_all + how.places;
  }

  void post(int rank, int number)
  {
    posted &place = place_of(rank, number);
    if (how.data_first) place.part($) = part_of(rank, number);
    place.number.store(number, how.post, $);
    if (!how.data_first) place.part($) = part_of(rank, number);
  }

  void post_queued(int rank)
  {
    state &s = states[rank];
    while (s.posted < s.begun && (!how.waits || has_place(rank))) post(rank, ++s.posted);
  }

  void begin(int rank)
  {
    state &s = states[rank];
    s.in_flight[++s.begun] = true;
    post_queued(rank);
  }

  void wait(int rank, int number)
  {
    for (progress(rank); states[rank].in_flight[number]; progress(rank)) rl::yield(1, $);
  }

  void thread(unsigned index)
  {
    const int rank = (int)index;
    for (int number = 1; number <= OPERATIONS; number++) {
      begin(rank);
      if (number == 3) wait(rank, number);
    }
    for (int number = 1; number <= OPERATIONS; number++) wait(rank, number);
  }
};

} // namespace

int main()
{
  holds<operations>("board");
  fails<operations>("board, relaxed store of the number", how, {.post = mo_relaxed});
  fails<operations>("board, relaxed load of the number", how, {.arrive = mo_relaxed});
  fails<operations>("board, relaxed store of what was read", how, {.tell = mo_relaxed});
  fails<operations>("board, relaxed load of what was read", how, {.look = mo_relaxed});
  fails<operations>("board, no wait for a place", how, {.waits = false});
  fails<operations>("board, one place too many", how, {.places = PLACES + 1});
  fails<operations>("board, the newest read is told", how, {.in_order = false});
  fails<operations>("board, number before the part", how, {.data_first = false});
}
