/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated solves: the time of an iteration on more processes than are available. Not a part of
 * ovkrylov.h. */
#ifndef OVKRYLOV_MODEL_H
#define OVKRYLOV_MODEL_H

#include <ovkrylov/ctx.h>
#include <stdbool.h>
#include <stdint.h>

OVK_BEGIN_DECLS

/**
 * The way of messages between two ranks, in seconds, by LogGOPS (Hoefler, Schneider, Lumsdaine,
 * "LogGOPSim", 2010): a message of n bytes costs its sender o + n O of processor time. It leaves g
 * + n G after the one before it, and arrives L + n G after it left. It costs its receiver o + n O.
 */
typedef struct ovk_model_link {
  double L; /**< latency */
  double o; /**< processor time a message, of the sender and of the receiver */
  double O; /**< processor time a byte */
  double g; /**< gap between the messages of a rank */
  double G; /**< gap a byte */
} ovk_model_link;

/** A machine. */
typedef struct ovk_model_machine {
  ovk_model_link node;   /**< between ranks of a node */
  ovk_model_link net;    /**< between nodes */
  int ranks_per_node;    /**< neighbors in the order of ranks, >= 1 */
  double begin;          /**< seconds of processor time to begin a reduction, */
  double poll;           /**< to poll whether it can progress, */
  double combine;        /**< and to add one number to another */
  double async_overhead; /**< of a reduction that progresses without polls, processor time a
                            message, instead of o, */
  double loopback; /**< and the time until a message is added, without processor time, if a NIC
                      adds by sending to itself; not in shared memory */
  double agent; /**< seconds of an agent for a message and for the part of its rank; the rank needs
                   none of them */
  double interrupt; /**< seconds that a message of another node takes from its receiver if it
                       arrives while this rank computes, as with TCP; 0: a NIC receives it */
  double forward;   /**< seconds that a message to another node takes from its sender, after it has
                       left, as where ranks share processors with the network; 0: nothing */
  double medium;    /**< seconds in which the network between nodes forwards a message, one after
                       the other; 0: each pair of nodes has its link */
} ovk_model_machine;

/** The computing of a rank's rows, in seconds without noise. */
typedef struct ovk_model_work {
  double product;  /**< A p, except the part that needs entries of p of other ranks, */
  double boundary; /**< and the rest of it */
  double precond;  /**< the preconditioner; 0 where it is diagonal, as updates then include it */
  double stream;   /**< to read or write one double a row, for updates, */
  double dot;      /**< and for an inner product of data in the first cache */
  double pair;     /**< two products with one halo exchange take as long as so many; 0: 2 */
  bool constant;   /**< a diagonal preconditioner is a multiple of the identity, as that of jacobi
                      for this stencil: then updates need not read it */
} ovk_model_work;

/** Differences between ranks. All zero: none. */
typedef struct ovk_model_noise {
  double exponential; /**< each piece of work w takes w more on average times this, exponentially */
  double spike;       /**< seconds that a rare disturbance takes, */
  double spikes_a_second; /**< and how often a rank has one, on average */
  double node;            /**< as `exponential`, alike for all ranks of a node */
  double slow;   /**< >= 0: the work of one rank, the last one, takes 1 + this times as long */
  uint64_t seed; /**< the same seed gives the same numbers */
} ovk_model_noise;

/**
 * A multigrid cycle, as of the preconditioner "amg". Times are seconds a row of the finer level.
 * All zero: none.
 */
typedef struct ovk_model_cycle {
  int degree; /**< of the smoother, before and after, one more from level 2 on; 0: no cycle */
  int gather; /**< rows a rank: a level with less moves to fewer ranks; 0: as 1 */
  int coarse; /**< a level of at most so many rows is solved with its dense inverse */
  double coarsening; /**< rows of a level over those of the next */
  double start;      /**< the first smoothing step, which has no product, */
  double product;    /**< each other one, and the residual, */
  double transfer;   /**< and restriction or prolongation */
  double cache_rows; /**< on levels of at most so many rows a rank these times are multiplied */
  double cached;     /**< by this factor */
  double inverse;    /**< an entry of the dense inverse */
  bool twice; /**< level 1 or 2, the first that is small, is visited twice, as with cycle=mixed;
                 else a V-cycle */
} ovk_model_cycle;

