# SPDX-License-Identifier: BSD-2-Clause
"""The command line of `ovk report`."""
import argparse
import difflib
import os
import shlex
import shutil

NOTES = """Runs a set of experiments, each after one of five papers, with mpiexec on this machine. DIR gets
index.html, which needs no network to be read, plots/*.svg, and data/ with what each run wrote.
Runs whose data are there already, made by the same command, program and machine, are not repeated:
an interrupted report goes on when the same command is given again. Plots are made by gnuplot.

experiments: {names}

exit status: 0 all ran, 1 some failed (the page says which), 2 bad usage or input,
             130 or 143 interrupted"""


class Usage(Exception):
    """Bad usage, in a message."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Usage(message)

    def format_usage(self):
        return "usage: ovk report DIR [OPTIONS]\n"

    def options(self):
        return [word for action in self._actions for word in action.option_strings]


def make_parser(names):
    listed = ""
    for name in names:  # lines of 100
        listed += ("" if not listed else ", ") + name
    notes = NOTES.format(names=wrap(listed))
    parser = Parser(prog="ovk report", usage="ovk report DIR [OPTIONS]", allow_abbrev=False,
                    description="run the papers' experiments and write a page with tables and "
                                "plots", epilog=notes, add_help=False,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", metavar="DIR", nargs="?", help="folder for the page and the data")
    add("--quick", action="store_true", help="small sizes and few rounds, about 4 minutes; default")
    add("--full", action="store_true", help="the papers' sizes where they fit, about an hour")
    add("--only", metavar="A,B", help="these experiments only")
    add("--ranks", metavar="N", help="ranks of a run (default: the processors, from 2 to 8)")
    add("--mpiexec", metavar="CMD", help="the launcher, with options (default: the one of the build)")
    add("--page-only", action="store_true", help="run nothing: the page from the data that are there")
    add("--again", action="store_true", help="run everything, whatever data are there")
    add("-h", "--help", action="help", help="print this")
    return parser


def wrap(text, width=86):
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += word + " "
    return "\n             ".join(line.rstrip() for line in lines)


def closest(word, words):
    found = difflib.get_close_matches(word, words, 1)
    return f", did you mean '{found[0]}'?" if found else f"; there are: {', '.join(words)}"


def read_ranks(word):
    if word is None:
        return min(max(2, len(os.sched_getaffinity(0))), 8)
    if not word.isascii() or not word.isdigit() or not 2 <= int(word) <= 1024:
        raise Usage(f"--ranks is '{word}', but must be a whole number from 2 to 1024")
    return int(word)


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
    parser = make_parser(names)
    settings, rest = parser.parse_known_args(words[2:])
    for word in rest:
        if word.startswith("-"):
            raise Usage(f"unknown option '{word}'{closest(word, parser.options())}")
        raise Usage(f"unexpected '{word}'")
    if settings.folder is None:
        raise Usage("which folder? ovk report DIR")
    if settings.quick and settings.full:
        raise Usage("--quick or --full, not both")
    settings.ovk, settings.mode = words[0], "full" if settings.full else "quick"
    settings.only = read_only(settings.only, names)
    settings.ranks = read_ranks(settings.ranks)
    if not settings.page_only:
        settings.mpiexec = read_mpiexec(settings.mpiexec, words[1])
    return settings
