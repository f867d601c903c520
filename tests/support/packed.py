# SPDX-License-Identifier: GPL-2.0-or-later
"""Unpacks packed blocks, word by word as in packed.h.

Stage: for evl.py; parallel to tools/lib/codec/unpack.c, with no common code. It is slow, and stops
at the first error.
"""
import array
import struct

SEGMENT = struct.Struct("<5I")
CONTEXTS, SECOND, RECENT, NEW, ODD, SYMBOLS = 64, 464, 465, 466, 467, 468
SIZED = 255
MASK64 = (1 << 64) - 1


def hashed(tag, bits):
    return (tag * 0x9e3779b1 & 0xffffffff) >> (32 - bits)


def read_lengths(data):
    """Returns each context's {symbol: length}."""
    contexts, lengths, symbol = [], {}, 0
    for byte in data:
        if byte == 0:
            contexts.append(lengths)
            lengths, symbol = {}, 0
            continue
        symbol += byte >> 4
        if byte & 15:
            assert symbol < SYMBOLS and byte & 15 <= 11, "a code length"
            lengths[symbol] = byte & 15
            symbol += 1
    assert symbol == 0, "code lengths without an end"
    return contexts


def make_decoder(lengths):
    """Returns (symbol, length) for each possible next 11 bits; RFC 1951, 3.2.2."""
    table, code = [None] * 2048, 0
    for length in range(1, 12):
        code <<= 1
        for symbol in sorted(s for s in lengths if lengths[s] == length):
            first = int(format(code, f"0{length}b")[::-1], 2)
            for at in range(first, 2048, 1 << length):
                assert table[at] is None, "a code is used twice"
                table[at] = symbol, length
            code += 1
    return table


def unpack_segment(words_of, contexts, bits, extras, records, shift, out):
    position = 0
    # A shift of a large number costs time in proportion to its length: use a window of it.
    window, left, at = 0, 0, 0

    def look(count):
        nonlocal window, left, at
        while left < count:
            chunk = bits[at:at + 256]
            at += 256
            window |= int.from_bytes(chunk, "little") << left
            left += 2048
        return window & ((1 << count) - 1)

    def take(count):
        nonlocal window, left, position
        value = look(count)
        window >>= count
        left -= count
        position += count
        return value

    tables = [make_decoder(lengths) for lengths in contexts]
    numbers, guesses, recents, last_words = {}, {}, {}, {}
    before = ticks = next_extra = 0

    def context_of(tag):
        pair = before & 63, tag & 63
        if pair not in numbers:
            numbers[pair] = min(len(numbers) + 1, CONTEXTS - 1)
        return numbers[pair]

    def symbol_of(table):
        symbol, length = table[look(11)]
        take(length)
        return symbol

    for _ in range(records):
        # Tag, second guess, context
        guess = guesses.setdefault(hashed(before, 11), [0, 0, 0])
        symbol = symbol_of(tables[guess[2]])
        if symbol in (SECOND, RECENT, NEW):
            if symbol == SECOND:
                tag = guess[1]
            elif symbol == RECENT:
                tag = recents.get(take(6), 0)
            else:
                tag = take(32)
                recents[hashed(tag, 6)] = tag
            guess[:] = tag, guess[0], context_of(tag)
            symbol = symbol_of(tables[guess[2]])
        tag = guess[0]
        odd = 0
        if symbol == ODD:
            odd = take(shift)
            symbol = symbol_of(tables[guess[2]])
        assert symbol < SECOND, "a symbol that is no time"
        r = max(symbol // 16 - 1, 0)
        x = (symbol - 16 * r << r) + take(r)
        ticks = ticks + (x << shift) + odd & 0xffffffff
        out.append(tag << 32 | ticks)
        if words_of[tag & 63] == SIZED:
            size = (tag >> 20) + 7 & ~7
            out.frombytes(extras[next_extra:next_extra + size])
            next_extra += size
            before = tag
            continue
        last = last_words.setdefault(tag & 63, [0] * 8)
        assert words_of[tag & 63], "a record of a type that is not there"
        for k in range(1, words_of[tag & 63]):
            zigzag = bits_done = 0
            while True:
                byte = extras[next_extra]
                next_extra += 1
                zigzag |= (byte & 0x7f) << bits_done
                bits_done += 7
                if byte < 0x80:
                    break
            last[k] = last[k] + (zigzag >> 1 ^ -(zigzag & 1)) & MASK64
            out.append(last[k])
        before = tag
    assert (position + 7) // 8 == len(bits), "the bits' length"
    assert next_extra == len(extras), "the extras' length"


def unpack(payload, raw_bytes):
    """Returns the buffer of a packed payload."""
    header_bytes = struct.unpack_from("<H", payload, 10)[0]
    at, out = header_bytes, array.array("Q")
    while len(out) * 8 + header_bytes < raw_bytes:
        records, shift, codes, bits, extras = SEGMENT.unpack_from(payload, at)
        at += SEGMENT.size
        parts = []
        for length in (64, codes, bits, extras):
            parts.append(payload[at:at + length])
            assert len(parts[-1]) == length, "a segment is cut short"
            at += length
        before = len(out)
        unpack_segment(parts[0], read_lengths(parts[1]), parts[2], parts[3],
                       records, shift, out)
        assert len(out) - before >= 131072 or \
            len(out) * 8 + header_bytes == raw_bytes, "a short segment"
    assert at == len(payload), "bytes behind the last segment"
    return payload[:header_bytes] + out.tobytes()
