# SPDX-License-Identifier: BSD-2-Clause
"""The folder of a report: what each run was, what it wrote, and on which machine."""
import csv
import json
import os


class Unwritable(Exception):
    """The folder cannot be used; the reason in a message."""


class Missing(Exception):
    """The data do not exist."""


class Store:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.data = os.path.join(self.folder, "data")
        self.plots = os.path.join(self.folder, "plots")

    def start(self, machine):
        """Creates the folders and records the machine."""
        try:
            os.makedirs(self.data, exist_ok=True)
            os.makedirs(self.plots, exist_ok=True)
            write_json(self.path("machine", "json"), machine)
        except OSError as fault:
            raise Unwritable(f"cannot write {self.folder}: {fault.strerror}") from fault

    def path(self, name, kind):
        return os.path.join(self.data, f"{name}.{kind}")

    def machine(self):
        return read_json(self.path("machine", "json"))

    def record(self, name):
        """How a run was made, or None."""
        return read_json(self.path(name, "run.json"))

    def write_record(self, name, record):
        write_json(self.path(name, "run.json"), record)

    @staticmethod
    def write_once(path, lines):
        """Several runs may read the file."""
        if os.path.exists(path):
            return
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write("\n".join(lines()) + "\n")
        os.replace(path + ".new", path)

    def forget(self, name):
        for kind in ("run.json", "json", "csv", "stdout", "stderr"):
            try:
                os.remove(self.path(name, kind))
            except FileNotFoundError:
                pass

    def said(self, name):
        """The last line on standard error that is from ovk, or else the last line."""
        try:
            with open(self.path(name, "stderr"), encoding="utf-8", errors="replace") as file:
                lines = [line.strip() for line in file if line.strip(" -\n")]
        except OSError:
            return ""
        own = [line for line in lines if line.startswith("ovk: ")]
        return (own or lines or [""])[-1]

    def has(self, name):
        """Whether the run succeeded and its data can be read."""
        record = self.record(name)
        return bool(record and record["status"] == 0 and self.load(name) is not None)

    def load(self, name):
        return read_json(self.path(name, "json"))

    def __getitem__(self, name):
        found = self.load(name) if self.has(name) else None
        if found is None:
            raise Missing(name)
        return found

    def columns(self, name):
        """The columns of a run's CSV file, numbers by name."""
        try:
            with open(self.path(name, "csv"), encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            return {key: [float(row[key]) for row in rows] for key in (rows[0] if rows else {})}
        except (OSError, ValueError, TypeError) as fault:
            raise Missing(name) from fault


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def write_json(path, content):
    """Writes the file atomically."""
    fresh = path + ".new"
    with open(fresh, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
    os.replace(fresh, path)
