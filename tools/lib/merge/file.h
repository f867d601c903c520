/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An open merged file: its hosts, and the position in its events.
 */
#ifndef EVTLOG_LIB_MERGE_FILE_H
#define EVTLOG_LIB_MERGE_FILE_H

#include "lib/file/file.h"
#include "lib/stream/task-names.h"

/* @meta points into @text; @file has a text of its own. */
struct merged_host {
	char *text;
	struct meta meta;
	struct evtlog_file *file;
	struct evtlog_tasks *tasks;
};

/*
 * @offset:	of the next block
 * @payload:	of the current events block; @pos to @end were not read yet
 * @host, @cpu, @time_ns: of the entry before
 */
struct evtlog_merged {
	struct source source;
	struct evtlog_file_header header;
	char *text;
	struct meta meta;
	struct merged_host *hosts;
	size_t host_count;

	uint64_t offset;
	uint64_t blocks;
	uint64_t records;
	uint8_t *payload;
	size_t payload_bytes;
	const uint8_t *pos;
	const uint8_t *end;
	uint64_t host;
	uint64_t cpu;
	int64_t time_ns;

	struct evtlog_merged_event event;
	struct evtlog_event inner;
	uint64_t words[UINT8_MAX + FORMAT_SIZE_WORDS_MAX];
	uint64_t translated[EVTLOG_RECORD_WORDS_MAX];

	bool ended;
	uint64_t *gaps;
	struct evtlog_merged_end totals;
};

/* Reads the header at merged->offset.  Returns 1; 0 at the end of the file; -EBADMSG; -errno. */
int merged_read_head(struct evtlog_merged *merged, struct evtlog_block_header *head);

/* Reads the payload of @head into merged->payload, and moves merged->offset to the next block. */
int merged_read_payload(struct evtlog_merged *merged,
			const struct evtlog_block_header *head);

#endif /* EVTLOG_LIB_MERGE_FILE_H */
