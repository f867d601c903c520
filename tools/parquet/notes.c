// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What tables do not have of the logs, in words.
 *
 * Called by export.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "notes.h"

void notes_add(struct notes *notes, const struct tables_left_out *more)
{
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		notes->left_out.records[i] += more->records[i];
	notes->fields += more->fields;
	notes->snapshots += more->snapshots;
}

static void put_count(FILE *out, uint64_t count, const char *text)
{
	if (count)
		fprintf(out, "%" PRIu64 " %s\n", count, text);
}

char *notes_text(const struct notes *notes)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	left_out_put(&notes->left_out, out);
	put_count(out, notes->snapshots, "records of type task are threads: their state, "
		  "CPU, flags and run time are left out");
	put_count(out, notes->fields, "fields of events are left out: they are numbers "
		  "of more than 64 bits, or addresses not of 4 bytes");
	put_count(out, notes->cut, "texts are cut");
	put_count(out, notes->replaced, "bytes of texts are no UTF-8: U+FFFD is in their place");
	if (notes->slices)
		fputs("priority, io_wait and blocked_function are NULL: logs do not tell them\n",
		      out);
	if (notes->calls)
		fputs("system calls have neither arguments nor a return value: logs do not tell "
		      "them\n", out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
