/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of a rank's records of reductions. */
#include "backends/verbs/recovery/records.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const ovk__record *record)
{
  return (size_t)record->count * sizeof(double);
}

static void record_free(ovk__record *record)
{
  ovk_reduction_destroy(&record->substitute);
  free(record->totals);
  free(record->parts);
  free(record);
}

static ovk_err record_make(ovk_ctx *ctx, ovk_sum *sum, bool keep_parts, ovk__record **out)
{
  OVK_NEW_AT(ctx, *out, ovk__record, record);
  record->sum = sum;
  record->number = sum->number;
  record->count = sum->count;
  OVK_NEW_ARRAY(ctx, record->totals, sum->count);
  if (keep_parts) OVK_NEW_ARRAY(ctx, record->parts, sum->count);
  return OVK_OK;
}

ovk_err ovk__records_add(ovk_ctx *ctx, ovk__records *records, ovk_sum *sum,
                         ovk_reduction *substitute, ovk__record **out)
{
  *out = NULL;
  const ovk_err err = record_make(ctx, sum, substitute != NULL, out);
  if (err) {
    if (*out) record_free(*out);
    *out = NULL;
    return err;
  }
  (*out)->substitute = substitute;
  ovk__record **link = &records->first;
  while (*link) link = &(*link)->next;
  *link = *out;
  return OVK_OK;
}

void ovk__records_free(ovk__records *records)
{
  while (records->first) {
    ovk__record *record = records->first;
    records->first = record->next;
    record_free(record);
  }
}

void ovk__records_begin(ovk__records *records, ovk__record *record)
{
  record->begun++;
  record->ticket = records->tickets++;
  record->substituted = false;
  if (record->parts) memcpy(record->parts, record->sum->values, bytes_of(record));
}

void ovk__record_complete(ovk__record *record)
{
  record->completed = record->begun;
  memcpy(record->totals, record->sum->values, bytes_of(record));
}

int64_t ovk__records_oldest(const ovk__records *records)
{
  int64_t oldest = records->tickets;
  for (const ovk__record *r = records->first; r; r = r->next) {
    if (r->completed < r->begun && r->ticket < oldest) oldest = r->ticket;
  }
  return oldest;
}

void ovk__records_forget(ovk__records *records, int64_t oldest)
{
  ovk__record **link = &records->first;
  while (*link) {
    ovk__record *record = *link;
    if (record->sum || (record->begun && record->ticket >= oldest)) {
      link = &record->next;
    } else {
      *link = record->next;
      record_free(record);
    }
  }
}

ovk__record *ovk__records_unsubstituted(const ovk__records *records)
{
  ovk__record *first = NULL;
  for (ovk__record *r = records->first; r; r = r->next) {
    const bool pending = r->sum && r->completed < r->begun && !r->substituted;
    if (pending && r->substitute && (!first || r->ticket < first->ticket)) first = r;
  }
  return first;
}

ovk_err ovk__record_substitute(ovk__record *record)
{
  memcpy(ovk_reduction_values(record->substitute), record->parts, bytes_of(record));
  OVK_TRY(ovk_reduction_begin(record->substitute));
  record->substituted = true;
  return OVK_OK;
}

ovk_err ovk__record_test(ovk__record *record, bool *complete)
{
  OVK_TRY(ovk_reduction_test(record->substitute, complete));
  if (!*complete) return OVK_OK;
  OVK_TRY(ovk_reduction_wait(record->substitute));
  memcpy(record->sum->values, ovk_reduction_values(record->substitute), bytes_of(record));
  ovk__record_complete(record);
  return OVK_OK;
}
