/* SPDX-License-Identifier: BSD-2-Clause */
/* Teams: sets of ranks with a context, over which the boards of all their communicators are made.
 * An MPI has few context ids and windows, so programs with thousands of communicators must not get
 * as many contexts. */
#include "carry.h"

enum { TEAMS = 32, COMMS_OF_A_TEAM = 64, PLACES = 128 };

static carry_team teams[TEAMS]; /* in the order in which their ranks made them */
static int nteams;

/* The team of these ranks in this order; NULL: none. All of them find it, or none does. */
static carry_team *team_of(MPI_Group group)
{
  for (int k = 0; k < nteams; k++) {
    int result = MPI_UNEQUAL;
    PMPI_Group_compare(group, teams[k].group, &result);
    if (result == MPI_IDENT) return &teams[k];
  }
  return NULL;
}

/* NULL if the MPI or the library cannot make its context. Collective. */
static carry_team *team_new(MPI_Comm comm)
{
  MPI_Comm own; /* without the program's attributes */
  carry_team *t = &teams[nteams];
  if (PMPI_Comm_split(comm, 0, 0, &own)) return NULL;
  PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  const ovk_err err = ovk_ctx_create_no_env(own, &t->ctx);
  if (!err) PMPI_Comm_group(own, &t->group);
  PMPI_Comm_free(&own);
  if (err) return NULL;
  nteams++;
  return t;
}

/* Of the newest team, on all its ranks. */
static void team_end_newest(void)
{
  carry_team *t = &teams[--nteams];
  ovk_ctx_destroy(&t->ctx);
  PMPI_Group_free(&t->group);
  *t = (carry_team){0};
}

void carry_teams_end(void)
{
  while (nteams > 0) team_end_newest();
}

/* What ranks agree on: the least of each counts. */
enum { ABLE, WILLING, ROOM, BEGINS, MOST, TERMS };

static carry_reason judge_process(void)
{
  return !carry_settings_of_process.on ? CARRY_OFF
         : carry_is_threaded()         ? CARRY_THREADS
                                       : CARRY_CARRIED;
}

/* A team and a board for the communicator. Collective; all ranks are willing. */
static carry_reason join(carry_comm *c, carry_team *t)
{
  const bool new = !t;
  if (new) t = team_new(c->comm);
  if (!t) return CARRY_NO_SETUP;
  const ovk_err err = ovk_board_create(t->ctx, PLACES, CARRY_SMALL, &c->small);
  if (err && new) team_end_newest();
  if (err) return err == OVK_ERR_UNSUPPORTED ? CARRY_NODES : CARRY_NO_SETUP;
  c->team = t;
  t->comms++;
  return CARRY_CARRIED;
}

static carry_reason agree_and_join(MPI_Comm comm, MPI_Group group, carry_comm *c, bool *able)
{
  const carry_reason here = judge_process();
  carry_team *t = here == CARRY_CARRIED ? team_of(group) : NULL;
  long terms[TERMS] = {[ABLE] = c != NULL,
                       [WILLING] = here == CARRY_CARRIED,
                       [ROOM] = t ? t->comms < COMMS_OF_A_TEAM : nteams < TEAMS,
                       [BEGINS] = carry_completes_requests(),
                       [MOST] = carry_settings_of_process.most};
  if (PMPI_Allreduce(MPI_IN_PLACE, terms, TERMS, MPI_LONG, MPI_MIN, comm)) terms[ABLE] = 0;
  *able = terms[ABLE];
  if (!*able) return CARRY_NO_SETUP;
  if (!terms[WILLING]) return here == CARRY_CARRIED ? CARRY_NO_SETUP : here;
  if (!terms[ROOM]) return CARRY_COMMS;
  int size;
  PMPI_Comm_size(comm, &size);
  c->begins = terms[BEGINS];
  c->most = terms[MOST] * 2 / size; /* each rank reads the parts of all */
  return join(c, t);
}

/* Errors of the set-up are none of the program's. */
carry_reason carry_team_join(MPI_Comm comm, carry_comm *c, bool *able)
{
  MPI_Errhandler handler;
  MPI_Group group;
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  PMPI_Comm_group(comm, &group);
  const carry_reason reason = agree_and_join(comm, group, c, able);
  PMPI_Group_free(&group);
  PMPI_Comm_set_errhandler(comm, handler);
  PMPI_Errhandler_free(&handler);
  return reason;
}
