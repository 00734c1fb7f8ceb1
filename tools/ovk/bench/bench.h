/* SPDX-License-Identifier: BSD-2-Clause */
/* The benchmarks, `ovk bench NAME`: a file or a folder each, listed in bench.c. */
#ifndef OVK_TOOL_BENCH_H
#define OVK_TOOL_BENCH_H

#include "tool.h"

extern const command bench_reduction, bench_overlap, bench_overlap_dgemm, bench_phases;
extern const command bench_precond, bench_noise, bench_poisson, bench_poisson1d, bench_fft;
extern const command bench_compress, bench_model, bench_assembly, bench_exact;

#endif
