/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merged files: the events of several hosts, as `evtlog dump -o` writes them.
 *
 * Stage: replaces log.h and stream.h for files in which clocks are already related and events are
 * in order.  It does not write merged files.
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
 * evtlog_is_merged() - check whether a file is a merged file
 * @path: the file
 *
 * Return: 1 if `evtlog dump -o` wrote it; 0 if not, or if it cannot be read.
 */
int evtlog_is_merged(const char *path);

/**
 * evtlog_merged_open() - open a merged file and read the data of its hosts
 * @path: the file
 * @mergedp: where the merged file is stored; close it with evtlog_merged_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: the same as evtlog_open().
 */
int evtlog_merged_open(const char *path, struct evtlog_merged **mergedp,
		       struct evtlog_error *error);

/**
 * evtlog_merged_open_bytes() - open a merged file in memory
 * @bytes: the whole file; owned by the caller; must outlive the merged file
 * @length: length of @bytes
 * @mergedp: where the merged file is stored; close it with evtlog_merged_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: the same as evtlog_open().
 */
int evtlog_merged_open_bytes(const void *bytes, size_t length,
			     struct evtlog_merged **mergedp,
			     struct evtlog_error *error);

/**
 * evtlog_merged_close() - close a merged file and free its memory
 * @merged: NULL is allowed
 */
void evtlog_merged_close(struct evtlog_merged *merged);

/**
 * evtlog_merged_size_bytes() - get the size of a merged file
 * @merged: the merged file
 *
 * Return: bytes.
 */
uint64_t evtlog_merged_size_bytes(const struct evtlog_merged *merged);

/**
 * evtlog_merged_position() - get the position in a merged file, to show progress
 * @merged: the merged file
 *
 * Return: bytes that were read, of evtlog_merged_size_bytes().
 */
uint64_t evtlog_merged_position(const struct evtlog_merged *merged);

/**
 * evtlog_merged_meta_at() - get a line "key=value" of the header by its number
 * @merged: the merged file
 * @number: number of the line, from 0
 * @key: where the key is stored; valid as long as @merged
 * @value: where the value is stored; valid as long as @merged
 *
 * Return: true; false after the last line.
 */
bool evtlog_merged_meta_at(const struct evtlog_merged *merged, size_t number,
			   const char **key, const char **value);

/**
 * evtlog_merged_meta() - get a line "key=value" of the header by its key
 * @merged: the merged file
 * @key: as in evtlog-file(5)
 *
 * Return: the value of the first line with this key; NULL if there is none.
 */
const char *evtlog_merged_meta(const struct evtlog_merged *merged, const char *key);

/**
 * evtlog_merged_hosts() - get the number of hosts
 * @merged: the merged file
 *
 * Return: the number.
 */
size_t evtlog_merged_hosts(const struct evtlog_merged *merged);

/**
 * evtlog_merged_host_meta() - get a result of the merge for a host by its key
 * @merged: the merged file
 * @host: number of the host, from 0
 * @key: as in evtlog-file(5): "name", "method", "bound_ns", ...
 *
 * Return: the value; NULL if there is no such host or line.
 */
const char *evtlog_merged_host_meta(const struct evtlog_merged *merged, size_t host,
				    const char *key);

/**
 * evtlog_merged_file() - get a host's own log, without its events
 * @merged: the merged file
 * @host: number of the host, from 0
 *
 * The log has the record types, the names of softirqs and the lines of the header.
 *
 * Return: the log, valid as long as @merged; NULL after the last host.
 */
const struct evtlog_file *evtlog_merged_file(const struct evtlog_merged *merged,
					     size_t host);

/**
 * evtlog_merged_tasks() - get the names of a host's tasks, as of the last event
 * @merged: the merged file
 * @host: number of the host, from 0
 *
 * Return: the names, valid as long as @merged; NULL after the last host.
 */
const struct evtlog_tasks *evtlog_merged_tasks(const struct evtlog_merged *merged,
					       size_t host);

/**
 * struct evtlog_merged_event - an event of a merged file
 * @time_ns, @from_ns: as in struct evtlog_host_event
 * @host: number of the host
 * @doubtful: true: the order of this event and an earlier event of another host is unknown
 * @event: the event, without times and begin_*; only ICMP_RX and REMOTE have ticks
 */
struct evtlog_merged_event {
	int64_t time_ns;
	int64_t from_ns;
	size_t host;
	bool doubtful;
	const struct evtlog_event *event;
};

/**
 * evtlog_merged_next() - read the next event of a merged file
 * @merged: the merged file
 * @eventp: where the event is stored; it is valid until the next call
 *
 * Return: 1 if an event was stored; 0 at the end; -ENODATA the file is truncated; -EBADMSG the file
 * is damaged here; -ENOMEM; -errno of read().
 */
int evtlog_merged_next(struct evtlog_merged *merged,
		       const struct evtlog_merged_event **eventp);

/**
 * struct evtlog_merged_end - totals from the end of a merged file
 * @events: number of records
 * @doubtful: records whose order is unknown
 * @whole: true: the hosts' files were read completely; false: only a part was requested
 * @gaps: number of gaps of each host
 */
struct evtlog_merged_end {
	uint64_t events;
	uint64_t doubtful;
	bool whole;
	const uint64_t *gaps;
};

/**
 * evtlog_merged_end() - get the totals from the end of a merged file
 * @merged: the merged file
 *
 * Return: the totals, valid as long as @merged; NULL before evtlog_merged_next() has returned 0.
 */
const struct evtlog_merged_end *evtlog_merged_end(const struct evtlog_merged *merged);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_MERGED_H */
