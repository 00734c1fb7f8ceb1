/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by all fuzz targets. */
#include "support/fuzz/fuzz.h"
#include "core/context/check.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ovk_ctx *shared_ctx;
static long scratch_number;

/* Defined in sanitizer builds only. */
void __lsan_do_leak_check(void) __attribute__((weak));
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

ovk_ctx *fuzz_ctx(void)
{
  return shared_ctx;
}

void fuzz_renew_ctx(void)
{
  ovk_ctx_destroy(&shared_ctx);
  FUZZ_CHECK(ovk_ctx_create(MPI_COMM_WORLD, &shared_ctx) == OVK_OK, "no context");
}

/* Destroys the context, checks for leaks, finalizes MPI. */
static void fuzz_finish(void)
{
  if (!shared_ctx) return;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 2; k++) unlink(fuzz_path(k));
  ovk_ctx_destroy(&shared_ctx);
  if (__lsan_do_leak_check)
    __lsan_do_leak_check(); /* before MPI_Finalize unloads libraries whose symbols the report needs
                             */
  MPI_Finalize();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  setenv("CMOCKA_TEST_ABORT", "1", 1);   /* a failed assert in tests/support counts as a finding */
  setenv("OMPI_MCA_opal_signal", "", 1); /* crashes are reported by libFuzzer and the sanitizers */
  if (__lsan_disable) __lsan_disable();  /* MPI unloads plug-ins, and their symbols with them */
  MPI_Init(NULL, NULL);
  if (__lsan_enable) __lsan_enable();
  fuzz_renew_ctx();
  scratch_number = (long)getpid();
  MPI_Bcast(&scratch_number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  atexit(fuzz_finish);
  return 0;
}

void fuzz_fail(const char *file, int line, const char *condition, const char *format, ...)
{
  fprintf(stderr, "%s:%d: %s does not hold: ", file, line, condition);
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, "\nlast error: %s\n", shared_ctx ? ovk_ctx_error(shared_ctx) : "none");
  abort();
}

const char *fuzz_refused(ovk_err err)
{
  return fuzz_refused_by(shared_ctx, err);
}

const char *fuzz_refused_by(ovk_ctx *ctx, ovk_err err)
{
  static char message[4096];
  snprintf(message, sizeof message, "%s", ovk_ctx_error(ctx));
  FUZZ_CHECK(err != OVK_OK && err != OVK_ERR_MPI && err != OVK_ERR_NETWORK &&
                 err != OVK_ERR_INTERNAL,
             "%s", ovk_err_name(err));
  FUZZ_CHECK(strcmp(ovk_err_name(err), "unknown") != 0, "code %d", (int)err);
  FUZZ_CHECK(*message, "%s has no message", ovk_err_name(err));
  ovk__clear_message(ctx);
  return message;
}

unsigned fuzz_byte(fuzz_bytes *in)
{
  return in->at < in->end ? *in->at++ : 0;
}

unsigned fuzz_below(fuzz_bytes *in, unsigned n)
{
  const unsigned low = fuzz_byte(in);
  return (n > 256 ? low + 256 * fuzz_byte(in) : low) % n;
}

double fuzz_double(fuzz_bytes *in)
{
  static const double special[] = {
      0,        -0.0,     1,       -1,           0.5,           3,
      NAN,      INFINITY, DBL_MAX, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MIN,
      -DBL_MAX, 1e-3,     1e300,   -1e-300,      -INFINITY};
  enum { NSPECIAL = sizeof special / sizeof *special };
  const unsigned which = fuzz_byte(in);
  if (which < NSPECIAL) return special[which];
  if (which < 128) return (double)which - 64;
  uint64_t bits = 0;
  for (int k = 0; k < 8; k++) bits = bits << 8 | fuzz_byte(in);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

char *fuzz_text(fuzz_bytes *in)
{
  const size_t n = (size_t)(in->end - in->at);
  char *text = malloc(n + 1);
  FUZZ_CHECK(text, "no memory");
  memcpy(text, in->at, n);
  text[n] = '\0';
  in->at = in->end;
  return text;
}

ovk_lidx fuzz_share(ovk_lidx n)
{
  const int rank = ovk_ctx_rank(shared_ctx), size = ovk_ctx_size(shared_ctx);
  return n / size + (rank < n % size);
}

const char *fuzz_path(int number)
{
  static char path[2][512];
  const char *dir = getenv("TMPDIR");
  snprintf(path[number], sizeof path[number], "%s/ovk_fuzz_%ld_%d.mtx", dir && *dir ? dir : "/tmp",
           scratch_number, number);
  return path[number];
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
  const char *path = fuzz_path(0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (ovk_ctx_rank(shared_ctx) == 0) {
    FILE *file = fopen(path, "wb");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "%s", path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return path;
}
