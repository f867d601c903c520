#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py DIR iod|openmp - writes a study as one page, DIR/study.html: the tables of DIR/study.txt,
and after those of each back end or number of CPUs its pictures. The page needs no other file."""
import base64
import html
import os
import re
import sys

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>evtlog: {0}</title><style>
body {{ font: 14px sans-serif; max-width: 1140px; margin: 2em auto }}
table {{ border-collapse: collapse; margin: 0 0 1.5em }} caption {{ text-align: left; font-weight: bold }}
td, th {{ padding: 1px 8px; text-align: right; border-bottom: 1px solid #ddd }}
td:first-child, th:first-child {{ text-align: left; white-space: pre }}
figure {{ margin: 0 0 2em; overflow-x: auto }}
</style></head><body>
<h1>{0}</h1>
<p>What is measured, and how to read it: evtlog(7).</p>
"""
# A head without a name begins with at least so many blanks; an indented name has fewer.
NAMELESS = " " * 8


def cells(line, tag):
    texts = re.split(r" {2,}", line.strip())
    if line.startswith(NAMELESS):
        texts.insert(0, "")
    else:
        texts[0] = line[:len(line) - len(line.lstrip())] + texts[0]
    return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>\n"


def table(title, heads, *rows):
    return (f"<table><caption>{html.escape(title)}</caption>\n" + cells(heads, "th") +
            "".join(cells(row, "td") for row in rows) + "</table>\n")


def figure(directory, name):
    path = os.path.join(directory, name)
    if name.endswith(".png"):
        with open(path, "rb") as png:
            data = base64.b64encode(png.read()).decode()
        shown = f'<img width="1100" alt="CPUs and tasks" src="data:image/png;base64,{data}">'
    else:
        with open(path, encoding="utf-8") as svg:
            text = svg.read()
        shown = text[text.index("<svg"):]
    return f'<figure id="{name[:-4]}">\n{shown}<figcaption>{name}</figcaption></figure>\n'


def pictures_of_iod(directory, back):
    names = [name for name in os.listdir(directory)
             if re.fullmatch(rf"(groups|lanes)-{back}\.svg|flame-{back}-\d+\.svg", name)]
    return sorted(names, key=lambda name: (name.startswith("flame"), int("0" + re.sub(r"\D", "", name)), name))


def pictures_of_openmp(_, cpus):
    return f"{cpus}/timeline.png", f"{cpus}/queues.svg"


# By study: its title, what begins the title of a table, the heading of such tables, their pictures
STUDIES = {
    "iod": ("A file service daemon by its kernel profile", r"(\w+): ",
            lambda back: f"Files on {'NFS' if back == 'nfs' else 'its own disk'}", pictures_of_iod),
    "openmp": ("OpenMP programs on an overloaded machine", r"(\d+) CPUs: ",
               lambda cpus: f"{cpus} CPUs", pictures_of_openmp),
}


def main():
    directory, study = sys.argv[1:]
    title, begin, heading, pictures = STUDIES[study]
    with open(os.path.join(directory, "study.txt"), encoding="utf-8") as text:
        parts = [part.splitlines() for part in text.read().strip("\n").split("\n\n")]
    sections, now = {}, None
    for part in parts:
        found = re.match(begin, part[0]) if len(part) > 1 else None
        now = found[1] if found else now
        sections.setdefault(now, []).append(table(*part) if found else
                                            "".join(f"<p>{html.escape(line)}</p>\n" for line in part))
    with open(os.path.join(directory, "study.html"), "w", encoding="utf-8") as out:
        out.write(HEAD.format(title))
        for name, texts in sections.items():
            out.write(f"<h2>{heading(name)}</h2>\n" + "".join(texts) +
                      "".join(figure(directory, picture) for picture in pictures(directory, name)))
        out.write("</body></html>\n")


main()
