/* SPDX-License-Identifier: BSD-2-Clause */
/* How much memory a process has, as Linux counts it. */
#ifndef OVK_BENCH_MEMORY_H
#define OVK_BENCH_MEMORY_H

/* Megabytes (10^6 bytes), the greatest of all ranks; 0 where it cannot be found out. */
typedef struct memory {
  double resident, peak, huge; /* now; most so far; in transparent huge pages now */
} memory;

/* What has been freed does not count. Collective. */
memory memory_read(void);

/* The machine's setting of transparent huge pages: "always", "madvise", "never", or "unknown". */
const char *memory_huge_pages(void);

#endif
