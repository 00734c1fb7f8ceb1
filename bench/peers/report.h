/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of a run: a line of text, or JSON. */
#ifndef OVK_BENCH_REPORT_H
#define OVK_BENCH_REPORT_H

#include "run.h"

/* On rank 0. A key with the same meaning as in `ovk solve --json` has the same name. */
void report_json(FILE *file, const ovk_ctx *ctx, const run *r);
void report_line(FILE *file, const ovk_ctx *ctx, const run *r);

#endif
