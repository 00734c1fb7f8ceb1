/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of random letters that each rank compresses, and that are gathered on rank 0. */
#ifndef OVK_TOOL_BLOCKS_H
#define OVK_TOOL_BLOCKS_H

#include "bench/compress/codec.h"

typedef enum gathering {
  GATHER_BLOCKING, /* all by MPI_Gather, when the last one is compressed */
  GATHER_NBC,      /* each by the library's non-blocking gather, when it is compressed */
  GATHERINGS
} gathering;

/* What they are called. */
extern const char *const gathering_names[GATHERINGS];

typedef struct blocks_request {
  int bytes;        /* of input, on all ranks together */
  int nblocks;      /* on a rank */
  int window;       /* how many are on their way at most */
  int polls;        /* of those, while a block is compressed */
  int letters;      /* different ones in the input */
  int level;        /* of compression */
  const char *spec; /* of the library's gather */
} blocks_request;

typedef struct blocks {
  ovk_ctx *ctx;
  blocks_request request;
  codec *codec;
  size_t place;             /* bytes that any block fits in when it is compressed */
  unsigned char *input;     /* of this rank */
  unsigned char *packed;    /* its places */
  unsigned char *gathered;  /* on rank 0 those of all */
  unsigned char *unpacked;  /* room for a block */
  ovk_collective **gathers; /* by block */
  int begun, ended;         /* of them */
} blocks;

/* Collective. Free them with blocks_destroy(), also after a failure. */
ovk_err blocks_create(ovk_ctx *ctx, const blocks_request *request, blocks *out);
void blocks_destroy(blocks *b);

/* Compresses and gathers all blocks, in so many seconds of this rank; *behind are those after the
 * last block was compressed. Collective. */
ovk_err blocks_gather(blocks *b, gathering how, double *seconds, double *behind);

/* What is gathered, as a part of the input. */
double blocks_packed(const blocks *b);

/* Decompresses what rank 0 has got, and compares it with the input of all. Collective. */
ovk_err blocks_check(const blocks *b, gathering how);

#endif
