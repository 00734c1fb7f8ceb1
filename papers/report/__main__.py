# SPDX-License-Identifier: BSD-2-Clause
"""`ovk report`: runs the papers' experiments and writes one page. Words: OVK MPIEXEC DIR OPTIONS..."""
import os
import signal
import sys

sys.dont_write_bytecode = True  # the installed files stay as they are
# pylint: disable=wrong-import-position
import experiments
import launch
import machine
import options
import page
import progress
import run
import store

STATUS_RAN, STATUS_SOME_FAILED, STATUS_USAGE = 0, 1, 2


def interrupt(number, _frame):
    """Raises once only: ending the run and writing the page must not be interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise launch.Interrupted(number)


def write_page(files, chosen):
    path = page.write(files, chosen)
    print(f"the page: {path}", flush=True)


def report(settings):
    files = store.Store(settings.folder)
    chosen = experiments.choose(settings.only)
    if settings.page_only:
        if not files.machine():
            raise options.Usage(f"--page-only: there are no data in {files.data}")
        write_page(files, chosen)
        return STATUS_RAN
    launcher = launch.Launcher(settings.ovk, settings.mpiexec, settings.ranks)
    files.start({**machine.describe(launcher), "mode": settings.mode})
    try:
        failed = run.run_all(chosen, files, launcher, settings, progress.Progress(sys.stderr))
    except launch.Interrupted:
        write_page(files, chosen)
        raise
    write_page(files, chosen)
    for name, message in failed:
        print(f"ovk: report: {name} failed: {message}", file=sys.stderr)
    return STATUS_SOME_FAILED if failed else STATUS_RAN


def main(words):
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        return report(options.read(words, experiments.names()))
    except (options.Usage, store.Unwritable) as fault:
        print(f"ovk: report: {fault}", file=sys.stderr)
        return STATUS_USAGE
    except OSError as fault:  # such as a full disk
        print(f"ovk: report: {fault}", file=sys.stderr)
        return STATUS_USAGE
    except launch.Interrupted as stop:
        print("ovk: report: interrupted; the same command goes on from here", file=sys.stderr)
        return 128 + stop.number


if __name__ == "__main__":
    CODE = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(CODE)  # pylint: disable=protected-access
