/* SPDX-License-Identifier: BSD-2-Clause */
/* One rank runs out of address space, or of file descriptors: in the library or in MPI below it.
 * All ranks get the same error, no rank hangs, nothing is leaked, and everything works again after
 * the limit is raised. */
#define _DEFAULT_SOURCE /* syscall */
#include "census.h"
#include "support/malloc_fail.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

#include <linux/capability.h>
#include <malloc.h>
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* A scenario in a context; returns its first error, after it has freed all its objects. */
typedef ovk_err (*scenario)(ovk_ctx *ctx, const void *arg);

enum { LARGE = 1 << 16 }; /* bytes of an allocation that the heap has no room for */

/* Address space that this process uses. */
static rlim_t space_used(void)
{
  FILE *file = fopen("/proc/self/statm", "r");
  rlim_t pages = 0;
  unsigned long n;
  assert_non_null(file);
  if (fscanf(file, "%lu", &n) == 1) pages = n;
  fclose(file);
  assert_true(pages > 0);
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* The lowest number that a file could get: a limit that lets no more be opened. */
static rlim_t files_used(void)
{
  const int file = dup(STDERR_FILENO);
  assert_true(file >= 0);
  close(file);
  return (rlim_t)file;
}

static rlim_t used(int resource)
{
  return resource == RLIMIT_AS ? space_used() : resource == RLIMIT_NOFILE ? files_used() : 0;
}

/* Sets a soft limit; returns the earlier one. */
static rlim_t set_limit(int resource, rlim_t limit)
{
  struct rlimit both;
  assert_int_equal(getrlimit(resource, &both), 0);
  const rlim_t before = both.rlim_cur;
  both.rlim_cur = limit < both.rlim_max ? limit : both.rlim_max;
  assert_int_equal(setrlimit(resource, &both), 0);
  return before;
}

/* All ranks have the same error, of a kind that fits, or none. */
static void assert_same_error(const ovk_ctx *ctx, ovk_err err, size_t room)
{
  enum { SIZE = 1024 };
  char mine[SIZE], first[SIZE];
  snprintf(mine, sizeof mine, "%s: %s", ovk_err_name(err), err ? ovk_ctx_error(ctx) : "");
  memcpy(first, mine, sizeof first);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  const bool fits = !err || err == OVK_ERR_MEMORY || err == OVK_ERR_MPI;
  if (fits && strcmp(mine, first) == 0) return;
  fail_msg("room for %zu more: rank 0 says \"%s\", rank %d \"%s\"", room, first, test_rank, mine);
}

/* Runs it with so much more address space on one rank; returns its error, which is the same on
 * all. */
static ovk_err run_scenario(scenario what, const void *arg, int rank, int resource, size_t room)
{
  rlim_t before = 0;
  scoped_ctx *ctx = new_ctx();
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank == rank) before = set_limit(resource, used(resource) + room);
  const ovk_err err = what(ctx, arg);
  if (test_rank == rank) set_limit(resource, before);
  assert_same_error(ctx, err, room);
  return err;
}

/* With no more address space on a rank, then with increasing amounts until it suffices. Failed runs
 * leak nothing. */
static void limit_on(int rank, scenario what, const void *arg, int resource, size_t least)
{
  const long blocks = malloc_live();
  const census before = census_take();
  for (size_t room = 0; run_scenario(what, arg, rank, resource, room); room += room / 2 + least) {
    const census after = census_take();
    if (!census_within(&before, &after)) {
      census_print("before", &before);
      census_print("after", &after);
      fail_msg("room for %zu more", room);
    }
    assert_int_equal(malloc_live(), blocks);
    assert_true(room < (size_t)1 << 34);
  }
}

static void limit(scenario what, const void *arg, int resource, size_t least)
{
  limit_on(0, what, arg, resource, least);
  limit_on(test_size - 1, what, arg, resource, least);
}

static ovk_err make_context(ovk_ctx *ctx, const void *arg)
{
  scoped_ctx *another = NULL;
  return ovk_ctx_create(MPI_COMM_WORLD, &another);
}

