#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""lanes.py SCREEN LOCATIONS LANES PNG - ViTE's window shows the lanes of an archive

SCREEN is the file of Xvfb's screen. Containers are blue boxes at the left. The innermost ones are
the locations, and there must be LOCATIONS of them. At least LANES of them must have states to their
right: dark pixels. Arrows and lines are white. Writes the screen to PNG.
"""
import collections
import struct
import sys
import zlib

def read_screen(path):
    """(width, height, rows of RGB bytes) of an XWD file"""
    data = open(path, "rb").read()
    header = struct.unpack(">25I", data[:100])
    size, width, height, bits, line, colours = (header[i] for i in (0, 4, 5, 11, 12, 19))
    if header[1] != 7 or bits != 32:
        sys.exit(f"lanes.py: {path}: no picture of 32 bits")
    start = size + colours * 12
    rows = []
    for y in range(height):
        row = data[start + y * line:start + y * line + width * 4]
        rgb = bytearray(width * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(rgb))
    return width, height, rows


def write_png(path, width, height, rows):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n"
                  + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                  + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows)))
                  + chunk(b"IEND", b""))


def is_box(red, green, blue):
    return red < 30 and green < 30 and 60 < blue < 200


def boxes_at(rows, x):
    """[(top, bottom)] of the boxes in a column"""
    found, top = [], None
    for y, row in enumerate(rows):
        inside = is_box(*row[3 * x:3 * x + 3])
        if inside and top is None:
            top = y
        elif not inside and top is not None:
            if y - top > 4:
                found.append((top, y))
            top = None
    return found


def main():
    path, locations, lanes, png = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    width, height, rows = read_screen(path)
    write_png(png, width, height, rows)
    counts = collections.Counter()
    columns = collections.defaultdict(list)
    for x in range(width // 4):
        boxes = boxes_at(rows, x)
        # Text in a box splits the box in some columns.
        counts[len(boxes)] += 1
        columns[len(boxes)].append((x, boxes))
    if counts[locations] < 3:
        sys.exit(f"lanes.py: no column of {locations} containers, but {dict(counts)}")
    edge, boxes = columns[locations][-1]
    filled = 0
    for top, bottom in boxes:
        middle = range(top + 3, bottom - 2)
        filled += any(rows[y][3 * x] < 64 and rows[y][3 * x + 1] < 64
                      for y in middle for x in range(edge + 40, width // 2))
    print(f"{locations} containers, {filled} lanes that are not blank")
    if filled < lanes:
        sys.exit(f"lanes.py: only {filled} lanes are not blank")


if __name__ == "__main__":
    main()
