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

#include "source.h"

/* Fills in @error, unless that is NULL, and returns @result. */
int __attribute__((format(printf, 4, 5)))
head_fail(struct evtlog_error *error, int result, uint64_t offset,
	  const char *format, ...);

/*
 * Reads the rest of a header and its text.
 * @what:	it is, for messages: "", "a merged file "
 * @version:	that the caller reads
 * @header:	its first @got bytes were read, and its magic is right
 * @textp:	the text, NUL-terminated; the caller's to free, also after an error
 *
 * Return: 0; -EPROTONOSUPPORT; -EBADMSG; -ENOMEM; -errno of read().
 */
int head_read(const struct source *source, const char *what, uint32_t version,
	      const struct evtlog_file_header *header, size_t got, char **textp,
	      struct evtlog_error *error);

#endif /* EVTLOG_LIB_FILE_HEADER_H */
