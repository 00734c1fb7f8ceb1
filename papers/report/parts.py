# SPDX-License-Identifier: BSD-2-Clause
"""The classes that declare experiments: runs, and how their data are shown."""
from dataclasses import dataclass, field

MEASURED, EMULATED, SIMULATED = "measured", "emulated", "simulated"
BOTH = f"{EMULATED} + {SIMULATED}"  # of a table or plot that compares
MEANING = {
    MEASURED: "taken by a clock while the real thing ran on the machine below",
    EMULATED: "taken by a clock on the machine below, while every reduction took a given "
              "time at least, as on a network of that latency, or with an adapter that is emulated by software",
    SIMULATED: "computed by a model of many processes and a network; no such machine was used",
}


@dataclass
class Job:
    """One run of a program, which writes JSON."""
    name: str            # of its files
    words: list          # what follows the program's name; --json is added
    seconds: float       # about how long it takes, for the progress bar
    ranks: int = 0       # 0: as many as the report has
    program: str = "ovk"
    variables: dict = field(default_factory=dict)
    history: bool = False  # adds --history: a CSV file
    matrix: tuple = None   # (name of its file, function that returns its lines): adds --matrix
    optional: bool = False  # the program is not in every build
    alone: bool = False    # not an MPI program: started without mpiexec
    timed: bool = True     # its numbers are affected by other load on the machine

    @property
    def limit(self):
        """The time limit: machines can be slower than the one that `seconds` is from, or busy."""
        return round(max(600, 20 * self.seconds))


@dataclass
class Table:
    title: str
    kind: str
    heads: list
    rows: list  # of cells, numbers or text; the first is the row's name
    where: str = ""  # numbers of another machine than this one


@dataclass
class Series:
    label: str             # "": not in the legend
    points: list  # (x, y), or y by category
    color: str
    dashed: bool = False


@dataclass
class Plot:
    name: str  # of its file
    title: str
    kind: str
    x: str
    y: str
    series: list
    style: str = "lines"  # or "bars", "stack"
    categories: list = field(default_factory=list)  # of bars
    logx: bool = False
    logy: bool = False


@dataclass
class Shown:
    ours: str  # in a sentence, for the summary
    tables: list = field(default_factory=list)
    plots: list = field(default_factory=list)
    why: list = field(default_factory=list)  # sentences: why ours differ


@dataclass
class Experiment:
    name: str
    title: str
    sources: list  # (paper, figure or section)
    paper: str     # what the paper found
    kinds: list    # what kinds of numbers it has
    jobs: object   # "quick" or "full" -> [Job]
    show: object   # (Store) -> Shown; raises Missing
    unseen: str    # what cannot be shown on a machine with few cores and no network


def number(value, digits=3):
    """With so many significant digits, without an exponent where that is short."""
    if value is None:
        return ""
    if isinstance(value, (int, str)):
        return str(value)
    if value != 0 and (abs(value) < 1e-3 or abs(value) >= 1e7):
        return f"{value:.{max(digits - 2, 1)}e}"
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:.0f}"
    return f"{value:.{digits}g}"


def percent(part):
    """A fraction in per cent; + and - as they are."""
    return f"{100 * part:.1f} %"


def rows_where(rows, **wanted):
    return [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]


def values_of(rows, key):
    """Distinct values in order of first occurrence."""
    return list(dict.fromkeys(row[key] for row in rows))


def curves_of(rows, key, x, y, paint):
    """A series for each value of `key` in `paint`, by color; x and y are keys of a row or functions of it."""
    def of(row, what):
        return what(row) if callable(what) else row[what]

    return [Series(name, [(of(row, x), of(row, y)) for row in rows_where(rows, **{key: name})], color)
            for name, color in paint.items()]


def residual_plot(name, title, files, runs):
    """True residuals by iteration; runs: label -> (name of a run with a history, color)."""
    series = []
    for label, (run, color) in runs.items():
        columns = files.columns(run)
        series.append(Series(label, list(zip(columns["iteration"], columns["true_relative_residual"])), color))
    return Plot(name, title, MEASURED, "iteration", "||b - A x|| / ||b||", series, logy=True)


def solution_ms(row):
    """Milliseconds of setup and solve; None if it did not converge."""
    return None if row["solve_ms"] is None else row["setup_ms"] + row["solve_ms"]


def less(part):
    """A relative reduction, in words."""
    return f"{percent(abs(part))} {'less' if part >= 0 else 'more'}"
