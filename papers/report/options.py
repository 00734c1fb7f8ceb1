# SPDX-License-Identifier: BSD-2-Clause
"""The command line of `ovk report`, which the program has checked by its table of options."""
import argparse
import difflib
import os
import shlex
import shutil


class Usage(Exception):
    """Bad usage, in a message."""


def closest(word, words):
    found = difflib.get_close_matches(word, words, 1)
    return f", did you mean '{found[0]}'?" if found else f"; there are: {', '.join(words)}"


def read_mpiexec(word, built):
    try:
        words = [built] if word is None else shlex.split(word)
    except ValueError as fault:
        raise Usage(f"--mpiexec: '{word}': {fault}") from fault
    if not words:
        raise Usage("--mpiexec: there is no command")
    if word is None and not shutil.which(built):
        words = ["mpiexec"]
    if not shutil.which(words[0]):
        raise Usage(f"--mpiexec: there is no program '{words[0]}'")
    return words


def read_only(word, names):
    if word is None:
        return list(names)
    chosen = word.split(",")
    for name in chosen:
        if name not in names:
            raise Usage(f"--only: unknown experiment '{name}'{closest(name, names)}")
    return chosen


def read(words, names):
    """words: the program, the launcher of the build, and the user's options."""
    parser = argparse.ArgumentParser(prog="ovk report", add_help=False)
    parser.add_argument("folder")
    for flag in ("--quick", "--full", "--page-only", "--again"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--mpiexec")
    parser.add_argument("--ranks", type=int, default=min(max(2, len(os.sched_getaffinity(0))), 8))
    settings = parser.parse_args(words[2:])
    settings.ovk, settings.mode = words[0], "full" if settings.full else "quick"
    settings.only = read_only(settings.only, names)
    if not settings.page_only:
        settings.mpiexec = read_mpiexec(settings.mpiexec, words[1])
    return settings
