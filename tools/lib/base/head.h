/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Headers of files, blocks and trailers: magic, version, lengths, checksum.
 *
 * The library, logd and the commands check all of them here, each with the description of its
 * format.  The functions do no I/O and ignore all other fields.
 */
#ifndef EVTLOG_LIB_BASE_HEAD_H
#define EVTLOG_LIB_BASE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct head_format - layout of a header; numbers are in native byte order
 * @magic: the first 8 bytes
 * @bytes: size of the struct
 * @version: version that this program reads
 * @version_at: offset of the version; 0: none
 * @version_bytes: width of the version, 2 or 4
 * @length_at: offset of the total length, @version_bytes wide; it includes the text; 0: none
 * @text_at: offset of the length of the text that follows, 4 bytes; 0: none
 * @crc_at: offset of the checksum, 4 bytes, which are 0 when it is computed; 0: none
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
	HEAD_ALIEN,	/* another magic, or too short for a magic */
	HEAD_SHORT,
	HEAD_VERSION,
	HEAD_LENGTHS,
	HEAD_CHECKSUM,
};

extern const struct head_format head_of_log, head_of_merged, head_of_block, head_of_trailer;

/**
 * head_check() - checks all but the checksum
 * @head: at any address
 * @got: number of bytes of the header that were read
 */
enum head_fault head_check(const struct head_format *format, const void *head, size_t got);

/**
 * head_sum_is_good() - returns true if the checksum of the header and @rest is right
 * @rest: @rest_bytes that follow the struct; NULL if none
 */
bool head_sum_is_good(const struct head_format *format, const void *head, const void *rest,
		      size_t rest_bytes);

/**
 * head_check_all() - checks a header that has no data after it, with its checksum
 *
 * Return: as head_check(), or HEAD_CHECKSUM.
 */
enum head_fault head_check_all(const struct head_format *format, const void *head, size_t got);

/** head_fault_text() - "it ends within its header" and the like; NULL if good or alien */
const char *head_fault_text(enum head_fault fault);

/** head_fault_error() - 0; -EMEDIUMTYPE: alien; -EPROTONOSUPPORT: version; else -EBADMSG */
int head_fault_error(enum head_fault fault);

/* Returns the version field of @head. */
unsigned int head_version(const struct head_format *format, const void *head);

#endif /* EVTLOG_LIB_BASE_HEAD_H */
