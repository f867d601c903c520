/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes what a named buffer gets into a file, as logd does with a run.
 */
#ifndef EVTLOG_RECORD_NAMED_H
#define EVTLOG_RECORD_NAMED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * @was_deleted: the named buffer, before all of it was read
 * @is_cut:	a buffer that was read could not be written: it is lost, and nothing was read after it
 */
struct named_totals {
	uint64_t buffers;
	uint64_t bytes;
	uint64_t lost;
	bool was_deleted;
	bool is_cut;
};

/**
 * named_record() - until the named buffer has ended, or a signal says so (workload_signals())
 * @name:	the named buffer's
 * @path:	of the file, which must not be there
 * @totals:	filled in, also on failure
 *
 * Returns 0 or -errno, after saying what is wrong.
 */
int named_record(const char *name, const char *path, struct named_totals *totals);

#endif /* EVTLOG_RECORD_NAMED_H */
