/* SPDX-License-Identifier: BSD-2-Clause */
#define OVK__SINGLE
#include "matrix/formats/sell/sell_many_wide.inc"
