# SPDX-License-Identifier: BSD-2-Clause
"""Starts programs with mpiexec."""
import json
import os
import re
import subprocess

# One thread per rank, for every library; settings that Open MPI needs as root and in containers.
FIXED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
DEFAULTS = {
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
if os.geteuid() == 0:
    DEFAULTS.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
TIME_LIMIT = 3600


class Failure(Exception):
    """A program that failed, with its output."""


class Launcher:
    def __init__(self, build, huge_pages=False, variables=()):
        """variables: "NAME=VALUE", set for all programs."""
        self.folder = os.path.join(build, "bin")
        self.delay = os.path.join(build, "lib", "libovk_delay.so")
        self.mpiexec = find_mpiexec(build)
        self.variables = dict(FIXED)
        if huge_pages:  # glibc 2.35 and newer asks for them with every large block
            self.variables["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
        self.variables.update(word.split("=", 1) for word in variables)

    def has(self, program):
        return os.access(os.path.join(self.folder, program), os.X_OK)

    def preload_delay(self, us):
        """Variables that delay a program's all-reduces."""
        if not os.access(self.delay, os.R_OK):
            raise ValueError(f"not built: {self.delay}")
        return {"LD_PRELOAD": os.path.abspath(self.delay), "OVK_DELAY_US": f"{us:g}"}

    def command(self, program, arguments, ranks, variables):
        """variables: set for the ranks only, not for the launcher."""
        words = [f"{name}={value}" for name, value in variables.items()]
        return [self.mpiexec, "-n", str(ranks), *(["env", *words] if words else []),
                os.path.join(self.folder, program), *arguments]

    def environment(self, ranks):
        environment = {**DEFAULTS, **os.environ, **self.variables}
        if ranks > (os.cpu_count() or 1):
            environment["OMPI_MCA_mpi_yield_when_idle"] = "1"
        return environment

    def run(self, program, arguments, ranks, variables=None):
        """The JSON object that the program writes on standard output."""
        command = self.command(program, arguments, ranks, variables or {})
        try:
            done = subprocess.run(command, env=self.environment(ranks), capture_output=True,
                                  text=True, timeout=TIME_LIMIT, check=False)
        except subprocess.TimeoutExpired as late:
            raise Failure(f"{program} took more than {TIME_LIMIT} s") from late
        if done.returncode != 0:
            raise Failure(f"{program} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
        return json.loads(done.stdout)


def find_mpiexec(build):
    """The launcher that the build was configured with."""
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
            found = re.search(r"^MPIEXEC_EXECUTABLE:\w+=(.+)$", cache.read(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1) if found else "mpiexec"
