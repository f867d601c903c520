#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py DIR - writes the study of OpenMP programs as one page, DIR/study.html: the tables of
DIR/study.txt, and after those of each number of CPUs its pictures. The page needs no other file."""
import base64
import html
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import page  # noqa: E402

TITLE = "OpenMP programs on an overloaded machine"
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


def pictures(directory, cpus):
    base = os.path.join(directory, cpus)
    with open(os.path.join(base, "timeline.png"), "rb") as png:
        data = base64.b64encode(png.read()).decode()
    yield (f'<figure><img width="1100" alt="CPUs and tasks" src="data:image/png;base64,{data}">'
           f"<figcaption>{cpus}/timeline.png</figcaption></figure>\n")
    with open(os.path.join(base, "queues.svg"), encoding="utf-8") as svg:
        text = svg.read()
    yield f"<figure>\n{text[text.index('<svg'):]}<figcaption>{cpus}/queues.svg</figcaption></figure>\n"


def main():
    directory = sys.argv[1]
    with open(os.path.join(directory, "study.txt"), encoding="utf-8") as text:
        parts = [part.splitlines() for part in text.read().strip("\n").split("\n\n")]
    runs, now = {}, None
    for part in parts:
        found = re.match(r"(\d+) CPUs: ", part[0])
        now = found[1] if found else now
        runs.setdefault(now, []).append(table(*part) if found else
                                        "".join(f"<p>{html.escape(line)}</p>\n" for line in part))
    with open(os.path.join(directory, "study.html"), "w", encoding="utf-8") as out:
        out.write(page.HEAD.replace("evtlog: a file service daemon", f"evtlog: {TITLE}")
                  .replace("A file service daemon by its kernel profile", TITLE))
        for cpus, texts in runs.items():
            out.write(f"<h2>{cpus} CPUs</h2>\n" + "".join(texts) + "".join(pictures(directory, cpus)))
        out.write("</body></html>\n")


main()
