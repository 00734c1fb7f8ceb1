/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations that combine numbers: reductions and scans. */
#ifndef OVKRYLOV_COMM_COLLECTIVES_REDUCE_H
#define OVKRYLOV_COMM_COLLECTIVES_REDUCE_H

#include <ovkrylov/comm/collective.h>

OVK_BEGIN_DECLS

/** What reductions combine. */
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

/** The operation of a reduction. Sums and products of integers wrap around. OVK_OP_MAX and
 * OVK_OP_MIN of numbers with a NaN among them are NaN. The logical operations (the result is 0 or
 * 1) and the bitwise ones are for integers only. */
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
 * A reduction to `root`. Keys as for ovk_collective_create_bcast(). Collective.
 *
 * @param send     this rank's part; may be `receive`
 * @param receive  the result; not looked at on other ranks than `root`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, ovk_type type, ovk_op op,
                                             int root, ovk_collective **out);

/**
 * A reduction to all ranks, the same bits on all of them. Keys as for
 * ovk_collective_create_bcast(), and alg=ring; alg=auto takes the ring for long vectors. With
 * fragment= the bits are those of one piece, but for the ring, where the order of additions depends
 * on the place in the piece. Collective.
 *
 * @param send     this rank's part; may be `receive`
 * @param receive  the result
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allreduce(ovk_ctx *ctx, const char *spec, const void *send,
                                                void *receive, int count, ovk_type type, ovk_op op,
                                                ovk_collective **out);

/**
 * A reduction whose result is cut up: rank r gets counts[r] numbers of it; all ranks give the same
 * counts. alg=flat (default; combined in the order of ranks), with `window=`, see
 * ovk_collective_create_gather(); or alg=ring. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_scatter(ovk_ctx *ctx, const char *spec,
                                                     const void *send, void *receive,
                                                     const int *counts, ovk_type type, ovk_op op,
                                                     ovk_collective **out);

/**
 * The reduction of the ranks up to and including this one, by recursive doubling. `send` may be
 * `receive`. No keys. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scan(ovk_ctx *ctx, const char *spec, const void *send,
                                           void *receive, int count, ovk_type type, ovk_op op,
                                           ovk_collective **out);

/**
 * As ovk_collective_create_scan(), of the ranks before this one; the result of rank 0 is left
 * alone. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_exscan(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, ovk_type type, ovk_op op,
                                             ovk_collective **out);

/**
 * As ovk_collective_create_reduce(), for numbers of any MPI type and operation. Collective.
 *
 * @param type  predefined, or made by the user and committed: items of its extent, one behind the
 *              other, that begin at their lower bound 0 and do not overlap; what lies in gaps of an
 *              item moves with it. It stays valid until the operation is destroyed
 * @param op    predefined, for a predefined type of its kind (MPI-3.1, section 5.9), or made by the
 *              user; commutative. It stays valid, too
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, int count, MPI_Datatype type,
                                                 MPI_Op op, int root, ovk_collective **out);

/**
 * As ovk_collective_create_allreduce(), for ovk_collective_create_reduce_mpi()'s types and
 * operations. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allreduce_mpi(ovk_ctx *ctx, const char *spec,
                                                    const void *send, void *receive, int count,
                                                    MPI_Datatype type, MPI_Op op,
                                                    ovk_collective **out);

/**
 * As ovk_collective_create_reduce_scatter(), for ovk_collective_create_reduce_mpi()'s types and
 * operations. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_scatter_mpi(ovk_ctx *ctx, const char *spec,
                                                         const void *send, void *receive,
                                                         const int *counts, MPI_Datatype type,
                                                         MPI_Op op, ovk_collective **out);

/**
 * As ovk_collective_create_scan(), for ovk_collective_create_reduce_mpi()'s types; operations need
 * not be commutative. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                               void *receive, int count, MPI_Datatype type,
                                               MPI_Op op, ovk_collective **out);

/**
 * As ovk_collective_create_scan_mpi(), of the ranks before this one; the result of rank 0 is left
 * alone. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_exscan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, int count, MPI_Datatype type,
                                                 MPI_Op op, ovk_collective **out);

OVK_END_DECLS

#endif
