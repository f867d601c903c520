# SPDX-License-Identifier: GPL-2.0-or-later
"""Dumps a guest through QEMU's monitor, and compares the log recovered from the dump with the
guest's own log.
Usage: crash-buffers.py dump SOCKET FILE
       crash-buffers.py compare RECOVERED.evl WHOLE.evl
"""
import collections
import json
import socket
import struct
import sys
import zlib

import evl


def dump(path, target):
    monitor = socket.socket(socket.AF_UNIX)
    monitor.connect(path)
    stream = monitor.makefile("rw")
    stream.readline()

    def order(name, **arguments):
        stream.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        stream.flush()
        while True:
            answer = json.loads(stream.readline())
            if "error" in answer:
                sys.exit(f"{name}: {answer['error']['desc']}")
            if "return" in answer:
                return

    order("qmp_capabilities")
    order("stop")
    order("dump-guest-memory", paging=False, protocol="file:" + target)
    order("cont")


def recovered_buffers(path):
    """Returns the buffers of each CPU. evl.Log reads only closed files."""
    with open(path, "rb") as file:
        data = file.read()
    at, buffers = struct.unpack_from("<QII", data)[2], collections.defaultdict(list)
    while at < len(data):
        block = evl.BLOCK_HEADER.unpack_from(data, at)
        evl.need(block[0] == evl.BLOCK_MAGIC and block[1] == evl.BLOCK_BUFFER, "a block")
        payload = data[at + 72:at + 72 + block[3]]
        evl.need(zlib.crc32(payload) == block[11], "a block's CRC")
        buffers[block[9]].append(evl.Buffer(payload))
        at += 72 + (block[3] + 7) // 8 * 8
    return buffers


def compare(recovered, whole):
    recovered, whole = recovered_buffers(recovered), evl.Log(whole)
    evl.need(sorted(recovered) == sorted(whole.buffers), f"CPUs {sorted(recovered)}")
    for cpu, buffers in sorted(recovered.items()):
        true = whole.buffers[cpu]
        evl.need([b.sequence for b in buffers] == list(range(len(buffers))), "the sequence")
        for ours, theirs in zip(buffers[:-1], true):
            evl.need(vars(ours) == vars(theirs), f"CPU {cpu}: buffer {ours.sequence}")
        last, theirs = buffers[-1], true[len(buffers) - 1]
        count = len(last.words)
        evl.need(last.words == theirs.words[:count], f"CPU {cpu}: the buffer being written")
        evl.need((last.begin, last.begin_ticks, last.begin_pid, last.flags & evl.FIRST) ==
                 (theirs.begin, theirs.begin_ticks, theirs.begin_pid, theirs.flags & evl.FIRST),
                 f"CPU {cpu}: the header of the buffer being written")
        evl.need(last.end_ticks <= theirs.end_ticks, f"CPU {cpu}: the end")
        evl.need(len(buffers) > 3 and count, f"CPU {cpu}: too little to show anything")
        print(f"CPU {cpu}: {len(buffers) - 1} full buffers and {count} words of one being "
              f"written ({len(theirs.words)} when it was closed) are the guest's own")


if __name__ == "__main__":
    {"dump": dump, "compare": compare}[sys.argv[1]](*sys.argv[2:])
