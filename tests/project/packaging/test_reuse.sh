#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Each file has a licence, as the REUSE specification asks. Usage: test_reuse.sh SOURCE_TREE
set -euo pipefail
command -v reuse >/dev/null || { echo "skipped: there is no reuse" && exit 77; }
reuse --root "$1" lint
