/* SPDX-License-Identifier: BSD-2-Clause */
/* Included by every test: CMocka, MPI, and checks for parallel tests. */
#ifndef OVK_TEST_MAIN_H
#define OVK_TEST_MAIN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpi.h>
#include <ovkrylov/ovkrylov.h>
#include <stdbool.h>

/* CMocka gives each test a state, and interfaces give callbacks more than a test's needs. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Every test program defines this: run the group, return the number of failures. The main function
 * in test_main.c calls it between MPI_Init and MPI_Finalize. With more than one rank a failed
 * assert aborts the whole job (CMOCKA_TEST_ABORT), so that the other ranks do not wait
 * indefinitely. */
int run_all_tests(void);

/* Rank and size of MPI_COMM_WORLD. */
extern int test_rank, test_size;

static inline bool is_last(void)
{
  return test_rank == test_size - 1;
}

/* A context over all ranks, created at the first use and destroyed at the end of the program; tests
 * that need one of their own create it. */
ovk_ctx *test_ctx(void);

/* Asserts that a call returned OVK_OK, and prints the error message if not. */
#define assert_ok(call) assert_ok_((call), #call, __FILE__, __LINE__)
void assert_ok_(ovk_err err, const char *call, const char *file, int line);

/* Asserts an error code, and that the message contains `part` and is the same on every rank.
 * Collective. */
#define assert_error(call, code, part)                                                             \
  assert_error_((call), (code), (part), #call, __FILE__, __LINE__)
void assert_error_(ovk_err err, ovk_err code, const char *part, const char *call, const char *file,
                   int line);

/* Asserts an error code and a message on this rank only. */
#define assert_local_error(call, code, part)                                                       \
  assert_local_error_((call), (code), (part), #call, __FILE__, __LINE__)
void assert_local_error_(ovk_err err, ovk_err code, const char *part, const char *call,
                         const char *file, int line);

/* Asserts |a - b| <= tolerance * max(1, |b|). */
#define assert_close(a, b, tolerance) assert_close_((a), (b), (tolerance), #a, __FILE__, __LINE__)
void assert_close_(double a, double b, double tolerance, const char *what, const char *file,
                   int line);

#endif
