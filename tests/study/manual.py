#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""manual.py DIR - copies the results of tests/study/run in DIR into the manual: all tables of
DIR/study.txt into evtlog(7), between its marks, and pictures into tools/man/pictures/study
manual.py --check [DIR] - checks that evtlog(7) and the pictures in DIR are of one run: bars
in groups-BACK.svg equal the table by group, and calls fit one file per client
"""
import os
import re
import shutil
import sys
import xml.etree.ElementTree

PAGE = "tools/man/evtlog.7"
PICTURES = "tools/man/pictures/study"
BEGIN, END = '.\\" tables, by tests/study/manual.py\n', '.\\" end of tables\n'
NAMES = [f"{what}-{back}{last}.svg" for back in ("nfs", "local")
         for what, last in (("groups", ""), ("lanes", ""), ("flame", "-32"))]
BACKS = {"nfs": "Files on NFS", "local": "Files on the disk"}
# The default of tests/study/run for each client
MIB = .5


def tables_of(text):
    for part in text.strip().split("\n\n"):
        title, *lines = part.splitlines()
        if lines:
            yield title, lines


def is_nothing(line):
    return all(cell in ("-", "0", "0.0", "0.00") for cell in re.split(r" {2,}", line.strip())[1:])


def narrow(lines):
    """Makes columns as wide as their cells: a page has 78 characters."""
    rows = [[re.match(r" *", line)[0] + cells[0], *cells[1:]] for line in lines
            for cells in [re.split(r" {2,}", line.strip())]]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [f"{name:<{widths[0]}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:]))
            for name, *cells in rows]


def put(directory):
    out, before = [], None
    with open(os.path.join(directory, "study.txt"), encoding="utf-8") as text:
        tables = list(tables_of(text.read()))
    for title, lines in tables:
        back, _, what = title.partition(": ")
        if back != before:
            out.append(f".Ss {BACKS[back]}\n")
        else:
            out.append(".Pp\n")
        before = back
        what = what[0].upper() + what[1:] if not what.startswith("iod") else what
        lines = [line for line in lines if not is_nothing(line)]
        out.append(f"{what}:\n.Bd -literal\n" + "\n".join(narrow(lines)) + "\n.Ed\n")
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    with open(PAGE, "w", encoding="utf-8") as page:
        page.write(text[:begin] + "".join(out) + text[end:])
    os.makedirs(PICTURES, exist_ok=True)
    for name in NAMES:
        shutil.copyfile(os.path.join(directory, name), os.path.join(PICTURES, name))


def tables_in_page():
    """Returns {(back, title): {row: numbers}}."""
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    found, back = {}, None
    text = text[text.index(BEGIN):text.index(END)]
    parts = re.findall(r"^\.(?:Ss (.*)|Pp)\n(.*):\n\.Bd -literal\n((?:.*\n)*?)\.Ed$", text, re.M)
    for head, title, body in parts:
        back = next((key for key, name in BACKS.items() if name == head), back)
        found[back, title] = {re.split(r" {2,}", line.strip())[0]: re.split(r" {2,}", line.strip())[1:]
                              for line in body.splitlines()}
    return found


def bars_of(path):
    """Returns {clients: {group: ms per MiB}} of a picture of groups."""
    root, bars, at = xml.etree.ElementTree.parse(path).getroot(), {}, {}
    space = "{http://www.w3.org/2000/svg}"
    for element in root:
        title = element.find(space + "title")
        match = title is not None and re.fullmatch(r"(.*): ([\d.]+) ms", title.text)
        if match:
            at[match[1]] = float(match[2])
        elif element.text and re.fullmatch(r"\d+ clients", element.text):
            bars[int(element.text.split()[0])] = at
            at = {}
    return bars


def check(directory):
    tables, wrong = tables_in_page(), []
    for back in BACKS:
        groups = tables[back, "iod's profile by group, ms of all its threads"]
        clients = list(map(int, groups["clients"]))
        if clients != [2, 4, 8, 16, 32]:
            wrong.append(f"{back}: clients {clients}")
        bars = bars_of(os.path.join(directory, f"groups-{back}.svg"))
        for i, count in enumerate(clients):
            for group, per_mib in bars.get(count, {"a bar": -1}).items():
                told = float(groups.get(group, ["nan"] * len(clients))[i])
                # Rounding: two decimals per MiB in the picture, one decimal in the table
                if not abs(told - per_mib * count * MIB) <= .005 * count * MIB + .0501:
                    wrong.append(f"{back}, {count} clients: {group}: {told} ms, and in the picture "
                                 f"{per_mib} for each MiB")
        calls = tables[back, "iod's routines, calls"]
        # Each client writes and reads 512 KiB in blocks of 64 KiB, with a sync after 4 blocks.
        write, sync = {"nfs": ("nfs_file_write", "nfs_file_fsync"),
                       "local": ("ext4_file_write_iter", "ext4_sync_file")}[back]
        for routine, each in ("pread64()", 8), (write, 8), (sync, 2):
            if list(map(int, calls[routine])) != [each * count for count in clients]:
                wrong.append(f"{back}: {routine}: {calls[routine]}")
    for name in sorted(os.listdir(directory)):
        text = open(os.path.join(directory, name), encoding="utf-8").read()
        xml.etree.ElementTree.fromstring(text)
        if re.search(r"/(home|root|tmp|work|usr)/", text):
            wrong.append(f"{name} has a path of a machine")
        if name not in open(PAGE, encoding="utf-8").read():
            wrong.append(f"{name} is not in the manual")
    if sorted(os.listdir(directory)) != sorted(NAMES):
        wrong.append(f"pictures: {sorted(os.listdir(directory))}")
    print("\n".join(wrong) or f"{len(tables)} tables, {len(NAMES)} pictures")
    return 1 if wrong else 0


def main():
    if sys.argv[1] == "--check":
        return check(sys.argv[2] if len(sys.argv) > 2 else PICTURES)
    return put(sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
