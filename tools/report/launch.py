# SPDX-License-Identifier: BSD-2-Clause
"""Starts programs over MPI, one at a time, and ends them: the only place that knows how."""
import os
import signal
import subprocess
import time

# One thread a rank, for every library; what Open MPI needs as root and in containers.
FIXED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
DEFAULTS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
# What a launcher, or MPI itself, has told this process: it is not for others.
INHERITED = ("PMIX_", "PMI_", "HYDI_", "HYDRA_", "MPI_LOCAL", "OMPI_COMM", "OMPI_APP", "OMPI_FILE",
             "OMPI_FIRST", "OMPI_NUM", "OMPI_UNIVERSE", "OMPI_MCA_ess", "OMPI_MCA_orte",
             "OMPI_MCA_pmix", "OMPI_MCA_shmem_RUNTIME", "OMPI_MCA_initial_wdir",
             "OMPI_MCA_mpi_oversubscribe")
PATIENCE = 10  # seconds until a process that was asked to end is killed
LOOK_EVERY = 0.1


class Failure(Exception):
    """A run that did not end well, in a sentence."""


class Interrupted(BaseException):
    """Somebody wants this program to end."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


class Launcher:
    def __init__(self, ovk, mpiexec, ranks):
        """mpiexec: words."""
        self.ovk, self.mpiexec, self.ranks = ovk, mpiexec, ranks
        self.cores = len(os.sched_getaffinity(0))

    def program(self, name):
        """The path of a program beside ovk."""
        return os.path.join(os.path.dirname(self.ovk), name)

    def has(self, name):
        return os.access(self.program(name), os.X_OK)

    def command(self, name, words, ranks):
        """ranks: None for a program that is started without mpiexec."""
        launcher = [] if ranks is None else [*self.mpiexec, "-n", str(ranks)]
        return [*launcher, self.program(name), *words]

    def environment(self, ranks, variables):
        own = {name: value for name, value in os.environ.items() if not name.startswith(INHERITED)}
        environment = {**DEFAULTS, **own, **FIXED, **variables}
        if ranks > self.cores:
            environment["OMPI_MCA_mpi_yield_when_idle"] = "1"
        return environment

    def say(self, words):
        """What a program writes on standard output; "" if it cannot be run."""
        try:
            done = subprocess.run([self.ovk, *words], env=self.environment(1, {}), text=True,
                                  capture_output=True, timeout=60, check=False)
            return done.stdout
        except (OSError, subprocess.TimeoutExpired):
            return ""

    def count_nodes(self):
        """On how many machines the ranks are; None if that cannot be found out."""
        try:
            done = subprocess.run([*self.mpiexec, "-n", str(self.ranks), "uname", "-n"], text=True,
                                  env=self.environment(self.ranks, {}), capture_output=True,
                                  timeout=60, check=False, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return len(set(done.stdout.split())) or None if done.returncode == 0 else None


def end(process):
    """Ends a launcher and, through it, its ranks; whatever stays is killed."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)  # the group outlives its leader while it has members
    except ProcessLookupError:
        pass
    process.wait()


def run(command, environment, out, err, limit, look):
    """The exit status; look(seconds) is called again and again."""
    start = time.monotonic()
    try:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, start_new_session=True)
    except OSError as fault:
        raise Failure(f"{command[0]} cannot be started: {fault.strerror}") from fault
    try:
        while True:
            try:
                return process.wait(LOOK_EVERY)
            except subprocess.TimeoutExpired:
                seconds = time.monotonic() - start
                if seconds > limit:
                    raise Failure(f"took more than {limit} s") from None
                look(seconds)
    finally:
        end(process)
