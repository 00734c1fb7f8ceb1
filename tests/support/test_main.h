/* SPDX-License-Identifier: BSD-2-Clause */
/* Included by every test: the library, CMocka, MPI, the C library's common headers, and checks for
 * parallel tests. */
#ifndef OVK_TEST_MAIN_H
#define OVK_TEST_MAIN_H

#include "support/scoped.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <ovkrylov/ovkrylov.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h> /* needs those above */

/* CMocka gives each test a state, and interfaces give callbacks more than a test's needs. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A test and its place. */
struct test_entry {
  const char *file;
  int line;
  struct CMUnitTest test;
  struct test_entry *next;
};

/* The functions that run before the first and after the last test of a file. */
struct test_fixture {
  const char *file;
  CMFixtureFunction set_up, tear_down;
  struct test_fixture *next;
};

void test_add(struct test_entry *entry);
void test_add_fixture(struct test_fixture *fixture);

/* Runs the tests of the file NAME.c; a program of one file needs no name. Returns the number of
 * failures. */
int test_run_group(const char *name);

/* Defines a test: TEST(wait_without_begin_is_a_state_error) { ... }
 * The tests of a file are a group, named as the file. They run in the order of the file. The
 * program of a folder has the groups of all files; its arguments select some. With more than one
 * rank a failed assert aborts the whole job (CMOCKA_TEST_ABORT), so that the other ranks do not
 * wait indefinitely. */
#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A test with functions that run before and after it, or NULL. */
#define TEST_WITH(name, set_up, tear_down)                                                         \
  static void name(void **state);                                                                  \
  __attribute__((constructor)) static void name##_add(void)                                        \
  {                                                                                                \
    static struct test_entry name##_entry = {                                                      \
        __FILE__, __LINE__, {#name, name, set_up, tear_down, NULL}, NULL};                         \
    test_add(&name##_entry);                                                                       \
  }                                                                                                \
  static void name(void **state)

/* The functions, or NULL, that run before the first and after the last test of this file. */
#define TEST_GROUP(set_up, tear_down)                                                              \
  __attribute__((constructor)) static void add_group_fixture(void)                                 \
  {                                                                                                \
    static struct test_fixture group_fixture = {__FILE__, set_up, tear_down, NULL};                \
    test_add_fixture(&group_fixture);                                                              \
  }

/* Rank and size of MPI_COMM_WORLD. */
extern int test_rank, test_size;

static inline bool is_last(void)
{
  return test_rank == test_size - 1;
}

/* A context over all ranks, created at the first use and destroyed at the end of the program; tests
 * that need one of their own create it. */
ovk_ctx *test_ctx(void);

/* Ends the program as skipped, on all ranks, before the tests of a group. */
_Noreturn void skip_all(const char *why);

/* As malloc() and calloc(); a test that gets no memory fails. */
void *new_memory(size_t bytes);
void *new_zeros(size_t n, size_t size);

/* Loops over the choices of ovk_list_formats() or of another list with these parameters. */
#define FOR_EACH_CHOICE(list, choice)                                                              \
  ovk_choice choice = OVK_CHOICE;                                                                  \
  for (int choice##_ = 0; list(test_ctx(), choice##_, &choice); choice##_++)

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
