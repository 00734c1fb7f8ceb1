#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Parts of ovk report. Argument: their folder."""
import io
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, sys.argv.pop())
import experiments  # noqa: E402
import launch    # noqa: E402
import matrices  # noqa: E402
import page      # noqa: E402
import parts     # noqa: E402
import progress  # noqa: E402
import run       # noqa: E402
import store     # noqa: E402
from experiments import precond, precond_delay  # noqa: E402


def start(words):
    return launch.run(words, dict(os.environ), subprocess.DEVNULL, subprocess.DEVNULL, 60, lambda seconds: None)


class Launch(unittest.TestCase):
    def test_the_exit_status_is_that_of_the_launcher(self):
        self.assertEqual(start(["sh", "-c", "exit 3"]), 3)

    def test_what_a_launcher_leaves_behind_is_killed_before_its_number_is_free(self):
        seen = []

        def kill(group, number):
            os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)  # raises if reaped
            seen.append(number)
            os_killpg(group, number)

        os_killpg = os.killpg
        read, write = os.pipe()
        with mock.patch("os.killpg", kill):
            launch.run(["sh", "-c", "sleep 60 &"], dict(os.environ), write, subprocess.DEVNULL, 60,
                       lambda seconds: None)
        os.close(write)
        self.assertEqual(seen, [signal.SIGKILL])
        self.assertEqual(os.read(read, 1), b"")  # the sleeper, too, has let go of it
        os.close(read)

    def test_a_group_that_may_not_be_signalled_does_not_hide_the_exit_status(self):
        with mock.patch("os.killpg", side_effect=PermissionError):
            self.assertEqual(start(["sh", "-c", "exit 3"]), 3)

    def test_a_programs_own_variables_are_not_set_for_the_launcher(self):
        launcher = launch.Launcher("/bin/ovk", ["mpiexec", "-q"], 2)
        self.assertEqual(launcher.command("ovk_pcg", ["-n", "3"], 2, {"LD_PRELOAD": "x"}),
                         ["mpiexec", "-q", "-n", "2", "env", "LD_PRELOAD=x", "/bin/ovk_pcg", "-n", "3"])
        self.assertEqual(launcher.command("ovk_pcg", [], None), ["/bin/ovk_pcg"])

    def test_root_is_allowed_where_there_is_root_alone(self):
        self.assertEqual("OMPI_ALLOW_RUN_AS_ROOT" in launch.DEFAULTS, os.geteuid() == 0)


class Page(unittest.TestCase):
    def test_data_of_the_machine_are_no_markup(self):
        self.assertIn("&lt;b&gt;", page.nodes_html({"nodes": "<b>"}))
        self.assertNotIn("<b>", page.machine_html({"nodes": "<b>", "mpi": "<b>"}))


class Matrices(unittest.TestCase):
    def rows_of(self, lines):
        """The full matrix, by row and column."""
        n, _, count = map(int, lines[1].split())
        found = {}
        for line in lines[2:]:
            row, column, value = line.split()
            found[int(row), int(column)] = found[int(column), int(row)] = float(value)
        self.assertEqual(len(lines), 2 + count)
        return n, found

    def test_they_are_irreducibly_diagonally_dominant(self):
        for lines in (matrices.anisotropic(6), matrices.jumps(8)):
            n, found = self.rows_of(lines)
            sums = [sum(found.get((i, j), 0) for j in range(1, n + 1)) for i in range(1, n + 1)]
            self.assertTrue(all(total > -1e-9 * found[i + 1, i + 1] for i, total in enumerate(sums)))
            self.assertGreater(max(sums), 0.5)
            self.assertTrue(all(found[i, i + 1] < 0 for i in range(1, round(n ** 0.5))))

    def test_the_file_is_written_once_and_given_to_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            files = store.Store(folder)
            files.start({})
            job = parts.Job("one", ["solve"], 1, matrix=("small", lambda: matrices.anisotropic(3)))
            path = files.path("small", "mtx")
            self.assertEqual(run.words_of(job, files)[1:3], ["--matrix", path])
            run.write_matrix(job, files)
            run.write_matrix(parts.Job("two", [], 1, matrix=("small", self.fail)), files)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read().splitlines(), matrices.anisotropic(3))


