/* SPDX-License-Identifier: BSD-2-Clause */
/* Specs: the texts that the grammar accepts, the places where it finds faults, and the reading of
 * values. */
#include "support/test_main.h"

static ovk_spec *parsed(const char *text)
{
  ovk_spec *spec = NULL;
  assert_ok(ovk_spec_parse(test_ctx(), text, &spec));
  assert_non_null(spec);
  return spec;
}

TEST(a_name_alone_is_a_spec)
{
  ovk_spec *spec = parsed("Block-ing_2");
  assert_string_equal(ovk_spec_name(spec), "Block-ing_2");
  assert_string_equal(ovk_spec_text(spec), "Block-ing_2");
  assert_null(ovk_spec_inner(spec));
  ovk_spec_destroy(&spec);
  assert_null(spec);
}

TEST(keys_values_and_flags_are_told_apart)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("nbc:alg=doubling,hier,file=/a b/c=d:e");
  assert_string_equal(ovk_spec_name(spec), "nbc");
  assert_string_equal(ovk_spec_string(spec, "alg", "x"), "doubling");
  assert_string_equal(ovk_spec_string(spec, "file", "x"), "/a b/c=d:e");
  assert_string_equal(ovk_spec_string(spec, "hier", "x"), "");
  assert_string_equal(ovk_spec_string(spec, "missing", "x"), "x");
  assert_null(ovk_spec_string(spec, "missing", NULL));
  assert_true(ovk_spec_has(spec, "hier"));
  assert_true(ovk_spec_has(spec, "alg"));
  assert_false(ovk_spec_has(spec, "doubling"));
}

TEST(a_decorator_holds_what_it_decorates)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("delay:us=200|trace|nbc:alg=doubling");
  const ovk_spec *trace = ovk_spec_inner(spec);
  assert_string_equal(ovk_spec_string(spec, "us", ""), "200");
  assert_string_equal(ovk_spec_text(spec), "delay:us=200|trace|nbc:alg=doubling");
  assert_string_equal(ovk_spec_name(trace), "trace");
  assert_string_equal(ovk_spec_text(trace), "trace|nbc:alg=doubling");
  const ovk_spec *nbc = ovk_spec_inner(trace);
  assert_string_equal(ovk_spec_name(nbc), "nbc");
  assert_string_equal(ovk_spec_string(nbc, "alg", ""), "doubling");
  assert_false(ovk_spec_has(spec, "alg"));
  assert_null(ovk_spec_inner(nbc));
}

TEST(a_fault_is_reported_with_its_column)
{
  static const struct {
    const char *text, *says;
  } faults[] = {
      {"", "spec '', column 1: a name is missing"},
      {":a=1", "column 1: a name is missing"},
      {"|nbc", "column 1: a name is missing"},
      {" nbc", "column 1: a name is missing"},
      {"nbc alg", "column 4: expected ':', '|' or the end"},
      {"nbc=3", "column 4: expected ':', '|' or the end"},
      {"nbc,a", "column 4: expected ':', '|' or the end"},
      {"nbc:", "column 5: a key is missing"},
      {"nbc:a,", "column 7: a key is missing"},
      {"nbc:,a", "column 5: a key is missing"},
      {"nbc:a,,b", "column 7: a key is missing"},
      {"nbc:=3", "column 5: a key is missing"},
      {"nbc:a b", "column 6: expected '=', ',', '|' or the end"},
      {"nbc:a:b", "column 6: expected '=', ',', '|' or the end"},
      {"nbc:a=", "column 7: a value is missing"},
      {"nbc:a=,b", "column 7: a value is missing"},
      {"nbc:a=|b", "column 7: a value is missing"},
      {"delay|", "spec 'delay|', column 7: a name is missing"},
      {"delay:us=2|nbc:=3", "spec 'delay:us=2|nbc:=3', column 16: a key is missing"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    ovk_spec *spec = (ovk_spec *)&faults; /* must be overwritten */
    assert_error(ovk_spec_parse(test_ctx(), faults[i].text, &spec), OVK_ERR_ARG, faults[i].says);
    assert_null(spec);
  }
}

TEST(a_key_that_stands_twice_is_an_error)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = NULL;
  assert_error(ovk_spec_parse(test_ctx(), "nbc:a=1,b,a=2", &spec), OVK_ERR_ARG,
               "column 11: this key is given twice");
  assert_error(ovk_spec_parse(test_ctx(), "nbc:a,a", &spec), OVK_ERR_ARG, "column 7");
  spec = parsed("nbc:a=1|nbc:a=2"); /* but each component has separate keys */
  assert_string_equal(ovk_spec_string(ovk_spec_inner(spec), "a", ""), "2");
}

