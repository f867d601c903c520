#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""model.py FULL.evl NAME OUT.evl - makes from a log of all tasks the log of one tree.

OUT.evl is the log that the kernel would have recorded of the tree in the same run. The tree is the
first task that executes a program NAME, and its descendants. Prints the pid of the root and the
pids of the tree. The model follows abi.h and uses none of the kernel's code.
"""
import array
import struct
import sys
import zlib

import evl

TREE_FLAG = 0x40
# Offsets in struct evtlog_buffer_header
FLAGS, BEGIN_PID, BEGIN_COMM, TREE_PID = 12, 160, 168, 188
PID_MASK = 0x3fffff << 38
OF_TASK = ("sched_waking", "sched_wakeup_new", "sched_migrate_task", "task", "sched_process_fork",
           "sched_process_exec", "sched_process_exit", "task_rename")
# Events that do not depend on a task
OF_ALL = ("time", "lost", "put", "put_at", "icmp_rx", "icmp_tx", "remote", "event", "event_format")
NOT_FILTERED = OF_TASK[3:] + OF_ALL


def pid_of(record):
    return record.data & 0x3fffff


def find_tree(log, name):
    forks, execs = [], []
    for cpu in log.cpus():
        for record in log.records(cpu):
            kind = log.name[record.type]
            if kind == "sched_process_fork":
                forks.append((record.ticks, record.words[1] & 0xffffffff, pid_of(record)))
            elif kind == "sched_process_exec":
                comm = record.words[2:4].tobytes().split(b"\0")[0].decode()
                execs.append((record.ticks, pid_of(record), comm))
    root = next((pid for _, pid, comm in sorted(execs) if comm == name), None)
    evl.need(root, f"nobody executes {name}")
    tree = {root}
    for _, parent, child in sorted(forks):
        if parent in tree:
            evl.need(child not in tree, f"pid {child} is used again")
            tree.add(child)
    return root, tree


class Model:
    def __init__(self, log, root, tree):
        self.log, self.root, self.tree = log, root, tree

    def told(self, pid):
        return pid if pid in self.tree else 0

    def record(self, record, words, running):
        """The words of this record in the log of the tree; None if the log has no such record"""
        name = self.log.name[record.type]
        if name == "sched_switch":
            if not (running in self.tree or pid_of(record) in self.tree):
                return None
            word = words[0] & ~PID_MASK | self.told(pid_of(record)) << 38
            if running not in self.tree:
                word &= (1 << 60) - 1
            return array.array("Q", [word])
        if name in OF_TASK:
            if pid_of(record) not in self.tree:
                return None
            words = array.array("Q", words)
            if name == "sched_process_fork":
                words[1] = words[1] >> 32 << 32 | self.told(words[1] & 0xffffffff)
            elif name == "task":
                words[1] = words[1] & 0xffffffff | self.told(words[1] >> 32) << 32
            return words
        if name == "counter":
            return None
        return words if name in OF_ALL or running in self.tree else None

    def buffers(self, cpu):
        """Yields each buffer with its words in the log of the tree."""
        log, its = self.log, list(self.log.buffers[cpu])
        running, records = its[0].begin_pid, iter(log.records(cpu))
        for buffer in its:
            words, at = array.array("Q"), 0
            while at < len(buffer.words):
                record = next(records)
                length = max(len(record.words), 1)
                kept = self.record(record, buffer.words[at:at + length], running)
                if kept is not None:
                    words.extend(kept)
                if log.name[record.type] == "sched_switch":
                    running = pid_of(record)
                at += length
            yield buffer, words

    def header(self, raw, begin_pid, used):
        raw = bytearray(raw)
        flags, = struct.unpack_from("<I", raw, FLAGS)
        struct.pack_into("<I", raw, FLAGS, flags | TREE_FLAG)
        struct.pack_into("<I", raw, TREE_PID, self.root)
        struct.pack_into("<I", raw, FLAGS + 8, used)
        if begin_pid not in self.tree:
            struct.pack_into("<I", raw, BEGIN_PID, 0)
            struct.pack_into("<I", raw, BEGIN_PID + 4, 0)
            raw[BEGIN_COMM:BEGIN_COMM + 16] = bytes(16)
        return bytes(raw)


def file_header(log, root):
    text = log.data[48:48 + struct.unpack_from("<I", log.data, 40)[0]].decode()
    keys, rest = text.split("\n\n", 1)
    lines = []
    for line in keys.splitlines():
        if line.startswith("events="):
            line = "events=" + " ".join(
                "~" + word[1:] if word[0] == "+" and word[1:] not in NOT_FILTERED else word
                for word in line[7:].split())
        lines.append(line)
    text = "\n".join([f"tree={root}", *lines, "", rest]).encode()
    size = (48 + len(text) + 7) // 8 * 8
    head = bytearray(log.data[:48] + text + bytes(size - 48 - len(text)))
    struct.pack_into("<II", head, 8, 1, size)
    struct.pack_into("<II", head, 40, len(text), 0)
    struct.pack_into("<I", head, 44, zlib.crc32(head))
    return bytes(head)


def block(kind, payload, run, sequence=0, begin=0, end=0, cpu=0):
    head = evl.BLOCK_HEADER.pack(evl.BLOCK_MAGIC, kind, 0, len(payload), len(payload), run,
                                 sequence, begin, end, cpu, 0, zlib.crc32(payload), 0)
    head = head[:68] + struct.pack("<I", zlib.crc32(head))
    return head + payload + bytes(-len(payload) % 8)


def raw_headers(log):
    """Returns {(CPU, sequence): buffer header} from the blocks of the file."""
    found, at = {}, log.first_block
    while struct.unpack_from("<Q", log.data, at)[0] == evl.BLOCK_MAGIC:
        fields = evl.BLOCK_HEADER.unpack_from(log.data, at)
        payload = log.data[at + 72:at + 72 + fields[3]]
        if fields[1] == evl.BLOCK_BUFFER:
            if fields[2] & evl.DEFLATED:
                payload = zlib.decompress(payload)
            elif fields[2] & evl.PACKED:
                payload = evl.packed.unpack(payload, fields[4])
            found[fields[9], fields[6]] = payload[:256]
        at += 72 + (fields[3] + 7) // 8 * 8
    return found


def write(log, model, path):
    out, index, raw = bytearray(file_header(log, model.root)), b"", raw_headers(log)
    for cpu in log.cpus():
        for buffer, words in model.buffers(cpu):
            payload = model.header(raw[cpu, buffer.sequence], buffer.begin_pid,
                                   256 + 8 * len(words)) + words.tobytes()
            index += struct.pack("<QQQQQIIII", len(out), buffer.sequence, buffer.begin_ticks,
                                 buffer.end_ticks, sum(buffer.lost), cpu,
                                 buffer.flags | TREE_FLAG, len(payload), len(payload))
            out += block(evl.BLOCK_BUFFER, payload, log.run, buffer.sequence, buffer.begin_ticks,
                         buffer.end_ticks, cpu)
    place = len(out)
    out += block(evl.BLOCK_INDEX, index, log.run)
    trailer = evl.TRAILER.pack(evl.TRAILER_MAGIC, place, len(index) // 56, 1, 0)
    out += trailer[:-4] + struct.pack("<I", zlib.crc32(trailer))
    with open(path, "wb") as file:
        file.write(out)


def main(full, name, path):
    log = evl.Log(full)
    root, tree = find_tree(log, name)
    write(log, Model(log, root, tree), path)
    print(root, *sorted(tree))


if __name__ == "__main__":
    main(*sys.argv[1:])
