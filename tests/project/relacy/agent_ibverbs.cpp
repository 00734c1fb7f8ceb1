/* SPDX-License-Identifier: BSD-2-Clause */
/* An agent that sleeps over a NIC, src/comm/net/ibverbs/listen.c, and its rank, which hands
 * sums over by src/comm/agent/submission.c. Thread 0 is the rank, thread 1 the agent. */
#include "model.h"

namespace
{

using namespace model;

/* As in the library. */
struct library {
  bool arm_fences = true;  /* ovk__ibverbs_arm() */
  bool wake_fences = true; /* ovk__ibverbs_wake() */
} how;

struct sleeper : rl::test_suite<sleeper, 2> {
  enum { TIMES = 3 };
  rl::atomic<int> begun, complete, asleep;
  rl::mutex kernel; /* of the eventfd */
  rl::condition_variable poll;
  rl::var<int> written; /* under `kernel` */

  void before()
  {
    begun($) = complete($) = asleep($) = 0;
    written($) = 0;
  }

  void wake()
  {
    if (how.wake_fences) rl::atomic_thread_fence(mo_seq_cst, $);
    if (!asleep.load(mo_relaxed, $)) return;
    kernel.lock($);
    written($) = 1;
    poll.notify_all($);
    kernel.unlock($);
  }

  void arm()
  {
    asleep.store(1, how.arm_fences ? mo_relaxed : mo_seq_cst, $);
    if (how.arm_fences) rl::atomic_thread_fence(mo_seq_cst, $);
  }

  void sleep()
  {
    kernel.lock($);
    while (!(int)written($)) poll.wait(kernel, $);
    written($) = 0;
    kernel.unlock($);
    asleep.store(0, mo_relaxed, $);
  }

  void run_rank()
  {
    for (int time = 1; time <= TIMES; time++) {
      begun.store(time, mo_release, $);
      wake();
      while (complete.load(mo_acquire, $) != time) rl::yield(1, $);
    }
  }

  void run_agent()
  {
    for (int time = 0; time < TIMES;) {
      arm();
      if (begun.load(mo_acquire, $) == time + 1) {
        complete.store(++time, mo_release, $);
      } else {
        sleep();
      }
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
  holds<sleeper>("agent over ibverbs");
  fails<sleeper>("agent over ibverbs, no fence in arm", how, {.arm_fences = false});
  fails<sleeper>("agent over ibverbs, no fence in wake", how, {.wake_fences = false});
}
