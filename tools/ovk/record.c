/* SPDX-License-Identifier: BSD-2-Clause */
/* A record of all iterations of a solve, however many there are. */
#include "record.h"

#include <stdlib.h>

static bool record_grow(record *r)
{
  const size_t room = r->room ? 2 * r->room : 64;
  ovk_progress *entries = realloc(r->entries, room * sizeof *entries);
  if (!entries) return false;
  r->entries = entries;
  r->room = room;
  return true;
}

void record_add(record *r, const ovk_progress *now)
{
  r->failed = r->failed || (r->n == r->room && !record_grow(r));
  if (!r->failed) r->entries[r->n++] = *now;
}

void record_free(record *r)
{
  free(r->entries);
  *r = (record){0};
}
