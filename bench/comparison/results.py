# SPDX-License-Identifier: BSD-2-Clause
"""Where results are stored, and what they depend on besides the programs."""
import json
import os
import platform


def describe_machine():
    name = platform.machine()
    huge = "unknown"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next(line.split(":", 1)[1].strip() for line in file if "model name" in line)
        with open("/sys/kernel/mm/transparent_hugepage/enabled", encoding="utf-8") as file:
            huge = file.read().split("[")[1].split("]")[0]
    except (OSError, StopIteration, IndexError):
        pass
    return {"processor": name, "processors": os.cpu_count(), "system": platform.platform(),
            "transparent_huge_pages": huge}


def write(folder, content, tables):
    """results.json, with the machine, and table.md."""
    with open(os.path.join(folder, "results.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": describe_machine(), **content}, file, indent=1)
        file.write("\n")
    with open(os.path.join(folder, "table.md"), "w", encoding="utf-8") as file:
        file.write("\n\n".join(tables) + "\n")
