# SPDX-License-Identifier: GPL-2.0-or-later
"""A deliberately simple reader of HOST-RUN.evl, for the oracles.

Stage: parallel to libevtlog, with no common code. It uses only abi.h, file.h and the file's own
description, checks everything, and stops at the first error. It repairs and skips nothing.
"""
import array
import collections
import struct
import zlib

import packed

FILE_HEADER = struct.Struct("<QIIQ16sII")
BLOCK_HEADER = struct.Struct("<QIIIIQQQQIIII")
BUFFER_HEADER = struct.Struct("<QHHIIIQQQQQ4Q QIiQQ QIiQQ II16sII16s32s2Q")
TRAILER = struct.Struct("<QQQII")
FILE_MAGIC = int.from_bytes(b"EVTLOGF1", "little")
BLOCK_MAGIC = int.from_bytes(b"EVTLOGK1", "little")
TRAILER_MAGIC = int.from_bytes(b"EVTLOGT1", "little")
BUFFER_MAGIC = int.from_bytes(b"EVTLOGB1", "little")
BLOCK_BUFFER, BLOCK_INDEX, BLOCK_GAP = 1, 2, 3
DEFLATED, PACKED = 1, 2
FIRST, FLUSHED, FINAL, TSC_BAD = 1, 2, 4, 8
LOST_FULL, LOST_NMI, LOST_NESTED, LOST_LARGE = 0, 1, 2, 3
CTXT, SOFTIRQ, IRQ, VECTOR, SWITCHES, ICMP, REJECTED, IRQS, STEAL = range(9)

Record = collections.namedtuple("Record", "ticks type data words")


class Wrong(Exception):
    """The file is invalid."""


def need(claim, what):
    if not claim:
        raise Wrong(what)


class Buffer:
    """One kernel buffer: header and words"""

    def __init__(self, data):
        f = BUFFER_HEADER.unpack_from(data)
        (magic, abi, header_bytes, self.flags, self.cpu, used, self.run,
         self.sequence, self.ticks_hz, self.begin_ticks, self.end_ticks) = f[:11]
        self.lost = f[11:15]
        self.begin, self.end = f[15:20], f[20:25]
        self.begin_pid, self.context, self.begin_comm, self.cpus_in_run = f[25:29]
        self.tree_pid = f[29]
        self.run_name = f[31].rstrip(b"\0").decode()
        self.reference_ticks = f[32]
        need(magic == BUFFER_MAGIC, "a buffer's magic")
        need(abi in (1, 2) and header_bytes == 256, "a buffer's version")
        need(used == len(data) and used % 8 == 0, "used_bytes is not the block's length")
        need(self.begin_ticks <= self.end_ticks, "a buffer ends before it begins")
        self.words = array.array("Q", data[header_bytes:])


