# SPDX-License-Identifier: BSD-2-Clause
"""Experiments on the simulator, papers/model."""
