// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The start of log files and merged files: a header, then text, under one checksum.
 *
 * Stage: read first of each file; see header.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "header.h"
#include "lib/base/io.h"

/* ---- Bytes ---- */

int source_open(struct source *source, const char *path)
{
	/* A pipe without a writer must not block; source_use_fd() refuses it. */
	int error, fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	error = source_use_fd(source, fd);
	if (error) {
		close(fd);
		return error;
	}
	source->owns_fd = true;
	return 0;
}

int source_use_fd(struct source *source, int fd)
{
	struct stat stat;
	off_t end;

	memset(source, 0, sizeof(*source));
	if (fstat(fd, &stat))
		return -errno;
	if (S_ISDIR(stat.st_mode))
		return -EISDIR;
	/* Not st_size, which is 0 for block devices. */
	end = lseek(fd, 0, SEEK_END);
	if (end < 0)
		return -errno;
	source->fd = fd;
	source->size_bytes = end;
	return 0;
}

void source_use_bytes(struct source *source, const void *bytes, size_t length)
{
	memset(source, 0, sizeof(*source));
	source->bytes = bytes;
	source->size_bytes = length;
}

void source_close(struct source *source)
{
	if (source->owns_fd)
		close(source->fd);
	memset(source, 0, sizeof(*source));
}

static ssize_t read_bytes(const struct source *source, void *to, size_t length,
			  uint64_t offset)
{
	if (offset >= source->size_bytes)
		return 0;
	if (length > source->size_bytes - offset)
		length = source->size_bytes - offset;
	memcpy(to, source->bytes + offset, length);
	return length;
}

ssize_t source_read(const struct source *source, void *to, size_t length,
		    uint64_t offset)
{
	if (source->bytes)
		return read_bytes(source, to, length, offset);
	return io_read_at(source->fd, to, length, offset);
}

/* ---- Header ---- */

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
	/* Bytes after the text are not used yet. */
	rest[header->text_bytes] = '\0';
	return 0;
}

/* ---- Lines "key=value" ---- */

int meta_parse(struct meta *meta, char *text, char **rest)
{
	char *line, *value;
	size_t lines = 1;

	*rest = text;
	for (const char *at = text; *at && *at != '\n'; at++) {
		at = strchr(at, '\n');
		if (!at)
			break;
		lines++;
	}
	meta->count = 0;
	meta->lines = calloc(lines, sizeof(*meta->lines));
	if (!meta->lines)
		return -ENOMEM;
	while ((line = strsep(rest, "\n")) && *line) {
		value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = '\0';
		meta->lines[meta->count++] = (struct meta_line) {
			.key = line,
			.value = value,
		};
	}
	return 0;
}

void meta_free(struct meta *meta)
{
	free(meta->lines);
	meta->lines = NULL;
	meta->count = 0;
}

const char *meta_find(const struct meta *meta, const char *key)
{
	for (size_t i = 0; i < meta->count; i++)
		if (!strcmp(meta->lines[i].key, key))
			return meta->lines[i].value;
	return NULL;
}

bool meta_at(const struct meta *meta, size_t number, const char **key,
	     const char **value)
{
	if (number >= meta->count)
		return false;
	*key = meta->lines[number].key;
	*value = meta->lines[number].value;
	return true;
}
