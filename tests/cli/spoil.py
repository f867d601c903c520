#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""spoil.py KIND LOG TO - writes a copy of a log that lacks data or is damaged

  header      only the file's header
  torn        the first buffer, and 1000 bytes of the second
  cut         all but the last buffer, the index and the trailer: it ends between two blocks
  bit         a flipped bit in the middle
  byte        a flipped bit in the second buffer
  first       a flipped bit in the first buffer of CPU 1
  payloads    a flipped bit in each buffer; all headers are correct
  strange     a record of an unknown type in every other buffer, and too many of logd's notes
  large       the last buffer of each CPU is larger than all before, so that loading it frees the
              memory of earlier buffers, and unusable
  lane        all buffers of CPU 1 are unusable
  gap         CPU 1 has only its first and its last buffer
  softirq     CPU 0 has only buffers from one on that begins within a softirq
  payload, block, none   the only buffer of CPU 1 has a damaged payload, has a damaged header, which
              contains the CPU, or is missing; the trailer is that of a complete run
"""
import struct
import sys
import zlib

from evl import BLOCK_BUFFER, BLOCK_HEADER

MAGIC = b"EVTLOGK1"
# Fields of a block's header
KIND, STORED, UNPACKED, CPU, PAYLOAD_CRC, CRC = 1, 3, 4, 9, 11, 12
CONTEXT = 164   # in a buffer's header
NOTES = 3


def blocks_of(data):
    """Yields (offset, header, payload) of each block."""
    at, = struct.unpack_from("<I", data, 12)
    while data[at:at + 8] == MAGIC:
        header = list(BLOCK_HEADER.unpack_from(data, at))
        yield at, header, data[at + BLOCK_HEADER.size:at + BLOCK_HEADER.size + header[STORED]]
        at += BLOCK_HEADER.size + (header[STORED] + 7) // 8 * 8


def block(header, payload):
    """Returns a block, with the right checksum of its header."""
    header[CRC] = 0
    header[CRC] = zlib.crc32(BLOCK_HEADER.pack(*header))
    return BLOCK_HEADER.pack(*header) + payload + bytes(-len(payload) % 8)


def with_unknown_types(head, buffers):
    out = head
    for number, (_, header, payload) in enumerate(buffers):
        if number % 2:
            # A type that the file does not describe
            payload = payload[:256] + struct.pack("<Q", 62 << 32) + payload[264:]
            header[PAYLOAD_CRC] = zlib.crc32(payload)
        out += block(header, payload)
    note = struct.pack("<QQQQQIi", 0, 0, 0, 0, 0, 0, 28)
    header = [header[0], NOTES, 0, len(note), len(note), header[5], 0, 0, 0, 0, 0, zlib.crc32(note), 0]
    return out + block(header, note) * 65536


def without_lone(kind, data, buffers):
    (at, header, _), = (one for one in buffers if one[1][CPU] == 1)
    end = at + BLOCK_HEADER.size + (header[STORED] + 7) // 8 * 8
    if kind == "none":
        data = data[:at] + data[end:]
    else:
        hit = at + (BLOCK_HEADER.size + 1000 if kind == "payload" else 24)
        data = data[:hit] + b"XXXXXXXX" + data[hit + 8:]
    trailer = data[-32:-8] + struct.pack("<I", 1)
    return data[:-32] + trailer + struct.pack("<I", zlib.crc32(trailer + bytes(4)))


def spoiled(kind, data):
    buffers = [one for one in blocks_of(data) if one[1][KIND] == BLOCK_BUFFER]
    head = data[:buffers[0][0]]
    last = {header[CPU]: at for at, header, _ in buffers}
    if kind == "header":
        return head
    if kind == "torn":
        return data[:buffers[1][0] + 1000]
    if kind == "cut":
        return data[:buffers[-1][0]]
    if kind in ("bit", "byte", "first", "payloads"):
        middles = [(at + BLOCK_HEADER.size + header[STORED] // 2, header[CPU]) for at, header, _ in buffers]
        hits = {"bit": [len(data) // 2], "byte": [middles[1][0]],
                "first": [at for at, cpu in middles if cpu == 1][:1], "payloads": [at for at, _ in middles]}
        out = bytearray(data)
        for at in hits[kind]:
            out[at] ^= 4
        return out
    if kind == "strange":
        return with_unknown_types(head, buffers)
    if kind in ("payload", "block", "none"):
        return without_lone(kind, data, buffers)
    if kind == "gap":
        mine = [at for at, header, _ in buffers if header[CPU] == 1]
        buffers = [one for one in buffers if one[0] not in mine[1:-1]]
    elif kind == "softirq":
        mine = [(at, payload[CONTEXT] & 1) for at, header, payload in buffers if header[CPU] == 0]
        first = next(at for at, is_softirq in mine[1:] if is_softirq)
        buffers = [one for one in buffers if one[1][CPU] or one[0] >= first]
    for at, header, _ in buffers:
        header[UNPACKED] += (kind == "large" and last[header[CPU]] == at) << 16
        header[PAYLOAD_CRC] ^= kind == "lane" and header[CPU] == 1
    return head + b"".join(block(header, payload) for _, header, payload in buffers)


with open(sys.argv[2], "rb") as file:
    whole = file.read()
with open(sys.argv[3], "wb") as file:
    file.write(spoiled(sys.argv[1], whole))
