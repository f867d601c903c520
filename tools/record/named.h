/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves a named buffer to a file, like logd saves a run.
 */
#ifndef EVTLOG_RECORD_NAMED_H
#define EVTLOG_RECORD_NAMED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * @was_deleted: the named buffer was deleted before all of it was read
 * @is_cut:	writing a buffer failed: it is lost, and no more buffers were read
 */
struct named_totals {
	uint64_t buffers;
	uint64_t bytes;
	uint64_t lost;
	bool was_deleted;
	bool is_cut;
};

/**
 * named_record() - save a named buffer until it ends, or until a signal (see workload_signals())
 * @name:	name of the named buffer
 * @path:	the file, which must not exist
 * @totals:	result, also on failure
 *
 * Prints errors.  Returns 0 or -errno.
 */
int named_record(const char *name, const char *path, struct named_totals *totals);

#endif /* EVTLOG_RECORD_NAMED_H */
