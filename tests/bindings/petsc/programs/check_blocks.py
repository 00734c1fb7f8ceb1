#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks what a program gets of a TEST block: neither a backslash that continues a line, nor a value without its
option."""
import pathlib
import sys

from selection import chosen_tests
from test_blocks import Block

CONTINUED = r"""/*TEST
  testset:
    args: -dmts_check \
          -options_left no -ts_monitor \

    test:
      args: -ts_max_steps 2
TEST*/"""

words = chosen_tests(Block(CONTINUED), set(), pathlib.Path('ex1.c'))[0].words
if words != ['-dmts_check', '-ts_monitor', '-ts_max_steps', '2']:
    sys.exit(f'arguments: {words}')
