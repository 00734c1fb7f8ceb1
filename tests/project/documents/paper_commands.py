#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs each command `ovk ...` of docs/papers.md, on small sizes, and looks up each experiment that it names.

Usage: paper_commands.py docs/papers.md OVK LAUNCHER..., the launcher up to the number of ranks.
"""
import re
import shlex
import subprocess
import sys

# What makes a benchmark short; options that a command has itself stay.
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
    """Each once: its number of ranks, if it has `mpiexec`, and its words after `ovk`."""
    found = re.findall(r"`(?:mpiexec -n (\d+) )?ovk ((?:bench|list|solve) [^`]*)`", text)
    return [(ranks, shlex.split(words)) for ranks, words in sorted(set(found))]


def options_of(words):
    """The options of some words, each with its values."""
    options = []
    for word in words:
        if word.startswith("--"):
            options.append([])
        options[-1].append(word)
    return options


def shortened(words):
    if words[0] != "bench":
        return words
    return words + [word for option in options_of(SMALL[words[1]].split()) if option[0] not in words
                    for word in option]


def ranks_of(words):
    if "--grid" in words:
        at = words.index("--grid")
        return str(int(words[at + 1]) * int(words[at + 2]))
    return "1" if words[0] == "list" or words[1] == "model" else "2"


def run(ovk, launcher, ranks, words):
    """None, or what went wrong."""
    ranks = ranks or ranks_of(words)
    command = [*(launcher + [ranks] if ranks != "1" else []), ovk, *shortened(words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False,
                          text=True, stdin=subprocess.DEVNULL)
    if done.returncode == 0 and done.stdout:
        return None
    return f"exit status {done.returncode}: {shlex.join(command)}\n{done.stdout[-2000:]}"


def unknown_experiments(text, ovk):
    lines = re.findall(r"reports?: ((?:`[a-z0-9-]+`(?:, | and )?)+)", text)
    named = {name for line in lines for name in re.findall(r"`([^`]+)`", line)}
    told = subprocess.run([ovk, "report", "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
    known = set(re.findall(r"[a-z0-9-]+", told.partition("experiments:")[2].partition("exit status")[0]))
    return [f"no experiment of ovk report: {name}" for name in sorted(named - known)]


def main(path, ovk, *launcher):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    listed = commands(text)
    faults = unknown_experiments(text, ovk)
    faults += [fault for ranks, words in listed if (fault := run(ovk, list(launcher), ranks, words))]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(listed)} commands, {len(faults)} faults")
    return 1 if faults or len(listed) < 40 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
