/* SPDX-License-Identifier: BSD-2-Clause */
/* Letters: what a run tells each of its peers before the first message, addresses above all, and is
 * told by it. Ranks exchange them over MPI; those of a remote agent are exchanged by its rank. */
#ifndef OVK_ENGINE_CHANNELS_LETTERS_H
#define OVK_ENGINE_CHANNELS_LETTERS_H

#include "base/check.h"

/* Each side knows the length of both. */
typedef struct ovk__letter {
  int peer; /* MPI_PROC_NULL: not exchanged here */
  int nout, nin;
  uint64_t *out, *in;
} ovk__letter;

/* Everything that an exchange needs is allocated before it: no rank may fail to allocate while
 * others wait. Zeros are no letters. */
typedef struct ovk__letters {
  int n;
  ovk__letter *list;
  uint64_t *words;
  MPI_Request *requests;
} ovk__letters;

/* Makes n letters; then, when the caller has set peers and lengths, allots their words, which are
 * zeros. ovk__letters_free() must be called also after an error. Not collective. */
ovk_err ovk__letters_make(ovk_ctx *ctx, int n, ovk__letters *out);
ovk_err ovk__letters_allot(ovk_ctx *ctx, ovk__letters *letters);
void ovk__letters_free(ovk__letters *letters);

/* Exchanges the letters with all peers, which do the same with this tag. */
ovk_err ovk__letters_exchange(ovk_ctx *ctx, const ovk__letters *letters, MPI_Comm comm, int tag);

#endif
