# SPDX-License-Identifier: BSD-2-Clause
"""What bench/compare consists of."""
