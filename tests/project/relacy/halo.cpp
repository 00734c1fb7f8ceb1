/* SPDX-License-Identifier: BSD-2-Clause */
/* Halo exchanges on a node, src/matrix/halo/halo_shm.c: each message has two places. That one is
 * free again follows from the receiver's next message, or is told by its number `read`. */
#include "model.h"

namespace
{

using namespace model;

/* As in the library. */
struct library {
  rl::memory_order publish = mo_release; /* begin(): the store of the number */
  rl::memory_order look = mo_acquire;    /* look(): its load */
  rl::memory_order tell = mo_release;    /* end(): the store of `read` */
  rl::memory_order readers = mo_acquire; /* look_at_readers(): its load */
  int places = 2;                        /* `number & 1` */
  int behind = 2;                        /* look_at_readers() */
  bool waits = true;                     /* begin(): for readers */
  bool rows_first = true;                /* begin(): the rows, then the number */
  bool copied_first = true;              /* end(): all rows, then `read` */
} how;

/* Which rank (row) sends to which (column). */
struct both_ways {
  static constexpr int ranks = 2;
  static constexpr bool sends[ranks][ranks] = {{false, true}, {true, false}};
};
struct one_way {
  static constexpr int ranks = 2;
  static constexpr bool sends[ranks][ranks] = {{false, true}, {false, false}};
};
/* Both ways between 0 and 1, one way from 0 to 2 and from 2 to 1. */
struct mixed {
  static constexpr int ranks = 3;
  static constexpr bool sends[ranks][ranks] = {
      {false, true, true}, {true, false, false}, {false, true, false}};
};

template <typename graph> struct halo : rl::test_suite<halo<graph>, graph::ranks> {
  enum { RANKS = graph::ranks, EXCHANGES = 5 };
  struct place {
    rl::atomic<int> number;
    rl::var<int> rows;
  } places[RANKS][RANKS][2]; /* from, to */
  rl::atomic<int> read[RANKS];

  void before()
  {
    for (auto &r : read) r($) = 0;
    for (auto &from : places) {
      for (auto &message : from) {
        for (auto &p : message) {
          p.number($) = 0;
          p.rows($) = 0;
        }
      }
    }
  }

  static int value(int from, int to, int number)
  {
    return 100 * number + 10 * from + to;
  }

  void begin(int rank, int number)
  {
    for (int to = 0; to < RANKS && how.waits; to++) {
      if (!graph::sends[rank][to] || graph::sends[to][rank]) continue;
      while (read[to].load(how.readers, $) + how.behind < number) rl::yield(1, $);
    }
    for (int to = 0; to < RANKS; to++) {
      if (!graph::sends[rank][to]) continue;
      place &p = places[rank][to][number % how.places];
      if (how.rows_first) p.rows($) = value(rank, to, number);
      p.number.store(number, how.publish, $);
      if (!how.rows_first) p.rows($) = value(rank, to, number);
    }
  }

  void end(int rank, int number)
  {
    if (!how.copied_first) read[rank].store(number, how.tell, $);
    for (int from = 0; from < RANKS; from++) {
      if (!graph::sends[from][rank]) continue;
      place &p = places[from][rank][number % how.places];
      while (p.number.load(how.look, $) != number) rl::yield(1, $);
      const int rows = p.rows($);
      RL_ASSERT(rows == value(from, rank, number));
    }
    if (how.copied_first) read[rank].store(number, how.tell, $);
  }

  void thread(unsigned index)
  {
    const int rank = (int)index;
    for (int number = 1; number <= EXCHANGES; number++) {
      begin(rank, number);
      end(rank, number);
    }
  }
};

} // namespace

int main()
{
  holds<halo<both_ways>>("halo both ways");
  fails<halo<both_ways>>("halo both ways, relaxed store of the number", how,
                         {.publish = mo_relaxed});
  fails<halo<both_ways>>("halo both ways, relaxed load of the number", how, {.look = mo_relaxed});
  fails<halo<both_ways>>("halo both ways, one place", how, {.places = 1});
  fails<halo<both_ways>>("halo both ways, number before rows", how, {.rows_first = false});
  holds<halo<one_way>>("halo one way");
  fails<halo<one_way>>("halo one way, relaxed store of the number", how, {.publish = mo_relaxed});
  fails<halo<one_way>>("halo one way, relaxed load of the number", how, {.look = mo_relaxed});
  fails<halo<one_way>>("halo one way, relaxed store of read", how, {.tell = mo_relaxed});
  fails<halo<one_way>>("halo one way, relaxed load of read", how, {.readers = mo_relaxed});
  fails<halo<one_way>>("halo one way, one place", how, {.places = 1});
  fails<halo<one_way>>("halo one way, an exchange too early", how, {.behind = 3});
  fails<halo<one_way>>("halo one way, no wait for readers", how, {.waits = false});
  fails<halo<one_way>>("halo one way, told before copied", how, {.copied_first = false});
  holds<halo<mixed>>("halo both ways and one way");
  fails<halo<mixed>>("halo both ways and one way, no wait for readers", how, {.waits = false});
}
