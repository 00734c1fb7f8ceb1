#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs each command `ovk ...` of docs/papers.md, on small sizes, and looks up each experiment that it names. Each row of
its tables names a command, a test or an example.

Usage: paper_commands.py SOURCE_TREE OVK LAUNCHER..., the launcher up to the number of ranks.
"""
import os
import re
import shlex
import subprocess
import sys

# What makes a benchmark short, in place of the same options of a command.
SMALL = {
    "compress": "--bytes 4096 --rounds 1",
    "fft": "--size 8 8 8 --rounds 1",
    "model": "--iterations 1",
    "noise": "--laplace27 6 6 6 --durations 100 --frequencies 100 --seconds 0 --rounds 1",
    "overlap": "--iters 2 --rounds 1",
    "overlap-dgemm": "--sizes 10 --iters 2 --rounds 1",
    "phases": "--laplace27 8 8 8 --rounds 1",
    "poisson": "--size 8 8 8 --rounds 1",
    "poisson1d": "--size 64 --iterations 4 --sums 2 --rounds 1",
    "reduction": "--iters 2 --rounds 1",
}


def commands(text):
    """Each once: its words before `ovk`, if any, and those after it."""
    found = re.findall(r"`((?:mpiexec|scripts/cluster) [^`]*?)?\bovk ((?:bench|list|solve) [^`]*)`", text)
    return [(shlex.split(before), shlex.split(words)) for before, words in sorted(set(found))]


def shortened(words):
    if words[0] != "bench":
        return words
    small = SMALL[words[1]].split()
    if words[1] == "overlap" and "--polls" not in words:
        small += ["--polls", "10"]  # by default up to 100000
    kept, inside = [], None  # the option that a word belongs to
    for word in words:
        inside = word if word.startswith("--") else inside
        if inside not in small:
            kept.append(word)
    return kept + small


def ranks_of(words):
    if "--grid" in words:
        at = words.index("--grid")
        return str(int(words[at + 1]) * int(words[at + 2]))
    return "1" if words[0] == "list" or words[1] == "model" else "2"


def start(tree, ovk, launcher, before, words):
    """The command up to the program, which may be on an emulated cluster."""
    if before and before[0] == "scripts/cluster":
        build = os.path.dirname(os.path.dirname(ovk))
        return [f"{tree}/scripts/cluster", "--build", build, "--mpiexec", launcher[0], *before[1:]]
    ranks = before[-1] if before else ranks_of(words)
    return launcher + [ranks] if ranks != "1" else []


def run(tree, ovk, launcher, before, words):
    """None, or what went wrong."""
    command = [*start(tree, ovk, launcher, before, words), ovk, *shortened(words)]
    done = subprocess.run(["timeout", "200", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, text=True, stdin=subprocess.DEVNULL)
    if done.stdout and (done.returncode == 0 or "scripts/cluster" in command[0] and done.returncode == 77):
        return None
    return f"exit status {done.returncode}: {shlex.join(command)}\n{done.stdout[-2000:]}"


def unknown_experiments(text, ovk):
    lines = re.findall(r"reports?: ((?:`[a-z0-9-]+`(?:, | and )?)+)", text)
    named = {name for line in lines for name in re.findall(r"`([^`]+)`", line)}
    told = subprocess.run([ovk, "report", "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
    known = set(re.findall(r"[a-z0-9-]+", told.partition("experiments:")[2].partition("exit status")[0]))
    return [f"no experiment of ovk report: {name}" for name in sorted(named - known)]


def bare_rows(text):
    """Rows of tables that name no command, test or example."""
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| section")]
    return [f"nothing to run: {row[:80]}" for row in rows
            if not re.search(r"`[^`]*\bovk [a-z]|`(?:tests|examples)/", row)]


def main(tree, ovk, *launcher):
    with open(f"{tree}/docs/papers.md", encoding="utf-8") as file:
        text = file.read()
    listed = commands(text)
    faults = bare_rows(text) + unknown_experiments(text, ovk)
    faults += [fault for before, words in listed
               if (fault := run(tree, ovk, list(launcher), before, words))]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(listed)} commands, {len(faults)} faults")
    return 1 if faults or len(listed) < 60 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
