/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of advice: each can be reached, and the guide has a row for each, and for each reason.
 */
#include "solvers/convergence/advice.h"
#include "solvers/state/reason_list.h"
#include "support/test_main.h"

TEST(no_rule_hides_a_later_one)
{
  int n;
  const ovk__advice *rules = ovk__advice_rules(&n);
  for (int late = 0; late < n; late++) {
    unsigned left = rules[late].reasons;
    for (int k = 0; k < late; k++) {
      if ((rules[k].facts & rules[late].facts) == rules[k].facts) left &= ~rules[k].reasons;
    }
    assert_int_equal(left, rules[late].reasons);
  }
}

/* The first three cells of a row of a table in Markdown. */
static bool read_row(char *line, char *cells[3])
{
  if (strncmp(line, "| ", 2) != 0) return false;
  char *at = line + 2;
  for (int k = 0; k < 3; k++) {
    cells[k] = at;
    at = strstr(at, " |");
    if (!at) return false;
    *at = '\0';
    at += at[2] == ' ' ? 3 : 2;
  }
  return true;
}

/* Whether the table's cell of reasons, "`A`, `B`", has exactly those of a rule. */
static bool has_reasons(const char *cell, unsigned reasons)
{
  char expected[400] = "";
#define ADD_REASON(name, value, text, petsc)                                                       \
  if ((value) < 0 && (reasons >> ((value) < 0 ? -(value) : 0) & 1)) {                              \
    strcat(expected, expected[0] ? ", `" text "`" : "`" text "`");                                 \
  }
  OVK_REASON_LIST(ADD_REASON)
#undef ADD_REASON
  return strcmp(cell, expected) == 0;
}

/* Calls `row` for each row of the guide's tables. */
static void for_each_row(void (*row)(char *cells[3], void *arg), void *arg)
{
  char line[1000], *cells[3];
  FILE *guide = fopen(OVK_GUIDE, "r");
  assert_non_null(guide);
  while (fgets(line, sizeof line, guide)) {
    if (read_row(line, cells)) row(cells, arg);
  }
  fclose(guide);
}

enum { MOST_RULES = 64 };

static void find_rule(char *cells[3], void *arg)
{
  int n, *found = arg;
  const ovk__advice *rules = ovk__advice_rules(&n);
  assert_true(n <= MOST_RULES);
  for (int k = 0; k < n; k++) {
    found[k] += has_reasons(cells[0], rules[k].reasons) && strstr(cells[1], rules[k].cause) &&
                strcmp(cells[2], rules[k].remedy) == 0;
  }
}

TEST(the_guide_has_a_row_for_each_rule)
{
  int n, found[MOST_RULES] = {0};
  const ovk__advice *rules = ovk__advice_rules(&n);
  for_each_row(find_rule, found);
  for (int k = 0; k < n; k++) {
    if (!found[k]) fail_msg("'%s' is missing in the guide", rules[k].remedy);
  }
}

static void find_reasons(char *cells[3], void *arg)
{
  unsigned *found = arg;
#define FIND_REASON(name, value, text, petsc)                                                      \
  if (strstr(cells[0], "`" text "`")) *found |= 1u << ((value) + 16);
  OVK_REASON_LIST(FIND_REASON)
#undef FIND_REASON
}

TEST(the_guide_has_a_row_for_each_reason)
{
  unsigned found = 0;
  for_each_row(find_reasons, &found);
#define ASSERT_FOUND(name, value, text, petsc)                                                     \
  if (!(found >> ((value) + 16) & 1)) print_error("%s is missing in the guide\n", text);           \
  assert_true(found >> ((value) + 16) & 1);
  OVK_REASON_LIST(ASSERT_FOUND)
#undef ASSERT_FOUND
}
