/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages of a recovery: what each rank knows of each sum, and then totals, from those who
 * have them to those who lack them. */
#ifndef OVK_BACKENDS_VERBS_TABLES_H
#define OVK_BACKENDS_VERBS_TABLES_H

#include "backends/verbs/recovery.h"
#include "engine/tags.h"
#include "engine/verbs/endpoint.h"

/* How often a rank has begun and completed a sum. */
typedef struct ovk__standing {
  int64_t number, begun, completed;
} ovk__standing;

/* What a rank says; sent as it is. */
typedef struct ovk__table {
  char why[OVK__WHY_SIZE];
  int64_t n;
  ovk__standing sums[];
} ovk__table;

typedef struct ovk__tables {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__tags *tags;
  ovk__tag told, traded; /* of tables, of totals */
  int told_tag, traded_tag;
  ovk__table **of; /* [rank]; NULL: has not come yet */
  int nmissing;
  bool trading;
  MPI_Request *telling, *trade; /* to each rank; of each message */
  int ntelling, ntrade;
} ovk__tables;

/* Collective over comm; errors are not agreed, but no rank hangs. ovk__tables_free() is due
 * whatever happens. */
ovk_err ovk__tables_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__tables *out);
void ovk__tables_free(ovk__tables *tables);

/* Return false if that cannot be done. Send this rank's table to all others; */
bool ovk__tables_send(ovk__tables *tables, const ovk__record *records, const char *why);
/* once all tables are there, trade totals; *over: it is done. */
bool ovk__tables_trade(ovk__tables *tables, ovk__record *records, bool *over);

/* Takes the tables that have come; returns the reason that the last one gives, or NULL if there was
 * none. */
const char *ovk__tables_receive(ovk__tables *tables);

/* Whether the trade brought totals for this sum, which was one behind. */
bool ovk__tables_has_brought(const ovk__tables *tables, const ovk__record *record);

#endif
