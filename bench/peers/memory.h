/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory use of a process, as counted by Linux. */
#ifndef OVK_BENCH_MEMORY_H
#define OVK_BENCH_MEMORY_H

/* Megabytes (10^6 bytes), the maximum over the ranks; 0 if unknown. */
typedef struct memory {
  double resident, peak, huge; /* now; maximum so far; now in transparent huge pages */
} memory;

/* Freed memory is not counted. Collective. */
memory memory_read(void);

/* The system's setting of transparent huge pages: "always", "madvise", "never", or "unknown". */
const char *memory_huge_pages(void);

#endif
