/* SPDX-License-Identifier: BSD-2-Clause */
/* The amount of memory: as given by a system's files, and by this machine; and refusal of larger
 * requests on all ranks. */
#include "core/memory_limit.h"
#include "support/problem.h"

#include <errno.h>
#include <ovkrylov/comm/reduction.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* A folder with a system's files in it. */
static char root[64];

static void path_in_root(char path[256], const char *name)
{
  snprintf(path, 256, "%s/%s", root, name);
}

/* Writes a file, and makes the folders on the way. */
static void tell(const char *name, const char *text)
{
  char path[256];
  path_in_root(path, name);
  for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static int begin_group(void **state)
{
  snprintf(root, sizeof root, "/tmp/ovk_room_XXXXXX");
  return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
  char command[96];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  return system(command);
}

static void assert_room(double bytes, const char *limit)
{
  const ovk__memory room = ovk__memory_shared(root);
  assert_true(room.bytes == bytes);
  assert_non_null(strstr(room.limit, limit));
}

TEST_WITH(a_system_that_tells_nothing_sets_no_bound, begin_group, end)
{
  assert_room((double)INFINITY, "nothing");
}

TEST_WITH(memory_that_is_available_is_a_bound, begin_group, end)
{
  tell("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    2000 kB\n");
  assert_room(2000 * 1024, "the machine's memory");
}

TEST_WITH(groups_and_those_around_them_are_bounds, begin_group, end)
{
  tell("proc/meminfo", "MemAvailable: 2000000 kB\n");
  tell("proc/self/cgroup", "3:cpuset:/\n0::/outer/inner\n");
  tell("sys/fs/cgroup/outer/memory.max", "500000\n");
  tell("sys/fs/cgroup/outer/memory.current", "300000\n");
  tell("sys/fs/cgroup/outer/memory.stat", "anon 7\ninactive_file 100000\n");
  tell("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  tell("sys/fs/cgroup/outer/inner/memory.current", "250000\n");
  assert_room(300000, "the memory limit of its control group");
  tell("sys/fs/cgroup/outer/inner/memory.max", "251000\n");
  assert_room(1000, "the memory limit of its control group");
  tell("sys/fs/cgroup/outer/inner/memory.max", "249000\n"); /* lowered after it was used */
  assert_room(0, "the memory limit of its control group");
}

TEST_WITH(a_container_sees_the_outermost_group_of_version_1, begin_group, end)
{
  tell("proc/self/cgroup", "4:memory:/somewhere/else\n0::/\n");
  tell("sys/fs/cgroup/memory/memory.limit_in_bytes", "800000\n");
  tell("sys/fs/cgroup/memory/memory.usage_in_bytes", "300000\n");
  tell("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 50000\n");
  assert_room(550000, "the memory limit of its control group");
}

TEST(this_machine_has_memory_and_not_all_there_can_be)
{
  const ovk__memory room = ovk__memory_shared("");
  assert_true(room.bytes > 0 && room.bytes < 0x1p60);
}

/* This process may take 4 GB more, while the tests run that have these around them. */
static struct rlimit before;

static int begin_little(void **state)
{
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long long pages = 0;
  const bool read = file && fscanf(file, "%llu", &pages) == 1;
  if (file) fclose(file);
  if (!read || getrlimit(RLIMIT_AS, &before) != 0) return -1;
  const rlim_t used = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE), more = (rlim_t)4 << 30;
  return setrlimit(RLIMIT_AS, &(struct rlimit){used + more, before.rlim_max});
}

static int end_little(void **state)
{
  return setrlimit(RLIMIT_AS, &before);
}

TEST_WITH(the_limit_of_address_space_is_a_bound, begin_little, end_little)
{
  const ovk__memory room = ovk__memory_own("");
  assert_true(room.bytes > 0x1p31 && room.bytes <= 0x1p32);
  assert_non_null(strstr(room.limit, "address space"));
}

TEST(what_one_rank_cannot_have_is_refused_on_all)
{
  const double huge = 0x1p60;
  assert_error(ovk__memory_check(test_ctx(), "a thing", test_rank == 0 ? huge : 0, huge),
               OVK_ERR_MEMORY, "a thing: rank 0 and the other ranks of its node need 1.15e+09 GB");
  assert_ok(ovk__memory_check(test_ctx(), "a thing", 0, huge));
}

TEST_WITH(matrices_and_vectors_that_do_not_fit_are_memory_errors, begin_little, end_little)
{
  ovk_mat *A = NULL;
  ovk_vec *v = NULL;
  assert_error(ovk_mat_create(test_ctx(), INT32_MAX, &A), OVK_ERR_MEMORY, "a matrix of ");
  assert_null(A);
  assert_error(ovk_vec_create(test_ctx(), INT32_MAX, &v), OVK_ERR_MEMORY, "a vector of ");
  assert_null(v);
}

TEST_WITH(sums_that_do_not_fit_are_memory_errors, begin_little, end_little)
{
  assert_no_sum("blocking", INT32_MAX, OVK_ERR_MEMORY, "the values of a reduction: rank 0");
}

/* No vector of them is large. */
TEST_WITH(work_vectors_that_do_not_fit_are_memory_errors, begin_little, end_little)
{
  ovk_solver_opts opts = with_method("gmres:restart=1000");
  scoped_mat *A = new_shell(1 << 20, NULL, .mult = no_product);
  assert_no_solver(A, NULL, &opts, OVK_ERR_MEMORY, " work vectors of ");
}

TEST_WITH(boxes_that_do_not_fit_are_errors, begin_little, end_little)
{
  ovk_mat *A = NULL;
  const int grid[3] = {1, 1, test_size};
  const int large[3] = {1290, 1290, 1290}, huge[3] = {100000, 100000, 100000};
  assert_error(ovk_gallery_laplace27(test_ctx(), huge, grid, NULL, &A), OVK_ERR_RANGE,
               "100000 x 100000 x 100000 points on a process are more than 2^31 - 1");
  assert_error(ovk_gallery_laplace27(test_ctx(), large, grid, NULL, &A), OVK_ERR_MEMORY,
               "1290 x 1290 x 1290 points");
  assert_error(ovk_gallery_laplace7(test_ctx(), large, grid, NULL, &A), OVK_ERR_MEMORY, " GB");
  assert_null(A);
}

TEST(no_machine_ever_has_room_for_all_there_can_be)
{
  assert_false(ovk__memory_never(1 << 16));
  assert_true(ovk__memory_never(SIZE_MAX));
}
