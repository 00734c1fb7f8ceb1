/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a matrix in a Matrix Market file, distributed as by ovk_mat_read_mm(). */
#ifndef OVK_BENCH_FILE_H
#define OVK_BENCH_FILE_H

#include "problem/model/block.h"

/* Collective, over ranks of one machine. */
ovk_err file_rows(ovk_ctx *ctx, const char *path, block *out);

#endif
