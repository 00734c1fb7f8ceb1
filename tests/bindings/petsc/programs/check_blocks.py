#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks what is read of a TEST block: a backslash that continues a line is no argument of the program."""
import sys

from test_blocks import Block

CONTINUED = r"""/*TEST
  testset:
    args: -dmts_check \
          -ts_monitor \

    test:
      args: -ts_max_steps 2
TEST*/"""

args = Block(CONTINUED).tests[0].args
if args != '-dmts_check -ts_monitor -ts_max_steps 2':
    sys.exit(f'arguments: {args}')
