/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of requests. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

bool request_table_reserve(request_table *t)
{
  if (t->used < t->room) return true;
  const int more = 2 * t->room + 16;
  request_entry *grown = realloc(t->entries, (size_t)more * sizeof *grown);
  if (!grown) return false;
  t->entries = grown;
  t->room = more;
  return true;
}

void request_table_add(request_table *t, request_entry entry)
{
  t->entries[t->used++] = entry;
}

request_entry *request_table_find(const request_table *t, MPI_Request request,
                                  const request_entry *after)
{
  for (int k = after ? (int)(after - t->entries) + 1 : 0; k < t->used; k++) {
    if (t->entries[k].request == request) return &t->entries[k];
  }
  return NULL;
}

void request_table_remove(request_table *t, request_entry *entry)
{
  const request_entry *end = t->entries + t->used--;
  memmove(entry, entry + 1, (size_t)(end - entry - 1) * sizeof *entry);
}
