// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How files of both kinds begin: a header, then text, under one checksum.
 *
 * Stage: the first that is read of a file; see header.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "header.h"

int head_fail(struct evtlog_error *error, int result, uint64_t offset,
	      const char *format, ...)
{
	va_list args;

	if (!error)
		return result;
	error->offset = offset;
	va_start(args, format);
	vsnprintf(error->reason, sizeof(error->reason), format, args);
	va_end(args);
	return result;
}

int head_read(const struct source *source, const char *what, uint32_t version,
	      const struct evtlog_file_header *header, size_t got, char **textp,
	      struct evtlog_error *error)
{
	struct evtlog_file_header copy = *header;
	ssize_t all_got;
	uint8_t *all;
	uint32_t crc;

	if (got < sizeof(*header))
		return head_fail(error, -EBADMSG, got, "it ends within its header");
	if (header->version != version)
		return head_fail(error, -EPROTONOSUPPORT, 8,
				 "it is %sof version %u, this program reads version %u",
				 what, header->version, version);
	if (header->text_bytes > EVTLOG_FILE_TEXT_MAX_BYTES ||
	    header->header_bytes < sizeof(*header) + header->text_bytes ||
	    header->header_bytes > sizeof(*header) +
				   EVTLOG_FILE_TEXT_MAX_BYTES + 4096)
		return head_fail(error, -EBADMSG, 12,
				 "its header's lengths contradict each other");

	all = malloc(header->header_bytes + 1);
	if (!all)
		return head_fail(error, -ENOMEM, 0, "out of memory");
	*textp = (char *)all;
	all_got = source_read(source, all, header->header_bytes, 0);
	if (all_got < 0)
		return head_fail(error, all_got, 0, "%s", strerror(-all_got));
	if (all_got < (ssize_t)header->header_bytes)
		return head_fail(error, -EBADMSG, all_got,
				 "it ends within its header");
	copy.crc32 = 0;
	memcpy(all, &copy, sizeof(copy));
	crc = crc32(0, all, header->header_bytes);
	/* Only the text is kept. */
	memmove(all, all + sizeof(*header), header->text_bytes);
	all[header->text_bytes] = '\0';
	if (crc != header->crc32)
		return head_fail(error, -EBADMSG, 0,
				 "its header's checksum is wrong");
	return 0;
}
