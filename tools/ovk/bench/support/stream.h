/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes through memory whose bytes are known, a reference for other passes. */
#ifndef OVK_TOOL_STREAM_H
#define OVK_TOOL_STREAM_H

#include <stdbool.h>

typedef struct stream {
  long n;
  double *a, *b, *c;
} stream;

/* Three arrays of n doubles; false: no memory. Free it with stream_destroy(), also after a failure.
 */
bool stream_create(long n, stream *out);
void stream_destroy(stream *s);

/* a <- b + 3 c: 32 bytes an element, as a store reads its line first. Both return a value that
 * depends on the work, so that compilers do not omit it. */
double stream_triad(const stream *s);

/* (a, b): 16 bytes an element */
double stream_dot(const stream *s);

#endif
