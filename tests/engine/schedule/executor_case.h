/* SPDX-License-Identifier: BSD-2-Clause */
/* The case for tests of the executor: an engine over all ranks, small schedules for it, and their
 * requests. */
#ifndef OVK_TEST_EXECUTOR_CASE_H
#define OVK_TEST_EXECUTOR_CASE_H

#include "comm/engine/engine.h"

extern MPI_Comm engine_comm;
extern ovk__engine *engine;

/* The set-up and the end of a group of tests: they make the engine and its communicator. */
int open_engine(void **state);
int close_engine(void **state);

/* MIXED: shared memory between ranks that are both even or both odd. */
typedef enum channels { ALL_P2P, ALL_SHM, MIXED, NCHANNELS } channels;

/* Every rank sends its output to every other and adds up the outputs that it receives. */
ovk__schedule sum_schedule(channels kind, size_t count);

/* Rank 0 sends its output to all others: no barrier. */
ovk__schedule bcast_schedule(ovk__channel channel, size_t count);

/* A barrier by dissemination, of messages without data. */
ovk__schedule barrier_schedule(ovk__channel channel);

/* A request of a schedule whose output is `data`. */
ovk__request *make_request(const ovk__schedule *schedule, double *data);
void start_request(ovk__request *request);
void wait_for(ovk__request *request);

/* Whether it is complete. */
bool advance_request(ovk__request *request);

#endif
