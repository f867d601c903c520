/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What files, blocks and trailers begin with: magic, version, lengths, checksum.
 *
 * The library, logd and the commands check all of them here, each by the description of
 * its format.  It reads nothing, and does not look at what else a head says.
 */
#ifndef EVTLOG_LIB_BASE_HEAD_H
#define EVTLOG_LIB_BASE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct head_format - where a head has what; numbers are the machine's
 * @magic: its first 8 bytes
 * @bytes: of the struct
 * @version: that this program reads
 * @version_at: offset of it, @version_bytes wide, 2 or 4; 0: it has none
 * @length_at: offset of the head's own length, as wide, with what belongs to it; 0: none
 * @text_at: offset of the length of the text behind it, 4 bytes; 0: none
 * @crc_at: offset of the checksum, 4 bytes, which counts as 0 in it; 0: none
 */
struct head_format {
	uint64_t magic;
	uint16_t bytes;
	uint16_t version;
	uint8_t version_at;
	uint8_t version_bytes;
	uint8_t length_at;
	uint8_t text_at;
	uint8_t crc_at;
};

enum head_fault {
	HEAD_GOOD,
	HEAD_ALIEN,	/* another magic, or not even that */
	HEAD_SHORT,
	HEAD_VERSION,
	HEAD_LENGTHS,
	HEAD_CHECKSUM,
};

extern const struct head_format head_of_log, head_of_merged, head_of_block, head_of_trailer;

/**
 * head_check() - check all but the checksum
 * @head: at any address
 * @got: bytes of it that were read
 */
enum head_fault head_check(const struct head_format *format, const void *head, size_t got);

/**
 * head_sum_is_good() - whether the checksum is that of the head and what belongs to it
 * @rest: @rest_bytes behind the struct; NULL: none
 */
bool head_sum_is_good(const struct head_format *format, const void *head, const void *rest,
		      size_t rest_bytes);

/**
 * head_check_all() - check a head that has nothing behind it
 *
 * Return: as head_check(), or HEAD_CHECKSUM.
 */
enum head_fault head_check_all(const struct head_format *format, const void *head, size_t got);

/** head_fault_text() - "it ends within its header" and the like; NULL: good or alien */
const char *head_fault_text(enum head_fault fault);

/** head_fault_error() - 0, -EMEDIUMTYPE alien, -EPROTONOSUPPORT version, else -EBADMSG */
int head_fault_error(enum head_fault fault);

/* The version that @head says it is of. */
unsigned int head_version(const struct head_format *format, const void *head);

#endif /* EVTLOG_LIB_BASE_HEAD_H */
