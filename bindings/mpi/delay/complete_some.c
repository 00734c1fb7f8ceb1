/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of any or some of several requests. The MPI gets a copy of the list in which delayed
 * requests are MPI_REQUEST_NULL. */
#include "delay.h"

#include <stdlib.h>

enum { FEW = 32 };

typedef struct view {
  MPI_Request few[FEW];
  bool few_hidden[FEW];
  MPI_Request *seen; /* the list for the MPI */
  bool *hidden;      /* which requests it omits; stored after `seen`, or few_hidden */
  bool hides;        /* at least one is omitted */
} view;

/* False: no request is delayed, or there is no memory; the MPI then gets the original list. */
static bool open_view(view *v, int n, const MPI_Request *requests)
{
  if (!delay_find_all(n, requests)) return false;
  v->seen = n <= FEW ? v->few : malloc((size_t)n * (sizeof *v->seen + sizeof *v->hidden));
  v->hidden = n <= FEW ? v->few_hidden : (bool *)(v->seen + n);
  return v->seen != NULL;
}

static void close_view(view *v)
{
  if (v->seen != v->few) free(v->seen);
}

/* The requests in the list for the MPI are not delayed any more. */
static void hide_delayed(view *v, int n, const MPI_Request *requests)
{
  const int64_t now = delay_now();
  v->hides = false;
  for (int k = 0; k < n; k++) {
    const int64_t due = delay_find(requests[k]);
    const bool hidden = due > now;
    if (due && !hidden) (void)delay_take(requests[k]);
    v->hides = v->hides || hidden;
    v->seen[k] = hidden ? MPI_REQUEST_NULL : requests[k];
    v->hidden[k] = hidden;
  }
  if (v->hides) delay_progress_mpi(); /* the call itself may have no request to progress */
}

/* Copies the handles back, also if the MPI returned an error: some requests may be complete even
 * then. */
static void copy_back(const view *v, int n, MPI_Request *requests)
{
  for (int k = 0; k < n; k++) {
    if (!v->hidden[k]) requests[k] = v->seen[k];
  }
}

static int test_any(view *v, int n, MPI_Request *requests, int *index, int *flag,
                    MPI_Status *status)
{
  hide_delayed(v, n, requests);
  const int err = PMPI_Testany(n, v->seen, index, flag, status);
  copy_back(v, n, requests);
  if (!err && *flag && *index == MPI_UNDEFINED) *flag = !v->hides;
  return err;
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
    if (!err && !flag) delay_yield();
  }
  close_view(&v);
  return err;
}

static int test_some(view *v, int n, MPI_Request *requests, int *count, int *indices,
                     MPI_Status *statuses)
{
  hide_delayed(v, n, requests);
  const int err = PMPI_Testsome(n, v->seen, count, indices, statuses);
  copy_back(v, n, requests);
  if (!err && *count == MPI_UNDEFINED && v->hides) *count = 0;
  return err;
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
    if (!err && *count == 0) delay_yield();
  } while (!err && *count == 0);
  close_view(&v);
  return err;
}
