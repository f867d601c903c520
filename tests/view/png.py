# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads PNG files of 8 bits a colour, plainly, with nothing but zlib."""
import struct
import zlib


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
        self.rows = self._unfilter(zlib.decompress(packed))

    def _unfilter(self, raw):
        step, stride = self.bytes, self.bytes * self.width
        if len(raw) != (stride + 1) * self.height:
            raise ValueError("rows of another length")
        above, rows = bytearray(stride), []
        for y in range(self.height):
            kind = raw[y * (stride + 1)]
            row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for i in range(stride):
                left = row[i - step] if i >= step else 0
                corner = above[i - step] if i >= step else 0
                if kind == 1:
                    row[i] = row[i] + left & 255
                elif kind == 2:
                    row[i] = row[i] + above[i] & 255
                elif kind == 3:
                    row[i] = row[i] + (left + above[i]) // 2 & 255
                elif kind == 4:
                    guess = left + above[i] - corner
                    a, b, c = (abs(guess - v) for v in (left, above[i], corner))
                    best = left if a <= b and a <= c else above[i] if b <= c else corner
                    row[i] = row[i] + best & 255
                elif kind:
                    raise ValueError(f"filter {kind}")
            rows.append(row)
            above = row
        return rows

    def pixel(self, x, y):
        row, at = self.rows[y], x * self.bytes
        return row[at] << 16 | row[at + 1] << 8 | row[at + 2]
