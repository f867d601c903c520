/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merged files: the events of several hosts, as `evtlog merge -o` writes them.
 *
 * Stage: as log.h and stream.h in one, for files in which clocks are related and
 * events in order already.  It does not write them.
 */
#ifndef EVTLOG_MERGED_H
#define EVTLOG_MERGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/event.h>
#include <evtlog/log.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_tasks;
struct evtlog_merged;

/**
 * evtlog_is_merged() - whether a file is a merged one, as `evtlog merge -o` writes
 *
 * Return: 1; 0 also if it can't be read.
 */
int evtlog_is_merged(const char *path);

/**
 * evtlog_merged_open() - open a merged file and read what it says of its hosts
 *
 * Return: as evtlog_open().
 */
int evtlog_merged_open(const char *path, struct evtlog_merged **mergedp,
		       struct evtlog_error *error);

/** evtlog_merged_open_bytes() - the same for a file in memory, which must live as long */
int evtlog_merged_open_bytes(const void *bytes, size_t length,
			     struct evtlog_merged **mergedp,
			     struct evtlog_error *error);
void evtlog_merged_close(struct evtlog_merged *merged);

/** evtlog_merged_size_bytes() - size of the file, and how far it was read */
uint64_t evtlog_merged_size_bytes(const struct evtlog_merged *merged);
uint64_t evtlog_merged_position(const struct evtlog_merged *merged);

/** evtlog_merged_meta_at() - lines of its header, as evtlog_meta_at() */
bool evtlog_merged_meta_at(const struct evtlog_merged *merged, size_t number,
			   const char **key, const char **value);

/** evtlog_merged_meta() - as evtlog_meta(); the first such line */
const char *evtlog_merged_meta(const struct evtlog_merged *merged, const char *key);

/** evtlog_merged_hosts() - how many there are */
size_t evtlog_merged_hosts(const struct evtlog_merged *merged);

/** evtlog_merged_host_meta() - what the merge found out about the @host'th */
const char *evtlog_merged_host_meta(const struct evtlog_merged *merged, size_t host,
				    const char *key);

/**
 * evtlog_merged_file() - the @host'th host's own file, without its events
 *
 * It serves to show events: types, names of softirqs, lines of its header.
 */
const struct evtlog_file *evtlog_merged_file(const struct evtlog_merged *merged,
					     size_t host);

/** evtlog_merged_tasks() - names, as far as the events have come */
const struct evtlog_tasks *evtlog_merged_tasks(const struct evtlog_merged *merged,
					       size_t host);

/**
 * struct evtlog_merged_event - an event of a merged file
 * @time_ns, @from_ns: as of struct evtlog_host_event
 * @host: its number
 * @doubtful: whether it came before or after an event of another host above it is
 *	not known
 * @event: without times and begin_*; ticks are those of ICMP_RX and REMOTE only
 */
struct evtlog_merged_event {
	int64_t time_ns;
	int64_t from_ns;
	size_t host;
	bool doubtful;
	const struct evtlog_event *event;
};

/**
 * evtlog_merged_next() - the next event
 * @eventp: is valid until the next call
 *
 * Return: 1 and an event; 0 at the end; -ENODATA the file ends before its end;
 * -EBADMSG it is damaged here; -ENOMEM; -errno of read().
 */
int evtlog_merged_next(struct evtlog_merged *merged,
		       const struct evtlog_merged_event **eventp);

/**
 * struct evtlog_merged_end - what the end of a merged file tells
 * @gaps: for each host, times of which nothing is known
 */
struct evtlog_merged_end {
	uint64_t events;
	uint64_t doubtful;
	bool whole;
	const uint64_t *gaps;
};

/** evtlog_merged_end() - NULL before evtlog_merged_next() returned 0 */
const struct evtlog_merged_end *evtlog_merged_end(const struct evtlog_merged *merged);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_MERGED_H */
