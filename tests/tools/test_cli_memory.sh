#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk where one rank is out of memory: all ranks end, with the error. Arguments: OVK RANKS LAUNCHER...; the
# library OVK_TEST_SMALL_BLOCKS refuses large blocks on rank 1.
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

launch+=(env "LD_PRELOAD=$OVK_TEST_SMALL_BLOCKS")

run 3 solve --problem elasticity 12 12 12
has err 'out of memory'

finish
