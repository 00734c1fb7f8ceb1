# SPDX-License-Identifier: BSD-2-Clause
"""One self-contained HTML page."""
import html
import os

import machine
import papers
import parts
import plots
import store

STYLE = """
body { font: 16px/1.5 Georgia, 'Times New Roman', serif; color: #1a1a1a; background: #fff;
       max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3, caption, figcaption, th, nav, .kind { font-family: Helvetica, Arial, sans-serif; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-bottom: 1px solid #bbb; }
table { border-collapse: collapse; margin: 0.5rem 0; font-size: 0.85rem; }
caption { text-align: left; font-size: 0.85rem; padding-bottom: 0.4rem; font-weight: bold; }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid #ddd; text-align: right;
         vertical-align: top; }
th:first-child, td:first-child, table.text td, table.text th { text-align: left; }
thead th { border-bottom: 2px solid #888; }
.scroll { overflow-x: auto; }
.kind { font-size: 0.72rem; font-weight: normal; padding: 0.1rem 0.45rem; border-radius: 0.6rem;
        border: 1px solid; white-space: nowrap; }
.measured { color: #00543a; } .emulated { color: #8a3c00; } .simulated { color: #4b2a7b; }
dt { font-family: Helvetica, Arial, sans-serif; font-size: 0.85rem; font-weight: bold; }
dd { margin: 0 0 0.7rem 0; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; }
figcaption { font-size: 0.85rem; font-weight: bold; }
.fault { border-left: 4px solid #a50f15; padding: 0.3rem 0.8rem; background: #fbeeee; }
pre, code { font-size: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { body { max-width: none; margin: 0; } h2 { break-after: avoid; }
               figure, table { break-inside: avoid; } details { display: none; } }
"""


def escape(text):
    return html.escape(str(text))


def badge(kind):
    return f'<span class="kind {kind}">{kind}</span>'


def place(kinds, where):
    """The label of every table and plot: the kinds of its numbers, joined by +."""
    said = [f"{badge(kind)} by the model, which ran on {escape(where)}" if kind == parts.SIMULATED
            else f"{badge(kind)} on {escape(where)}" for kind in kinds.split(" + ")]
    return ", ".join(said)


def table_html(table, where):
    heads = "".join(f"<th>{escape(head)}</th>" for head in table.heads)
    rows = "".join("<tr>" + "".join(f"<td>{escape(parts.number(cell))}</td>" for cell in row)
                   + "</tr>\n" for row in table.rows)
    return (f"<figure><figcaption>{escape(table.title)}<br>{place(table.kind, table.where or where)}"
            f'</figcaption><div class="scroll"><table><thead><tr>{heads}</tr></thead>\n'
            f"<tbody>{rows}</tbody></table></div></figure>\n")


def plot_html(plot, where, files):
    path = plots.draw(plot, files.plots)
    caption = f"<figcaption>{escape(plot.title)}<br>{place(plot.kind, where)}</figcaption>"
    if not path:
        return f"<figure><p>No plot: gnuplot is missing or failed.</p>{caption}</figure>\n"
    return f"<figure>{plots.inline(path, plot)}{caption}</figure>\n"


def source_html(experiment):
    if not experiment.sources:
        return "None."
    return "; ".join(f"{escape(papers.PAPERS[key].short)}, {escape(figure)}" if figure
                     else escape(papers.PAPERS[key].short) for key, figure in experiment.sources)


def jobs_of(chosen, described):
    return {job.name: job for experiment in chosen
            for job in experiment.jobs(described.get("mode", "quick"))}.values()


def faults_of(jobs, files):
    """[(run, why it has no data)]"""
    found = []
    for job in jobs:
        if files.has(job.name):
            continue
        record = files.record(job.name)
        if not record and job.optional:
            continue
        found.append((job, record.get("failure", "its data cannot be read") if record
                      else "it was not run"))
    return found


def faults_html(faults):
    return "".join(f'<p class="fault">No data of the run <b>{escape(job.name)}</b>: {escape(why)}</p>\n'
                   for job, why in faults)


def runs_html(jobs, files):
    lines = []
    for job in jobs:
        record = files.record(job.name)
        if record:
            command = [os.path.basename(record["command"][0]), *record["command"][1:]]
            words = " ".join(word.replace(files.folder, "DIR") for word in command)
            lines.append(f"{words}\n  # {record['date']}, {record['seconds']} s, load before it "
                         f"{record['load']}")
    if not lines:
        return ""
    return ("<details><summary>How it was run</summary><pre>" + escape("\n".join(lines))
            + "</pre></details>\n")


def look_at(experiment, files):
    """What the experiment shows, or None if data are missing."""
    try:
        return experiment.show(files)
    except (store.Missing, KeyError, IndexError, TypeError, ValueError, ZeroDivisionError):
        return None


