# SPDX-License-Identifier: BSD-2-Clause
"""Matrices that `ovk` has no option for, written in Matrix Market format."""


def five_points(n, weight):
    """A 5-point operator on n x n points, x = 0 on the boundary. weight(i, j, across): of the edge
    from point (i, j) to the next one, across or along the rows, from -1 on. The lines of the file."""
    entries = []
    for j in range(n):
        for i in range(n):
            row = j * n + i + 1
            left, below = weight(i - 1, j, True), weight(i, j - 1, False)
            entries.append(f"{row} {row} {left + below + weight(i, j, True) + weight(i, j, False)!r}")
            if i > 0:
                entries.append(f"{row} {row - 1} {-left!r}")
            if j > 0:
                entries.append(f"{row} {row - n} {-below!r}")
    return ["%%MatrixMarket matrix coordinate real symmetric", f"{n * n} {n * n} {len(entries)}",
            *entries]


def anisotropic(n, ratio=100.0):
    """Couplings in one direction are so much stronger."""
    return five_points(n, lambda i, j, across: ratio if across else 1.0)


def jumps(n, ratio=1000.0):
    """Squares of two materials, n / 4 points wide."""
    def weight(i, j, across):
        ends = [(i, j), (i + 1, j) if across else (i, j + 1)]
        values = [ratio if (4 * a // n + 4 * b // n) % 2 else 1.0 for a, b in ends]
        return 2 / (1 / values[0] + 1 / values[1])  # the harmonic mean
    return five_points(n, weight)
