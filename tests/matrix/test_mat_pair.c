/* SPDX-License-Identifier: BSD-2-Clause */
/* Two products at once: in every storage format and by each halo exchange they have the bits of
 * two products one after the other. */
#include "halo_cases.h"
#include "matrix/mat_impl.h"

static void check_pair(const ovk_mat *A)
{
  ovk_vec *x[2], *y[2];
  ovk__halo *halo = NULL;
  assert_int_equal(ovk__mat_halo(A, 2, &halo), OVK_OK);
  scoped_vec *expected = new_vec(A);
  for (int v = 0; v < 2; v++) {
    assert_int_equal(ovk_mat_create_vec(A, &x[v]), OVK_OK);
    assert_int_equal(ovk_mat_create_vec(A, &y[v]), OVK_OK);
    for (ovk_lidx i = 0; i < ovk_vec_local_size(x[v]); i++) {
      ovk_vec_array(x[v])[i] = random_number((uint64_t)(10 * test_rank + v), (uint64_t)i) - 0.5;
    }
  }
  const ovk_vec *const from[2] = {x[0], x[1]};
  for (int time = 0; time < 3; time++) {
    int calls = 0;
    assert_int_equal(ovk__mat_mult_pair(A, halo, from, y, (ovk_poll){count_call, &calls, 4}),
                     OVK_OK);
    assert_true(calls > 0 || ovk_mat_local_size(A) < 8);
    for (int v = 0; v < 2; v++) {
      assert_int_equal(ovk_mat_mult(A, x[v], expected), OVK_OK);
      assert_same_vec(y[v], expected);
    }
  }
  for (int v = 0; v < 2; v++) {
    ovk_vec_destroy(&x[v]);
    ovk_vec_destroy(&y[v]);
  }
  ovk__halo_destroy(&halo);
}

TEST(a_pair_has_the_bits_of_two_products)
{
  for_each_halo(check_pair);
}

TEST(every_format_makes_pairs)
{
  FOR_EACH_CHOICE(ovk_list_formats, format) {
    scoped_mat *A = new_threes(14, format.name);
    check_pair(A);
  }
}
