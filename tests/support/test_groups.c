/* SPDX-License-Identifier: BSD-2-Clause */
/* The tests of a program, in groups: one for each file. */
#include "support/test_main.h"

static struct test_entry *entries;    /* sorted by file and line */
static struct test_fixture *fixtures; /* at most one for each file */

static int compare_places(const struct test_entry *a, const struct test_entry *b)
{
  const int order = strcmp(a->file, b->file);
  return order ? order : a->line - b->line;
}

void test_add(struct test_entry *entry)
{
  struct test_entry **place = &entries;
  while (*place && compare_places(*place, entry) < 0) place = &(*place)->next;
  entry->next = *place;
  *place = entry;
}

void test_add_fixture(struct test_fixture *fixture)
{
  fixture->next = fixtures;
  fixtures = fixture;
}

/* True if the path ends in NAME.c. */
static bool is_file(const char *path, const char *name)
{
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  const size_t length = strlen(name);
  return strncmp(file, name, length) == 0 && strcmp(file + length, ".c") == 0;
}

static int run_entries(const char *name, const struct test_entry *first, size_t count)
{
  struct CMUnitTest *tests = calloc(count, sizeof *tests);
  if (!tests) return 1;
  const struct test_entry *entry = first;
  for (size_t i = 0; i < count; i++, entry = entry->next) tests[i] = entry->test;
  const struct test_fixture *fixture = fixtures;
  while (fixture && strcmp(fixture->file, first->file) != 0) fixture = fixture->next;
  const int failures = _cmocka_run_group_tests(name, tests, count, fixture ? fixture->set_up : NULL,
                                               fixture ? fixture->tear_down : NULL);
  free(tests);
  return failures;
}

int test_run_group(const char *name)
{
  const struct test_entry *first = entries;
  while (name && first && !is_file(first->file, name)) first = first->next;
  const struct test_entry *end = first;
  size_t count = 0;
  for (; end && strcmp(end->file, first->file) == 0; end = end->next) count++;
  if (count == 0 || (!name && end)) {
    print_error("'%s' is not the name of a test file of this program, without .c\n",
                name ? name : "");
    return 1;
  }
  return run_entries(name ? name : "tests", first, count);
}
