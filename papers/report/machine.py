# SPDX-License-Identifier: BSD-2-Clause
"""Describes the machine, as far as measurements depend on it."""
import os
import platform
import shutil
import subprocess
import time


def lines_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []


def processor():
    for line in lines_of("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def memory_gb():
    for line in lines_of("/proc/meminfo"):
        if line.startswith("MemTotal"):
            return round(int(line.split()[1]) * 1024 / 1e9, 1)
    return None


def virtual():
    return any(line.startswith("flags") and " hypervisor" in line
               for line in lines_of("/proc/cpuinfo"))


def first_line(words):
    if not shutil.which(words[0]):
        return "none"
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "none"
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0].strip() if lines else "none"


def launcher_version(mpiexec):
    """In the first line for Open MPI; MPICH's launcher has a line that starts with Version."""
    try:
        done = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, timeout=30,
                              check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    lines = [" ".join(line.split()) for line in done.stdout.splitlines() if line.strip()]
    if not lines:
        return "unknown"
    version = [line for line in lines if line.startswith("Version:")]
    return f"{lines[0].rstrip(':')} {version[0]}" if version else lines[0]


def build(program):
    """Changes with each build, so that data of an older program are not reused."""
    try:
        found = os.stat(program)
        return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(found.st_mtime))}, {found.st_size} B"
    except OSError:
        return "unknown"


def identity(launcher):
    """The entries that must agree for data to be of the same machine."""
    return {"processor": processor(), "cores": launcher.cores,
            "virtual": virtual(), "memory_gb": memory_gb(),
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "mpi": launcher_version(launcher.mpiexec[0]),
            "ovk": launcher.say(["--version"]).strip() or "unknown", "build": build(launcher.ovk)}


def describe(launcher):
    return {**identity(launcher), "ranks": launcher.ranks,
            "nodes": launcher.count_nodes(), "gnuplot": first_line(["gnuplot", "--version"]),
            "date": time.strftime("%Y-%m-%d %H:%M")}


def short(machine):
    """In a few words, for captions."""
    kind = "virtual machine, " if machine.get("virtual") else ""
    return f"{kind}{machine['processor']}, {machine['cores']} cores"


def load():
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None