def section_html(experiment, shown, jobs, files, where):
    kinds = " ".join(badge(kind) for kind in experiment.kinds)
    out = [f'<section><h2 id="{experiment.name}">{escape(experiment.title)} {kinds}</h2>\n<dl>']
    entries = [("Paper", source_html(experiment)), ("The paper says", escape(experiment.paper))]
    if shown:
        entries.append(("Ours", escape(shown.ours)))
        entries.append(("Why they differ", " ".join(map(escape, shown.why))))
    entries.append(("Not visible here", escape(experiment.unseen)))
    out += [f"<dt>{name}</dt><dd>{text}</dd>\n" for name, text in entries]
    out.append("</dl>\n")
    faults = faults_of(jobs, files)
    out.append(faults_html(faults))
    if shown:
        out += [table_html(table, where) for table in shown.tables]
        out += [plot_html(plot, where, files) for plot in shown.plots]
    elif not faults:
        out.append('<p class="fault">The data of this experiment lack a part of it.</p>\n')
    out.append(runs_html(jobs, files))
    out.append("</section>\n")
    return "".join(out)


def summary_html(views):
    rows = []
    for experiment, shown in views:
        ours = escape(shown.ours) if shown else "<b>no data</b>, see below"
        rows.append(f'<tr><td><a href="#{experiment.name}">{escape(experiment.title)}</a></td>'
                    f"<td>{escape(experiment.paper)}</td><td>{ours}</td>"
                    f"<td>{' '.join(badge(kind) for kind in experiment.kinds)}</td></tr>\n")
    return ('<div class="scroll"><table class="text"><caption>Results of the papers, and of this '
            "run</caption><thead><tr><th>experiment</th><th>the paper says</th><th>ours</th>"
            f"<th>label</th></tr></thead><tbody>\n{''.join(rows)}</tbody></table></div>\n")


def machine_html(described):
    names = {"processor": "processor", "cores": "cores", "virtual": "virtual machine",
             "memory_gb": "memory, GB", "system": "system", "mpi": "MPI", "ovk": "program",
             "ranks": "ranks of a run, if not said otherwise", "nodes": "nodes of these ranks",
             "mode": "sizes", "gnuplot": "plots", "date": "date"}
    shown = {True: "yes", False: "no", None: "unknown"}
    rows = []
    for key, name in names.items():
        value = described.get(key)
        value = shown[value] if isinstance(value, bool) or value is None else value
        rows.append(f"<tr><td>{name}</td><td>{escape(value)}</td></tr>")
    return ('<table class="text"><caption>The machine</caption><tbody>' + "\n".join(rows)
            + "</tbody></table>\n")


def busy_html(jobs, files, described):
    """The runs at whose start the machine had more load than this report itself causes."""
    limit = max(described["ranks"], described["cores"]) + 1.5
    records = [(job.name, files.record(job.name)) for job in jobs if job.timed]
    busy = {name: record["load"] for name, record in records if record and (record["load"] or 0) > limit}
    if not busy:
        return ""
    return (f'<p class="fault">The machine was busy with other programs (load up to '
            f"{escape(max(busy.values()))} on {escape(described['cores'])} cores) before these runs, whose numbers are worth "
            f"little: {escape(', '.join(busy))}.</p>\n")


def nodes_html(described):
    if described.get("nodes") in (None, 1):
        return ""
    return (f"<p>The ranks of this run were on {escape(described['nodes'])} nodes. Statements below on ranks "
            "that share one node is not about this run.</p>\n")


def kinds_html():
    return "<dl>" + "".join(f"<dt>{badge(kind)}</dt><dd>{escape(text)}</dd>\n"
                            for kind, text in parts.MEANING.items()) + "</dl>\n"


def papers_html(chosen):
    used = dict.fromkeys(key for experiment in chosen for key, _ in experiment.sources)
    items = [f"<li>{escape(p.authors)}: <i>{escape(p.title)}</i>. {escape(p.where)}.</li>\n"
             for p in (papers.PAPERS[key] for key in used)]
    return f"<ul>{''.join(items)}</ul>\n"


def contents_html(chosen):
    items = "".join(f'<li><a href="#{e.name}">{escape(e.title)}</a></li>\n' for e in chosen)
    return f"<nav><h2>Contents</h2><ol>{items}</ol></nav>\n"


def write(files, chosen):
    """Writes the page from the available data; returns its path."""
    described = files.machine()
    where = machine.short(described)
    views = [(experiment, look_at(experiment, files)) for experiment in chosen]
    body = [
        "<h1>Overlapped reductions: the experiments of the papers, repeated</h1>\n",
        f"<p>{escape(described['ovk'])}, {escape(described['date'])}, {escape(where)}.</p>\n",
        nodes_html(described), busy_html(jobs_of(chosen, described), files, described),
        "<p>Every number on this page carries one of three labels:</p>\n", kinds_html(),
        summary_html(views), machine_html(described), contents_html(chosen)]
    for experiment, shown in views:
        jobs = experiment.jobs(described.get("mode", "quick"))
        body.append(section_html(experiment, shown, jobs, files, where))
    body += ['<section><h2 id="papers">The papers</h2>\n', papers_html(chosen), "</section>\n"]
    text = ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>ovkrylov: the papers' experiments</title>\n"
            f"<style>{STYLE}</style></head>\n"
            f"<body>\n{''.join(body)}</body></html>\n")
    path = os.path.join(files.folder, "index.html")
    try:
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)
    except OSError as fault:
        raise store.Unwritable(f"cannot write {path}: {fault.strerror}") from fault
    return path
