/* SPDX-License-Identifier: BSD-2-Clause */
#include "matrix/formats/sell/sell_many_wide.inc"
