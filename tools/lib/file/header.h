/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How files of both kinds begin: a header, then text, under one checksum.
 *
 * Stage: the first that is read of a file.  It does not know which kind it is,
 * nor what the text says.
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
 * ---- Where a file's bytes come from: a descriptor or memory ----
 *
 * They are read rather than mapped, so that a file cut meanwhile is short, not SIGBUS.
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

/* Bytes read: @length unless the file ends before; -errno. */
ssize_t source_read(const struct source *source, void *to, size_t length,
		    uint64_t offset);

/* ---- Header ---- */

/* Fills in @error, unless that is NULL, and returns @result. */
int __attribute__((format(printf, 4, 5)))
head_fail(struct evtlog_error *error, int result, uint64_t offset,
	  const char *format, ...);

/*
 * Says what is wrong with a header, which is no alien one.
 * @what:	as of head_read()
 * @got:	bytes of it that there are
 *
 * Return: what head_fault_error() does.
 */
int head_refuse(struct evtlog_error *error, const struct head_format *format, const char *what,
		const void *header, size_t got, enum head_fault fault);

/*
 * Reads the rest of a header and its text.
 * @what:	it is, for messages: "", "a merged file "
 * @format:	head_of_log, head_of_merged
 * @header:	its first @got bytes were read, and its magic is right
 * @textp:	the text, NUL-terminated; the caller's to free, also after an error
 *
 * Return: 0; -EPROTONOSUPPORT; -EBADMSG; -ENOMEM; -errno of read().
 */
int head_read(const struct source *source, const char *what,
	      const struct head_format *format, const struct evtlog_file_header *header,
	      size_t got, char **textp, struct evtlog_error *error);

/* ---- Lines "key=value" at the beginning of a text; what keys mean is not known here ---- */

struct meta_line {
	const char *key;
	const char *value;
};

/* @lines point into the text they were made of. */
struct meta {
	struct meta_line *lines;
	size_t count;
};

/*
 * Takes @text apart, up to an empty line.  Returns 0 and what is behind that in
 * *@rest, NULL if nothing; -ENOMEM.
 */
int meta_parse(struct meta *meta, char *text, char **rest);
void meta_free(struct meta *meta);

/* NULL if there is no such line; of several, the first. */
const char *meta_find(const struct meta *meta, const char *key);

/* By number from 0; false behind the last. */
bool meta_at(const struct meta *meta, size_t number, const char **key,
	     const char **value);

#endif /* EVTLOG_LIB_FILE_HEADER_H */
