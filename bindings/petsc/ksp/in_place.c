/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a matrix is used in place, by MatMult(), or copied into a storage format. */
#include "ksp/ksp.h"

/* A product with a copy takes less time than one in place. After VALUES_PAY products with the same
 * values this has paid for the new values of a copy. A first copy also has its format, its halo
 * exchange and tests of its symmetry: COPY_PAYS. A part of these times does not depend on the rows.
 * It is that of products with FIXED rows in all. */
enum { VALUES_PAY = 32, COPY_PAYS = 48, FIXED = 1 << 16, MOST_FIXED = 72, FEW_ROWS = 1000 };

/* *rows <- those of a rank, on average: the same on all ranks. */
static PetscErrorCode average_rows(Mat A, PetscInt *rows)
{
  PetscMPIInt ranks;
  PetscFunctionBegin;
  PetscCall(MatGetSize(A, rows, NULL));
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)A), &ranks));
  *rows /= ranks;
  PetscFunctionReturn(0);
}

/* The products that a copy would have made faster with the last values, beyond those that pay for
 * new values. */
static int64_t gain_of(const ksp_ovk *K)
{
  return K->now.products - VALUES_PAY - K->now.fixed;
}

/* A copy has paid for itself after so many products with the same values. */
static int64_t copy_pays_after(const ksp_ovk *K)
{
  const int64_t rest = COPY_PAYS - VALUES_PAY - K->now.gain;
  return VALUES_PAY + K->now.fixed + (rest > 0 ? rest : 0);
}

/* Whether the first matrix of a KSP is expected to need few products. A PC that is not diagonal
 * makes solves shorter: if A is declared definite, cg starts in place, and copies A within the
 * solve if that becomes long, unless the last solve of another KSP has been long. */
static PetscErrorCode expect_few(KSP ksp, bool *few)
{
  const ksp_ovk *K = ksp->data;
  PetscBool diagonal;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_pc_is_diagonal(ksp->pc, &diagonal));
  const bool short_before = K->context->products < copy_pays_after(K);
  *few = K->now.few_rows || (K->now.pc_class & OVKPETSC_STRONG) ||
         (!diagonal && ovkpetsc_quick_is_definite(K) && short_before);
  PetscFunctionReturn(0);
}

/* The next values are expected to need as many products as the last ones. */
static void expect_as_many(ksp_ovk *K)
{
  const int64_t gain = gain_of(K);
  K->now.few = K->now.in_place ? K->now.products < copy_pays_after(K) : gain < 0;
  K->now.gain = !K->now.in_place ? 0 : gain > 0 ? K->now.gain + gain : K->now.gain;
}

PetscErrorCode ovkpetsc_choose_in_place(KSP ksp, Mat A, bool is_new, bool needs_rows)
{
  ksp_ovk *K = ksp->data;
  PetscInt rows;
  PetscFunctionBegin;
  PetscCall(average_rows(A, &rows));
  K->now.few_rows = rows <= FEW_ROWS;
  K->now.fixed = rows > FIXED / MOST_FIXED ? (int)(FIXED / rows) : MOST_FIXED;
  if (!K->now.solved) PetscCall(expect_few(ksp, &K->now.few));
  if (is_new) {
    if (K->now.solved) expect_as_many(K);
    K->now.products = 0;
  }
  const bool together = K->now.columns && (K->now.pc_class & OVKPETSC_COLUMNS);
  K->now.in_place = K->now.few && !together && !needs_rows && K->now.products < copy_pays_after(K);
  PetscFunctionReturn(0);
}

/* A bound of the rounding errors, which a later solve with the same values has, is that of products
 * in place. */
void ovkpetsc_choose_copy_within(ksp_ovk *K)
{
  const bool is_cg = K->now.quick && !K->now.restarts && !K->now.presumes;
  const bool may = K->now.in_place && K->now.can_copy && is_cg && K->now.products == 0;
  K->now.made = 0;
  K->now.copy_after = may ? copy_pays_after(K) : 0;
}
