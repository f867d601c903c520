/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes merged files, as <evtlog/file.h> describes them.
 *
 * Stage: between a merge and the disk.  It does not choose events or hosts; it
 * does not read: libevtlog does.
 */
#ifndef EVTLOG_MERGE_WRITE_H
#define EVTLOG_MERGE_WRITE_H

#include "lib/merge/iterator.h"
#include "report.h"
#include "wall-clock.h"

struct merged_writer;

/*
 * Makes @path with what is known of the hosts; it has another name until it is whole.
 * @level: of compression, 0 to 9.  Returns 0 or -errno.
 */
int merged_write_new(const char *path, int level, const struct report *report,
		     const struct real_points *real,
		     struct evtlog_file *const *files,
		     struct merged_writer **writerp);

/* The name of a task from here on.  0 or -errno. */
int merged_write_name(struct merged_writer *writer, size_t host,
		      const struct evtlog_task *task);

/* 0 or -errno. */
int merged_write_event(struct merged_writer *writer,
		       const struct iterator_event *event, bool doubtful);

/* Ends the file and gives it its name; @report has the counts.  0 or -errno. */
int merged_write_finish(struct merged_writer *writer, const struct report *report);

/* Removes what is not finished; NULL is fine. */
void merged_write_free(struct merged_writer *writer);

#endif /* EVTLOG_MERGE_WRITE_H */