TEST(more_keys_than_there_is_room_for_are_an_error)
{
  char text[256] = "nbc:k0";
  for (int i = 1; i < 32; i++) snprintf(text + strlen(text), sizeof text - strlen(text), ",k%d", i);
  ovk_spec *spec = parsed(text);
  assert_true(ovk_spec_has(spec, "k31"));
  ovk_spec_destroy(&spec);
  strcat(text, ",more");
  assert_error(ovk_spec_parse(test_ctx(), text, &spec), OVK_ERR_ARG, "too many keys");
}

TEST(null_arguments_are_errors)
{
  ovk_spec *spec = (ovk_spec *)&spec;
  assert_error(ovk_spec_parse(test_ctx(), NULL, &spec), OVK_ERR_ARG, "text is NULL");
  assert_null(spec);
  assert_error(ovk_spec_parse(test_ctx(), "nbc", NULL), OVK_ERR_ARG, "out is NULL");
}

TEST(destroying_nothing_is_allowed)
{
  ovk_spec *none = NULL;
  ovk_spec_destroy(NULL);
  ovk_spec_destroy(&none);
  assert_null(none);
}

/* Reads a whole number whose default is 1. */
static ovk_err read_int(const ovk_spec *spec, const char *key, double least, double most,
                        long *value)
{
  const ovk_option options[] = {OVK_INTEGER(key, least, most, 1, ""), OVK_OPTIONS_END};
  return ovk_spec_int(test_ctx(), spec, options, key, value);
}

/* Reads a number whose default is 7. */
static ovk_err read_double(const ovk_spec *spec, const char *key, double least, double most,
                           double *value)
{
  const ovk_option options[] = {OVK_REAL(key, least, most, 7, ""), OVK_OPTIONS_END};
  return ovk_spec_double(test_ctx(), spec, options, key, value);
}

TEST(whole_numbers_are_read_up_to_their_limits)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("x:a=7,least=-3,most=+12");
  long value = 99;
  assert_ok(read_int(spec, "a", -0x1p53, 0x1p53, &value));
  assert_int_equal(value, 7);
  assert_ok(read_int(spec, "least", -3, 12, &value));
  assert_int_equal(value, -3);
  assert_ok(read_int(spec, "most", -3, 12, &value));
  assert_int_equal(value, 12);
  assert_ok(read_int(spec, "missing", 5, 6, &value));
  assert_int_equal(value, 1); /* a default need not lie in the range */
  assert_error(read_int(spec, "a", 8, 12, &value), OVK_ERR_ARG,
               "'x': a is '7', but must be a whole number from 8 to 12");
  assert_error(read_int(spec, "a", 0, 6, &value), OVK_ERR_ARG, "from 0 to 6");
}

TEST(what_is_no_whole_number_is_an_error)
{
  SCOPED(ovk_spec_destroy)
  ovk_spec *spec = parsed("x:a=1.5,b=2k,c= 3,d,e=99999999999999999999,f=0x10");
  static const char *const keys[] = {"a", "b", "c", "d", "e", "f"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    long value = 0;
    assert_error(read_int(spec, keys[i], -0x1p53, 0x1p53, &value), OVK_ERR_ARG,
                 ovk_spec_string(spec, keys[i], "?"));
    assert_int_equal(value, 1);
  }
}

TEST(numbers_are_read_up_to_their_limits)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("x:a=1.5e-3,least=-2,most=.5");
  double value = 99;
  assert_ok(read_double(spec, "a", 0, 1, &value));
  assert_true(value == 1.5e-3);
  assert_ok(read_double(spec, "least", -2, 0.5, &value));
  assert_true(value == -2);
  assert_ok(read_double(spec, "most", -2, 0.5, &value));
  assert_true(value == 0.5);
  assert_ok(read_double(spec, "missing", 0, 1, &value));
  assert_true(value == 7);
  assert_error(read_double(spec, "a", 0.25, 1, &value), OVK_ERR_ARG,
               "'x': a is '1.5e-3', but must be a number from 0.25 to 1");
}

TEST(what_is_no_finite_number_is_an_error)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("x:a=one,b=nan,c=inf,d=1e999,e,f= 1,g=1e3x");
  static const char *const keys[] = {"a", "b", "c", "d", "e", "f", "g"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    double value = 0;
    assert_error(read_double(spec, keys[i], -DBL_MAX, DBL_MAX, &value), OVK_ERR_ARG,
                 ovk_spec_string(spec, keys[i], "?"));
    assert_true(value == 7);
  }
}

TEST(an_option_that_the_table_lacks_is_not_read)
{
  static const ovk_option options[] = {OVK_INTEGER("a", 0, 9, 1, ""), OVK_OPTIONS_END};
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("x:b=7");
  long whole = 5;
  double real = 5;
  int word = 5;
  assert_ok(ovk_spec_int(test_ctx(), spec, options, "b", &whole));
  assert_ok(ovk_spec_double(test_ctx(), spec, options, "b", &real));
  assert_ok(ovk_spec_word(test_ctx(), spec, NULL, "b", &word));
  assert_true(whole == 5 && real == 5 && word == 5);
}

