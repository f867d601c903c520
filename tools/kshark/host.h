/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One host of a log or of a merged file, as one data stream of KernelShark has it.
 *
 * It gives the host's events in the order of time, and keeps what they say; load.h makes
 * KernelShark's entries of them, methods.h answers questions about these.
 */
#ifndef EVTLOG_KSHARK_HOST_H
#define EVTLOG_KSHARK_HOST_H

#include <stdbool.h>

#include <evtlog/evtlog.h>

#include "event-ids.h"
#include "lib/merge/iterator.h"
#include "names.h"
#include "print/fields.h"
#include "records.h"

struct tep_handle;

/*
 * @tep:	of scheduler.h; libkshark takes the first member of each stream's handle for it
 * @path:	the stream's
 * @merged:	NULL: @file is a log, and owned
 * @number:	of the host in @merged
 * @read:	@merged was read from, and has to be opened anew
 * @loaded:	entries were made before: the plug-ins know these
 * @seen:	ids of registered events that entries have
 */
struct host {
	struct tep_handle *tep;
	const char *path;
	struct evtlog_file *file;
	struct evtlog_merged *merged;
	size_t number;
	bool read;
	bool loaded;
	struct fields fields;
	struct records records;
	struct names names;
	bool seen[EVENT_IDS];
};

/**
 * host_open() - a host of a file
 * @path:	of the file; must live as long as the host
 * @number:	of the host, of a merged file; else 0
 *
 * Says on stderr what is wrong.  Returns 0 or -errno.
 */
int host_open(struct host **hostp, const char *path, size_t number);
void host_close(struct host *host);

/* Number of hosts in the host's file: 1 unless it is a merged one. */
size_t host_count(const struct host *host);

/* Its name; NULL: the file has none. */
const char *host_name(const struct host *host);

/* Which event an entry is of, by its own number for the reader; see host_each(). */
typedef int host_take(void *context, const struct iterator_event *at, uint64_t position);

/**
 * host_each() - give all events of the host to @take, but those that dump does not show
 *
 * What was kept before is dropped.  Of a merged file that ends before its end, or is damaged,
 * what can be read is given, and that is said on stderr.  Returns 0 or -errno, also that of
 * @take.
 */
int host_each(struct host *host, host_take *take, void *context);

#endif /* EVTLOG_KSHARK_HOST_H */
