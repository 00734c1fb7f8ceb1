# SPDX-License-Identifier: BSD-2-Clause
"""Shows results as a table in Markdown."""
from statistics import median

HEADS = ["program", "ms", "least", "x ours", "cpu ms", "x ours", "iterations", "setup ms",
         "setup + solve ms", "true residual",
         "model MB", "model ms", "x model", "assembly s", "MB a rank"]


def show(value, form):
    return "" if value is None else form.format(value)


def cells(row):
    name = row["spec"] + (f" ({row['format']})" if row["spec"].startswith("ovk") else "")
    if row.get("emulated_network_latency_us") is not None:
        name += ", emulated network latency"
    return [name,
            show(row["ms_median"], "{:.3g}"), show(row["ms_min"], "{:.3g}"),
            show(row.get("times_ours_median"), "{:.2f}"),
            show(row["cpu_ms_median"], "{:.3g}"),
            show(row.get("cpu_times_ours_median"), "{:.2f}"),
            show(row.get("iterations"), "{}" if row.get("converged") else "> {}"),
            show(row.get("setup_ms_median"), "{:.3g}"),
            show(row.get("solution_ms_median"), "{:.4g}"),
            show(row.get("true_relative_residual"), "{:.1e}"),
            show(row["model_bytes"] / 1e6 if "model_bytes" in row else None, "{:.1f}"),
            show(row.get("model_ms_median"), "{:.3g}"),
            show(row.get("times_model_median"), "{:.2f}"),
            show(row["assemble_seconds_median"], "{:.2g}"),
            show(row["megabytes"]["resident"], "{:.0f}")]


def latency(us):
    """What titles add where there is one."""
    return "" if us is None else f", emulated network latency {us:g} us"


def heading(case):
    return (f"{case['problem']}, {case['ranks']} rank{'s' if case['ranks'] > 1 else ''}"
            f"{latency(case.get('emulated_network_latency_us'))}: "
            f"triad {median(case['stream_triad_gb_s']):.1f} GB/s, "
            f"dot {median(case['stream_dot_gb_s']):.1f} GB/s, "
            f"load {min(case['load']):.1f} to {max(case['load']):.1f}")


def lines_of(rows):
    """Rows of cells, the first the heads, in Markdown."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return lines


def table(case):
    lines = lines_of([HEADS] + [cells(row) for row in case["programs"]])
    failures = [f"{spec} failed: {why}" for spec, why in case["failed"].items()]
    return "\n".join([heading(case), "", *lines, *failures])
