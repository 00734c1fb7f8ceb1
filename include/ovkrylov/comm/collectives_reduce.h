/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations that combine numbers: reductions and scans. */
#ifndef OVKRYLOV_COMM_COLLECTIVES_REDUCE_H
#define OVKRYLOV_COMM_COLLECTIVES_REDUCE_H

#include <ovkrylov/comm/collective.h>

OVK_BEGIN_DECLS

/** The types of numbers that reductions combine. */
typedef enum ovk_type {
  OVK_TYPE_DOUBLE,
  OVK_TYPE_INT64,
  OVK_TYPE_FLOAT,
  OVK_TYPE_INT8,
  OVK_TYPE_INT16,
  OVK_TYPE_INT32,
  OVK_TYPE_UINT8,
  OVK_TYPE_UINT16,
  OVK_TYPE_UINT32,
  OVK_TYPE_UINT64
} ovk_type;

/** The operation of a reduction. Integer sums and products wrap around. OVK_OP_MAX and OVK_OP_MIN
 * are NaN if one of the numbers is NaN. The logical operations, with the result 0 or 1, and the
 * bitwise ones are for integers only. */
typedef enum ovk_op {
  OVK_OP_SUM,
  OVK_OP_MAX,
  OVK_OP_MIN,
  OVK_OP_PROD,
  OVK_OP_LAND,
  OVK_OP_LOR,
  OVK_OP_LXOR,
  OVK_OP_BAND,
  OVK_OP_BOR,
  OVK_OP_BXOR
} ovk_op;

/**
 * Create a reduction to `root`. Collective. The keys are those of ovk_collective_create_bcast().
 *
 * @param send     the part of this rank; may be `receive`
 * @param receive  the result; ignored on ranks other than `root`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, ovk_type type, ovk_op op,
                                             int root, ovk_collective **out);

/**
 * Create a reduction to all ranks, with the same bits on all of them. Collective. The keys are
 * those of ovk_collective_create_bcast(), alg=ring and alg=halving (recursive halving and doubling,
 * Rabenseifner 2004). alg=auto selects the ring for long vectors.
 * fragment= does not change the bits, except with the ring: there the order of additions depends on
 * the place in the fragment.
 *
 * @param send     the part of this rank; may be `receive`
 * @param receive  the result
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allreduce(ovk_ctx *ctx, const char *spec, const void *send,
                                                void *receive, int count, ovk_type type, ovk_op op,
                                                ovk_collective **out);

/**
 * Create a reduction with a scattered result: rank r receives counts[r] numbers of it. Collective.
 * All ranks pass the same counts. alg=flat, the default, combines in the order of ranks, with
 * window= of ovk_collective_create_gather(). The alternative is alg=ring.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_scatter(ovk_ctx *ctx, const char *spec,
                                                     const void *send, void *receive,
                                                     const int *counts, ovk_type type, ovk_op op,
                                                     ovk_collective **out);

/**
 * Create a scan: the reduction of the ranks up to and including this one, by recursive doubling.
 * Collective. `send` may be `receive`. It has no keys.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scan(ovk_ctx *ctx, const char *spec, const void *send,
                                           void *receive, int count, ovk_type type, ovk_op op,
                                           ovk_collective **out);

/**
 * Create an exclusive scan, of the ranks before this one, otherwise as
 * ovk_collective_create_scan(). Collective. The result of rank 0 is unchanged.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_exscan(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, ovk_type type, ovk_op op,
                                             ovk_collective **out);

/**
 * Create a reduction to `root` with any MPI type and operation, otherwise as
 * ovk_collective_create_reduce(). Collective.
 *
 * @param type  predefined, or user-defined and committed. Items are consecutive at the extent of
 * the type, start at its lower bound 0, and do not overlap. Bytes in gaps of an item move with it.
 * The type must remain valid until the operation is destroyed
 * @param op    predefined, for a predefined type of its kind (MPI-3.1, section 5.9), or
 *              user-defined; commutative. It must remain valid as well
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, int count, MPI_Datatype type,
                                                 MPI_Op op, int root, ovk_collective **out);

/**
 * Create a reduction to all ranks with the types and operations of
 * ovk_collective_create_reduce_mpi(), otherwise as ovk_collective_create_allreduce(). Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allreduce_mpi(ovk_ctx *ctx, const char *spec,
                                                    const void *send, void *receive, int count,
                                                    MPI_Datatype type, MPI_Op op,
                                                    ovk_collective **out);

/**
 * Create a reduction with a scattered result and the types and operations of
 * ovk_collective_create_reduce_mpi(), otherwise as ovk_collective_create_reduce_scatter().
 * Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_scatter_mpi(ovk_ctx *ctx, const char *spec,
                                                         const void *send, void *receive,
                                                         const int *counts, MPI_Datatype type,
                                                         MPI_Op op, ovk_collective **out);

/**
 * Create a scan with the types of ovk_collective_create_reduce_mpi(), otherwise as
 * ovk_collective_create_scan(). Collective. Operations need not be commutative.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                               void *receive, int count, MPI_Datatype type,
                                               MPI_Op op, ovk_collective **out);

/**
 * Create an exclusive scan, of the ranks before this one, otherwise as
 * ovk_collective_create_scan_mpi(). Collective. The result of rank 0 is unchanged.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_exscan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, int count, MPI_Datatype type,
                                                 MPI_Op op, ovk_collective **out);

OVK_END_DECLS

#endif
