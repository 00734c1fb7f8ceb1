#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Parts of ovk report. Argument: their folder."""
import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

sys.path.insert(0, sys.argv.pop())
import launch  # noqa: E402
import page    # noqa: E402


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


unittest.main()
