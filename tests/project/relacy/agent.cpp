/* SPDX-License-Identifier: BSD-2-Clause */
/* A sum between a rank and its agent: the array that both share, src/comm/agent/submission.c,
 * and the agent's sleep, src/comm/net/emulated/eventcount.c. Thread 0 is the rank, thread 1 the
 * agent.
 */
#include "model.h"

namespace
{

using namespace model;

/* As in the library. */
struct library {
  rl::memory_order begun = mo_release;    /* begin() */
  rl::memory_order complete = mo_release; /* deliver() */
  bool watch_first = true;                /* serve(): what comes is looked for after arm */
  bool counts = true; /* ovk__eventcount_notify(): counts, which a sleep compares */
  bool wakes = true;  /* begin(): wakes the agent */
} how;

struct submission : rl::test_suite<submission, 2> {
  enum { TIMES = 3 };
  rl::var<int> shared;
  rl::atomic<int> begun, complete;
  rl::atomic<int> events, watched;
  rl::mutex kernel; /* of a futex: it compares and queues, or wakes, in one step */
  rl::condition_variable queue;
  rl::var<int> asleep; /* under `kernel` */

  void before()
  {
    shared($) = 0;
    asleep($) = 0;
    begun($) = complete($) = events($) = watched($) = 0;
  }

  void notify()
  {
    if (how.counts) events.fetch_add(1, mo_seq_cst, $);
    if (!watched.load(mo_seq_cst, $)) return;
    kernel.lock($);
    asleep($) = 0;
    queue.notify_all($);
    kernel.unlock($);
  }

  int watch()
  {
    watched.store(1, mo_seq_cst, $);
    return events.load(mo_seq_cst, $);
  }

  void sleep(int seen)
  {
    kernel.lock($);
    asleep($) = events.load(mo_seq_cst, $) == seen;
    while ((int)asleep($)) queue.wait(kernel, $);
    kernel.unlock($);
    watched.store(0, mo_seq_cst, $);
  }

  void run_rank()
  {
    for (int time = 1; time <= TIMES; time++) {
      shared($) = 10 * time;
      begun.store(time, how.begun, $);
      if (how.wakes) notify();
      while (complete.load(mo_acquire, $) != time) rl::yield(1, $);
      RL_ASSERT((int)shared($) == 10 * time + 1);
    }
  }

  /* Whether it had something to do. */
  bool pass(int *time)
  {
    if (begun.load(mo_acquire, $) != *time + 1) return false;
    ++*time;
    shared($) = (int)shared($) + 1;
    complete.store(*time, how.complete, $);
    return true;
  }

  void run_agent()
  {
    for (int time = 0; time < TIMES;) {
      if (!how.watch_first && pass(&time)) continue;
      const int seen = watch();
      if (how.watch_first && pass(&time)) continue;
      sleep(seen);
    }
  }

  void thread(unsigned index)
  {
    if (index == 0) run_rank();
    if (index == 1) run_agent();
  }
};

} // namespace

int main()
{
  holds<submission>("agent");
  fails<submission>("agent, relaxed store of begun", how, {.begun = mo_relaxed});
  fails<submission>("agent, relaxed store of complete", how, {.complete = mo_relaxed});
  fails<submission>("agent, look before the watch", how, {.watch_first = false});
  fails<submission>("agent, an event that is not counted", how, {.counts = false});
  fails<submission>("agent, no wake", how, {.wakes = false});
}