static ovk_err make_reduction(ovk_ctx *ctx, const void *spec)
{
  enum { COUNT = 1 << 14 };
  scoped_reduction *red = NULL;
  return ovk_reduction_create(ctx, spec, COUNT, &red);
}

static ovk_err make_collective(ovk_ctx *ctx, const void *spec)
{
  enum { COUNT = 1 << 18 };
  static char data[COUNT];
  scoped_collective *c = NULL;
  return ovk_collective_create_bcast(ctx, spec, data, COUNT, 1, 0, &c);
}

/* All that a solve needs; a solve itself allocates nothing. */
static ovk_err make_solver(ovk_ctx *ctx, const void *opts)
{
  const int n[3] = {20, 20, 20}, grid[3] = {1, 1, test_size};
  scoped_mat *A = NULL;
  scoped_precond *M = NULL;
  scoped_vec *b = NULL, *x = NULL;
  scoped_solver *solver = NULL;
  ovk_err err = ovk_gallery_laplace27(ctx, n, grid, NULL, &A);
  OVK_CALL(err, ovk_precond_create(A, "jacobi", &M));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_vec_duplicate(b, &x));
  OVK_CALL(err, ovk_solver_create(A, M, opts, &solver));
  return err;
}

static const char *const specs[] = {"blocking",
                                    "iallreduce",
                                    "nbc",
                                    "shm",
                                    "nbc:channel=shm",
                                    "verbs:device=emulated",
                                    "verbs:device=emulated,mode=atomic"};
enum { NSPECS = sizeof specs / sizeof *specs };
static const char *const engines[] = {"nbc", "verbs:device=emulated"};
enum { NENGINES = sizeof engines / sizeof *engines };

TEST(reductions_without_space_fail_on_all)
{
  for (int k = 0; k < NSPECS; k++) limit(make_reduction, specs[k], RLIMIT_AS, LARGE);
}

TEST(collectives_without_space_fail_on_all)
{
  for (int k = 0; k < NENGINES; k++) limit(make_collective, engines[k], RLIMIT_AS, LARGE);
}

TEST(solvers_without_space_fail_on_all)
{
  static const char *const methods[] = {"cg", "auto", "pipelcg:l=2"};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    ovk_solver_opts opts = solver_opts(.method = methods[k], .backend = "nbc");
    limit(make_solver, &opts, RLIMIT_AS, LARGE);
  }
}

TEST(a_context_without_files_fails_on_all)
{
  limit(make_context, NULL, RLIMIT_NOFILE, 1);
}

TEST(reductions_without_files_fail_on_all)
{
  for (int k = 0; k < NSPECS; k++) limit(make_reduction, specs[k], RLIMIT_NOFILE, 1);
}

TEST(collectives_without_files_fail_on_all)
{
  for (int k = 0; k < NENGINES; k++) limit(make_collective, engines[k], RLIMIT_NOFILE, 1);
}

/* Root may lock any amount of memory, unless it gives up that capability for a while. */
static void use_right_to_lock(bool use)
{
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  assert_int_equal(syscall(SYS_capget, &head, rights), 0);
  if (use) rights[0].effective |= rights[0].permitted & 1u << CAP_IPC_LOCK;
  if (!use) rights[0].effective &= ~(1u << CAP_IPC_LOCK);
  assert_int_equal(syscall(SYS_capset, &head, rights), 0);
}

/* A NIC's memory is locked; the emulated one's is not. */
TEST(sums_without_locked_memory_fail_on_all)
{
  enum { PAGE = 4096 };
  char spec[VERBS_SPEC_SIZE];
  use_right_to_lock(false);
  limit(make_reduction, verbs_spec(spec, NULL), RLIMIT_MEMLOCK, PAGE);
  limit(make_reduction, verbs_spec(spec, "mode=atomic"), RLIMIT_MEMLOCK, PAGE);
  use_right_to_lock(true);
}

/* Large arrays are separate mappings, and the heap grows in steps that leave MPI enough. */
static int prepare(void **state)
{
  skip_without_nic(state);
  return mallopt(M_MMAP_THRESHOLD, LARGE) && mallopt(M_TOP_PAD, 4 * LARGE) ? 0 : -1;
}

TEST_GROUP(prepare, NULL)
