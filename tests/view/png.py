# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads PNG files with 8 bits per colour, using only zlib."""
import struct
import zlib
from functools import cached_property
from itertools import accumulate
from operator import add

BYTE = 255 .__and__


def average(row, above, step):
    """Undoes filter 3 in row."""
    for i, up in enumerate(above):
        left = row[i - step] if i >= step else 0
        row[i] = row[i] + (left + up) // 2 & 255


def paeth(row, above, step):
    """Undoes filter 4 in row. Most pixels of a picture are equal to a neighbour."""
    for i, up in enumerate(above):
        left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
        if up == corner:
            best = left
        elif left == corner:
            best = up
        else:
            guess = left + up - corner
            a, b, c = abs(guess - left), abs(guess - up), abs(guess - corner)
            best = left if a <= b and a <= c else up if b <= c else corner
        row[i] = row[i] + best & 255


class Png:
    """width, height, texts by key, and pixel(x, y) as 0xrrggbb"""

    def __init__(self, data):
        if data[:8] != b"\x89PNG\r\n\x1a\n":
            raise ValueError("not a PNG file")
        self.texts = {}
        packed, at = b"", 8
        ended = False
        while at < len(data):
            length, = struct.unpack_from(">I", data, at)
            kind = data[at + 4:at + 8]
            body = data[at + 8:at + 8 + length]
            crc, = struct.unpack_from(">I", data, at + 8 + length)
            if crc != zlib.crc32(kind + body):
                raise ValueError(f"{kind}: wrong checksum")
            if kind == b"IHDR":
                self.width, self.height, depth, colour, *rest = struct.unpack(">IIBBBBB", body)
                if depth != 8 or colour not in (2, 6) or any(rest):
                    raise ValueError(f"depth {depth}, colour type {colour}, {rest}")
                self.bytes = 3 if colour == 2 else 4
            elif kind == b"IDAT":
                packed += body
            elif kind == b"iTXt":
                key, _, rest = body.partition(b"\0")
                if rest[:4] != b"\0\0\0\0":
                    raise ValueError("iTXt: compressed, or of a language")
                self.texts[key.decode("latin-1")] = rest[4:].decode()
            elif kind == b"IEND":
                ended = True
            at += 12 + length
        if not ended or at != len(data):
            raise ValueError("the file is cut, or longer than it says")
        self.packed = packed

    @cached_property
    def rows(self):
        raw = zlib.decompress(self.packed)
        step, stride = self.bytes, self.bytes * self.width
        if len(raw) != (stride + 1) * self.height:
            raise ValueError("rows of another length")
        above, rows = bytearray(stride), []
        for y in range(self.height):
            kind = raw[y * (stride + 1)]
            row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            if kind == 1:
                for colour in range(step):
                    row[colour::step] = bytes(map(BYTE, accumulate(row[colour::step])))
            elif kind == 2:
                row = bytearray(map(BYTE, map(add, row, above)))
            elif kind in (3, 4):
                (average if kind == 3 else paeth)(row, above, step)
            elif kind:
                raise ValueError(f"filter {kind}")
            rows.append(row)
            above = row
        return rows

    def pixel(self, x, y):
        row, at = self.rows[y], x * self.bytes
        return row[at] << 16 | row[at + 1] << 8 | row[at + 2]
