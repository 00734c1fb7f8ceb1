/* SPDX-License-Identifier: BSD-2-Clause */
/* Every collective operation compared with the one of MPI: results are compared byte by byte,
 * including that no other byte is written. */
#ifndef OVK_TEST_COLLECTIVE_SUBJECTS_H
#define OVK_TEST_COLLECTIVE_SUBJECTS_H

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/ovkrylov.h>
#include <stdbool.h>

typedef struct trial trial; /* the parameters of one comparison */

/* An operation of the library and the one of MPI. */
typedef struct subject {
  ovk_err (*create)(const trial *t, ovk_collective **out);
  void (*mpi)(const trial *t);
} subject;

extern const subject bcast, gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall,
    alltoallv, reduce, allreduce, reduce_scatter, scan, exscan;

/* Items of several sizes, with each root if there are roots; and numbers with each operation. With
 * more ranks than cores a different subset of the trials each time. */
void check_items(const subject *s, const char *spec, bool rooted);
void check_numbers(const subject *s, const char *spec, bool rooted);

/* Repeated with ranks that are late: data of one generation are not taken for another's. */
void check_often(const subject *s, const char *spec, bool typed);

#endif
