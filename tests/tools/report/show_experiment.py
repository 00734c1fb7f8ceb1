#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""EXPERIMENT FILE: `ovk report` can show the experiment if each of its runs has written this JSON."""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../papers/report"))
import experiments  # noqa: E402


class Same:
    """The same data for all runs."""

    def __init__(self, data):
        self.data = data

    def has(self, _name):
        return True

    def __getitem__(self, _name):
        return self.data


name, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    shown = experiments.choose([name])[0].show(Same(json.load(file)))
assert shown.ours and shown.why and shown.tables
assert all(len(row) == len(table.heads) for table in shown.tables for row in table.rows)
