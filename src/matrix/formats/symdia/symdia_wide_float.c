/* SPDX-License-Identifier: BSD-2-Clause */
#define OVK__SINGLE
#include "matrix/formats/symdia/symdia_wide.inc"