class Log:
    """A whole file: the host's text, types, and each CPU's buffers in order"""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.read_header()
        self.buffers = collections.defaultdict(list)
        self.gaps = []
        self.read_blocks()

    @classmethod
    def of_named(cls, path):
        """Reads a named buffer's file: checks each block and the end, but not their sequence."""
        log = cls.__new__(cls)
        with open(path, "rb") as file:
            log.data = file.read()
        log.read_header()
        log.buffers, log.gaps = collections.defaultdict(list), []
        place = log.first_block
        while place < len(log.data) - TRAILER.size:
            place = log.read_block(place)
        need(struct.unpack_from("<Q", log.data, place)[0] == TRAILER_MAGIC, "the file was not closed")
        return log

    def read_header(self):
        magic, version, size, self.run, _, text_bytes, crc = \
            FILE_HEADER.unpack_from(self.data)
        need(magic == FILE_MAGIC and version == 1, "the file's magic")
        head = bytearray(self.data[:size])
        head[44:48] = bytes(4)
        need(zlib.crc32(head) == crc, "the file header's CRC")
        self.first_block = size
        text = self.data[48:48 + text_bytes].decode()
        keys, _, form = text.partition("\n\n")
        self.text = dict(line.split("=", 1) for line in keys.splitlines())
        self.name, self.number, self.size = {}, {}, [0] * 64
        self.variable = {}
        for line in form.splitlines():
            word = line.split()
            if word[0] == "type":
                self.name[int(word[1])] = word[2]
                self.number[word[2]] = int(word[1])
                self.size[int(word[1])] = int(word[3])
                for field in word[4:]:
                    name, at, bit, bits, kind = field.split(":")
                    if kind == "z":
                        need(at == "0", "a size that is not in the first word")
                        self.variable[int(word[1])] = int(bit), (1 << int(bits)) - 1
            elif word[0] == "states":
                self.states = word[1]
            elif word[0] == "softirqs":
                self.softirqs = word[1:]
            elif word[0] == "ticks_hz":
                self.ticks_hz = int(word[1])

    def read_blocks(self):
        at, end, blocks, closed = self.first_block, len(self.data), 0, False
        while at < end:
            if struct.unpack_from("<Q", self.data, at)[0] == TRAILER_MAGIC:
                need(at + TRAILER.size == end, "data behind the trailer")
                _, index, listed, _, _ = TRAILER.unpack_from(self.data, at)
                need((index, listed) == (last, blocks - 1),
                     "the trailer's index, or its number of blocks")
                closed = True
                break
            last, at = at, self.read_block(at)
            blocks += 1
        need(closed, "the file was not closed")
        for cpu, buffers in self.buffers.items():
            for k, buffer in enumerate(buffers):
                need(buffer.sequence == k, f"CPU {cpu}: buffer {k} is missing")
                need(bool(buffer.flags & FIRST) == (k == 0), "the FIRST flag")
                need(not k or buffers[k - 1].end_ticks <= buffer.begin_ticks,
                     "buffers overlap")
            need(buffers[-1].flags & FINAL, f"CPU {cpu}: no FINAL buffer")
            need(buffers[-1].cpus_in_run == len(self.buffers), "cpus_in_run")

    def read_block(self, at):
        (magic, kind, flags, stored, raw, run, sequence, begin, end, cpu, _,
         payload_crc, header_crc) = BLOCK_HEADER.unpack_from(self.data, at)
        need(magic == BLOCK_MAGIC, f"a block's magic at {at}")
        need(zlib.crc32(self.data[at:at + 68] + bytes(4)) == header_crc,
             f"a block header's CRC at {at}")
        payload = self.data[at + 72:at + 72 + stored]
        need(zlib.crc32(payload) == payload_crc, f"a block's CRC at {at}")
        if flags & DEFLATED:
            payload = zlib.decompress(payload)
        elif flags & PACKED:
            payload = packed.unpack(payload, raw)
        need(len(payload) == raw, f"a block's length at {at}")
        if kind == BLOCK_BUFFER:
            buffer = Buffer(payload)
            need((buffer.run, buffer.sequence, buffer.cpu, buffer.begin_ticks,
                  buffer.end_ticks) == (run, sequence, cpu, begin, end),
                 f"block and buffer differ at {at}")
            need(run == self.run, f"a buffer of run {run} in run {self.run}")
            self.buffers[cpu].append(buffer)
        elif kind == BLOCK_GAP:
            self.gaps.append(payload)
        return at + 72 + (stored + 7) // 8 * 8

    def cpus(self):
        return sorted(self.buffers)

    def lost(self, cause=None, cpu=None):
        """Returns the lost records by the headers' counts, on one CPU or on all."""
        return sum(sum(b.lost) if cause is None else b.lost[cause]
                   for number, buffers in self.buffers.items() for b in buffers
                   if cpu is None or number == cpu)

    def start(self):
        """Returns the start of the run: where the first of its CPUs' parts begins."""
        return min(buffers[0].begin_ticks for buffers in self.buffers.values())

    def was_away(self, cpu):
        """Returns whether the CPU came online after the start, or went offline before the end."""
        buffers = self.buffers[cpu]
        return buffers[0].begin_ticks > self.start() or \
            any(b.flags & FLUSHED and not b.flags & FINAL for b in buffers)

    def records(self, cpu):
        """Yields every record of a CPU in order, including TIME records."""
        last = 0
        for buffer in self.buffers[cpu]:
            high = buffer.begin_ticks >> 32 << 32
            words, at, size, variable = buffer.words, 0, self.size, self.variable
            count = len(words)
            while at < count:
                word = words[at]
                kind = word >> 32 & 63
                length = size[kind]
                if kind in variable:
                    bit, mask = variable[kind]
                    length += ((word >> bit & mask) + 7) // 8
                need(length and at + length <= count,
                     f"CPU {cpu}: type {kind} at word {at}")
                if self.name[kind] == "time":
                    high = words[at + 1] >> 32 << 32
                ticks = high | word & 0xffffffff
                need(ticks >= last, f"CPU {cpu}: time goes back at word {at}")
                last = ticks
                yield Record(ticks, kind, word >> 38,
                             words[at:at + length] if length > 1 else ())
                at += length
            need(last <= buffer.end_ticks, f"CPU {cpu}: a record after the buffer's end")


