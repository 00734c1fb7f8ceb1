/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by all fuzz targets: MPI and a context, reading the bytes of an input, and failing when a
 * checked condition does not hold. */
#ifndef OVK_TEST_FUZZ_H
#define OVK_TEST_FUZZ_H

#include "support/scoped.h"

#include <ovkrylov/ovkrylov.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's two functions, which replay.c calls as well: each target defines the second. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One context over all ranks, for all inputs. libFuzzer has one rank; replay.c may have several,
 * which all read the same input. */
ovk_ctx *fuzz_ctx(void);

/* Replaces it by a new context without any objects. */
void fuzz_renew_ctx(void);

/* FUZZ_CHECK(n > 0, "n is %d", n): prints the message and aborts, which libFuzzer treats as a
 * finding. */
#define FUZZ_CHECK(condition, ...)                                                                 \
  do {                                                                                             \
    if (!(condition)) fuzz_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                      \
  } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *condition, const char *format, ...)
    OVK_PRINTF(4, 5);

/* Checks that a call failed in a way that a user may see: with a message, and with a code other
 * than OVK_ERR_MPI, OVK_ERR_NETWORK and OVK_ERR_INTERNAL. Returns the message, valid until the next
 * call. */
const char *fuzz_refused(ovk_err err);
const char *fuzz_refused_by(ovk_ctx *ctx, ovk_err err); /* of another context */

/* The unread rest of an input. */
typedef struct fuzz_bytes {
  const uint8_t *at, *end;
} fuzz_bytes;

/* The next byte; 0 at the end. */
unsigned fuzz_byte(fuzz_bytes *in);

/* An integer below n, n >= 1, from one byte or from two. */
unsigned fuzz_below(fuzz_bytes *in, unsigned n);

/* A double with arbitrary bits; mostly zero, a small number, or one at the limits of the range. */
double fuzz_double(fuzz_bytes *in);

/* The rest of the input as a string, to be freed; allocated exactly, so that reads beyond its end
 * are detected. */
char *fuzz_text(fuzz_bytes *in);

/* This rank's share of n rows: even, the first ranks have one more. */
ovk_lidx fuzz_share(ovk_lidx n);

/* Two scratch files, number 0 and 1, the same on all ranks. */
const char *fuzz_path(int number);

/* Writes these bytes to scratch file number 0. Collective. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
