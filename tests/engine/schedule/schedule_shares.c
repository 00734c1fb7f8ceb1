/* SPDX-License-Identifier: BSD-2-Clause */
#include "schedule_shares.h"
#include "support/test_main.h"

size_t share_count(int from, int to)
{
  return (size_t)(3 * from + 5 * to) % 4;
}

double share_element(int from, int to, size_t i)
{
  return from * 1e6 + to * 1e3 + (double)i;
}

shares shares_make(int n, int rank, bool outgoing)
{
  shares s = {.list = malloc((size_t)n * sizeof *s.list)};
  assert_non_null(s.list);
  for (int k = n - 1; k >= 0; k--) {
    s.list[k] = (ovk__segment){s.length, outgoing ? share_count(rank, k) : share_count(k, rank)};
    s.length += s.list[k].count + 1;
  }
  return s;
}

shares shares_common(int n)
{
  return shares_make(n, 0, false);
}

void shares_fill(double *at, int from, int to, size_t count)
{
  for (size_t i = 0; i < count; i++) at[i] = share_element(from, to, i);
}

void shares_check(const double *at, int from, int to, size_t count)
{
  for (size_t i = 0; i < count; i++) assert_true(at[i] == share_element(from, to, i));
}

void shares_check_untouched(const double *at, size_t count)
{
  for (size_t i = 0; i < count; i++) assert_true(isnan(at[i]));
}

void shares_check_all(const double *at, const shares *s, int n, int to)
{
  for (int from = 0; from < n; from++) {
    shares_check(at + s->list[from].first, from, to, s->list[from].count);
    shares_check_untouched(at + s->list[from].first + s->list[from].count, 1);
  }
}
