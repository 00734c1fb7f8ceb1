/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of created and freed objects. A progress thread completes requests, too, so the counters
 * are atomic. */
#include "census.h"
#include "support/system/mappings.h"
#include "support/test_main.h"

#include <dirent.h>

static _Atomic long communicators, groups, windows, types, infos, files, requests;

/* Passes on a call's return code; on success `counter` changes by `change`. */
static int count(int code, _Atomic long *counter, long change)
{
  if (code == MPI_SUCCESS) *counter += change;
  return code;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
  return count(PMPI_Comm_dup(comm, out), &communicators, 1);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *out)
{
  const int code = PMPI_Comm_split(comm, color, key, out);
  return count(code, &communicators, *out != MPI_COMM_NULL);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  const int code = PMPI_Comm_split_type(comm, type, key, info, out);
  return count(code, &communicators, *out != MPI_COMM_NULL);
}

int MPI_Comm_free(MPI_Comm *comm)
{
  return count(PMPI_Comm_free(comm), &communicators, -1);
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
  return count(PMPI_Comm_group(comm, group), &groups, 1);
}

int MPI_Group_free(MPI_Group *group)
{
  return count(PMPI_Group_free(group), &groups, -1);
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *start,
                            MPI_Win *window)
{
  return count(PMPI_Win_allocate_shared(size, unit, info, comm, start, window), &windows, 1);
}

int MPI_Win_free(MPI_Win *window)
{
  return count(PMPI_Win_free(window), &windows, -1);
}

int MPI_Type_contiguous(int n, MPI_Datatype of, MPI_Datatype *type)
{
  return count(PMPI_Type_contiguous(n, of, type), &types, 1);
}

int MPI_Type_free(MPI_Datatype *type)
{
  return count(PMPI_Type_free(type), &types, -1);
}

int MPI_Info_create(MPI_Info *info)
{
  return count(PMPI_Info_create(info), &infos, 1);
}

int MPI_Info_free(MPI_Info *info)
{
  return count(PMPI_Info_free(info), &infos, -1);
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
  return count(PMPI_File_open(comm, name, mode, info, file), &files, 1);
}

int MPI_File_close(MPI_File *file)
{
  return count(PMPI_File_close(file), &files, -1);
}

int MPI_Isend(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  return count(PMPI_Isend(from, n, type, to, tag, comm, request), &requests, 1);
}

int MPI_Irecv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  return count(PMPI_Irecv(to, n, type, from, tag, comm, request), &requests, 1);
}

int MPI_Iallreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
  return count(PMPI_Iallreduce(from, to, n, type, op, comm, request), &requests, 1);
}

int MPI_Send_init(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
  return count(PMPI_Send_init(from, n, type, to, tag, comm, request), &requests, 1);
}

int MPI_Recv_init(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
  return count(PMPI_Recv_init(to, n, type, from, tag, comm, request), &requests, 1);
}

#if MPI_VERSION >= 4
int MPI_Allreduce_init(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
  return count(PMPI_Allreduce_init(from, to, n, type, op, comm, info, request), &requests, 1);
}
#endif

/* How many of the requests exist. A call that completes a request sets it to null unless it is
 * persistent. */
static long alive(int n, const MPI_Request list[])
{
  long sum = 0;
  for (int k = 0; k < n; k++) sum += list[k] != MPI_REQUEST_NULL;
  return sum;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  requests -= alive(1, request);
  const int code = PMPI_Wait(request, status);
  requests += alive(1, request);
  return code;
}

int MPI_Waitall(int n, MPI_Request list[], MPI_Status statuses[])
{
  requests -= alive(n, list);
  const int code = PMPI_Waitall(n, list, statuses);
  requests += alive(n, list);
  return code;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  requests -= alive(1, request);
  const int code = PMPI_Test(request, flag, status);
  requests += alive(1, request);
  return code;
}

int MPI_Testall(int n, MPI_Request list[], int *flag, MPI_Status statuses[])
{
  requests -= alive(n, list);
  const int code = PMPI_Testall(n, list, flag, statuses);
  requests += alive(n, list);
  return code;
}

int MPI_Request_free(MPI_Request *request)
{
  return count(PMPI_Request_free(request), &requests, -1);
}

static long count_entries(const char *folder)
{
  DIR *dir = opendir(folder);
  if (!dir) return 0;
  long n = -3; /* ".", ".." and the folder's own descriptor in /proc/self/fd; matters only for
                  differences */
  while (readdir(dir)) n++;
  closedir(dir);
  return n;
}

static long resident_kb(void)
{
  FILE *file = fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

census census_take(void)
{
  return (census){.communicators = communicators,
                  .groups = groups,
                  .windows = windows,
                  .types = types,
                  .infos = infos,
                  .files = files,
                  .requests = requests,
                  .descriptors = count_entries("/proc/self/fd"),
                  .threads = count_entries("/proc/self/task") + 1,
                  .mappings = count_mappings(""),
                  .resident_kb = resident_kb()};
}

bool census_within(const census *a, const census *b)
{
  return b->communicators <= a->communicators && b->groups <= a->groups &&
         b->windows <= a->windows && b->types <= a->types && b->infos <= a->infos &&
         b->files <= a->files && b->requests <= a->requests && b->descriptors <= a->descriptors &&
         b->threads <= a->threads;
}

void census_print(const char *when, const census *c)
{
  print_message(
      "%-34s %6ld kB, %ld mappings, %ld descriptors, %ld threads; MPI: %ld communicators, "
      "%ld groups, %ld windows, %ld types, %ld infos, %ld files, %ld requests\n",
      when, c->resident_kb, c->mappings, c->descriptors, c->threads, c->communicators, c->groups,
      c->windows, c->types, c->infos, c->files, c->requests);
}
