#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The example of a unit for systemd leaves ovk-agent little: an exposure of at most 2.9 of 10.
# Usage: test_agent_service.sh SERVICE
set -euo pipefail

command -v systemd-analyze >/dev/null || { echo "skipped: there is no systemd-analyze" && exit 77; }
systemd-analyze security --help | grep -q -e --threshold || { echo "skipped: it is older than 250" && exit 77; }
systemd-analyze security --offline=true --threshold=29 --no-pager "$1"
