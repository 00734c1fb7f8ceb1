/* SPDX-License-Identifier: BSD-2-Clause */
#include "matrix/formats/sym/sym_many_wide.inc"
