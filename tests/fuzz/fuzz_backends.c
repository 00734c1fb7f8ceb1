/* SPDX-License-Identifier: BSD-2-Clause */
/* Specs of backends: any text is refused with a message, or opens a backend that completes two
 * sums. Input: the number of values, a byte; then the spec. */
#include "support/fuzz/fuzz.h"

#include <ovkrylov/comm/reduction.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNT = 100 };

static const ovk_option latency[] = {OVK_REAL("us", 0, 100, 0, ""), OVK_OPTIONS_END};

/* Excludes latencies that would only take time, and intended faults. */
static bool is_to_be_tried(const char *text)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = NULL;
  bool tried = !strstr(text, "fault") && !strstr(text, "timeout");
  if (ovk_spec_parse(fuzz_ctx(), text, &spec)) return tried;
  for (const ovk_spec *part = spec; part; part = ovk_spec_inner(part)) {
    double us;
    if (ovk_spec_double(fuzz_ctx(), part, latency, "us", &us)) tried = false;
    if (strcmp(ovk_spec_name(part), "emulate-latency") == 0 && !ovk_spec_has(part, "us"))
      tried = false;
  }
  return tried;
}

static void check_sum(ovk_reduction *red, int count, double scale)
{
  double *values = ovk_reduction_values(red);
  for (int k = 0; k < count; k++) values[k] = scale * (k + 1);
  FUZZ_CHECK(ovk_reduction_begin(red) == OVK_OK, "not begun");
  FUZZ_CHECK(ovk_reduction_wait(red) == OVK_OK, "no end");
  for (int k = 0; k < count; k++)
    FUZZ_CHECK(values[k] == scale * (k + 1) * ovk_ctx_size(fuzz_ctx()), "total %d is %g", k,
               values[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  const int count = 1 + (int)fuzz_below(&in, MOST_COUNT);
  scoped_array char *text = fuzz_text(&in);
  ovk_reduction *red = NULL;
  if (is_to_be_tried(text)) {
    const ovk_err err = ovk_reduction_create(fuzz_ctx(), text, count, &red);
    FUZZ_CHECK((err == OVK_OK) == (red != NULL), "'%s'", text);
    if (err) {
      fuzz_refused(err);
    } else {
      check_sum(red, count, 1);
      check_sum(red, count, -0.5);
      ovk_reduction_destroy(&red);
      fuzz_renew_ctx(); /* which closes the backend */
    }
  }
  return 0;
}
