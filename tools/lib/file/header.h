/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How files of both kinds begin: a header, then text, under one checksum.
 *
 * Stage: the first that is read of a file.  It does not know which kind it is,
 * nor what the text says.
 */
#ifndef EVTLOG_LIB_FILE_HEADER_H
#define EVTLOG_LIB_FILE_HEADER_H

#include <evtlog/evtlog.h>
#include <evtlog/file.h>

#include "lib/base/head.h"
#include "source.h"

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

#endif /* EVTLOG_LIB_FILE_HEADER_H */
