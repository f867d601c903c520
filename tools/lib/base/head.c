// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Checks the headers of files, blocks and trailers.
 *
 * For the library, logd and the commands.  It does no I/O.
 */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>

#include "head.h"

/* Space that later versions may use between header and text. */
#define SLACK_BYTES	4096

#define LOG_HEAD(its_magic, its_version) {					\
	.magic = its_magic,							\
	.bytes = sizeof(struct evtlog_file_header),				\
	.version = its_version,							\
	.version_at = offsetof(struct evtlog_file_header, version),		\
	.version_bytes = 4,							\
	.length_at = offsetof(struct evtlog_file_header, header_bytes),		\
	.text_at = offsetof(struct evtlog_file_header, text_bytes),		\
	.crc_at = offsetof(struct evtlog_file_header, crc32),			\
}

const struct head_format head_of_log = LOG_HEAD(EVTLOG_FILE_MAGIC, EVTLOG_FILE_VERSION);
const struct head_format head_of_merged = LOG_HEAD(EVTLOG_MERGED_MAGIC, EVTLOG_MERGED_VERSION);

const struct head_format head_of_block = {
	.magic = EVTLOG_BLOCK_MAGIC,
	.bytes = sizeof(struct evtlog_block_header),
	.crc_at = offsetof(struct evtlog_block_header, header_crc32),
};

const struct head_format head_of_trailer = {
	.magic = EVTLOG_TRAILER_MAGIC,
	.bytes = sizeof(struct evtlog_file_trailer),
	.crc_at = offsetof(struct evtlog_file_trailer, crc32),
};

static uint32_t number_at(const void *head, size_t offset, size_t bytes)
{
	uint32_t number = 0;
	uint16_t narrow;

	if (bytes == sizeof(narrow)) {
		memcpy(&narrow, (const char *)head + offset, sizeof(narrow));
		return narrow;
	}
	memcpy(&number, (const char *)head + offset, sizeof(number));
	return number;
}

unsigned int head_version(const struct head_format *format, const void *head)
{
	return number_at(head, format->version_at, format->version_bytes);
}

static bool lengths_fit(const struct head_format *format, const void *head)
{
	uint32_t length, text = 0;

	if (!format->length_at)
		return true;
	length = number_at(head, format->length_at, format->version_bytes);
	if (format->text_at)
		text = number_at(head, format->text_at, sizeof(text));
	return text <= EVTLOG_FILE_TEXT_MAX_BYTES && length >= format->bytes + text &&
	       length <= format->bytes + EVTLOG_FILE_TEXT_MAX_BYTES + SLACK_BYTES;
}

enum head_fault head_check(const struct head_format *format, const void *head, size_t got)
{
	if (got < sizeof(format->magic) || memcmp(head, &format->magic, sizeof(format->magic)))
		return HEAD_ALIEN;
	if (got < format->bytes)
		return HEAD_SHORT;
	if (format->version_at && head_version(format, head) != format->version)
		return HEAD_VERSION;
	return lengths_fit(format, head) ? HEAD_GOOD : HEAD_LENGTHS;
}

bool head_sum_is_good(const struct head_format *format, const void *head, const void *rest,
		      size_t rest_bytes)
{
	static const uint8_t zeros[sizeof(uint32_t)];
	size_t behind = format->crc_at + sizeof(zeros);
	const uint8_t *bytes = head;
	uint32_t sum = crc32_z(0, bytes, format->crc_at);

	sum = crc32_z(sum, zeros, sizeof(zeros));
	sum = crc32_z(sum, bytes + behind, format->bytes - behind);
	if (rest)
		sum = crc32_z(sum, rest, rest_bytes);
	return sum == number_at(head, format->crc_at, sizeof(sum));
}

enum head_fault head_check_all(const struct head_format *format, const void *head, size_t got)
{
	enum head_fault fault = head_check(format, head, got);

	if (fault == HEAD_GOOD && !head_sum_is_good(format, head, NULL, 0))
		return HEAD_CHECKSUM;
	return fault;
}

const char *head_fault_text(enum head_fault fault)
{
	static const char *const texts[] = {
		[HEAD_SHORT] = "it ends within its header",
		[HEAD_VERSION] = "it is of another version",
		[HEAD_LENGTHS] = "its header's lengths contradict each other",
		[HEAD_CHECKSUM] = "its header's checksum is wrong",
	};

	return texts[fault];
}

int head_fault_error(enum head_fault fault)
{
	switch (fault) {
	case HEAD_GOOD:
		return 0;
	case HEAD_ALIEN:
		return -EMEDIUMTYPE;
	case HEAD_VERSION:
		return -EPROTONOSUPPORT;
	default:
		return -EBADMSG;
	}
}
