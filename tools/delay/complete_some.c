/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of any or some of several requests: the MPI gets to see a copy of the list, without
 * those whose delay is not over. */
#include "delay.h"

#include <stdlib.h>

enum { FEW = 32 };

typedef struct view {
  MPI_Request few[FEW];
  MPI_Request *seen; /* what the MPI sees of the list */
  bool hides;        /* some are not in it */
} view;

/* False: all may be seen, or there is no memory; the MPI then gets the list itself. */
static bool open_view(view *v, int n, const MPI_Request *requests)
{
  if (!delay_find_all(n, requests)) return false;
  v->seen = n <= FEW ? v->few : malloc((size_t)n * sizeof *v->seen);
  return v->seen != NULL;
}

static void close_view(view *v)
{
  if (v->seen != v->few) free(v->seen);
}

static void look(view *v, int n, const MPI_Request *requests)
{
  const int64_t now = delay_now();
  v->hides = false;
  for (int k = 0; k < n; k++) {
    const bool hidden = delay_find(requests[k]) > now;
    v->hides = v->hides || hidden;
    v->seen[k] = hidden ? MPI_REQUEST_NULL : requests[k];
  }
  if (v->hides) delay_let_mpi_work(); /* it may see no other */
}

/* Request number k is complete. */
static void finish(const view *v, int k, MPI_Request *requests)
{
  (void)delay_take(requests[k]);
  requests[k] = v->seen[k];
}

static int test_any(view *v, int n, MPI_Request *requests, int *index, int *flag,
                    MPI_Status *status)
{
  look(v, n, requests);
  const int err = PMPI_Testany(n, v->seen, index, flag, status);
  if (err || !*flag) return err;
  if (*index != MPI_UNDEFINED) {
    finish(v, *index, requests);
  } else {
    *flag = !v->hides;
  }
  return MPI_SUCCESS;
}

DELAY_REPLACES int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag,
                               MPI_Status *status)
{
  view v;
  if (!open_view(&v, n, requests)) return PMPI_Testany(n, requests, index, flag, status);
  const int err = test_any(&v, n, requests, index, flag, status);
  close_view(&v);
  return err;
}

DELAY_REPLACES int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
  view v;
  int err = MPI_SUCCESS, flag = 0;
  if (!open_view(&v, n, requests)) return PMPI_Waitany(n, requests, index, status);
  while (!err && !flag) {
    err = test_any(&v, n, requests, index, &flag, status);
    if (!err && !flag) delay_make_room();
  }
  close_view(&v);
  return err;
}

static int test_some(view *v, int n, MPI_Request *requests, int *count, int *indices,
                     MPI_Status *statuses)
{
  look(v, n, requests);
  const int err = PMPI_Testsome(n, v->seen, count, indices, statuses);
  if (err) return err;
  if (*count == MPI_UNDEFINED && v->hides) *count = 0;
  for (int k = 0; *count != MPI_UNDEFINED && k < *count; k++) finish(v, indices[k], requests);
  return MPI_SUCCESS;
}

DELAY_REPLACES int MPI_Testsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  view v;
  if (!open_view(&v, n, requests)) return PMPI_Testsome(n, requests, count, indices, statuses);
  const int err = test_some(&v, n, requests, count, indices, statuses);
  close_view(&v);
  return err;
}

DELAY_REPLACES int MPI_Waitsome(int n, MPI_Request requests[], int *count, int indices[],
                                MPI_Status statuses[])
{
  view v;
  int err = MPI_SUCCESS;
  if (!open_view(&v, n, requests)) return PMPI_Waitsome(n, requests, count, indices, statuses);
  do {
    err = test_some(&v, n, requests, count, indices, statuses);
    if (!err && *count == 0) delay_make_room();
  } while (!err && *count == 0);
  close_view(&v);
  return err;
}
