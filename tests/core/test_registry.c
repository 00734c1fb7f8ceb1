/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry: plug-ins found by name, and useful answers for names that are none. */
#include "core/registry.h"
#include "support/test_main.h"

/* A kind of plug-in for this test: its ops tables are choices. */
static const ovk_option ring_keys[] = {OVK_INTEGER("hops", 1, 9, 1, "hops"),
                                       {.name = "both", .alias = "twoway", .summary = "both ways"},
                                       OVK_OPTIONS_END};
static const ovk_choice blocking = {
    .name = "blocking", .summary = "waits at once", .aliases = "halting pcg-Halt"};
static const ovk_choice ring = {.name = "ring", .keys = ring_keys, .aliases = "wheel"};
static const void *const builtins[] = {&blocking, &ring};

static ovk_choice as_choice(const void *ops)
{
  return *(const ovk_choice *)ops;
}

static const char *const not_here[][2] = {{"sail", "that is for boats"}, {NULL}};
static const ovk__kind motors = {.name = "motor",
                                 .builtins = builtins,
                                 .nbuiltins = 2,
                                 .choice = as_choice,
                                 .size = sizeof(ovk_choice),
                                 .absent = not_here};
static const ovk__kind others = {.name = "other", .choice = as_choice, .size = sizeof(ovk_choice)};

static int make_ctx(void **state)
{
  ovk_ctx *ctx = NULL;
  if (ovk_ctx_create(MPI_COMM_WORLD, &ctx)) return -1;
  *state = ctx;
  return 0;
}

static int drop_ctx(void **state)
{
  ovk_ctx *ctx = *state;
  ovk_ctx_destroy(&ctx);
  return 0;
}

/* Asserts the effects of a failed look-up. */
static void assert_unknown(ovk_ctx *ctx, const char *name, const char *says)
{
  const void *ops = &ops;
  void *user = &user;
  assert_int_equal(ovk__registry_find(ctx, &motors, name, &ops, &user), OVK_ERR_UNKNOWN);
  assert_null(ops);
  assert_null(user);
  assert_non_null(strstr(ovk_ctx_error(ctx), says));
}

TEST_WITH(a_builtin_is_found_by_name, make_ctx, drop_ctx)
{
  const void *ops = NULL;
  void *user = &user;
  assert_int_equal(ovk__registry_find(*state, &motors, "ring", &ops, &user), OVK_OK);
  assert_ptr_equal(ops, &ring);
  assert_null(user);
}

TEST_WITH(an_unknown_name_suggests_the_closest_and_lists_all, make_ctx, drop_ctx)
{
  assert_unknown(*state, "blockign",
                 "unknown motor 'blockign', did you mean 'blocking'? there are: blocking, ring");
}

TEST_WITH(a_name_like_no_other_only_lists_all, make_ctx, drop_ctx)
{
  assert_unknown(*state, "quicksilver", "unknown motor 'quicksilver'; there are: blocking, ring");
  assert_unknown(*state, "", "unknown motor ''; there are: blocking, ring");
}

static void assert_found(ovk_ctx *ctx, const char *name, const void *expected)
{
  const void *ops = NULL;
  void *user = NULL;
  assert_int_equal(ovk__registry_find(ctx, &motors, name, &ops, &user), OVK_OK);
  assert_memory_equal(ops, expected, sizeof(ovk_choice));
}

TEST_WITH(a_name_of_another_library_is_an_alias, make_ctx, drop_ctx)
{
  assert_found(*state, "wheel", &ring);
  assert_found(*state, "halting", &blocking);
}

TEST_WITH(a_registered_name_comes_before_an_alias, make_ctx, drop_ctx)
{
  static const ovk_choice wheel = {.name = "wheel", .summary = "of the user"};
  assert_int_equal(ovk__registry_add(*state, &motors, &wheel, NULL), OVK_OK);
  assert_found(*state, "wheel", &wheel);
}