def payload(record):
    """Returns the bytes after the first word of an EVENT or EVENT_FORMAT; padding must be zero."""
    size = record.data >> 14
    data = record.words[1:].tobytes() if size else b""
    need(len(data) == (size + 7) // 8 * 8, "a payload's length")
    need(not any(data[size:]), "padding that is not zero")
    return data[:size]


def event_id(record):
    return record.data & 0x3fff


class Counts:
    """Counts of recorded events, computed like the kernel's counters, and these counters"""

    def __init__(self, log):
        self.log = log
        self.types = {cpu: collections.Counter() for cpu in log.cpus()}
        self.softirqs = {cpu: collections.Counter() for cpu in log.cpus()}
        self.irqs = {cpu: collections.Counter() for cpu in log.cpus()}
        self.vectors = {cpu: collections.Counter() for cpu in log.cpus()}
        self.icmp = {"rx": collections.Counter(), "tx": collections.Counter()}
        self.messages = collections.Counter()
        self.readings = collections.defaultdict(dict)
        self.at_end = {}
        number = log.number
        for cpu in log.cpus():
            for record in log.records(cpu):
                self.types[cpu][record.type] += 1
                if record.type == number["softirq_entry"]:
                    self.softirqs[cpu][record.data] += 1
                elif record.type == number["irq_handler_entry"]:
                    self.irqs[cpu][record.data] += 1
                elif record.type == number["vector_entry"]:
                    self.vectors[cpu][record.data] += 1
                elif record.type == number["icmp_rx"]:
                    if not record.words[4]:
                        self.messages[cpu] += 1
                        # The kernel counts a message without a complete header, but not its type.
                        self.icmp["rx"][record.data & 255] += record.words[2] >> 32 >= 8
                elif record.type == number["icmp_tx"]:
                    self.icmp["tx"][record.data & 255] += not record.words[3]
                elif record.type == number["counter"]:
                    self.take_reading(cpu, record)
        for reading, told in self.at_end.items():
            need(self.recorded(*reading) == told, f"counter {reading} was read at the "
                 "end, and then came more of what it counts")
        self.add_zeros()

    def take_reading(self, cpu, record):
        """All counted events that the CPU recorded are between its two readings."""
        which, index, at_end = record.data >> 1 & 31, record.data >> 6, record.data & 1
        if which == STEAL:
            return
        reading = which, 0 if which == CTXT else cpu, index
        if which != CTXT:
            if at_end:
                self.at_end[reading] = self.recorded(*reading)
            elif not self.log.was_away(cpu):
                need(not self.recorded(*reading), f"counter {reading} was read at the "
                     "start, behind what it counts")
        self.readings[reading][at_end] = record.words[1]

    def add_zeros(self):
        """A CPU with a counter of switches omits lines that have not interrupted it."""
        for (which, cpu, index), reading in self.readings.items():
            if which == IRQ and 0 not in reading and self.is_whole(cpu):
                reading[0] = 0

    def is_whole(self, cpu):
        """Returns whether the CPU read its own counters at both ends."""
        return len(self.readings.get((SWITCHES, cpu, 0), ())) == 2

    def of(self, name, cpu=None):
        """Returns the number of records of a type, by its name, on one CPU or on all."""
        kind = self.log.number[name]
        if cpu is not None:
            return self.types[cpu][kind]
        return sum(types[kind] for types in self.types.values())

    def recorded(self, which, cpu, index):
        """Returns the number of records that a kernel counter must have counted."""
        if which == CTXT:
            return self.of("sched_switch")
        if which == SWITCHES:
            return self.of("sched_switch", cpu)
        if which == SOFTIRQ:
            return self.softirqs[cpu][index]
        if which == IRQ:
            return self.irqs[cpu][index]
        if which == IRQS:
            return sum(count for irq, count in self.irqs[cpu].items()
                       if (IRQ, cpu, irq) not in self.readings)
        if which == ICMP:
            return self.messages[cpu]
        name = self.log.name[index]
        if name == "call_function_entry":
            return self.of(name, cpu) + self.of("call_function_single_entry", cpu)
        return self.of(name, cpu)

    def deltas(self):
        """Yields (counter, cpu, index, recorded, counted by the kernel) for each."""
        for (which, cpu, index), reading in sorted(self.readings.items()):
            if len(reading) == 2:
                counted = reading[1] - reading[0]
                # These counters have 32 bits in the kernel.
                if which not in (CTXT, SWITCHES):
                    counted &= 0xffffffff
                yield (which, cpu, index, self.recorded(which, cpu, index), counted)

    def switches(self, cpus):
        """Returns the kernel's count for these CPUs, which have both readings."""
        readings = [self.readings[SWITCHES, cpu, 0] for cpu in cpus]
        return sum(reading[1] - reading[0] for reading in readings)
