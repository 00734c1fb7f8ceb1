# SPDX-License-Identifier: BSD-2-Clause
"""Starts programs of a build folder as `ovk report` starts its own, whose launch.py this uses."""
import json
import os
import re
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "..", "papers", "report"))
import launch  # noqa: E402  pylint: disable=wrong-import-position

# For Open MPI: messages in shared memory, as all ranks run on this machine; ranks are not bound.
DEFAULTS = {
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
    "OMPI_MCA_btl": "self,vader",
}
TIME_LIMIT = 3600
Failure = launch.Failure


class Launcher(launch.Launcher):
    def __init__(self, build, huge_pages=False, variables=()):
        """variables: "NAME=VALUE", set for all programs."""
        super().__init__(os.path.join(build, "bin", "ovk"), [find_mpiexec(build)], None)
        self.delay = os.path.join(build, "lib", "libovk_delay.so")
        self.variables = {}
        if huge_pages:  # glibc 2.35 and newer asks for them with every large block
            self.variables["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
        self.variables.update(word.split("=", 1) for word in variables)

    def preload_delay(self, us):
        """Variables that delay a program's all-reduces."""
        if not os.access(self.delay, os.R_OK):
            raise ValueError(f"not built: {self.delay}")
        return {"LD_PRELOAD": os.path.abspath(self.delay), "OVK_DELAY_US": f"{us:g}"}

    def run(self, program, arguments, ranks, variables=None):
        """The JSON object that the program writes on standard output. variables: for the ranks."""
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            try:
                status = launch.run(self.command(program, arguments, ranks, variables),
                                    {**DEFAULTS, **self.environment(ranks, self.variables)},
                                    out, err, TIME_LIMIT, lambda seconds: None)
            except Failure as fault:
                raise Failure(f"{program}: {fault}") from fault
            out.seek(0)
            err.seek(0)
            if status != 0:
                raise Failure(f"{program} ended with {status}: {err.read().strip()[-500:]}")
            return json.load(out)


def find_mpiexec(build):
    """The launcher that the build was configured with."""
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
            found = re.search(r"^MPIEXEC_EXECUTABLE:\w+=(.+)$", cache.read(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1) if found else "mpiexec"
