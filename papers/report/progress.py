# SPDX-License-Identifier: BSD-2-Clause
"""Progress of a report: a bar on a terminal, one line per run elsewhere."""
import shutil

WIDTH = 24


class Progress:
    def __init__(self, file):
        self.file = file
        self.is_terminal = file.isatty()
        self.done, self.takes, self.total, self.name = 0.0, 0.0, 1.0, ""

    def begin(self, name, done, takes, total):
        """Expected seconds: of the runs before, of this one, of all."""
        self.name, self.done, self.takes, self.total = name, done, takes, max(total, 1e-9)
        self.look(0)

    def look(self, seconds):
        if not self.is_terminal:
            return
        part = (self.done + min(seconds, self.takes)) / self.total
        full = round(WIDTH * part)
        text = f"[{'#' * full}{'.' * (WIDTH - full)}] {100 * part:3.0f} % {self.name}, {seconds:.0f} s"
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
