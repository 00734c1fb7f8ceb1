# SPDX-License-Identifier: BSD-2-Clause
"""Progress of a report: a bar on a terminal, one line per run elsewhere."""
import shutil

WIDTH = 24
ENOUGH = 10  # expected seconds of runs that show the pace of the machine


class Progress:
    def __init__(self, file):
        self.file = file
        self.is_terminal = file.isatty()
        self.done, self.takes, self.total, self.name = 0.0, 0.0, 1.0, ""
        self.expected, self.measured = 0.0, 0.0  # seconds of the runs that have been made

    def begin(self, name, done, takes, total):
        """Expected seconds: of the runs before, of this one, of all."""
        self.name, self.done, self.takes, self.total = name, done, takes, max(total, 1e-9)
        self.look(0)

    def end(self, seconds):
        """Notes the measured seconds of this run."""
        self.expected += self.takes
        self.measured += seconds
        self.done, self.takes = self.done + self.takes, 0.0

    def left(self, seconds=0.0):
        """Text for the time left, after so many seconds of this run, at the pace of the runs before."""
        pace = self.measured / self.expected if self.expected > ENOUGH else 1.0
        rest = pace * max(self.total - self.done - min(seconds / pace, self.takes), 0)
        return f"{rest / 60:.0f} min left" if rest >= 90 else f"{rest:.0f} s left"

    def look(self, seconds):
        if not self.is_terminal:
            return
        part = (self.done + min(seconds, self.takes)) / self.total
        full = round(WIDTH * part)
        text = f"[{'#' * full}{'.' * (WIDTH - full)}] {100 * part:3.0f} %, {self.left(seconds)}: {self.name}, {seconds:.0f} s"
        width = max(shutil.get_terminal_size().columns - 1, 20)
        self.file.write("\r" + text[:width].ljust(width))
        self.file.flush()

    def tell(self, text):
        """Prints a permanent line."""
        if self.is_terminal:
            width = max(shutil.get_terminal_size().columns - 1, 20)
            self.file.write("\r" + " " * width + "\r")
        self.file.write(text + "\n")
        self.file.flush()
