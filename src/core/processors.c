/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts processors. A container may restrict a job in two ways: to fewer processors, or by a quota
 * of time on all of them. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "core/processors.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 64 };

/* Reads the start of a file; false if it cannot be read. */
static bool read_text(const char *path, char text[TEXT])
{
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t n = read(fd, text, TEXT - 1);
  close(fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

int ovk__quota(const char *quota, const char *period)
{
  char *end;
  const long most = strtol(quota, &end, 10);
  if (end == quota || most <= 0) return 0; /* "max", "-1" */
  const long each = strtol(period ? period : end, NULL, 10);
  if (each <= 0) return 0;
  const long whole = most / each;
  return whole < 1 ? 1 : whole > INT_MAX ? INT_MAX : (int)whole;
}

/* The quota of this process's control group, which a container sees as its root. */
static int group_quota(void)
{
  char quota[TEXT], period[TEXT];
  if (read_text("/sys/fs/cgroup/cpu.max", quota)) return ovk__quota(quota, NULL);
  if (!read_text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota)) return 0;
  if (!read_text("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period)) return 0;
  return ovk__quota(quota, period);
}

ovk_err ovk__processors(ovk_ctx *ctx, MPI_Comm comm, int *n)
{
  enum { BYTES = (int)sizeof(cpu_set_t) };
  cpu_set_t set;
  CPU_ZERO(&set);
  (void)sched_getaffinity(0, sizeof set, &set); /* on larger machines it fails: set stays empty */
  OVK_TRY_MPI(ctx, MPI_Allreduce(MPI_IN_PLACE, &set, BYTES, MPI_BYTE, MPI_BOR, comm));
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const int quota = group_quota(), bound = CPU_COUNT(&set);
  *n = bound > 0 ? bound : online > 0 && online < INT_MAX ? (int)online : 1;
  if (quota > 0 && quota < *n) *n = quota;
  return OVK_OK;
}
