# SPDX-License-Identifier: BSD-2-Clause
"""Runs what experiments need, in sequence; a run whose data exist is not repeated."""
import time

import launch
import machine


def words_of(job, files):
    words = list(job.words)
    if job.history:
        words += ["--history", files.path(job.name, "csv")]
    if job.matrix:
        words += ["--matrix", files.path(job.matrix[0], "mtx")]
    return words + ["--json", files.path(job.name, "json")]


def plan(job, files, launcher, identity):
    """The description of a run that is recorded with its data."""
    ranks = job.ranks or launcher.ranks
    command = launcher.command(job.program, words_of(job, files), None if job.alone else ranks)
    return {"command": command, "ranks": ranks,
            "variables": job.variables, "machine": identity}


def write_matrix(job, files):
    if job.matrix:
        name, lines = job.matrix
        files.write_once(files.path(name, "mtx"), lines)


def is_done(job, wanted, files):
    record = files.record(job.name)
    return (files.has(job.name)
            and all(record.get(key) == value for key, value in wanted.items()))


def run_job(job, wanted, files, launcher, progress):
    """Writes data and a record; raises Failure. An interrupted run writes nothing."""
    files.forget(job.name)
    write_matrix(job, files)
    record = {**wanted, "date": time.strftime("%Y-%m-%d %H:%M"), "load": machine.load()}
    start = time.monotonic()
    with open(files.path(job.name, "stdout"), "wb") as out, \
            open(files.path(job.name, "stderr"), "wb") as err:
        try:
            status = launch.run(wanted["command"],
                                launcher.environment(wanted["ranks"], job.variables), out, err,
                                job.limit, progress.look)
            message = "" if status == 0 else f"exit status {status}"
        except launch.Failure as fault:
            status, message = -1, str(fault)
    record.update(seconds=round(time.monotonic() - start, 2), status=status)
    if status == 0 and files.load(job.name) is None:
        record["status"], message = -1, "wrote no data that can be read"
    if message:
        said = files.said(job.name)
        record["failure"] = f"{message}: {said}" if said else message
    files.write_record(job.name, record)
    if message:
        raise launch.Failure(record["failure"])


def jobs_of(chosen, settings, launcher):
    """Each run once, even if several experiments use it."""
    found = {}
    for experiment in chosen:
        for job in experiment.jobs(settings.mode):
            if launcher.has(job.program) or not job.optional:
                found.setdefault(job.name, job)
    return list(found.values())


def run_all(chosen, files, launcher, settings, progress):
    """[(name, message)] of the runs that failed."""
    jobs, identity = jobs_of(chosen, settings, launcher), machine.identity(launcher)
    total, done, failed = sum(job.seconds for job in jobs), 0, []
    for number, job in enumerate(jobs, 1):
        progress.begin(job.name, done, job.seconds, total)
        done += job.seconds
        wanted = plan(job, files, launcher, identity)
        place = f"{number} of {len(jobs)}"
        if is_done(job, wanted, files) and not settings.again:
            progress.tell(f"{place}: {job.name} is there")
            continue
        try:
            run_job(job, wanted, files, launcher, progress)
            seconds = files.record(job.name)["seconds"]
            progress.end(seconds)
            progress.tell(f"{place}: {job.name}, {seconds:.0f} s, {progress.left()}")
        except launch.Failure as fault:
            failed.append((job.name, str(fault)))
            progress.tell(f"{place}: {job.name} failed: {fault}")
        except launch.Interrupted:
            files.forget(job.name)
            raise
    return failed
