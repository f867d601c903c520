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
 * evtlog_is_merged() - whether a file is a merged one
 * @path: the file
 *
 * Return: 1 if `evtlog merge -o` wrote it; 0 if not, or if it can't be read.
 */
int evtlog_is_merged(const char *path);

/**
 * evtlog_merged_open() - open a merged file and read what it says of its hosts
 * @path: the file
 * @mergedp: where the merged file is stored; close it with evtlog_merged_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: as evtlog_open().
 */
int evtlog_merged_open(const char *path, struct evtlog_merged **mergedp,
		       struct evtlog_error *error);

/**
 * evtlog_merged_open_bytes() - open a merged file in memory
 * @bytes: the whole file; stays the caller's and must live as long as the merged file
 * @length: of @bytes
 * @mergedp: where the merged file is stored; close it with evtlog_merged_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: as evtlog_open().
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
 * evtlog_merged_size_bytes() - size of a merged file
 * @merged: the merged file
 *
 * Return: bytes.
 */
uint64_t evtlog_merged_size_bytes(const struct evtlog_merged *merged);

/**
 * evtlog_merged_position() - how far a merged file was read, to show progress
 * @merged: the merged file
 *
 * Return: bytes, of evtlog_merged_size_bytes().
 */
uint64_t evtlog_merged_position(const struct evtlog_merged *merged);

/**
 * evtlog_merged_meta_at() - a line "key=value" of a merged file's header, by its number
 * @merged: the merged file
 * @number: of the line, from 0
 * @key: where the key is stored; it lives as long as @merged
 * @value: where the value is stored, likewise
 *
 * Return: true; false behind the last line.
 */
bool evtlog_merged_meta_at(const struct evtlog_merged *merged, size_t number,
			   const char **key, const char **value);

/**
 * evtlog_merged_meta() - a line "key=value" of a merged file's header, by its key
 * @merged: the merged file
 * @key: as in evtlog-file(5)
 *
 * Return: the value of the first such line; NULL if there is none.
 */
const char *evtlog_merged_meta(const struct evtlog_merged *merged, const char *key);

/**
 * evtlog_merged_hosts() - number of hosts of a merged file
 * @merged: the merged file
 *
 * Return: the count.
 */
size_t evtlog_merged_hosts(const struct evtlog_merged *merged);

/**
 * evtlog_merged_host_meta() - what the merge found out about a host, by its key
 * @merged: the merged file
 * @host: number of the host, from 0
 * @key: as in evtlog-file(5): "name", "method", "bound_ns", ...
 *
 * Return: the value; NULL if there is no such host or line.
 */
const char *evtlog_merged_host_meta(const struct evtlog_merged *merged, size_t host,
				    const char *key);

/**
 * evtlog_merged_file() - a host's own log, without its events
 * @merged: the merged file
 * @host: number of the host, from 0
 *
 * It serves to show events: types, names of softirqs, lines of its header.
 *
 * Return: the log, which lives as long as @merged; NULL behind the last host.
 */
const struct evtlog_file *evtlog_merged_file(const struct evtlog_merged *merged,
					     size_t host);

/**
 * evtlog_merged_tasks() - names of a host's tasks, as of the last event
 * @merged: the merged file
 * @host: number of the host, from 0
 *
 * Return: the names, which live as long as @merged; NULL behind the last host.
 */
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
 * evtlog_merged_next() - next event of a merged file
 * @merged: the merged file
 * @eventp: where the event is stored; it is valid until the next call
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

/**
 * evtlog_merged_end() - what the end of a merged file tells
 * @merged: the merged file
 *
 * Return: the totals, which live as long as @merged; NULL before evtlog_merged_next()
 * returned 0.
 */
const struct evtlog_merged_end *evtlog_merged_end(const struct evtlog_merged *merged);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_MERGED_H */
