#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Looks at a page of ovk report. page FILE EXPERIMENTS TABLES PLOTS: every tag is closed, the sections
are there, so many tables of data and plots at least, each labeled, and nothing is fetched. dom FILE
PLOTS: what a browser made of it. picture FILE LINES: a PNG with so many different lines at least."""
import re
import sys
import zlib
from html.parser import HTMLParser

VOID = {"meta", "br"}
LABELS = {"measured", "emulated", "simulated"}
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.faults = [], {}, []
        self.ids, self.targets, self.figures, self.labels = [], [], [], []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        if tag == "figure":
            self.figures.append([])
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.targets += [value for key, value in attrs.items()
                         if key in ("href", "xlink:href", "src") and value]
        if attrs.get("class", "").startswith("kind "):
            self.labels.append(attrs["class"].split()[1])
            if "figure" in self.open:
                self.figures[-1].append(self.labels[-1])

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> in line {self.getpos()[0]} closes something else")


def page_faults(text, experiments, tables, plots):
    page = Page(text)
    faults = page.faults
    faults += [f"no section {name}" for name in experiments if name not in page.ids]
    faults += [f"{name} is there twice" for name in set(page.ids) if page.ids.count(name) > 1]
    faults += [f"{target} leads nowhere" for target in page.targets
               if not target.startswith("#") or target[1:] not in page.ids]
    faults += [f"a label {label}" for label in set(page.labels) - LABELS]
    faults += [f"no label {label}" for label in LABELS - set(page.labels)]
    faults += ["a figure without a label" for labels in page.figures if not labels]
    found = page.count.get("svg", 0)
    faults += [f"{found} plots, not {plots}"] if found < plots else []
    found = page.count.get("table", 0) - 2  # the summary and the machine
    faults += [f"{found} tables, not {tables}"] if found < tables else []
    faults += [f"a reference to {url}" for url in set(re.findall(r"https?://[^\"'\s<]*", text))
               if url not in NAMESPACES]
    faults += [f"<{tag}> is there" for tag in ("script", "link", "iframe", "img", "object")
               if page.count.get(tag)]
    return faults


def dom_faults(text, plots):
    found = len(re.findall(r"<svg[\s>]", text))
    faults = [] if found == plots else [f"{found} plots, not {plots}"]
    return faults + ([] if text.count("<path") > 10 * plots else ["plots without curves"])


def picture_faults(data, lines):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return ["no PNG"]
    height, packed, at = int.from_bytes(data[20:24], "big"), b"", 8
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    pixels = zlib.decompress(packed)
    width = len(pixels) // height
    found = len({pixels[k * width:(k + 1) * width] for k in range(height)})
    return [] if found >= lines else [f"{found} different lines of {height}: it is blank"]


def main(what, path, *rest):
    if what == "picture":
        with open(path, "rb") as file:
            return picture_faults(file.read(), int(rest[0]))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if what == "dom":
        return dom_faults(text, int(rest[0]))
    return page_faults(text, rest[0].split(","), int(rest[1]), int(rest[2]))


if __name__ == "__main__":
    FOUND = main(*sys.argv[1:])
    print("\n".join(FOUND))
    sys.exit(1 if FOUND else 0)
