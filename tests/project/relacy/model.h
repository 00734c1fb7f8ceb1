/* SPDX-License-Identifier: BSD-2-Clause */
/* The shared part of the models. A model is a sequence of the library, in which atomic numbers are
 * rl::atomic and all other memory that ranks or threads share is rl::var. Relacy runs it under many
 * schedules, lets loads see every value that the memory model of C11 allows, and reports data
 * races, failed assertions, deadlocks and livelocks. `how` is the library's way, or one that is
 * broken on purpose; not a template's argument, as each would compile all of Relacy. */
#ifndef OVK_TESTS_MODEL_H
#define OVK_TESTS_MODEL_H

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <type_traits>

#include <relacy/relacy.hpp>

namespace model
{

using rl::mo_acquire;
using rl::mo_relaxed;
using rl::mo_release;
using rl::mo_seq_cst;

/* The effect of MPI_Barrier and MPI_Allreduce on memory. */
struct barrier {
  rl::atomic<int> entered;

  void make()
  {
    entered($) = 0;
  }

  /* The barrier number `time`, counted from 1, of `ranks` ranks. */
  void pass(int time, int ranks)
  {
    entered.fetch_add(1, mo_seq_cst, $);
    while (entered.load(mo_seq_cst, $) < time * ranks) rl::yield(1, $);
  }
};

enum { SCHEDULES = 8000 };

/* Simulates T; returns the result of the checker, and shows a failing schedule where `report` is
 * wanted. rl::simulate() would compile three kinds of schedules where one is used. */
template <typename T> rl::test_result_e run(const char *name, bool report)
{
  std::ostream nowhere(nullptr);
  rl::test_params params;
  params.iteration_count = SCHEDULES;
  params.execution_depth_limit = 10000;
  params.output_stream = &std::cout;
  params.progress_stream = &nowhere;
  const auto simulate = rl::run_test<T, rl::random_scheduler<T::params::thread_count>>;
  std::ostringstream state;
  const rl::test_result_e result = simulate(params, state, false);
  std::printf("%-46s %s after %lu schedules\n", name, rl::test_result_str(result),
              (unsigned long)params.stop_iteration);
  if (result != rl::test_result_success && report) {
    params.initial_state = state.str();
    params.collect_history = true;
    simulate(params, state, true);
  }
  return result;
}

/* The library's variant: no schedule fails. */
template <typename T> void holds(const char *name)
{
  if (run<T>(name, true) == rl::test_result_success) return;
  std::printf("%s: should hold\n", name);
  std::exit(1);
}

/* A broken one: some schedule fails, which shows that the model sees such faults. */
template <typename T, typename library>
void fails(const char *name, library &how, const std::common_type_t<library> &broken)
{
  how = broken;
  const rl::test_result_e result = run<T>(name, false);
  how = library();
  if (result != rl::test_result_success) return;
  std::printf("%s: its fault should be found\n", name);
  std::exit(1);
}

} // namespace model

#endif