TEST_WITH(an_alias_has_the_keys_of_its_plugin, make_ctx, drop_ctx)
{
  ovk_spec *spec = NULL;
  const void *ops = NULL;
  assert_int_equal(ovk__registry_parse(*state, &motors, "Wheel:hops=2", &spec, &ops, NULL), OVK_OK);
  assert_ptr_equal(ops, &ring);
  assert_string_equal(ovk_spec_name(spec), "ring"); /* the one name that code compares */
  ovk_spec_destroy(&spec);
  assert_int_equal(ovk__registry_parse(*state, &motors, "wheel:hop=2", &spec, &ops, NULL),
                   OVK_ERR_UNKNOWN);
  assert_non_null(strstr(ovk_ctx_error(*state), "did you mean 'hops'?"));
}

TEST_WITH(an_alias_of_a_key_becomes_its_name, make_ctx, drop_ctx)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = NULL;
  const void *ops = NULL;
  assert_int_equal(ovk__registry_parse(*state, &motors, "ring:twoway", &spec, &ops, NULL), OVK_OK);
  assert_true(ovk_spec_has(spec, "both")); /* the one name that code reads */
  assert_false(ovk_spec_has(spec, "twoway"));
}

TEST_WITH(a_key_given_by_both_names_is_refused, make_ctx, drop_ctx)
{
  static const char *const texts[] = {"ring:both,twoway", "ring:twoway,hops=2,both"};
  for (int i = 0; i < 2; i++) {
    ovk_spec *spec = NULL;
    const void *ops = NULL;
    assert_int_equal(ovk__registry_parse(*state, &motors, texts[i], &spec, &ops, NULL),
                     OVK_ERR_ARG);
    assert_null(spec);
    assert_non_null(strstr(ovk_ctx_error(*state), "'ring': the key both is given twice"));
  }
}

TEST_WITH(the_case_of_letters_does_not_matter, make_ctx, drop_ctx)
{
  assert_found(*state, "Ring", &ring);
  assert_found(*state, "WHEEL", &ring);
  assert_found(*state, "PCG-halt", &blocking);
}

TEST_WITH(a_part_of_a_name_is_no_name, make_ctx, drop_ctx)
{
  assert_unknown(*state, "whee", "unknown motor 'whee', did you mean");
  assert_unknown(*state, "halting pcg-Halt", "unknown motor 'halting pcg-Halt'");
}

TEST_WITH(a_known_name_that_is_not_here_says_where_it_is, make_ctx, drop_ctx)
{
  assert_unknown(*state, "sail", "unknown motor 'sail': that is for boats");
  assert_unknown(*state, "Sail", "unknown motor 'Sail': that is for boats");
}

TEST_WITH(a_name_of_any_length_is_answered, make_ctx, drop_ctx)
{
  char name[3000];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  assert_unknown(*state, name, "unknown motor 'xxx"); /* the message is cut */
  name[200] = '\0';
  assert_unknown(*state, name, "x'; there are: blocking, ring");
}

TEST_WITH(the_closest_name_costs_the_fewest_edits, make_ctx, drop_ctx)
{
  static const char *const names[] = {"abcd", "abce", "wxyz", "pipecg"};
  assert_string_equal(ovk_closest("abcd", names, 4), "abcd");
  assert_string_equal(ovk_closest("acbd", names, 4), "abcd");  /* swapped */
  assert_string_equal(ovk_closest("abcee", names, 4), "abce"); /* one too many */
  assert_string_equal(ovk_closest("wyz", names, 4), "wxyz");   /* one too few */
  assert_string_equal(ovk_closest("wxya", names, 4), "wxyz");  /* a wrong one */
  assert_string_equal(ovk_closest("pipeline", names, 4), "pipecg");
  assert_string_equal(ovk_closest("abyz", names, 1), "abcd"); /* half of it wrong */
  assert_null(ovk_closest("axyz", names, 1));                 /* more than half */
  assert_null(ovk_closest("a", names, 4));
  assert_null(ovk_closest("abcd", names, 0));
}

