/* SPDX-License-Identifier: BSD-2-Clause */
/* Iterations of halo exchange and sums without computation, by MPI messages; run in SMPI, a
 * simulator independent of ovkrylov's model: replay SCHEDULES SUMS ITERATIONS NX NY NZ. SCHEDULES:
 * written by dump; SUMS: number of consecutive sums per iteration; NX NY NZ: points of a rank.
 * Prints microseconds per iteration on rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ACTIONS = 4096, NEIGHBORS = 26, MOST_VALUES = 64 };

typedef struct action {
  int round, peer, bytes, sends;
} action;

typedef struct program {
  int nactions;
  action actions[MOST_ACTIONS];
  int nneighbors, neighbors[NEIGHBORS], bytes[NEIGHBORS];
  char *buffer; /* longer than any message; its contents do not matter */
} program;

static void fail(const char *what)
{
  fprintf(stderr, "replay: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Keeps a message; combinations and copies take no time. */
static void add(program *p, int round, const char *text)
{
  char buffer[16];
  int first, end;
  action a = {.round = round};
  if (sscanf(text, " send %15[a-z][%d..%d) to %d", buffer, &first, &end, &a.peer) == 4) {
    a.sends = 1;
  } else if (sscanf(text, " receive %15[a-z][%d..%d) from %d", buffer, &first, &end, &a.peer) !=
             4) {
    return;
  }
  a.bytes = 8 * (end - first);
  if (p->nactions == MOST_ACTIONS || end - first > MOST_VALUES) fail("a schedule is too long");
  p->actions[p->nactions++] = a;
}

static void read_schedule(program *p, const char *path, int rank)
{
  char line[256];
  int of, round, at;
  FILE *file = fopen(path, "r");
  if (!file) fail("no schedules");
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%d %d%n", &of, &round, &at) != 2) fail("a line that is none");
    if (of == rank) add(p, round, line + at);
  }
  fclose(file);
  if (p->nactions == 0) fail("no messages");
}

/* Neighbors in a grid without wrap-around, x fastest, and the bytes that they are sent. */
static void find_neighbors(program *p, const int n[3], int rank, int size)
{
  int falling[3] = {0}, grid[3], at[3], d[3], most = 8 * MOST_VALUES;
  MPI_Dims_create(size, 3, falling);
  for (int k = 0; k < 3; k++) grid[k] = falling[k];
  at[0] = rank % grid[0];
  at[1] = rank / grid[0] % grid[1];
  at[2] = rank / grid[0] / grid[1];
  for (int k = 0; k < 27; k++) {
    int bytes = 8, inside = 1;
    d[0] = k % 3 - 1;
    d[1] = k / 3 % 3 - 1;
    d[2] = k / 9 - 1;
    for (int j = 0; j < 3; j++) {
      inside = inside && at[j] + d[j] >= 0 && at[j] + d[j] < grid[j];
      if (d[j] == 0) bytes *= n[j];
    }
    if (!inside || k == 13) continue;
    p->neighbors[p->nneighbors] = rank + d[0] + grid[0] * (d[1] + grid[1] * d[2]);
    p->bytes[p->nneighbors++] = bytes;
    if (bytes > most) most = bytes;
  }
  p->buffer = calloc(1, (size_t)most);
  if (!p->buffer) fail("no memory");
}

static void exchange_halo(program *p)
{
  MPI_Request requests[2 * NEIGHBORS];
  const int n = p->nneighbors;
  for (int k = 0; k < n; k++) {
    MPI_Irecv(p->buffer, p->bytes[k], MPI_BYTE, p->neighbors[k], 1, MPI_COMM_WORLD, &requests[k]);
  }
  for (int k = 0; k < n; k++) {
    MPI_Isend(p->buffer, p->bytes[k], MPI_BYTE, p->neighbors[k], 1, MPI_COMM_WORLD,
              &requests[n + k]);
  }
  MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
}

static void start_message(program *p, const action *a, MPI_Request *request)
{
  if (a->sends) {
    MPI_Isend(p->buffer, a->bytes, MPI_BYTE, a->peer, 2, MPI_COMM_WORLD, request);
  } else {
    MPI_Irecv(p->buffer, a->bytes, MPI_BYTE, a->peer, 2, MPI_COMM_WORLD, request);
  }
}

/* A round starts its messages together, and ends when all are complete. */
static void add_up(program *p)
{
  static MPI_Request requests[MOST_ACTIONS];
  for (int k = 0; k < p->nactions;) {
    int n = 0;
    const int round = p->actions[k].round;
    for (; k < p->nactions && p->actions[k].round == round; k++) {
      start_message(p, &p->actions[k], &requests[n++]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
}

int main(int argc, char **argv)
{
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 7) fail("wrong arguments");
  const int sums = atoi(argv[2]), iterations = atoi(argv[3]);
  const int n[3] = {atoi(argv[4]), atoi(argv[5]), atoi(argv[6])};
  program *p = calloc(1, sizeof *p);
  if (!p) fail("no memory");
  read_schedule(p, argv[1], rank);
  find_neighbors(p, n, rank, size);
  double begin = 0;
  for (int k = -2; k < iterations; k++) { /* two to get going */
    if (k == 0) begin = MPI_Wtime();
    exchange_halo(p);
    for (int j = 0; j < sums; j++) add_up(p);
  }
  if (rank == 0) printf("us %.6f\n", 1e6 * (MPI_Wtime() - begin) / iterations);
  free(p->buffer);
  free(p);
  MPI_Finalize();
  return 0;
}
