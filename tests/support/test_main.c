/* SPDX-License-Identifier: BSD-2-Clause */
/* The main function of all test programs, and the assertions they share. */
#include "support/test_main.h"

int test_rank, test_size;

static ovk_ctx *shared_ctx;

ovk_ctx *test_ctx(void)
{
  if (!shared_ctx) assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &shared_ctx), OVK_OK);
  return shared_ctx;
}

void *new_memory(size_t bytes)
{
  void *block = malloc(bytes);
  assert_non_null(block);
  return block;
}

void *new_zeros(size_t n, size_t size)
{
  void *block = calloc(n, size);
  assert_non_null(block);
  return block;
}

void assert_ok_(ovk_err err, const char *call, const char *file, int line)
{
  if (err == OVK_OK) return;
  print_error("[rank %d] %s returned %s: %s\n", test_rank, call, ovk_err_name(err),
              ovk_ctx_error(shared_ctx));
  _fail(file, line);
}

void assert_local_error_(ovk_err err, ovk_err code, const char *part, const char *call,
                         const char *file, int line)
{
  const char *said = ovk_ctx_error(shared_ctx);
  if (err == code && strstr(said, part)) return;
  print_error("[rank %d] %s returned %s, not %s: \"%s\" should contain \"%s\"\n", test_rank, call,
              ovk_err_name(err), ovk_err_name(code), said, part);
  _fail(file, line);
}

void assert_error_(ovk_err err, ovk_err code, const char *part, const char *call, const char *file,
                   int line)
{
  assert_local_error_(err, code, part, call, file, line);
  char first[1024];
  snprintf(first, sizeof first, "%s", ovk_ctx_error(shared_ctx));
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (strcmp(first, ovk_ctx_error(shared_ctx)) == 0) return;
  print_error("[rank %d] %s: rank 0 says \"%s\", this rank \"%s\"\n", test_rank, call, first,
              ovk_ctx_error(shared_ctx));
  _fail(file, line);
}

void assert_close_(double a, double b, double tolerance, const char *what, const char *file,
                   int line)
{
  if (fabs(a - b) <= tolerance * fmax(1.0, fabs(b))) return;
  print_error("[rank %d] %s is %.17g, not %.17g to %g\n", test_rank, what, a, b, tolerance);
  _fail(file, line);
}

void skip_all(const char *why)
{
  if (test_rank == 0) print_message("skipped: %s\n", why);
  fflush(NULL);
  MPI_Finalize();
  _Exit(77); /* without the leak check below */
}

/* The next file has a new context. */
static int run_file(const char *name)
{
  const int failures = test_run_group(name);
  ovk_ctx_destroy(&shared_ctx);
  return failures;
}

/* Defined in sanitizer builds only. */
void __lsan_do_leak_check(void) __attribute__((weak));

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &test_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &test_size);
  if (test_rank > 0)
    cmocka_set_message_output(CM_OUTPUT_TAP);      /* rank 0 alone has the readable report */
  cmocka_set_test_filter(getenv("OVK_TEST_ONLY")); /* NULL: all; * and ? are wildcards */
  cmocka_set_skip_filter(getenv("OVK_TEST_EXCEPT"));
  int failures = argc > 1 ? 0 : run_file(NULL);
  for (int k = 1; k < argc; k++) failures += run_file(argv[k]);
  if (__lsan_do_leak_check)
    __lsan_do_leak_check(); /* before MPI_Finalize unloads libraries whose symbols the report needs
                             */
  MPI_Finalize();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
