/* SPDX-License-Identifier: BSD-2-Clause */
/* Receives from any rank of a node. */
#include "carry/nodes/receive.h"

#include <stdlib.h>
#include <string.h>

/* A message that arrived in the receive of another operation. */
typedef struct carry_stray {
  struct carry_stray *next;
  int tag;
  uint64_t number;
  char message[];
} carry_stray;

/* That of this receive, at the end of a list without it. */
static carry_stray **find_stray(carry_nodes *nodes, const carry_receive *r)
{
  carry_stray **link = &nodes->strays;
  while (*link && ((*link)->tag != r->tag || (*link)->number != r->number)) {
    link = &(*link)->next;
  }
  return link;
}

static bool keep_stray(carry_nodes *nodes, const carry_receive *r)
{
  carry_stray *s = malloc(sizeof *s + (size_t)r->bytes);
  if (!s) return false;
  s->tag = r->tag;
  s->number = r->to->number;
  memcpy(s->message, r->to, (size_t)r->bytes);
  s->next = nodes->strays;
  nodes->strays = s;
  return true;
}

static bool take_stray(carry_nodes *nodes, const carry_receive *r)
{
  carry_stray **link = find_stray(nodes, r), *s = *link;
  if (!s) return false;
  memcpy(r->to, s->message, (size_t)r->bytes);
  *link = s->next;
  free(s);
  return true;
}

bool carry_receive_open(const carry_nodes *nodes, carry_receive *r)
{
  return !PMPI_Irecv(r->to, r->bytes, MPI_BYTE, MPI_ANY_SOURCE, r->tag, nodes->begun, &r->request);
}

/* Ends a receive whose message is kept, unless another message arrives first. */
static bool cancel_receive(carry_receive *r, bool *failed)
{
  MPI_Status status;
  int cancelled = 0;
  *failed = PMPI_Cancel(&r->request) || PMPI_Wait(&r->request, &status) ||
            PMPI_Test_cancelled(&status, &cancelled);
  return cancelled;
}

bool carry_receive_has_arrived(carry_nodes *nodes, carry_receive *r, bool *failed)
{
  int flag = 0;
  if (r->request == MPI_REQUEST_NULL) return true;
  if (PMPI_Test(&r->request, &flag, MPI_STATUS_IGNORE)) *failed = true;
  if (*failed || (!flag && !*find_stray(nodes, r))) return *failed;
  if (!flag && cancel_receive(r, failed)) return take_stray(nodes, r);
  if (*failed || r->to->number == r->number) return true;
  if (!keep_stray(nodes, r)) *failed = true;
  if (*failed || take_stray(nodes, r)) return true;
  if (!carry_receive_open(nodes, r)) *failed = true;
  return *failed;
}

void carry_receive_forget(carry_nodes *nodes)
{
  while (nodes->strays) {
    carry_stray *s = nodes->strays;
    nodes->strays = s->next;
    free(s);
  }
}
