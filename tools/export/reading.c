// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The events of a host while its log is exported.
 */
#include "reading.h"

int reading_begin(struct reading *reading, struct evtlog_file *file, const char *name,
		  struct span span)
{
	bool later = span.from_ns > evtlog_begin_ns(file);
	int error;

	reading->span = span;
	reading->count = 0;
	error = iterator_of_log(&reading->iterator, file, later ? span.from_ns : 0, NULL);
	progress_begin(&reading->progress, name, reading->iterator.all_bytes);
	return error;
}

void reading_end(struct reading *reading)
{
	progress_end(&reading->progress);
	iterator_end(&reading->iterator);
}
