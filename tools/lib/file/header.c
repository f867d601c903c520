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

int head_refuse(struct evtlog_error *error, const struct head_format *format, const char *what,
		const void *header, size_t got, enum head_fault fault)
{
	int result = head_fault_error(fault);

	switch (fault) {
	case HEAD_VERSION:
		return head_fail(error, result, 8,
				 "it is %sof version %u, this program reads version %u", what,
				 head_version(format, header), format->version);
	case HEAD_LENGTHS:
		return head_fail(error, result, 12, "%s", head_fault_text(fault));
	default:
		return head_fail(error, result, got, "%s", head_fault_text(fault));
	}
}

int head_read(const struct source *source, const char *what,
	      const struct head_format *format, const struct evtlog_file_header *header,
	      size_t got, char **textp, struct evtlog_error *error)
{
	enum head_fault fault = head_check(format, header, got);
	size_t rest_bytes;
	ssize_t rest_got;
	char *rest;

	if (fault)
		return head_refuse(error, format, what, header, got, fault);
	rest_bytes = header->header_bytes - sizeof(*header);
	rest = malloc(rest_bytes + 1);
	if (!rest)
		return head_fail(error, -ENOMEM, 0, "out of memory");
	*textp = rest;
	rest_got = source_read(source, rest, rest_bytes, sizeof(*header));
	if (rest_got < 0)
		return head_fail(error, rest_got, 0, "%s", strerror(-rest_got));
	if ((size_t)rest_got < rest_bytes)
		return head_refuse(error, format, what, header, sizeof(*header) + rest_got,
				   HEAD_SHORT);
	if (!head_sum_is_good(format, header, rest, rest_bytes))
		return head_refuse(error, format, what, header, 0, HEAD_CHECKSUM);
	/* Of what is behind the text nothing is known yet. */
	rest[header->text_bytes] = '\0';
	return 0;
}
