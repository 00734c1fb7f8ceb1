/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits of memory on Linux. A limit that cannot be read is ignored. */
#include "core/memory_limit.h"
#include "core/context/agree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH = 1024 };

/* The number after `key` at the start of a line; for "" the first number of the file. NaN: none. */
static double read_number(const char *path, const char *key)
{
  FILE *file = fopen(path, "r");
  if (!file) return (double)NAN;
  char line[256];
  double value = (double)NAN;
  const size_t length = strlen(key);
  while (isnan(value) && fgets(line, sizeof line, file)) {
    unsigned long long number;
    if (strncmp(line, key, length) == 0 && sscanf(line + length, "%llu", &number) == 1)
      value = (double)number;
  }
  fclose(file);
  return value;
}

static void memory_limit_lower(ovk__memory *available, double bytes, const char *limit)
{
  if (bytes < available->bytes) *available = (ovk__memory){bytes > 0 ? bytes : 0, limit};
}

/* The names of the files of a cgroup version. */
typedef struct group_files {
  const char *mount, *limit, *used, *cache;
} group_files;

static const group_files v1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                               "memory.usage_in_bytes", "total_inactive_file "};
static const group_files v2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "};

/* The number in a file of the group at `folder`, or of one of its lines. */
static double group_number(const char *folder, const char *name, const char *key)
{
  char path[PATH + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return read_number(path, key);
}

/* Applies the limits of `group` and of all its parents; a container may see only the outermost one,
 * at "". */
static void lower_to_groups(const char *root, const group_files *files, char *group,
                            ovk__memory *available)
{
  char folder[PATH];
  while (true) {
    const int length = snprintf(folder, sizeof folder, "%s%s%s", root, files->mount, group);
    if (length < (int)sizeof folder) {
      const double cache = group_number(folder, "memory.stat", files->cache);
      const double used = group_number(folder, files->used, "") - (isnan(cache) ? 0 : cache);
      const double most = group_number(folder, files->limit, ""); /* NaN: "max" */
      memory_limit_lower(available, isnan(used) ? most : most - used,
                         "the memory limit of its control group");
    }
    char *slash = strrchr(group, '/');
    if (!slash) return;
    *slash = '\0';
  }
}

/* Lines are NUMBER:CONTROLLERS:GROUP; no controllers: version 2. */
static void lower_to_all_groups(const char *root, ovk__memory *available)
{
  char path[PATH], line[PATH];
  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  FILE *file = fopen(path, "r");
  if (!file) return;
  while (fgets(line, sizeof line, file)) {
    char *names = strchr(line, ':'), *group = names ? strchr(++names, ':') : NULL;
    if (!group) continue;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (!*names) lower_to_groups(root, &v2, group, available);
    if (strcmp(names, "memory") == 0) lower_to_groups(root, &v1, group, available);
  }
  fclose(file);
}

ovk__memory ovk__memory_shared(const char *root)
{
  ovk__memory available = {(double)INFINITY, "nothing"};
  char path[PATH];
  snprintf(path, sizeof path, "%s/proc/meminfo", root);
  memory_limit_lower(&available, 1024 * read_number(path, "MemAvailable:"), "the machine's memory");
  lower_to_all_groups(root, &available);
  return available;
}

ovk__memory ovk__memory_own(const char *root)
{
  ovk__memory available = {(double)INFINITY, "nothing"};
  char path[PATH];
  snprintf(path, sizeof path, "%s/proc/self/statm", root);
  const double used = read_number(path, "") * (double)sysconf(_SC_PAGESIZE);
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    memory_limit_lower(&available, (double)limit.rlim_cur - (isnan(used) ? 0 : used),
                       "its limit of address space");
  return available;
}

bool ovk__memory_never(size_t bytes)
{
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 && bytes / (size_t)page >= (size_t)pages;
}

static ovk_err memory_limit_compare(ovk_ctx *ctx, const char *what, double mine, double node)
{
  const double GB = 1e9;
  const ovk__memory own = ovk__memory_own(""), shared = ovk__memory_shared("");
  OVK_CHECK(mine <= own.bytes, ctx, OVK_ERR_MEMORY,
            "%s: rank %d needs %.3g GB at least, and %s leaves it %.3g GB", what, ovk_ctx_rank(ctx),
            mine / GB, own.limit, own.bytes / GB);
  OVK_CHECK(node <= shared.bytes, ctx, OVK_ERR_MEMORY,
            "%s: rank %d and the other ranks of its node need %.3g GB at least, and %s leaves them "
            "%.3g GB",
            what, ovk_ctx_rank(ctx), node / GB, shared.limit, shared.bytes / GB);
  return OVK_OK;
}

ovk_err ovk__memory_check(ovk_ctx *ctx, const char *what, double mine, double all)
{
  if (all < 0x1p30) return OVK_OK;
  MPI_Comm beside;
  double node = 0;
  OVK_TRY_MPI(
      ctx, MPI_Comm_split_type(ovk_ctx_comm(ctx), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &beside));
  const int code = MPI_Allreduce(&mine, &node, 1, MPI_DOUBLE, MPI_SUM, beside);
  MPI_Comm_free(&beside);
  OVK_CHECK_MPI(ctx, code, "MPI_Allreduce");
  return ovk__agree(ctx, memory_limit_compare(ctx, what, mine, node));
}
