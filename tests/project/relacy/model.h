/* SPDX-License-Identifier: BSD-2-Clause */
/* The shared part of the models. A model is a sequence of the library, in which atomic numbers are
 * rl::atomic and all other memory that ranks or threads share is rl::var. Relacy runs it under many
 * schedules, lets loads see every value that the memory model of C11 allows, and reports data
 * races, failed assertions, deadlocks and livelocks. `how` is the variant of the library or one
 * that is broken on purpose. */
#ifndef OVK_TESTS_MODEL_H
#define OVK_TESTS_MODEL_H

#include <cstdio>
#include <cstdlib>
#include <iostream>

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

/* Simulates T; returns the result of the checker, which reports a failing schedule. */
template <typename T> rl::test_result_e run(const char *name, std::ostream &report)
{
  std::ostream nowhere(nullptr);
  rl::test_params params;
  params.iteration_count = SCHEDULES;
  params.execution_depth_limit = 10000;
  params.output_stream = &report;
  params.progress_stream = &nowhere;
  rl::simulate<T>(params);
  std::printf("%-46s %s after %lu schedules\n", name, rl::test_result_str(params.test_result),
              (unsigned long)params.stop_iteration);
  return params.test_result;
}

/* The library's variant: no schedule fails. */
template <typename T> void holds(const char *name)
{
  if (run<T>(name, std::cout) == rl::test_result_success) return;
  std::printf("%s: should hold\n", name);
  std::exit(1);
}

/* A broken one: some schedule fails, which shows that the model sees such faults. */
template <typename T> void fails(const char *name)
{
  std::ostream nowhere(nullptr);
  if (run<T>(name, nowhere) != rl::test_result_success) return;
  std::printf("%s: its fault should be found\n", name);
  std::exit(1);
}

} // namespace model

#endif