class Time(unittest.TestCase):
    def test_the_runs_of_the_quick_mode_are_expected_to_take_less_than_four_minutes(self):
        runs = {job.name: job.seconds for one in experiments.ALL for job in one.jobs("quick")}
        self.assertLess(sum(runs.values()), 240)

    def test_the_time_left_is_that_of_the_runs_to_come_at_the_pace_of_those_before(self):
        bar = progress.Progress(io.StringIO())
        self.assertFalse(bar.is_terminal)
        bar.begin("first", 0, 20, 100)
        self.assertEqual(bar.left(15), "85 s left")
        bar.end(40)
        self.assertEqual(bar.left(), "3 min left")
        bar.begin("second", 20, 60, 100)
        bar.end(30)
        self.assertEqual(bar.left(), "18 s left")


class Data(dict):
    """Runs' data without files."""
    has = dict.__contains__

    def columns(self, _name):
        return {"iteration": [0, 1], "true_relative_residual": [1, 0.1]}


class Preconditioners(unittest.TestCase):
    @staticmethod
    def row(spec, setup, solve):
        return {"precond": spec, "ranks": 2, "setup_ms": setup, "solve_ms": solve, "apply_ms": 1.0,
                "times_model": 1.5, "held_mb": 1.0, "iterations": None if solve is None else 7}

    def test_setup_counts_and_what_did_not_converge_does_not(self):
        rows = [self.row(spec, 1.0, 99.0) for spec in precond.TIMED[:-2]]
        rows += [self.row(precond.TIMED[-2], 60.0, 1.0), self.row(precond.TIMED[-1], 0.0, None)]
        for mode, problems in (("quick", 2), ("full", 4)):
            shown = precond.show(Data({f"precond_{name}": rows for name in precond.PROBLEMS[mode]}))
            self.assertIn(f"jumps {precond.TIMED[-2]}, 7 iterations for jacobi's 7, 0.61 of its time", shown.ours)
            self.assertEqual(len(shown.tables), problems)
            self.assertEqual(len(shown.plots), problems + 1)
        self.assertRaises(store.Missing, precond.show, store.Store("/nowhere"))

    def test_every_run_of_both_modes_has_its_own_name(self):
        for mode in ("quick", "full"):
            names = [job.name for job in precond.jobs(mode) + precond_delay.jobs(mode)]
            self.assertEqual(len(names), len(set(names)))

    def test_the_latency_is_the_greatest_up_to_half_an_application(self):
        operations = ["product", "sdotp", "gamma", "iprod", "precond", "axpy", "scaling", "sum"]
        latencies = precond_delay.LATENCIES["quick"]
        work = {"cg": 3, "split-cg": 3, "overlap": 1, "groppcg": 0}  # latencies not hidden
        breakup = [{"method": method, "backend": f"emulate-latency:us={us}|auto", "ranks": 2,
                    "solve_us": 1000 + k * us}
                   for method, k in work.items() for us in latencies]
        each = [{"method": method, "backend": "delay:us=0|auto", **{f"{key}_us": 1.0 for key in operations}}
                for method in ("cg", "split-cg")]
        shown = precond_delay.show(Data({
            "precond_delay_apply": [{"apply_ms": 0.45}],
            "precond_delay": {"breakup": breakup, "operations": each}}))
        self.assertIn("With reductions of 200 us, 0.444 of an application", shown.ours)
        self.assertIn("cg takes 60.0 % more (3 latencies)", shown.ours)
        self.assertIn("overlap takes 20.0 % more (1 latencies)", shown.ours)
        self.assertEqual([row[0] for row in shown.tables[0].rows], precond_delay.METHODS)
        self.assertEqual(len(shown.tables), 3)


unittest.main()
