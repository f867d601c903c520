// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Implements Parquet's encodings of values.
 */
#include "encode.h"

/* A block of deltas has a minimum; each part of the block has its own bit width. */
#define BLOCK		128
#define PARTS		4
#define PART		(BLOCK / PARTS)

/* Packs values of @width bits, the low bits first; @to needs room for 8 additional bytes. */
static unsigned char *pack(unsigned char *to, const uint64_t *values, size_t count,
			   unsigned int width)
{
	unsigned int used = 0;
	uint64_t word = 0;

	if (!width)
		return to;
	for (size_t i = 0; i < count; i++) {
		word |= values[i] << used;
		used += width;
		if (used < 64)
			continue;
		memcpy(to, &word, sizeof(word));
		to += sizeof(word);
		used -= 64;
		word = used ? values[i] >> (width - used) : 0;
	}
	memcpy(to, &word, sizeof(word));
	return to + (used + 7) / 8;
}

static void put_block(struct bytes *to, const uint64_t *deltas, size_t count, uint64_t mask)
{
	uint64_t rest[BLOCK] = { 0 };
	int64_t least = deltas[0];
	unsigned char *widths, *end;

	for (size_t i = 1; i < count; i++)
		if ((int64_t)deltas[i] < least)
			least = deltas[i];
	for (size_t i = 0; i < count; i++)
		rest[i] = (deltas[i] - least) & mask;
	bytes_put_zigzag(to, least);
	widths = bytes_room(to, PARTS + BLOCK * sizeof(uint64_t) + sizeof(uint64_t));
	if (!widths)
		return;
	end = widths + PARTS;
	for (unsigned int part = 0; part < PARTS; part++) {
		uint64_t all = 0;

		for (unsigned int i = 0; i < PART; i++)
			all |= rest[part * PART + i];
		widths[part] = encode_width(all);
		/* Parts after the last value are left out. */
		if (part * PART < count)
			end = pack(end, rest + part * PART, PART, widths[part]);
	}
	to->count = end - to->at;
}

void encode_delta(struct bytes *to, const int64_t *values, size_t count, unsigned int bits)
{
	uint64_t mask = bits == 32 ? UINT32_MAX : UINT64_MAX;

	bytes_put_varint(to, BLOCK);
	bytes_put_varint(to, PARTS);
	bytes_put_varint(to, count);
	bytes_put_zigzag(to, count ? values[0] : 0);
	for (size_t at = 1; at < count; at += BLOCK) {
		size_t some = count - at < BLOCK ? count - at : BLOCK;
		uint64_t deltas[BLOCK];

		for (size_t i = 0; i < some; i++) {
			deltas[i] = (uint64_t)values[at + i] - (uint64_t)values[at + i - 1];
			if (bits == 32)
				deltas[i] = (int64_t)(int32_t)deltas[i];
		}
		put_block(to, deltas, some, mask);
	}
}

/* ---- Runs ---- */

#define GROUP	8
/* Shortest run that is worth its header */
#define RUN_MIN	16

static void put_packed(struct bytes *to, const uint32_t *values, size_t count, unsigned int width)
{
	size_t groups = (count + GROUP - 1) / GROUP;
	unsigned char *at;

	if (!count)
		return;
	bytes_put_varint(to, groups << 1 | 1);
	at = bytes_room(to, groups * width + sizeof(uint64_t));
	if (!at)
		return;
	for (size_t i = 0; i < groups; i++) {
		uint64_t group[GROUP] = { 0 };

		for (size_t k = 0; k < GROUP && i * GROUP + k < count; k++)
			group[k] = values[i * GROUP + k];
		pack(at, group, GROUP, width);
		at += width;
	}
	to->count = at - to->at;
}

void encode_run(struct bytes *to, uint32_t value, size_t count, unsigned int width)
{
	bytes_put_varint(to, count << 1);
	bytes_put_le(to, value, (width + 7) / 8);
}

void encode_rle(struct bytes *to, const uint32_t *values, size_t count, unsigned int width)
{
	size_t packed = 0;

	for (size_t at = 0; at < count;) {
		size_t run = 1, filler;

		while (at + run < count && values[at + run] == values[at])
			run++;
		/* Packed values are in groups of 8: fill the last group from the run. */
		filler = (GROUP - (at - packed) % GROUP) % GROUP;
		if (run < RUN_MIN + filler) {
			at += run;
			continue;
		}
		put_packed(to, values + packed, at + filler - packed, width);
		encode_run(to, values[at], run - filler, width);
		at += run;
		packed = at;
	}
	put_packed(to, values + packed, count - packed, width);
}

/* ---- Plain ---- */

void encode_bits(struct bytes *to, const int64_t *values, size_t count)
{
	unsigned char *at = bytes_room(to, (count + 7) / 8);

	if (!at)
		return;
	memset(at, 0, (count + 7) / 8);
	for (size_t i = 0; i < count; i++)
		at[i / 8] |= !!values[i] << i % 8;
	to->count += (count + 7) / 8;
}

void encode_plain(struct bytes *to, const int64_t *values, size_t count, unsigned int bytes)
{
	for (size_t i = 0; i < count; i++)
		bytes_put_le(to, values[i], bytes);
}
