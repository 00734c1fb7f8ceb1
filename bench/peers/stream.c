/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory bandwidth of all ranks together, a reference for the times of sparse products: the
 * triad a <- b + s c and the inner product (a, b), on arrays larger than the caches. */
#include "bench/support/stream.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 1000 };

/* A kernel and its memory traffic in bytes per element, including the cache line that a store reads
 * first. */
typedef struct kernel {
  const char *name;
  double (*run)(const stream *v);
  double bytes;
} kernel;

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints the median and the best bandwidth of a kernel, in 10^9 bytes per second. */
static void measure(const kernel *k, const stream *v, int rounds, int rank, int ranks)
{
  double samples[MOST_ROUNDS];
  volatile double kept = k->run(v);
  for (int round = 0; round < rounds; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    kept = k->run(v);
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    samples[round] = 1e-9 * k->bytes * (double)v->n * ranks / seconds;
  }
  (void)kept;
  qsort(samples, (size_t)rounds, sizeof *samples, compare);
  if (rank == 0) {
    printf("  \"%s_gb_s\": %.4g,\n  \"%s_best_gb_s\": %.4g,\n", k->name,
           (samples[(rounds - 1) / 2] + samples[rounds / 2]) / 2, k->name, samples[rounds - 1]);
  }
}

/* The number after an option on the command line. */
static int read_option(char **words, const char *name, int otherwise, int most)
{
  for (; *words; words++) {
    if (strcmp(*words, name) != 0 || !words[1]) continue;
    const long value = strtol(words[1], NULL, 10);
    return value < 1 ? 1 : value > most ? most : (int)value;
  }
  return otherwise;
}

int main(int argc, char **argv)
{
  static const kernel kernels[] = {{"triad", stream_triad, 32}, {"dot", stream_dot, 16}};
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int mb = read_option(argv, "--mb", 64, 4096);
  const int rounds = read_option(argv, "--repeat", 15, MOST_ROUNDS);
  stream v;
  if (!stream_create(125000L * mb, &v)) MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == 0) printf("{\n  \"program\": \"ovk_stream\",\n");
  for (int k = 0; k < 2; k++) measure(&kernels[k], &v, rounds, rank, ranks);
  if (rank == 0) printf("  \"megabytes_per_array\": %d,\n  \"ranks\": %d\n}\n", mb, ranks);
  stream_destroy(&v);
  MPI_Finalize();
  return 0;
}
