/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared memory as a file of the system's that has no name any more once all ranks have opened it.
 */
#define _DEFAULT_SOURCE /* getrandom */
#include "core/node/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

enum { NAME = 32 };

static ovk_err shared_memory_fail(ovk_ctx *ctx, const char *call)
{
  return OVK_FAIL(ctx, OVK_ERR_MEMORY, "no shared memory: %s: %s", call, strerror(errno));
}

/* Creates the file; `name` stays "" after a failure. */
static ovk_err create_file(ovk_ctx *ctx, size_t bytes, char name[NAME], int *file)
{
  char random_name[NAME];
  uint64_t number;
  if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
    return shared_memory_fail(ctx, "getrandom");
  snprintf(random_name, NAME, "/ovkrylov-%016" PRIx64, number);
  *file = shm_open(random_name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (*file < 0) return shared_memory_fail(ctx, "shm_open");
  memcpy(name, random_name, NAME);
  return ftruncate(*file, (off_t)bytes) == 0 ? OVK_OK : shared_memory_fail(ctx, "ftruncate");
}

static ovk_err shared_memory_check_mpi(ovk_ctx *ctx, int code, const char *call)
{
  OVK_CHECK_MPI(ctx, code, call);
  return OVK_OK;
}

static ovk_err shared_memory_open_file(ovk_ctx *ctx, const char *name, int *file)
{
  OVK_CHECK(*name, ctx, OVK_ERR_MEMORY, "no shared memory: another rank could not create it");
  *file = shm_open(name, O_RDWR, 0);
  return *file < 0 ? shared_memory_fail(ctx, "shm_open") : OVK_OK;
}

static ovk_err map_file(ovk_ctx *ctx, size_t bytes, int file, ovk__shared_memory *out)
{
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) return shared_memory_fail(ctx, "mmap");
  *out = (ovk__shared_memory){.start = start, .bytes = bytes};
  return OVK_OK;
}

/* The first rank creates the file, all open it, and its name goes once all have done so. A rank
 * that has failed makes all the calls, as others wait for it there. */
static ovk_err share_file(ovk_ctx *ctx, MPI_Comm comm, ovk_err err, size_t bytes,
                          ovk__shared_memory *out)
{
  int rank, file = -1;
  char name[NAME] = "";
  OVK_TRY_MPI(ctx, MPI_Comm_rank(comm, &rank));
  if (!err && rank == 0) err = create_file(ctx, bytes, name, &file);
  const int sent = MPI_Bcast(name, NAME, MPI_CHAR, 0, comm);
  if (!err) err = shared_memory_check_mpi(ctx, sent, "MPI_Bcast");
  if (!err && rank != 0) err = shared_memory_open_file(ctx, name, &file);
  if (!err) err = map_file(ctx, bytes, file, out);
  if (file >= 0) close(file);
  const int opened = MPI_Barrier(comm);
  if (rank == 0 && *name) shm_unlink(name);
  return err ? err : shared_memory_check_mpi(ctx, opened, "MPI_Barrier");
}

/* Turns the lengths in parts[] into addresses from `start` on. */
static void set_addresses(char *start, int n, char *parts[])
{
  for (int k = 0; k < n; k++) {
    const uintptr_t length = (uintptr_t)parts[k];
    parts[k] = start;
    start += length;
  }
}

ovk_err ovk__shared_memory_map(ovk_ctx *ctx, MPI_Comm comm, size_t bytes, char *parts[],
                               ovk__shared_memory *out)
{
  _Static_assert(sizeof(MPI_Aint) == sizeof *parts, "parts[] holds lengths at first");
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const MPI_Aint own = (MPI_Aint)((bytes + page - 1) / page * page);
  size_t total = 0;
  int size;
  *out = (ovk__shared_memory){NULL, 0};
  OVK_TRY_MPI(ctx, MPI_Comm_size(comm, &size));
  const int gathered = MPI_Allgather(&own, 1, MPI_AINT, parts, 1, MPI_AINT, comm);
  for (int k = 0; k < size; k++) total += (uintptr_t)parts[k];
  OVK_TRY(
      share_file(ctx, comm, shared_memory_check_mpi(ctx, gathered, "MPI_Allgather"), total, out));
  set_addresses(out->start, size, parts);
  return OVK_OK;
}

void ovk__shared_memory_unmap(ovk__shared_memory *memory)
{
  if (memory->start) munmap(memory->start, memory->bytes);
  *memory = (ovk__shared_memory){NULL, 0};
}
