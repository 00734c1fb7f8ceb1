/* SPDX-License-Identifier: BSD-2-Clause */
/* How a run went: a line for people, JSON for programs. */
#ifndef OVK_BENCH_REPORT_H
#define OVK_BENCH_REPORT_H

#include "run.h"

/* On rank 0. Where a key means the same as in `ovk solve --json`, it has the same name. */
void report_json(FILE *file, const ovk_ctx *ctx, const run *r);
void report_line(FILE *file, const ovk_ctx *ctx, const run *r);

#endif
