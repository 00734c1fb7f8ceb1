/* SPDX-License-Identifier: BSD-2-Clause */
#define OVK__SINGLE
#include "matrix/formats/sym/sym_many_wide.inc"
