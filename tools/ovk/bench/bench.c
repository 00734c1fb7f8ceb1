/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench`: the table of benchmarks. */
#include "bench/bench.h"
#include "commands/commands.h"

#include <stddef.h>

static const command *const benchmarks[] = {&bench_reduction,     &bench_overlap,
                                            &bench_overlap_dgemm, &bench_phases,
                                            &bench_assembly,      &bench_precond,
                                            &bench_exact,         &bench_noise,
                                            &bench_poisson,       &bench_poisson1d,
                                            &bench_fft,           &bench_compress,
                                            &bench_model,         NULL};

const command bench_command = {
    .name = "bench",
    .usage = "BENCHMARK [OPTIONS]",
    .summary = "measure the parts of solvers, one benchmark for each",
    .subcommands = benchmarks,
};
