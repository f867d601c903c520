#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""region_trace.py told FILE TOLD - FILE has the regions that programs/regions.c printed to TOLD
region_trace.py made FILE BEGIN_NS ROUNDS [WORD...] - writes a trace of two threads, 101 and 102
region_trace.py move FROM TO BEGIN_NS - copies a trace with the boot and time of a generated log
region_trace.py stopped FILE - FILE ended early, and counts all events that it does not have

Implements the format of evtlog-profile(5) independently. made: from BEGIN_NS on, each thread is
ROUNDS times in outer and, within it, in inner, for 1000 ns each. Words: kernel: the log knows the
threads as 201 and 202; namespace: the thread IDs are of another pid namespace; other-boot; rank;
open: the last outer does not end; unmatched: an end comes first; cut: there was no room for the
rest; hole: the second of three chunks is missing; again: a chunk comes twice; old: the header has
no length; unsaved: the program did not complete the file; deep: 300 nested regions; not-text: a
name is not UTF-8 and has control characters; host=NAME; boot=TEXT
"""
import collections
import os
import struct
import sys

from claims import fail

HEADER = struct.Struct("<8sIIIi16sQIiQQQQ64s16sQ")
NOT_SAVED = 2 ** 64 - 1
CHUNK = struct.Struct("<IIIIII16sQQQQQQ")
CHUNK_BYTES, HEADER_BYTES, NAMES = 65536, 4096, 0xffffffff
MAGIC = 0x6e6b6863
BOOT = b"a test's boot id"
ENTER, LEAVE, TIME, NAME, FUNCTION, SYMBOL = range(1, 7)

Chunk = collections.namedtuple("Chunk", "magic thread sequence tid kernel_tid ended comm begin_ticks begin_ns "
                               "begin_width end_ticks end_ns end_width")
Event = collections.namedtuple("Event", "what name time_ns")


def read(path):
    """Returns the header's fields and {thread: (tid, comm, events)}."""
    data = open(path, "rb").read()
    header = dict(zip(("magic", "version", "header_bytes", "chunk_bytes", "error", "boot", "namespace", "pid", "rank",
                       "lost", "missed", "unmatched", "threads_missed", "host", "comm", "bytes"), HEADER.unpack_from(data)))
    chunks, symbols = collections.defaultdict(list), {}
    for at in range(HEADER_BYTES, len(data), CHUNK_BYTES):
        part = data[at:at + CHUNK_BYTES]
        if len(part) < CHUNK.size:
            break
        # A chunk of zeros was reserved but not written: evtlog-profile(5).
        if not any(part):
            continue
        chunk = Chunk._make(CHUNK.unpack_from(part))
        if chunk.magic != MAGIC:
            fail(f"{path}: no chunk at {at}")
        words = part[CHUNK.size:]
        words = words[:len(words) // 8 * 8]
        if chunk.thread == NAMES:
            symbols.update(read_symbols(words))
        else:
            chunks[chunk.thread].append((chunk, words))
    threads = {}
    for number, of in chunks.items():
        of.sort(key=lambda each: each[0].sequence)
        if [chunk.sequence for chunk, _ in of] != list(range(len(of))):
            fail(f"{path}: thread {number}: chunks {[chunk.sequence for chunk, _ in of]}")
        names, events = {}, []
        for chunk, words in of:
            events += read_events(chunk, words, names, symbols)
        threads[number] = (of[0][0].tid, of[-1][0].comm.rstrip(b"\0").decode(), events)
    return header, threads


def records(words):
    at = 0
    while at + 8 <= len(words):
        word, = struct.unpack_from("<Q", words, at)
        kind, number, value = word >> 60, word >> 32 & 0xfffffff, word & 0xffffffff
        if not kind:
            return
        text = (value + 7) // 8 * 8 if kind in (NAME, SYMBOL) else 0
        length = 8 + text + (8 if kind in (FUNCTION, SYMBOL) else 0)
        if at + length > len(words):
            return
        yield kind, number, value, words[at + 8:at + length]
        at += length


def read_symbols(words):
    for _, _, value, rest in records(words):
        yield struct.unpack_from("<Q", rest)[0], rest[8:8 + value].decode(errors="replace")


def read_events(chunk, words, names, symbols):
    upper = None
    for kind, number, value, rest in records(words):
        if kind == TIME:
            upper = value
        elif kind == NAME:
            names[number] = rest[:value].decode(errors="replace")
        elif kind == FUNCTION:
            address, = struct.unpack("<Q", rest)
            names[number] = symbols.get(address, hex(address))
        else:
            ticks = upper << 32 | value
            rate = (chunk.end_ns - chunk.begin_ns) / max(chunk.end_ticks - chunk.begin_ticks, 1)
            yield Event("enter" if kind == ENTER else "leave", names[number],
                        chunk.begin_ns + (ticks - chunk.begin_ticks) * rate)


def check_told(path, told):
    """Lines of TOLD: tid enter|leave name before_ns after_ns, in each thread's order"""
    header, threads = read(path)
    if header["bytes"] != os.path.getsize(path):
        fail(f"{path}: says that it has {header['bytes']} bytes, not {os.path.getsize(path)}")
    expected = collections.defaultdict(list)
    for line in open(told):
        tid, what, name, before, after = line.split()
        expected[int(tid)].append((what, name, int(before), int(after)))
    found = {tid: events for tid, _, events in threads.values()}
    if set(found) != set(expected):
        fail(f"{path}: threads {sorted(found)}, not {sorted(expected)}")
    for tid, wanted in expected.items():
        if len(found[tid]) != len(wanted):
            fail(f"{path}: thread {tid}: {len(found[tid])} events, not {len(wanted)}")
        off = 0
        for event, (what, name, before, after) in zip(found[tid], wanted):
            if (event.what, event.name) != (what, name):
                fail(f"{path}: thread {tid}: {event}, not {what} {name}")
            off = max(off, before - event.time_ns, event.time_ns - after)
        # The tick counter and the clock are read some ns apart.
        if off > 2000:
            fail(f"{path}: thread {tid}: a time is {off:.0f} ns outside of what the program read")
        print(f"thread {tid}: {len(wanted)} events, at most {off:.0f} ns outside")


class Maker:
    """Builds a chunk; ticks are ns + 5 s"""

    def __init__(self, thread, sequence, tid, kernel_tid, begin):
        self.head = [MAGIC, thread, sequence, tid, kernel_tid, 0, b"made"]
        self.begin = self.now = begin
        self.words = b""

    def word(self, kind, number, value, rest=b""):
        self.words += struct.pack("<Q", kind << 60 | number << 32 | value) + rest

    def time(self):
        self.word(TIME, 0, self.now + 5 * 10 ** 9 >> 32)

    def name(self, number, text):
        self.word(NAME, number, len(text), text + bytes(-len(text) % 8))

    def event(self, kind, number, step=1000):
        self.word(kind, number, self.now + 5 * 10 ** 9 & 0xffffffff)
        self.now += step

    def data(self):
        return CHUNK.pack(*self.head, self.begin + 5 * 10 ** 9, self.begin, 20, self.now + 5 * 10 ** 9, self.now,
                          30) + self.words


def make_thread(thread, begin, rounds, words):
    """Returns three chunks; the last one has the remaining rounds."""
    made, now = [], begin
    tid = 101 + thread
    kernel_tid = 201 + thread if "kernel" in words else 0
    if "namespace" in words:
        tid = 1 + thread
    for sequence in range(3):
        chunk = Maker(thread, sequence, tid, kernel_tid, now)
        chunk.time()
        if not sequence:
            if "unmatched" in words:
                chunk.event(LEAVE, 7)
            chunk.name(1, b"\xff\x01bad" if "not-text" in words else b"outer")
            chunk.name(2, b"inner")
        count = rounds // 3 + (rounds % 3 if sequence == 2 else 0)
        for number in range(count):
            chunk.event(ENTER, 1)
            chunk.event(ENTER, 2)
            chunk.event(LEAVE, 2)
            if not ("open" in words and sequence == 2 and number == count - 1):
                chunk.event(LEAVE, 1)
        if "deep" in words and sequence == 2:
            for kind in ENTER, LEAVE:
                for _ in range(300):
                    chunk.event(kind, 2, 1)
        made.append(chunk.data())
        now = chunk.now + 500
    return made


def make(path, begin, rounds, words):
    boot = b"other boot, host" if "other-boot" in words else BOOT
    boot = next((word[5:].encode() for word in words if word.startswith("boot=")), boot)
    namespace = 4026532000 if "namespace" in words else 0xeffffffc
    host = next((word[5:] for word in words if word.startswith("host=")), "node1").encode()
    error, missed, threads_missed = (28, 5, 2) if "cut" in words else (0, 0, 0)
    chunks = make_thread(0, begin, rounds, words) + make_thread(1, begin + 300, rounds, words)
    if "hole" in words:
        chunks[1] = b""
    if "again" in words:
        chunks.append(chunks[1])
    chunks = b"".join(chunk.ljust(CHUNK_BYTES, b"\0") for chunk in chunks[:-1]) + chunks[-1]
    length = 0 if "old" in words else NOT_SAVED if "unsaved" in words else HEADER_BYTES + len(chunks)
    data = HEADER.pack(b"EVTLOGR1", 1, HEADER_BYTES, CHUNK_BYTES, error, boot, namespace, 101,
                       3 if "rank" in words else -1, 0, missed, 0, threads_missed, host, b"made", length)
    open(path, "wb").write(data.ljust(HEADER_BYTES, b"\0") + chunks)


def move(source, target, begin):
    data = bytearray(open(source, "rb").read())
    data[24:40] = BOOT
    starts = [at for at in range(HEADER_BYTES, len(data), CHUNK_BYTES)
              if len(data) - at >= CHUNK.size and struct.unpack_from("<I", data, at + 4)[0] != NAMES]
    first = min(struct.unpack_from("<Q", data, at + 48)[0] for at in starts)
    for at in starts:
        for place in at + 48, at + 72:
            struct.pack_into("<Q", data, place, struct.unpack_from("<Q", data, place)[0] - first + begin)
    open(target, "wb").write(data)


def check_stopped(path):
    """programs/regions.c stopped: 100,000 regions of each thread are in the file or lost"""
    header, threads = read(path)
    count = sum(len(events) for _, _, events in threads.values())
    print(f"{path}: error {header['error']}, {count} events, {header['lost']} lost")
    if not header["error"] or count + header["lost"] != 2 * 2 * 100000:
        fail(f"{path}: {count} events and {header['lost']} lost, error {header['error']}")
    if not count or not header["lost"]:
        fail(f"{path}: nothing is lost, or nothing is there")


def main():
    if sys.argv[1] == "told":
        check_told(*sys.argv[2:])
    elif sys.argv[1] == "made":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
    elif sys.argv[1] == "move":
        move(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        check_stopped(sys.argv[2])


if __name__ == "__main__":
    main()
