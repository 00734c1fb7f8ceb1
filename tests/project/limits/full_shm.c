/* SPDX-License-Identifier: BSD-2-Clause */
/* Large sums and operations over shared memory when little of it is left: run by
 * test_full_storage.sh with a small /dev/shm. Rank 0 fills it, except for a remainder that MPI
 * needs. */
#include "support/problem.h"

#include <fcntl.h>
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <sys/statvfs.h>

enum { COUNT = 1 << 20, REST = 3 << 20 /* bytes */ };

static const char filler[] = "/dev/shm/filler";

static void fill_shm(void)
{
  struct statvfs info;
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank == 0) {
    const int file = open(filler, O_WRONLY | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_int_equal(statvfs("/dev/shm", &info), 0);
    const off_t left = (off_t)(info.f_bavail * info.f_frsize);
    if (left > REST) assert_int_equal(posix_fallocate(file, 0, left - REST), 0);
    close(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void make_room(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank == 0) assert_int_equal(unlink(filler), 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* The first and the last of the values are summed up right. */
static void check_sum(const char *spec)
{
  scoped_reduction *red = new_sum(spec, COUNT);
  for (int k = 0; k < 3; k++) {
    double *values = ovk_reduction_values(red);
    for (int i = 0; i < COUNT; i++) values[i] = i;
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    assert_true(values[0] == 0 && values[COUNT - 1] == (double)test_size * (COUNT - 1));
  }
}

TEST(sums_that_shared_memory_does_not_hold_are_refused)
{
  static const char *const specs[] = {"shm", "nbc:channel=shm", "nbc:levels=2,channel=shm"};
  fill_shm();
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    assert_no_sum(specs[k], COUNT, OVK_ERR_MEMORY, "memory");
  }
  make_room();
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) check_sum(specs[k]);
}

TEST(a_broadcast_that_shared_memory_does_not_hold_is_refused)
{
  scoped_array double *data = calloc(COUNT, sizeof *data);
  scoped_collective *c = NULL;
  fill_shm();
  assert_error(
      ovk_collective_create_bcast(test_ctx(), "nbc:channel=shm", data, COUNT, sizeof *data, 0, &c),
      OVK_ERR_MEMORY, "memory");
  assert_null(c);
  make_room();
  assert_ok(
      ovk_collective_create_bcast(test_ctx(), "nbc:channel=shm", data, COUNT, sizeof *data, 0, &c));
  data[COUNT - 1] = test_rank == 0;
  assert_ok(ovk_collective_run(c));
  assert_true(data[COUNT - 1] == 1);
}

/* Its memory has no place in the file system. */
TEST(the_emulated_adapter_needs_no_shared_files)
{
  fill_shm();
  check_sum("verbs:device=emulated,alg=flat");
  make_room();
}

TEST(auto_goes_over_messages_instead)
{
  ovk_reduction *red = NULL;
  fill_shm();
  ovk_ctx *ctx = new_ctx();
  const ovk_err err = ovk_reduction_create(ctx, "auto", COUNT, &red);
  if (err) fail_msg("%s", ovk_ctx_error(ctx));
  assert_string_not_equal(ovk_reduction_spec(red), "shm");
  ovk_reduction_destroy(&red);
  ovk_ctx_destroy(&ctx);
  make_room();
}
