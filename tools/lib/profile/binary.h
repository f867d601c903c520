/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Profiles in binary: evtlog-profile(5).
 *
 *	head	magic, version, its own length, checksum of the body, length of the body
 *	body	about, strings, entries: numbers of 7 bits a byte, the lowest first
 *
 * A path is written once, however many tasks have it.
 */
#ifndef EVTLOG_LIB_PROFILE_BINARY_H
#define EVTLOG_LIB_PROFILE_BINARY_H

#include <stdint.h>

#define PROFILE_MAGIC	"evtlprf"	/* and its NUL: 8 bytes */
#define PROFILE_VERSION	1
/* With PROFILE_OF_THREADS; readers of before do not know these. */
#define PROFILE_VERSION_THREADS	2

struct profile_head {
	char magic[8];
	uint16_t version;
	uint16_t head_bytes;
	uint32_t crc;
	uint64_t body_bytes;
};

_Static_assert(sizeof(struct profile_head) == 24, "no padding");

/* What an entry is. */
enum { PROFILE_OF_TASK, PROFILE_OF_CPU, PROFILE_OF_ENDED, PROFILE_OF_THREADS };

/* Of struct evtlog_profile_about: bits */
#define PROFILE_IS_ON		1
#define PROFILE_IS_DIFF		2
#define PROFILE_IS_COMPENSATED	4

#endif /* EVTLOG_LIB_PROFILE_BINARY_H */