static void assert_described(const ovk_option *option, const char *values, const char *preset)
{
  char text[64];
  ovk_option_values(option, text, sizeof text);
  assert_string_equal(text, values);
  ovk_option_default(option, text, sizeof text);
  assert_string_equal(text, preset);
}

TEST(an_option_has_its_values_and_its_default_in_words)
{
  const ovk_option options[] = {OVK_INTEGER("a", 1, 9, 3, ""),
                                OVK_INTEGER("b", 0, INT_MAX, -1, ""),
                                OVK_REAL("c", 0, 0.5, 1e-3, ""),
                                OVK_WORD("d", 1, "", "double", "float"),
                                OVK_WORD("e", -1, "", "double", "float"),
                                OVK_TEXT("f", "HOST:PORT", "here:1", ""),
                                OVK_FLAG("fault", "")};
  assert_described(&options[0], "integer, 1 to 9", "3");
  assert_described(&options[1], "integer, at least 0", "");
  assert_described(&options[2], "number, 0 to 0.5", "0.001");
  assert_described(&options[3], "double|float", "float");
  assert_described(&options[4], "double|float", "");
  assert_described(&options[5], "HOST:PORT", "here:1");
  assert_described(&options[6], "flag", "");
  assert_false(ovk_option_is_for_tests(&options[5]));
  assert_true(ovk_option_is_for_tests(&options[6]));
}

TEST(a_description_is_cut_to_the_size_of_its_text)
{
  const ovk_option word = OVK_WORD("a", 1, "", "double", "float");
  char text[] = "......";
  ovk_option_values(&word, text, 0);
  assert_string_equal(text, "......");
  ovk_option_values(&word, text, 4);
  assert_string_equal(text, "dou");
  ovk_option_default(&word, text, 4);
  assert_string_equal(text, "flo");
}

#define WORDS(key, otherwise) OVK_WORD(key, otherwise, "", "double", "float")

TEST(a_word_is_found_in_its_list)
{
  const ovk_option words_0[] = {WORDS("a", 0), WORDS("c", 0), WORDS("d", 0), OVK_OPTIONS_END};
  const ovk_option words_1[] = {WORDS("b", 1), WORDS("none", 1), OVK_OPTIONS_END};
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("x:a=float,b=double,c=flot,d");
  int value = 7;
  assert_ok(ovk_spec_word(test_ctx(), spec, words_0, "a", &value));
  assert_int_equal(value, 1);
  assert_ok(ovk_spec_word(test_ctx(), spec, words_1, "b", &value));
  assert_int_equal(value, 0);
  assert_ok(ovk_spec_word(test_ctx(), spec, words_1, "none", &value));
  assert_int_equal(value, 1);
  assert_error(ovk_spec_word(test_ctx(), spec, words_0, "c", &value), OVK_ERR_UNKNOWN,
               "'x': c cannot be 'flot', did you mean 'float'? it takes: double, float");
  assert_error(ovk_spec_word(test_ctx(), spec, words_0, "d", &value), OVK_ERR_UNKNOWN,
               "'x': d cannot be ''; it takes: double, float");
}

/* A key with a value, and a flag. */
static const ovk_option value_and_flag[] = {OVK_TEXT("alg", "NAME", NULL, ""), OVK_FLAG("hier", ""),
                                            OVK_OPTIONS_END};

TEST(known_keys_pass_the_check)
{
  const ovk_option *keys = value_and_flag;
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("nbc:hier,alg=ring");
  assert_ok(ovk_spec_check_keys(test_ctx(), spec, keys));
  ovk_spec_destroy(&spec);
  spec = parsed("nbc");
  assert_ok(ovk_spec_check_keys(test_ctx(), spec, keys));
  assert_ok(ovk_spec_check_keys(test_ctx(), spec, NULL));
}

TEST(a_flag_with_a_value_is_an_error)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("nbc:alg=ring,hier=3");
  assert_error(ovk_spec_check_keys(test_ctx(), spec, value_and_flag), OVK_ERR_ARG,
               "'nbc': hier is '3', but takes no value");
}

TEST(an_unknown_key_suggests_the_closest_and_lists_all)
{
  const ovk_option *keys = value_and_flag;
  SCOPED(ovk_spec_destroy) ovk_spec *spec = parsed("nbc:hier,agl=ring");
  assert_error(ovk_spec_check_keys(test_ctx(), spec, keys), OVK_ERR_UNKNOWN,
               "'nbc' has no key 'agl', did you mean 'alg'? it takes: alg, hier");
  ovk_spec_destroy(&spec);
  spec = parsed("nbc:quite-other");
  assert_error(ovk_spec_check_keys(test_ctx(), spec, keys), OVK_ERR_UNKNOWN,
               "'nbc' has no key 'quite-other'; it takes: alg, hier");
  assert_error(ovk_spec_check_keys(test_ctx(), spec, NULL), OVK_ERR_UNKNOWN,
               "'nbc' takes no keys, not 'quite-other'");
}
