# SPDX-License-Identifier: BSD-2-Clause
"""Runs programs alternately in rounds and summarizes their times."""
import os
from statistics import median

from . import launch, programs


class Case:
    """One problem on one number of ranks, with all that was measured."""

    def __init__(self, problem, ranks, candidates, delay_us=None):
        self.problem, self.ranks, self.delay_us = problem, ranks, delay_us
        self.candidates = list(candidates)
        self.stream = []  # one result per round
        self.results = {c.spec: [] for c in candidates}  # one result per round
        self.whole = {}  # the solve to convergence
        self.failed = {}
        self.load = []

    def run(self, launcher, candidate, arguments):
        """A program that fails is skipped in later rounds."""
        try:
            result = launcher.run(candidate.driver, candidate.options + arguments, self.ranks,
                                  candidate.variables)
            if milliseconds(result) is None:
                raise ValueError("no iterations: is b = A (1, 1, ...) zero?")
            return result
        except (launch.Failure, ValueError) as failure:
            self.failed[candidate.spec] = str(failure)
            self.candidates.remove(candidate)
            return None


def common_arguments(problem, settings):
    return [*programs.problem_arguments(problem, settings.size), "--rtol", str(settings.rtol),
            "--repeat", str(settings.repeat), "--json", "-"]


def measure_case(case, launcher, settings, say):
    arguments = common_arguments(case.problem, settings)
    if settings.columns:
        arguments += ["--columns", str(settings.columns)]
    if settings.apply:
        arguments += ["--apply", str(settings.apply)]
    elif settings.product:
        arguments += ["--product", str(settings.product)]
    elif settings.maxit:
        if settings.whole:
            solve_whole(case, launcher, arguments)
        arguments += ["--maxit", str(settings.maxit)]
    for k in range(settings.rounds):
        say(f"{case.problem}, {case.ranks} ranks, round {k + 1} of {settings.rounds}")
        measure_round(case, launcher, arguments, backwards=k % 2 == 0)


def solve_whole(case, launcher, arguments):
    """Iterations and residual, where timed solves end early."""
    for candidate in list(case.candidates):
        case.whole[candidate.spec] = case.run(launcher, candidate, arguments)


def measure_round(case, launcher, arguments, backwards):
    """Odd rounds, the first among them, run in reverse order."""
    case.load.append(os.getloadavg()[0])
    case.stream.append(launcher.run("ovk_stream", [], case.ranks))
    for candidate in list(reversed(case.candidates) if backwards else case.candidates):
        result = case.run(launcher, candidate, arguments)
        if result:
            case.results[candidate.spec].append(result)


# What a run repeats -> the key of its time.
TIMES = {"products": "ms_per_product", "applications": "ms_per_application"}


def repeated(result):
    """The key of what was repeated instead of a solve, or None."""
    return next((key for key in TIMES if key in result), None)


def milliseconds(result):
    return result[TIMES.get(repeated(result), "ms_per_iteration")]


def cpu_milliseconds(result):
    """CPU time: less than wall time where ranks share processors."""
    seconds = result["seconds"]
    whole = seconds[repeated(result) or "solve"]
    return milliseconds(result) * seconds["cpu"] / whole


def summarise(case):
    """The case as JSON. Ratios are to the first ovkrylov program, round by round."""
    ours = next((c.spec for c in case.candidates if c.is_ours), None)
    base = case.results[ours] if ours else []
    rows = [summarise_program(case, c.spec, base) for c in case.candidates]
    if case.delay_us is not None:
        for row in rows:
            row["emulated_network_latency_us"] = case.delay_us
    return {"problem": case.problem, "ranks": case.ranks, "reference": ours,
            "emulated_network_latency_us": case.delay_us,
            "stream_triad_gb_s": [s["triad_gb_s"] for s in case.stream],
            "stream_dot_gb_s": [s["dot_gb_s"] for s in case.stream],
            "load": case.load, "programs": rows, "failed": case.failed}


def summarise_program(case, spec, base):
    results = case.results[spec]
    times = [milliseconds(r) for r in results]
    last = results[-1]
    whole = case.whole.get(spec) or last
    row = {"spec": spec, "ms": times, "ms_median": median(times), "ms_min": min(times),
           "cpu_ms": [cpu_milliseconds(r) for r in results],
           "cpu_ms_median": median(cpu_milliseconds(r) for r in results),
           "assemble_seconds_median": median(r["seconds"]["assemble"] for r in results)}
    if "setup" in last["seconds"]:
        row["setup_ms_median"] = 1e3 * median(r["seconds"]["setup"] for r in results)
    if last.get("converged"):
        row["solution_ms"] = [1e3 * (r["seconds"]["setup"] + r["seconds"]["solve"]) for r in results]
        row["solution_ms_median"] = median(row["solution_ms"])
    for key in ("program", "version", "problem", "rows", "nnz", "checksum", "method", "backend",
                "format", "matrix_bytes", "huge_pages", "megabytes", "products", "product_norm", "precond",
                "applications", "application_norm"):
        if key in last:
            row[key] = last[key]
    for key in ("iterations", "converged", "true_relative_residual", "solution_norm"):
        if key in whole:
            row[key] = whole[key]
    if base:
        row["times_ours_median"] = median(t / milliseconds(b) for t, b in zip(times, base))
        row["cpu_times_ours_median"] = median(
            cpu_milliseconds(r) / cpu_milliseconds(b) for r, b in zip(results, base))
    traffic = programs.modeled_traffic(last)
    if traffic:
        models = [programs.modeled_milliseconds(traffic, s) for s in case.stream]
        row["model_bytes"] = sum(traffic)
        row["model_ms_median"] = median(models)
        row["times_model_median"] = median(t / m for t, m in zip(times, models))
    return row
