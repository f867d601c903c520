/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The start of log files and merged files: a header, then text, under one checksum.
 *
 * Stage: read first of each file.  It does not depend on the kind of file or the text's meaning.
 */
#ifndef EVTLOG_LIB_FILE_HEADER_H
#define EVTLOG_LIB_FILE_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <evtlog/evtlog.h>
#include <evtlog/file.h>

#include "lib/base/head.h"

/*
 * ---- Source of a file's bytes: a descriptor or memory ----
 *
 * Files are read, not mapped: if a file is truncated in the meantime, reads are short, no SIGBUS.
 */

struct source {
	const uint8_t *bytes;	/* NULL: use fd */
	int fd;
	bool owns_fd;
	uint64_t size_bytes;
};

int source_open(struct source *source, const char *path);
int source_use_fd(struct source *source, int fd);
void source_use_bytes(struct source *source, const void *bytes, size_t length);
void source_close(struct source *source);

/* Returns the bytes read: @length unless the file ends before; -errno. */
ssize_t source_read(const struct source *source, void *to, size_t length,
		    uint64_t offset);

/* ---- Header ---- */

/* Fills in @error, if it is not NULL, and returns @result. */
int __attribute__((format(printf, 4, 5)))
head_fail(struct evtlog_error *error, int result, uint64_t offset,
	  const char *format, ...);

/*
 * Fills in @error for a header with @fault, which is not HEAD_ALIEN.
 * @what:	as for head_read()
 * @got:	number of its bytes that were read
 *
 * Return: as head_fault_error().
 */
int head_refuse(struct evtlog_error *error, const struct head_format *format, const char *what,
		const void *header, size_t got, enum head_fault fault);

/*
 * Reads the rest of a header and its text.
 * @what:	kind of file, for messages: "", "a merged file "
 * @format:	head_of_log, head_of_merged
 * @header:	its first @got bytes were read, and its magic is right
 * @textp:	the text, NUL-terminated; the caller frees it, also after an error
 *
 * Return: 0; -EPROTONOSUPPORT; -EBADMSG; -ENOMEM; -errno of read().
 */
int head_read(const struct source *source, const char *what,
	      const struct head_format *format, const struct evtlog_file_header *header,
	      size_t got, char **textp, struct evtlog_error *error);

/* ---- Lines "key=value" at the start of a text; meanings of keys are not used here ---- */

struct meta_line {
	const char *key;
	const char *value;
};

/* @lines point into the text that was parsed. */
struct meta {
	struct meta_line *lines;
	size_t count;
};

/*
 * Splits @text into lines, up to an empty line; modifies it.  Returns 0; *@rest is the text after
 * the empty line, NULL if none; -ENOMEM.
 */
int meta_parse(struct meta *meta, char *text, char **rest);
void meta_free(struct meta *meta);

/* Returns the value of the first line with @key; NULL if none. */
const char *meta_find(const struct meta *meta, const char *key);

/* Gets a line by number, from 0; returns false after the last. */
bool meta_at(const struct meta *meta, size_t number, const char **key,
	     const char **value);

#endif /* EVTLOG_LIB_FILE_HEADER_H */
