/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress thread, src/comm/engine/progress.c: thread 0 is the program's, which submits jobs
 * and takes them back, thread 1 progresses them. */
#include "model.h"

namespace
{

using namespace model;

/* As in the library. */
struct library {
  rl::memory_order over = mo_release; /* advance_jobs(): the store of `over` */
  rl::memory_order look = mo_acquire; /* look(): its load, without the mutex */
  bool locked_news = true;            /* advance_jobs(): `over` and news in the mutex */
  bool next_first = true;             /* advance_jobs(): job->next is read before */
  bool loop_on_end = true;            /* take_fresh(): waits while !end */
} how;

struct job {
  rl::atomic<int> over;
  rl::var<int> code, next; /* next: belongs to the thread as long as the job does */
};

struct progress : rl::test_suite<progress, 2> {
  enum { TIMES = 3 };
  rl::mutex mutex;
  rl::condition_variable work, news;
  rl::var<job *> fresh;
  rl::var<int> end;
  job again; /* and again */

  void before()
  {
    fresh($) = nullptr;
    end($) = 0;
    again.over($) = 0;
    again.code($) = 0;
    again.next($) = 0;
  }

  /* ovk__progress_begin() */
  void begin(job &j, int code)
  {
    j.code($) = code; /* the run's own state, which only a job in flight may touch */
    j.over.store(0, mo_relaxed, $);
    mutex.lock($);
    j.next($) = 1;
    fresh($) = &j;
    work.notify_one($);
    mutex.unlock($);
  }

  /* ovk__progress_test(), or a test and then the sleep of ovk__progress_wait() */
  int wait(job &j, bool sleeps)
  {
    bool complete = j.over.load(how.look, $);
    if (!complete && sleeps) {
      mutex.lock($);
      while (!j.over.load(how.look, $)) news.wait(mutex, $);
      mutex.unlock($);
    } else {
      while (!j.over.load(how.look, $)) rl::yield(1, $);
    }
    return j.code($);
  }

  void run_caller()
  {
    for (int time = 0; time < TIMES; time++) {
      begin(again, 10 * time);
      const int code = wait(again, time != 1);
      RL_ASSERT(code == 10 * time + 1);
    }
    mutex.lock($); /* ovk__progress_close() */
    end($) = 1;
    work.notify_one($);
    mutex.unlock($);
  }

  /* take_fresh(); NULL: the end */
  job *take_fresh()
  {
    mutex.lock($);
    while (!(job *)fresh($) && !(how.loop_on_end && (int)end($))) work.wait(mutex, $);
    job *j = fresh($);
    fresh($) = nullptr;
    mutex.unlock($);
    return j;
  }

  void step(job *j)
  {
    if (how.next_first) (void)(int)j->next($);
    j->code($) = (int)j->code($) + 1; /* advance() */
    if (how.locked_news) mutex.lock($);
    j->over.store(1, how.over, $);
    if (how.locked_news) news.notify_all($);
    if (how.locked_news) mutex.unlock($);
    if (!how.locked_news) news.notify_all($);
    if (!how.next_first) (void)(int)j->next($);
  }

  void run_thread()
  {
    while (job *j = take_fresh()) step(j);
  }

  void thread(unsigned index)
  {
    if (index == 0) run_caller();
    if (index == 1) run_thread();
  }
};

} // namespace

int main()
{
  holds<progress>("progress thread");
  fails<progress>("progress thread, relaxed store of over", how, {.over = mo_relaxed});
  fails<progress>("progress thread, relaxed load of over", how, {.look = mo_relaxed});
  fails<progress>("progress thread, news without the mutex", how, {.locked_news = false});
  fails<progress>("progress thread, job's next read when it is over", how, {.next_first = false});
  fails<progress>("progress thread, the end is not looked at", how, {.loop_on_end = false});
}
