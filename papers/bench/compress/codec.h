/* SPDX-License-Identifier: BSD-2-Clause */
/* Compression of blocks by zlib, if the program was built with it. */
#ifndef OVK_TOOL_CODEC_H
#define OVK_TOOL_CODEC_H

#include <ovkrylov/ovkrylov.h>
#include <stddef.h>

typedef struct codec codec;

/* level: 1, fast, to 9, thorough. Collective. @return OVK_ERR_UNSUPPORTED in a build without zlib,
 * OVK_ERR_MEMORY */
ovk_err codec_create(ovk_ctx *ctx, int level, codec **out);
void codec_destroy(codec **c);

/* Upper bound on the compressed size of n bytes. */
size_t codec_bound(codec *c, size_t n);

/* Compresses n bytes into `room` bytes, which must be enough; *length of them are used. The poll
 * callback counts bytes; how often it is called does not change the output. */
ovk_err codec_compress(codec *c, const unsigned char *in, int n, ovk_poll poll, unsigned char *out,
                       size_t room, size_t *length);

/* Decompresses a block that must yield n bytes; false if it does not. The block marks its own end,
 * which lies within the `room` bytes. */
bool codec_decompress(codec *c, const unsigned char *in, size_t room, unsigned char *out, int n);

#endif
