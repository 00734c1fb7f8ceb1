/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests with additional data of libovk_delay.so. There are few at a time, so a list suffices. It
 * has no lock. */
#ifndef OVK_REQUEST_TABLE_H
#define OVK_REQUEST_TABLE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct request_entry {
  MPI_Request request;
  bool persistent;
  int64_t due; /* when it may complete; 0: persistent and not started */
} request_entry;

typedef struct request_table {
  request_entry *entries; /* the oldest first */
  int used, room;
} request_table;

/* Makes room for one more entry; false without memory. */
bool request_table_reserve(request_table *table);

/* Adds the newest; room has been made for it. */
void request_table_add(request_table *table, request_entry entry);

/* The oldest entry of this request after the entry `after`, which may be NULL; NULL: none. An MPI
 * may return one handle for several requests that complete at once. */
request_entry *request_table_find(const request_table *table, MPI_Request request,
                                  const request_entry *after);

void request_table_remove(request_table *table, request_entry *entry);

#endif
