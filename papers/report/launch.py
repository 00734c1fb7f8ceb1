# SPDX-License-Identifier: BSD-2-Clause
"""Starts programs with mpiexec, one at a time, and ends them."""
import os
import signal
import subprocess
import time

# One thread per rank, for every library; settings that Open MPI needs as root and in containers.
FIXED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
DEFAULTS = {
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # Open MPI 5
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
if os.geteuid() == 0:
    DEFAULTS.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
# Variables that a launcher or MPI has set for this process; they must not be inherited.
INHERITED = ("PMIX_", "PMI_", "HYDI_", "HYDRA_", "MPI_LOCAL", "OMPI_COMM", "OMPI_APP", "OMPI_FILE",
             "OMPI_FIRST", "OMPI_NUM", "OMPI_UNIVERSE", "OMPI_MCA_ess", "OMPI_MCA_orte",
             "OMPI_MCA_pmix", "OMPI_MCA_shmem_RUNTIME", "OMPI_MCA_initial_wdir",
             "OMPI_MCA_mpi_oversubscribe")
TERMINATION_TIMEOUT = 10  # seconds until a process that was sent SIGTERM is killed
POLL_INTERVAL = 0.05


class Failure(Exception):
    """A run that failed, with the reason in a message."""


class Interrupted(BaseException):
    """This program received a signal to end."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


class Launcher:
    def __init__(self, ovk, mpiexec, ranks):
        """mpiexec: a list of words."""
        self.ovk, self.mpiexec, self.ranks = ovk, mpiexec, ranks
        self.cores = len(os.sched_getaffinity(0))

    def program(self, name):
        """The path of a program beside ovk."""
        return os.path.join(os.path.dirname(self.ovk), name)

    def has(self, name):
        return os.access(self.program(name), os.X_OK)

    def command(self, name, words, ranks, variables=None):
        """ranks: None for a program that is started without mpiexec. variables: set for the program
        but not for mpiexec."""
        launcher = [] if ranks is None else [*self.mpiexec, "-n", str(ranks)]
        if variables:
            launcher += ["env", *(f"{name}={value}" for name, value in variables.items())]
        return [*launcher, self.program(name), *words]

    def environment(self, ranks, variables):
        own = {name: value for name, value in os.environ.items() if not name.startswith(INHERITED)}
        environment = {**DEFAULTS, **own, **FIXED, **variables}
        if ranks > self.cores:
            environment["OMPI_MCA_mpi_yield_when_idle"] = "1"
        return environment

    def say(self, words):
        """The standard output of ovk with these words; "" if it cannot be run."""
        try:
            done = subprocess.run([self.ovk, *words], env=self.environment(1, {}), text=True,
                                  capture_output=True, timeout=60, check=False)
            return done.stdout
        except (OSError, subprocess.TimeoutExpired):
            return ""

    def count_nodes(self):
        """The number of machines that the ranks run on; None if unknown."""
        try:
            done = subprocess.run([*self.mpiexec, "-n", str(self.ranks), "uname", "-n"], text=True,
                                  env=self.environment(self.ranks, {}), capture_output=True,
                                  timeout=60, check=False, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return len(set(done.stdout.split())) or None if done.returncode == 0 else None


def has_ended(process):
    """Does not reap the process: until then its id, which is also its group's, is not reused."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def send(number, group):
    """Signals what is left of a group; some of it may belong to another user by now."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def end(process):
    """Ends a launcher and, through it, its ranks; processes that remain are killed."""
    if not has_ended(process):
        try:
            process.terminate()
        except PermissionError:
            pass
    limit = time.monotonic() + TERMINATION_TIMEOUT
    while not has_ended(process) and time.monotonic() < limit:
        time.sleep(POLL_INTERVAL)
    send(signal.SIGKILL, process.pid)
    try:
        process.wait(TERMINATION_TIMEOUT)
    except subprocess.TimeoutExpired:
        raise Failure(f"process {process.pid} cannot be ended") from None


def run(command, environment, out, err, limit, look):
    """The exit status; look(seconds) is called periodically."""
    start = time.monotonic()
    try:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, start_new_session=True)
    except OSError as fault:
        raise Failure(f"{command[0]} cannot be started: {fault.strerror}") from fault
    try:
        while not has_ended(process):
            seconds = time.monotonic() - start
            if seconds > limit:
                raise Failure(f"took more than {limit} s")
            look(seconds)
            time.sleep(POLL_INTERVAL)
    finally:
        end(process)
    return process.returncode
