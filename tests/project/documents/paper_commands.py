#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs each command `ovk ...` of docs/papers.md on small sizes, and looks up each experiment that it names. Runs the
benchmarks in blocks of docs/papers/cluster.md, except with MPICH, whose ranks may not end over TCP. Each row of the
tables names a command, a test or an example, and the kind of its evidence. Each part of a paper has a row.

Usage: paper_commands.py SOURCE_TREE [OVK LAUNCHER...], the launcher up to the number of ranks. Without OVK nothing is run.
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

CHECK = "--sizes 10 --methods cg --rounds 1"  # of model --check

# The parts of each paper: sections with an algorithm or a result, then the numbers of figures, tables and listings.
PARTS = {
    "Offload": ("II III.A III.B III.C III.D III.E IV.A IV.B IV.C V.A V.B V.C VI.A VI.B VI.C VI.D "
                "VII.A VII.B VII.C VII.D IX", {"figure": range(1, 13), "table": ["I"]}),
    "Linear solver": ("1 2 2.1 2.2 2.3 3.1 3.2 3.3 3.4 3.5 3.6 3.7 4",
                      {"figure": range(1, 5), "listing": range(1, 6)}),
    "Hierarchies": ("I III III.A III.B III.C IV V VI VII.A VII.B VII.C VII.D VIII", {"figure": range(1, 19)}),
    "LibNBC": ("2 3 4.1 4.2 4.3 4.4 4.5 4.6 5.1 5.2 5.3 6", {"figure": range(1, 9), "listing": range(1, 4)}),
    "Fourier transforms": ("II.A II.B II.C III.A III.B III.C IV.A IV.B V VI.A VI.B VI.C VI.D VI.E VI.F VI.G VI.H",
                           {"figure": range(1, 11), "table": ["I", "II"]}),
}
EVIDENCE = re.compile(r"\b(measured|emulated|simulated|shown)\b")


def commands(text):
    """Each once: its words before `ovk`, if any, and those after it."""
    found = re.findall(r"`((?:mpiexec|scripts/cluster) [^`]*?)?\bovk ((?:bench|list|solve) [^`]*)`", text.replace(r"\|", "|"))
    return [(shlex.split(before), shlex.split(words)) for before, words in sorted(set(found))]


def commands_of_blocks(text):
    """The same for blocks of lines, in which build/ci is the folder of the build."""
    lines = "\n".join(re.findall(r"\n```\n(.*?)\n```", text, re.S)).replace("\\\n", " ").splitlines()
    found = [line.partition("ovk bench ") for line in lines if "ovk bench " in line and "mpich" not in line]
    return [(shlex.split(before.removesuffix("build/ci/bin/")), ["bench", *shlex.split(words)])
            for before, _, words in found]


def shortened(words):
    if words[0] != "bench":
        return words
    small = CHECK.split() if "--check" in words else SMALL[words[1]].split()
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
        rest = [word.replace("$PWD/build/ci", build) for word in before[1:]]
        return [f"{tree}/scripts/cluster", "--build", build, "--mpiexec", launcher[0], *rest]
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


def rows_of(text):
    return [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| section")]


def bare_rows(text):
    """Rows of tables that name no command, test or example, or no kind of evidence."""
    rows = rows_of(text)
    return [f"nothing to run: {row[:80]}" for row in rows
            if not re.search(r"`[^`]*\bovk [a-z]|`(?:tests|examples)/", row)
            ] + [f"no kind of evidence: {row[:80]}" for row in rows if not EVIDENCE.search(row)]


def parts_in(cell):
    """The parts that the first cell of a row names: III.A, figures 4, 5, listings 3 to 5."""
    found, kind = set(), ""
    for word in re.sub(r" \([a-d]\)( to \([a-d]\))?", "", cell).split(", "):
        named = re.fullmatch(r"(?:(figure|table|listing)s? )?([\w.]+)(?: to (\d+))?", word.strip())
        kind = named[1] + " " if named[1] else kind
        numbers = range(int(named[2]), int(named[3]) + 1) if named[3] else [named[2]]
        found |= {f"{kind}{number}" for number in numbers}
    return found


def missing_parts(text):
    faults = []
    for paper, (sections, numbered) in PARTS.items():
        table = text.partition(f"\n## {paper}\n")[2].partition("\n## ")[0]
        found = set().union(*(parts_in(row.split("|")[1]) for row in rows_of(table)))
        wanted = sections.split() + [f"{kind} {number}" for kind, numbers in numbered.items() for number in numbers]
        faults += [f"no row: {paper}, {part}" for part in wanted if part not in found]
    return faults


def main(tree, ovk=None, *launcher):
    with open(f"{tree}/docs/papers.md", encoding="utf-8") as file:
        text = file.read()
    with open(f"{tree}/docs/papers/cluster.md", encoding="utf-8") as file:
        blocks = commands_of_blocks(file.read())
    listed = commands(text) + blocks
    faults = bare_rows(text) + missing_parts(text)
    if ovk:
        faults += unknown_experiments(text, ovk)
        faults += [fault for before, words in listed
                   if (fault := run(tree, ovk, list(launcher), before, words))]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(listed)} commands, {len(faults)} faults")
    return 1 if faults or len(listed) < 60 or len(blocks) < 5 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
