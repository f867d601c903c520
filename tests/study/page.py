#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py DIR - writes the study as one page, DIR/study.html: the tables of DIR/study.txt, and
after those of each back end its pictures, the SVG files in DIR. The page needs no other file."""
import html
import os
import re
import sys

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>evtlog: a file service daemon</title><style>
body { font: 14px sans-serif; max-width: 1140px; margin: 2em auto }
table { border-collapse: collapse; margin: 0 0 1.5em } caption { text-align: left; font-weight: bold }
td, th { padding: 1px 8px; text-align: right; border-bottom: 1px solid #ddd }
td:first-child, th:first-child { text-align: left; white-space: pre }
figure { margin: 0 0 2em; overflow-x: auto }
</style></head><body>
<h1>A file service daemon by its kernel profile</h1>
<p>What is measured, and how to read it: evtlog(7).</p>
"""


def cells(line, tag):
    name, *numbers = re.split(r" {2,}", line.rstrip()) if not line.startswith(" ") else \
        [line[:len(line) - len(line.lstrip())] + part if not i else part
         for i, part in enumerate(re.split(r" {2,}", line.strip()))]
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in [name] + numbers) + "</tr>\n"


def table(lines):
    title, heads, *rows = lines
    return (f"<table><caption>{html.escape(title)}</caption>\n" + cells(heads, "th") +
            "".join(cells(row, "td") for row in rows) + "</table>\n")


def number_in(name):
    numbers = re.findall(r"\d+", name)
    return int(numbers[0]) if numbers else 0


def pictures(directory, back):
    names = [name for name in os.listdir(directory)
             if re.fullmatch(rf"(groups|lanes)-{back}\.svg|flame-{back}-\d+\.svg", name)]
    names.sort(key=lambda name: (name.startswith("flame"), number_in(name), name))
    for name in names:
        with open(os.path.join(directory, name), encoding="utf-8") as svg:
            text = svg.read()
        yield f"<figure id=\"{name[:-4]}\">\n{text[text.index('<svg'):]}<figcaption>{name}</figcaption></figure>\n"


def main():
    directory = sys.argv[1]
    with open(os.path.join(directory, "study.txt"), encoding="utf-8") as text:
        parts = [part.splitlines() for part in text.read().strip().split("\n\n")]
    backs = {}
    for part in parts:
        backs.setdefault(part[0].split(":")[0] if len(part) > 1 else "", []).append(part)
    with open(os.path.join(directory, "study.html"), "w", encoding="utf-8") as out:
        out.write(HEAD)
        for back, tables in backs.items():
            if back:
                out.write(f"<h2>Files on {'NFS' if back == 'nfs' else 'its own disk'}</h2>\n")
                out.write("".join(table(lines) for lines in tables))
                out.write("".join(pictures(directory, back)))
            else:
                out.write("".join(f"<p>{html.escape(' '.join(lines))}</p>\n" for lines in tables))
        out.write("</body></html>\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
