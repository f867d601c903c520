/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tables do not have of the logs, in words.
 *
 * Stage: at the end of an export, for standard error (export/notes.h) and the metadata of the files.
 */
#ifndef EVTLOG_PARQUET_NOTES_H
#define EVTLOG_PARQUET_NOTES_H

#include <stdbool.h>

#include "lib/tables/tables.h"
#include "print/left-out.h"

/*
 * @left_out, @snapshots, @fields: of all hosts
 * @cut, @replaced: as of the dictionary
 * @slices, @calls: whether there are slices of CPUs, and system calls
 */
struct notes {
	struct left_out left_out;
	uint64_t snapshots;
	uint64_t fields;
	uint64_t cut;
	uint64_t replaced;
	bool slices;
	bool calls;
};

void notes_add(struct notes *notes, const struct tables_left_out *more);

/* A line each; to be freed; NULL: no memory. */
char *notes_text(const struct notes *notes);

#endif /* EVTLOG_PARQUET_NOTES_H */
