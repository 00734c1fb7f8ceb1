# SPDX-License-Identifier: BSD-2-Clause
"""Programs with a limit of time, and with all the processes that they start."""
import os
import pathlib
import signal
import subprocess


def kill(leader):
    """Ends a program and all that it started: mpiexec gives each rank a process group of its own."""
    for entry in pathlib.Path('/proc').glob('[0-9]*'):
        try:
            if os.getsid(int(entry.name)) == leader:
                os.kill(int(entry.name), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # ended meanwhile, or another's


def call(command, folder, limit, environment=None):
    """The exit code, or None when the time was over, and all that was said."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', stdin=subprocess.DEVNULL, start_new_session=True,
                          env={**os.environ, **(environment or {})}) as process:
        try:
            said, _ = process.communicate(timeout=limit)
            return process.returncode, said
        except subprocess.TimeoutExpired:
            kill(process.pid)
            return None, process.communicate()[0]
