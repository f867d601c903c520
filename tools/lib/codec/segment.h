/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Definitions for packing and unpacking a segment: see <evtlog/packed.h>.
 *
 * Stage: shared by pack.c and unpack.c.
 */
#ifndef EVTLOG_LIB_CODEC_SEGMENT_H
#define EVTLOG_LIB_CODEC_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/packed.h>

#define CONTEXTS	EVTLOG_PACKED_CONTEXTS
#define SYMBOLS		EVTLOG_PACKED_SYMBOLS
#define CODE_BITS	EVTLOG_PACKED_CODE_BITS
#define TYPES		(EVTLOG_TYPE_MAX + 1)
#define WORDS_MAX	EVTLOG_PACKED_WORDS_MAX

_Static_assert(EVTLOG_RECORD_WORDS_MAX <= WORDS_MAX, "a packed block can hold any record");

/* Shifts by a variable number take a fifth less time with the instructions of newer processors. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define FOR_EACH_PROCESSOR
#endif

/* The guess of what follows a tag; pack.c and unpack.c store @context in different forms */
struct guess {
	uint32_t tag;
	uint32_t second;
	uint32_t context;
	uint32_t unused;	/* so that an index is a shift */
};

/* A difference as a number with the sign in the lowest bit, and back */
static inline uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static inline uint64_t from_zigzag(uint64_t number)
{
	return number >> 1 ^ -(number & 1);
}

/* Returns true if records of a type contain their own size */
static inline bool is_sized(uint32_t tag)
{
	uint64_t type = tag & EVTLOG_TYPE_MAX;

	return type == EVTLOG_EVENT || type == EVTLOG_EVENT_FORMAT;
}

#endif /* EVTLOG_LIB_CODEC_SEGMENT_H */