TEST_WITH(user_entries_follow_in_the_order_of_registration, make_ctx, drop_ctx)
{
  ovk_ctx *ctx = *state;
  static const ovk_choice mine[] = {{.name = "mine-a"}, {.name = "mine-b", .summary = "b"}};
  static const ovk_choice elsewhere = {.name = "elsewhere"};
  int users[2];
  for (int i = 0; i < 2; i++) {
    assert_int_equal(ovk__registry_add(ctx, &motors, &mine[i], &users[i]), OVK_OK);
    if (i == 0) assert_int_equal(ovk__registry_add(ctx, &others, &elsewhere, NULL), OVK_OK);
  }
  static const char *const expected[] = {"blocking", "ring", "mine-a", "mine-b"};
  ovk_choice choice = OVK_CHOICE;
  for (int i = 0; i < 4; i++) {
    assert_true(ovk__registry_at(ctx, &motors, i, &choice));
    assert_string_equal(choice.name, expected[i]);
  }
  assert_false(ovk__registry_at(ctx, &motors, 4, &choice));
  assert_false(ovk__registry_at(ctx, &motors, -1, &choice));
  const void *ops = NULL;
  void *user = NULL;
  assert_int_equal(ovk__registry_find(ctx, &motors, "mine-a", &ops, &user), OVK_OK);
  assert_memory_equal(ops, &mine[0], sizeof mine[0]);
  assert_ptr_equal(user, &users[0]);
  assert_unknown(ctx, "elsewhere", "there are: blocking, ring, mine-a, mine-b");
}

TEST_WITH(an_entry_has_a_summary_and_its_keys, make_ctx, drop_ctx)
{
  ovk_choice choice = OVK_CHOICE;
  assert_true(ovk__registry_at(*state, &motors, 0, &choice));
  assert_string_equal(choice.summary, "waits at once");
  assert_null(choice.keys);
  assert_true(ovk__registry_at(*state, &motors, 1, &choice));
  assert_string_equal(choice.summary, "");
  assert_string_equal(choice.keys[0].name, "hops");
}

TEST_WITH(builtins_are_listed_without_a_context, make_ctx, drop_ctx)
{
  ovk_choice choice = OVK_CHOICE;
  assert_true(ovk__registry_at(NULL, &motors, 1, &choice));
  assert_string_equal(choice.name, "ring");
  assert_false(ovk__registry_at(NULL, &motors, 2, &choice));
}

TEST_WITH(a_taken_name_is_refused, make_ctx, drop_ctx)
{
  ovk_ctx *ctx = *state;
  static const ovk_choice mine = {.name = "mine"}, again = {.name = "ring"};
  assert_int_equal(ovk__registry_add(ctx, &motors, &again, NULL), OVK_ERR_ARG);
  assert_non_null(strstr(ovk_ctx_error(ctx), "there is a motor 'ring' already"));
  assert_int_equal(ovk__registry_add(ctx, &motors, &mine, NULL), OVK_OK);
  assert_int_equal(ovk__registry_add(ctx, &motors, &mine, NULL), OVK_ERR_ARG);
  assert_int_equal(ovk__registry_add(ctx, &others, &mine, NULL), OVK_OK); /* another kind */
}

TEST_WITH(a_name_that_no_spec_could_say_is_refused, make_ctx, drop_ctx)
{
  ovk_ctx *ctx = *state;
  char longest[65];
  memset(longest, 'n', 64);
  longest[64] = '\0';
  const char *const bad[] = {NULL, "", "a b", "a:b", "a|b", "a=", ",", longest};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const ovk_choice entry = {.name = bad[i]};
    assert_int_equal(ovk__registry_add(ctx, &motors, &entry, NULL), OVK_ERR_ARG);
    assert_non_null(strstr(ovk_ctx_error(ctx), "name needs 1 to 63 letters"));
  }
  static ovk_choice entry = {.summary = NULL}; /* must outlive the context */
  static char name[64];
  memset(name, 'n', 63);
  entry.name = name;
  assert_int_equal(ovk__registry_add(ctx, &motors, &entry, NULL), OVK_OK);
  assert_unknown(ctx, longest, "there are: blocking, ring, nnn");
}

TEST_WITH(one_context_knows_nothing_of_another_ones_entries, make_ctx, drop_ctx)
{
  static const ovk_choice mine = {.name = "mine"};
  void *second = NULL;
  assert_int_equal(make_ctx(&second), 0);
  assert_int_equal(ovk__registry_add(second, &motors, &mine, NULL), OVK_OK);
  assert_unknown(*state, "mine", "unknown motor 'mine'");
  assert_int_equal(drop_ctx(&second), 0);
}
