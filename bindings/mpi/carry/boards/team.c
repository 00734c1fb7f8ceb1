/* SPDX-License-Identifier: BSD-2-Clause */
/* Teams: sets of ranks with a context, in which the boards of all their communicators are created.
 * An MPI has few context ids and windows, so a program with thousands of communicators must not get
 * as many contexts. Teams remain until MPI_Finalize, because freeing one is collective.
 *
 * With MPI_THREAD_MULTIPLE each communicator has a separate team. Threads may set up communicators
 * of the same ranks at the same time, in a different order on each rank. With one context the
 * messages of two set-ups would be mixed up. Such a team is freed with the communicator. */
#include "carry/boards/team.h"
#include "carry/boards/boards.h"
#include "carry/boards/progress_thread.h"
#include "carry/process/process.h"

enum { TEAMS = 32, COMMS_OF_A_TEAM = 64, PLACES = 128, PLACES_OF_NODES = 512 };

static carry_team teams[TEAMS]; /* in the order in which their ranks made them */
static int nteams;
static int lone; /* communicators with a separate team; while locked */

/* The team of these ranks in this order; NULL: none. Either all ranks find it, or none does. */
static carry_team *team_of(MPI_Group group)
{
  for (int k = 0; k < nteams; k++) {
    int result = MPI_UNEQUAL;
    PMPI_Group_compare(group, teams[k].group, &result);
    if (result == MPI_IDENT) return &teams[k];
  }
  return NULL;
}

/* False if the MPI or the library cannot make its context. Collective. */
static bool team_open(MPI_Comm comm, carry_team *t)
{
  MPI_Comm own; /* without the attributes of the program */
  if (PMPI_Comm_split(comm, 0, 0, &own)) return false;
  PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  const ovk_err err = ovk_ctx_create_no_env(own, &t->ctx);
  if (!err) PMPI_Comm_group(own, &t->group);
  t->most_tag = carry_most_tag();
  PMPI_Comm_free(&own);
  return !err;
}

/* For ranks of several nodes: replaces the context by one of the node. Collective. */
static bool team_spread(carry_team *t)
{
  t->nodes = carry_nodes_new(ovk_ctx_comm(t->ctx));
  if (!t->nodes) return false;
  ovk_ctx_destroy(&t->ctx);
  const ovk_err err = ovk_ctx_create_no_env(t->nodes->inside, &t->ctx);
  return carry_nodes_agree(t->nodes->all, !err);
}

static void team_close(carry_team *t)
{
  ovk_ctx_destroy(&t->ctx);
  carry_nodes_free(&t->nodes);
  PMPI_Group_free(&t->group);
}

void carry_teams_end(void)
{
  while (nteams > 0) team_close(&teams[--nteams]);
}

/* Returns their number, `more` of them included. */
static int count_lone(int more)
{
  carry_lock();
  const int n = lone += more;
  carry_unlock();
  return n;
}

void carry_team_leave(carry_comm *c)
{
  c->team->comms--;
  if (c->team != &c->own) return;
  team_close(&c->own);
  (void)count_lone(-1);
}

static bool has_room(const carry_team *t)
{
  const bool shared = t ? t->comms < COMMS_OF_A_TEAM : nteams < TEAMS;
  return shared && count_lone(0) < COMMS_OF_A_TEAM;
}

/* The terms on which ranks agree: the least of each. */
enum { ABLE, WILLING, SHARES, ROOM, BEGINS, MOST, MESSAGES, TERMS };

/* The first board of a communicator, and its memory for messages between nodes. Whether its ranks
 * share a node is known after the first attempt of a new team. Collective; errors are agreed. */
static bool team_equip(carry_comm *c, bool new)
{
  const int places = c->team->nodes ? PLACES_OF_NODES : PLACES;
  ovk_err err = carry_comm_board(c, places, CARRY_SMALL, &c->small);
  if (err == OVK_ERR_UNSUPPORTED && new &&team_spread(c->team)) {
    err = carry_comm_board(c, PLACES_OF_NODES, CARRY_SMALL, &c->small);
  }
  if (err) return false;
  if (carry_comm_connect(c, CARRY_SMALL)) {
    c->crosses = c->exchange && carry_lane_open(c->team->nodes, &c->lane);
    return true;
  }
  ovk_board_destroy(&c->small);
  return false;
}

/* Gives the communicator a board and a team: that of its ranks if it is shared and exists, or a new
 * one. Collective; all ranks are willing. */
static carry_reason team_join(carry_comm *c, carry_team *t, bool shares)
{
  const bool new = !t || !shares;
  if (new) t = shares ? &teams[nteams] : &c->own;
  if (new && !team_open(c->comm, t)) return CARRY_NO_SETUP;
  c->team = t;
  if (!team_equip(c, new)) {
    if (new) team_close(t);
    return CARRY_NO_SETUP;
  }
  if (!shares) (void)count_lone(1);
  if (shares && new) nteams++;
  t->comms++;
  return CARRY_CARRIED;
}

/* One rank reads the parts of its node. */
static long most_over_nodes(const carry_comm *c, long most)
{
  const int largest = c->team->nodes->largest;
  return largest > 2 ? most * 2 / largest : most;
}

static carry_reason agree_and_join(MPI_Comm comm, MPI_Group group, carry_comm *c, bool *able)
{
  const bool on = carry_settings_of_process.on;
  carry_team *t = team_of(group);
  long terms[TERMS] = {[ABLE] = c != NULL,
                       [WILLING] = on,
                       [SHARES] = !carry_is_threaded(),
                       [ROOM] = has_room(t),
                       [BEGINS] = carry_completes_requests(),
                       [MOST] = carry_settings_of_process.most,
                       [MESSAGES] = carry_settings_of_process.messages};
  if (PMPI_Allreduce(MPI_IN_PLACE, terms, TERMS, MPI_LONG, MPI_MIN, comm)) terms[ABLE] = 0;
  *able = terms[ABLE];
  if (!*able) return CARRY_NO_SETUP;
  if (!terms[WILLING]) return on ? CARRY_NO_SETUP : CARRY_OFF;
  if (!terms[ROOM]) return CARRY_COMMS;
  c->begins = terms[BEGINS];
  c->messages = terms[MESSAGES];
  c->most = terms[MOST] * 2 / c->ranks; /* each rank reads the parts of all */
  const carry_reason reason = team_join(c, t, terms[SHARES]);
  if (reason == CARRY_CARRIED && c->exchange) c->most = most_over_nodes(c, terms[MOST]);
  return reason;
}

/* The program does not see errors of the set-up. */
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
