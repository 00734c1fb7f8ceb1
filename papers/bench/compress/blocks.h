/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of random letters (bytes) that each rank compresses, and that are gathered on rank 0. */
#ifndef OVK_TOOL_BLOCKS_H
#define OVK_TOOL_BLOCKS_H

#include "bench/compress/codec.h"

#include <ovkrylov/comm/collectives.h>

typedef enum gathering {
  GATHER_BLOCKING, /* all by MPI_Gather, when the last one is compressed */
  GATHER_NBC,      /* each by the nonblocking gather of the library, when it is compressed */
  GATHERINGS
} gathering;

/* Their names in output. */
extern const char *const gathering_names[GATHERINGS];

typedef struct blocks_request {
  int bytes;        /* of input, over all ranks */
  int nblocks;      /* per rank */
  int window;       /* gathers in flight at most */
  int polls;        /* of the gathers, while a block is compressed */
  int letters;      /* distinct byte values in the input */
  int level;        /* compression level */
  const char *spec; /* of the gather of the library */
} blocks_request;

typedef struct blocks {
  ovk_ctx *ctx;
  blocks_request request;
  codec *codec;
  size_t place;             /* bytes in which any compressed block fits */
  unsigned char *input;     /* of this rank */
  unsigned char *packed;    /* its places */
  unsigned char *gathered;  /* on rank 0: the blocks of all ranks */
  unsigned char *unpacked;  /* space for one block */
  ovk_collective **gathers; /* by block */
  int begun, ended;         /* gathers */
} blocks;

/* Collective. Free them with blocks_destroy(), also after a failure. */
ovk_err blocks_create(ovk_ctx *ctx, const blocks_request *request, blocks *out);
void blocks_destroy(blocks *b);

/* Compresses and gathers all blocks. *seconds: the time of this rank; *after: the part after the
 * last block was compressed. Collective. */
ovk_err blocks_gather(blocks *b, gathering how, double *seconds, double *after);

/* Gathered bytes as a fraction of the input. */
double blocks_packed(const blocks *b);

/* Decompresses the data that rank 0 received and compares it with the input of all ranks.
 * Collective. */
ovk_err blocks_check(const blocks *b, gathering how);

#endif
