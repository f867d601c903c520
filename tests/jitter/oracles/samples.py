# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads and writes files of samples in a naive way, for the oracles.

Implements the description in jitter.h, and shares no code with the library's reader and the
benchmark's writer.
"""
import collections
import struct
import zlib

HEADER = struct.Struct("<QHHIIIIIQQQ")
THREAD = struct.Struct("<II9Q4Q4Q3Q")
SAMPLE = struct.Struct("<QQQ")
MAGIC = int.from_bytes(b"EVJITTER", "little")
LOOP, WORK, QUANTUM = 0, 1, 2

Thread = collections.namedtuple(
    "Thread", "cpu pid begin end rounds base_ticks base_work threshold samples_count "
    "dropped below samples positions", defaults=(0, 0, 0, 10, 0, 0, 0, 0, 0, (), ()))


def noise(method, thread, begin, end, work):
    """Returns the time of a sample beyond its undisturbed time."""
    base = thread.base_ticks
    if method == QUANTUM:
        base = base * work // thread.base_work
    return max(0, end - begin - base)


def write(path, threads, text="", method=LOOP, hz=1000000000):
    data = text.encode()
    data += bytes(-len(data) % 8)
    out = HEADER.pack(MAGIC, 1, HEADER.size, 1, method, len(threads), len(data), 0, hz, 0, 0)
    out += data
    for t in threads:
        out += THREAD.pack(t.cpu, t.pid, t.begin, t.end, t.rounds, t.base_ticks,
                           t.base_work, t.threshold, len(t.samples), t.dropped, t.below,
                           *[0] * 11)
    for t in threads:
        out += b"".join(SAMPLE.pack(*sample) for sample in t.samples)
    with open(path, "wb") as file:
        file.write(out + struct.pack("<I", zlib.crc32(out)))


class Samples:
    """A file of samples: @text, @flags, @method, @hz, @threads."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        (magic, version, size, self.flags, self.method, count, text_bytes, _, self.hz, _, _) = \
            HEADER.unpack_from(data)
        assert magic == MAGIC and version == 1 and size == HEADER.size
        assert zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0]
        at = size + text_bytes
        lines = data[size:at].rstrip(b"\0").decode().splitlines()
        self.text = dict(line.split("=", 1) for line in lines)
        heads = [THREAD.unpack_from(data, at + i * THREAD.size) for i in range(count)]
        at += count * THREAD.size
        self.threads = []
        for head in heads:
            samples = [SAMPLE.unpack_from(data, at + i * SAMPLE.size)
                       for i in range(head[8])]
            at += head[8] * SAMPLE.size
            self.threads.append(Thread(*head[:11], samples, (head[11:15], head[15:19])))
        assert at + 4 == len(data)

    def over_threshold(self, thread):
        """Returns (begin, end, noise) of the thread's samples above the threshold."""
        found = [(begin, end, noise(self.method, thread, begin, end, work))
                 for begin, end, work in thread.samples]
        return [sample for sample in found if sample[2] > thread.threshold]