/** The parameters of a simulation. Start from OVK_MODEL or ovk_model_default(). */
typedef struct ovk_model {
  size_t size;        /**< sizeof(ovk_model), see @ref struct_sizes */
  const char *method; /**< as for ovk_solver_opts, except "auto"; NULL: "cg" */
  /**
   * The backend of the sums. "blocking" and "iallreduce" stand for recursive doubling over
   * messages, "shm" for all ranks of one node reading each other; "nbc:..." is walked schedule by
   * schedule, with levels=node as ranks_per_node says, and "verbs" in mode=write likewise; in
   * "emulate-latency:us=U|..." a sum is complete U after its begin at the earliest. Others, and
   * sums of a solve in pieces, are not supported. NULL: "blocking".
   */
  const char *backend;
  bool async;     /**< reductions progress without polls: by a thread, a NIC; those of
                     "verbs:agent=..." do in any case, by an agent with a separate processor */
  int nranks;     /**< 1 to 1 << 20 */
  int grid[3];    /**< of ranks, x fastest; all 0: as MPI_Dims_create would have it */
  int n[3];       /**< rows of a rank in each direction: 27-point stencil */
  int poll_rows;  /**< rows between two polls, always as many; 0: none but in wait */
  int iterations; /**< to simulate, after some more to get going; >= 1 */
  ovk_model_machine machine;
  ovk_model_work work;
  ovk_model_noise noise;
  bool precond_never_polls; /**< as ovk_precond_ops.never_polls: reductions are polled after the
                               preconditioner */
  ovk_model_cycle cycle;    /**< the preconditioner, if it has a degree */
  int doubles;  /**< > 0: there is no solve, and each iteration is one reduction of so many doubles
                   to all ranks, in pieces with "nbc:fragment=..."; method, n and work are ignored */
  bool to_root; /**< with doubles > 0: reductions to rank 0. Other ranks wait for none of the
                   next ones, and their messages for no receiver. */
} ovk_model;

/** The result: seconds an iteration, means over ranks and iterations. */
typedef struct ovk_model_result {
  double iteration; /**< all of it; of rank 0 alone for reductions to it */
  double compute;   /**< computing, with its noise */
  double sums;      /**< processor time of begin, polls and messages of sums */
  double sum_wait;  /**< waiting for sums, in wait */
  double halo;      /**< processor time of halo exchanges and waiting for them; those of the cycle
                         and waiting for ranks with rows of its levels included */
  double messages;  /**< of sums, sent by a rank an iteration */
  double cycle;     /**< time in the cycle, which the parts above include */
  double cycle_messages; /**< sent by a rank an iteration */
} ovk_model_result;

/** The defaults: 20 iterations, a poll every 4096 rows, a rank a node; all else 0. Every member is
 * named, in its order, as C++20 wants it. */
/* clang-format off */
#define OVK_MODEL                                                                                  \
  {                                                                                                \
    .size = sizeof(ovk_model), .method = 0, .backend = 0, .async = false, .nranks = 0,             \
    .grid = {0, 0, 0}, .n = {0, 0, 0}, .poll_rows = 4096, .iterations = 20,                        \
    .machine = {.node = {0, 0, 0, 0, 0}, .net = {0, 0, 0, 0, 0}, .ranks_per_node = 1, .begin = 0,  \
                .poll = 0, .combine = 0, .async_overhead = 0, .loopback = 0, .agent = 0, .interrupt = 0},           \
    .work = {0, 0, 0, 0, 0, 0, false}, .noise = {0, 0, 0, 0, 0, 0},                                \
    .precond_never_polls = false, .cycle = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false},                  \
    .doubles = 0, .to_root = false                                                                 \
  }
/* clang-format on */

/** @return the defaults, for C++ and for bindings. Not collective. */
OVK_API ovk_model ovk_model_default(void);

/**
 * Simulate iterations of a method, rank by rank. Each rank computes, polls, sends and waits by the
 * list of phases of the method. Reductions execute the schedules of the backend. The halo exchange
 * goes to up to 26 neighbors of a grid without wrap-around. A cycle executes its steps on all
 * levels. Not collective. A simulation takes about 1 us an event (message, poll that finds
 * something, phase).
 *
 * @return OVK_ERR_UNKNOWN with the closest match for method and backend; OVK_ERR_UNSUPPORTED for a
 *         backend that the model cannot follow, and for a method that needs factors of a cycle;
 * OVK_ERR_ARG; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_model_run(ovk_ctx *ctx, const ovk_model *model, ovk_model_result *out);

OVK_END_DECLS

#endif
