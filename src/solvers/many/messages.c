/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages of columns. */
#include "solvers/many/messages.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

ovk_err ovk__messages_begin(ovk_solver *S, int columns)
{
  ovk__messages_destroy(S);
  S->columns.messages = calloc((size_t)columns, sizeof *S->columns.messages);
  OVK_CHECK_ALL(S->columns.messages, S->ctx, OVK_ERR_MEMORY, "no memory for %d messages", columns);
  S->columns.count = columns;
  return OVK_OK;
}

ovk_err ovk__messages_keep(ovk_solver *S, int column, const char *message)
{
  S->columns.messages[column] = ovk__copy_text(message);
  OVK_CHECK(S->columns.messages[column], S->ctx, OVK_ERR_MEMORY, "no memory for a message");
  return OVK_OK;
}

void ovk__messages_report(ovk_solver *S)
{
  int first = 0, failed = 0;
  for (int j = S->columns.count - 1; j >= 0; j--) {
    if (!S->columns.messages[j]) continue;
    first = j;
    failed++;
  }
  if (!failed) {
    ovk__clear_message(S->ctx);
  } else {
    ovk__set_message(S->ctx, "%d of %d columns have not converged; column %d: %s", failed,
                     S->columns.count, first, S->columns.messages[first]);
  }
}

void ovk__messages_destroy(ovk_solver *S)
{
  for (int j = 0; S->columns.messages && j < S->columns.count; j++) free(S->columns.messages[j]);
  free(S->columns.messages);
  S->columns.messages = NULL;
  S->columns.count = 0;
}

static bool messages_worse(const ovk_result *a, const ovk_result *b)
{
  if ((a->reason > 0) != (b->reason > 0)) return a->reason <= 0;
  return a->iterations > b->iterations;
}

int ovk_results_worst(const ovk_result *results, int n)
{
  int worst = 0;
  for (int j = 1; results && j < n; j++) {
    if (messages_worse(&results[j], &results[worst])) worst = j;
  }
  return worst;
}

const char *ovk_solver_column_message(const ovk_solver *solver, int column)
{
  if (!solver || column < 0 || column >= solver->columns.count) return "";
  const char *message = solver->columns.messages[column];
  return message ? message : "";
}
