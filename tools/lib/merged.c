// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads merged files: the events of many hosts as `evtlog merge -o` wrote them.
 *
 * Stage: between such a file and whoever shows it.  It does not merge: hosts-merge.c
 * does.  It trusts nothing it reads.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file.h"
#include "tasks.h"

#define HEADER_BYTES	sizeof(struct evtlog_block_header)
#define HOSTS_LIMIT	(1u << 20)

/* @text holds what @meta points to; @file has its own. */
struct merged_host {
	char *text;
	struct meta meta;
	struct evtlog_file *file;
	struct evtlog_tasks *tasks;
};

/*
 * @offset:	of the next block
 * @payload:	of the current events block, @pos to @end of it still to come
 * @stored:	a deflated payload on its way
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
	uint64_t words[UINT8_MAX];
	uint64_t translated[FORMAT_KNOWN_WORDS_MAX];

	bool ended;
	uint64_t *gaps;
	struct evtlog_merged_end totals;
};

static int __attribute__((format(printf, 4, 5)))
fail(struct evtlog_error *error, int result, uint64_t offset,
     const char *format, ...)
{
	va_list args;

	if (!error)
		return result;
	error->offset = offset;
	va_start(args, format);
	vsnprintf(error->reason, sizeof(error->reason), format, args);
	va_end(args);
	return result;
}

/* ---- Blocks ---- */

/* Reads the head at merged->offset: 1; 0 the file ends here; -EBADMSG, -errno. */
static int read_head(struct evtlog_merged *merged, struct evtlog_block_header *head)
{
	ssize_t got = source_read(&merged->source, head, sizeof(*head),
				  merged->offset);

	if (got <= 0)
		return got;
	if ((size_t)got < sizeof(*head))
		return -ENODATA;
	return block_header_valid(head) ? 1 : -EBADMSG;
}

static int inflate_payload(const uint8_t *from, uint32_t from_bytes, uint8_t *to,
			   uint32_t to_bytes)
{
	uLongf bytes = to_bytes;
	int result = uncompress(to, &bytes, from, from_bytes);

	if (result == Z_MEM_ERROR)
		return -ENOMEM;
	return result == Z_OK && bytes == to_bytes ? 0 : -EBADMSG;
}

/* Reads the payload of @head into merged->payload and goes behind it. */
static int read_payload(struct evtlog_merged *merged,
			const struct evtlog_block_header *head)
{
	uint64_t left = merged->source.size_bytes - merged->offset;
	uint8_t *stored, *payload;
	ssize_t got;
	int error = 0;

	if (HEADER_BYTES + head->stored_bytes > left)
		return -ENODATA;
	free(merged->payload);
	merged->payload = NULL;
	merged->payload_bytes = head->raw_bytes;
	stored = malloc((size_t)head->stored_bytes + 1);
	payload = stored;
	if (!stored)
		return -ENOMEM;
	got = source_read(&merged->source, stored, head->stored_bytes,
			  merged->offset + HEADER_BYTES);
	if (got < (ssize_t)head->stored_bytes)
		error = got < 0 ? got : -ENODATA;
	else if (crc32(0, stored, head->stored_bytes) != head->payload_crc32)
		error = -EBADMSG;
	if (!error && (head->flags & EVTLOG_BLOCK_DEFLATE)) {
		payload = malloc((size_t)head->raw_bytes + 1);
		error = payload ? inflate_payload(stored, head->stored_bytes,
						  payload, head->raw_bytes) :
				  -ENOMEM;
		free(stored);
	}
	if (error) {
		free(payload);
		return error;
	}
	payload[head->raw_bytes] = '\0';
	merged->payload = payload;
	merged->offset += HEADER_BYTES + ((head->stored_bytes + 7u) & ~7u);
	return 0;
}

/* ---- Opening ---- */

static int read_file_header(struct evtlog_merged *merged, struct evtlog_error *error)
{
	struct evtlog_file_header *header = &merged->header, copy;
	ssize_t got = source_read(&merged->source, header, sizeof(*header), 0);
	uint8_t *all;
	uint32_t crc;
	char *rest;

	if (got < 0)
		return fail(error, got, 0, "%s", strerror(-got));
	if (got < (ssize_t)sizeof(header->magic) ||
	    header->magic != EVTLOG_MERGED_MAGIC)
		return fail(error, -EMEDIUMTYPE, 0, "it is not a merged file");
	if ((size_t)got < sizeof(*header))
		return fail(error, -EBADMSG, got, "it ends within its header");
	if (header->version != EVTLOG_MERGED_VERSION)
		return fail(error, -EPROTONOSUPPORT, 8,
			    "it is a merged file of version %u, this program reads version %u",
			    header->version, EVTLOG_MERGED_VERSION);
	if (header->text_bytes > EVTLOG_FILE_TEXT_MAX_BYTES ||
	    header->header_bytes < sizeof(*header) + header->text_bytes ||
	    header->header_bytes > sizeof(*header) + EVTLOG_FILE_TEXT_MAX_BYTES + 4096)
		return fail(error, -EBADMSG, 12,
			    "its header's lengths contradict each other");
	all = malloc(header->header_bytes + 1);
	if (!all)
		return fail(error, -ENOMEM, 0, "out of memory");
	merged->text = (char *)all;
	got = source_read(&merged->source, all, header->header_bytes, 0);
	if (got < (ssize_t)header->header_bytes)
		return fail(error, got < 0 ? got : -EBADMSG, 0,
			    "it ends within its header");
	copy = *header;
	copy.crc32 = 0;
	memcpy(all, &copy, sizeof(copy));
	crc = crc32(0, all, header->header_bytes);
	if (crc != header->crc32)
		return fail(error, -EBADMSG, 0, "its header's checksum is wrong");
	memmove(all, all + sizeof(*header), header->text_bytes);
	all[header->text_bytes] = '\0';
	if (meta_parse(&merged->meta, merged->text, &rest))
		return fail(error, -ENOMEM, 0, "out of memory");
	merged->offset = header->header_bytes;
	return 0;
}

static int add_host(struct evtlog_merged *merged, struct evtlog_error *error)
{
	struct merged_host *host = &merged->hosts[merged->host_count];
	char *rest, *own;

	host->text = (char *)merged->payload;
	merged->payload = NULL;
	merged->host_count++;
	if (meta_parse(&host->meta, host->text, &rest))
		return fail(error, -ENOMEM, 0, "out of memory");
	own = strdup(rest ? rest : "");
	host->tasks = tasks_new_empty();
	if (!own || !host->tasks) {
		free(own);
		return fail(error, -ENOMEM, 0, "out of memory");
	}
	return file_of_text(own, &host->file, error);
}

static int read_hosts(struct evtlog_merged *merged, struct evtlog_error *error)
{
	const char *text = meta_find(&merged->meta, "hosts");
	uint64_t count = text ? strtoull(text, NULL, 10) : 0;

	/* Each takes a block; a forged number asks for no more than there can be. */
	if (!count || count > HOSTS_LIMIT ||
	    count > merged->source.size_bytes / HEADER_BYTES)
		return fail(error, -EBADMSG, 0, "its header does not say how many hosts it holds");
	merged->hosts = calloc(count, sizeof(*merged->hosts));
	merged->gaps = calloc(count, sizeof(*merged->gaps));
	if (!merged->hosts || !merged->gaps)
		return fail(error, -ENOMEM, 0, "out of memory");
	while (merged->host_count < count) {
		struct evtlog_block_header head;
		uint64_t offset = merged->offset;
		int result = read_head(merged, &head);

		if (result > 0 && (head.kind != EVTLOG_BLOCK_HOST ||
				   head.sequence != merged->host_count))
			result = -EBADMSG;
		if (result > 0)
			result = read_payload(merged, &head);
		else if (!result)
			result = -ENODATA;
		if (result == -ENOMEM)
			return fail(error, result, offset, "out of memory");
		if (result)
			return fail(error, -EBADMSG, offset,
				    "what it says of its hosts is damaged");
		result = add_host(merged, error);
		if (result)
			return result;
	}
	return 0;
}

static int open_any(const char *path, const void *bytes, size_t length,
		    struct evtlog_merged **mergedp, struct evtlog_error *error)
{
	struct evtlog_merged *merged = calloc(1, sizeof(*merged));
	int result = 0;

	*mergedp = NULL;
	if (!merged)
		return fail(error, -ENOMEM, 0, "out of memory");
	if (path)
		result = source_open(&merged->source, path);
	else
		source_use_bytes(&merged->source, bytes ? bytes : "", length);
	if (result) {
		free(merged);
		return fail(error, result, 0, "%s", strerror(-result));
	}
	result = read_file_header(merged, error);
	if (!result)
		result = read_hosts(merged, error);
	if (result)
		evtlog_merged_close(merged);
	else
		*mergedp = merged;
	return result;
}

int evtlog_merged_open(const char *path, struct evtlog_merged **mergedp,
		       struct evtlog_error *error)
{
	return open_any(path, NULL, 0, mergedp, error);
}

int evtlog_merged_open_bytes(const void *bytes, size_t length,
			     struct evtlog_merged **mergedp,
			     struct evtlog_error *error)
{
	return open_any(NULL, bytes, length, mergedp, error);
}

int evtlog_is_merged(const char *path)
{
	uint64_t magic = 0;
	struct source source;
	ssize_t got;

	if (source_open(&source, path))
		return 0;
	got = source_read(&source, &magic, sizeof(magic), 0);
	source_close(&source);
	return got == sizeof(magic) && magic == EVTLOG_MERGED_MAGIC;
}

void evtlog_merged_close(struct evtlog_merged *merged)
{
	if (!merged)
		return;
	for (size_t i = 0; i < merged->host_count; i++) {
		struct merged_host *host = &merged->hosts[i];

		evtlog_close(host->file);
		evtlog_tasks_free(host->tasks);
		meta_free(&host->meta);
		free(host->text);
	}
	free(merged->hosts);
	free(merged->gaps);
	free(merged->payload);
	meta_free(&merged->meta);
	free(merged->text);
	source_close(&merged->source);
	free(merged);
}

/* ---- About it ---- */

uint64_t evtlog_merged_size_bytes(const struct evtlog_merged *merged)
{
	return merged->source.size_bytes;
}

uint64_t evtlog_merged_position(const struct evtlog_merged *merged)
{
	return merged->offset;
}

bool evtlog_merged_meta_at(const struct evtlog_merged *merged, size_t number,
			   const char **key, const char **value)
{
	return meta_at(&merged->meta, number, key, value);
}

const char *evtlog_merged_meta(const struct evtlog_merged *merged, const char *key)
{
	return meta_find(&merged->meta, key);
}

size_t evtlog_merged_hosts(const struct evtlog_merged *merged)
{
	return merged->host_count;
}

const char *evtlog_merged_host_meta(const struct evtlog_merged *merged, size_t host,
				    const char *key)
{
	return host < merged->host_count ?
	       meta_find(&merged->hosts[host].meta, key) : NULL;
}

const struct evtlog_file *evtlog_merged_file(const struct evtlog_merged *merged,
					     size_t host)
{
	return host < merged->host_count ? merged->hosts[host].file : NULL;
}

const struct evtlog_tasks *evtlog_merged_tasks(const struct evtlog_merged *merged,
					       size_t host)
{
	return host < merged->host_count ? merged->hosts[host].tasks : NULL;
}

const struct evtlog_merged_end *evtlog_merged_end(const struct evtlog_merged *merged)
{
	return merged->ended ? &merged->totals : NULL;
}

/* ---- Events ---- */

/* A number of 7 bits a byte.  Returns whether there is one. */
static bool take_number(struct evtlog_merged *merged, uint64_t *number)
{
	uint64_t sum = 0;

	for (unsigned int shift = 0; shift < 64 && merged->pos < merged->end;
	     shift += 7) {
		uint8_t byte = *merged->pos++;

		sum |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*number = sum;
			return true;
		}
	}
	return false;
}

static bool take_bytes(struct evtlog_merged *merged, void *to, size_t bytes)
{
	if ((size_t)(merged->end - merged->pos) < bytes)
		return false;
	memcpy(to, merged->pos, bytes);
	merged->pos += bytes;
	return true;
}

/* What it is of a NAME: 0 or -errno. */
static int take_name(struct evtlog_merged *merged)
{
	char comm[EVTLOG_COMM_LEN];
	uint64_t host, pid;

	if (!take_number(merged, &host) || host >= merged->host_count ||
	    !take_number(merged, &pid) || pid > UINT32_MAX ||
	    !take_bytes(merged, comm, sizeof(comm)))
		return -EBADMSG;
	return tasks_set_comm(merged->hosts[host].tasks, pid, comm);
}

static bool take_record(struct evtlog_merged *merged)
{
	const struct format *format = &merged->hosts[merged->host].file->format;
	const struct evtlog_type_info *type;
	struct evtlog_event *event = &merged->inner;
	unsigned int number;
	uint32_t upper;

	if (!take_bytes(merged, &upper, sizeof(upper)))
		return false;
	number = upper & EVTLOG_TYPE_MAX;
	type = &format->types[number];
	if (!type->words)
		return false;
	merged->words[0] = (uint64_t)upper << 32;
	for (unsigned int i = 1; i < type->words; i++)
		if (!take_number(merged, &merged->words[i]))
			return false;
	if ((type->known == EVTLOG_ICMP_RX || type->known == EVTLOG_REMOTE) &&
	    !take_number(merged, &event->ticks))
		return false;
	event->number = number;
	event->known = type->known;
	event->file_words = merged->words;
	event->words = NULL;
	if (type->known && format->same[number]) {
		event->words = merged->words;
	} else if (type->known) {
		format_translate(format, number, merged->words, merged->translated);
		event->words = merged->translated;
	}
	return true;
}

static bool take_lane(struct evtlog_merged *merged, uint8_t tag)
{
	if (!(tag & EVTLOG_MERGED_SAME)) {
		if (!take_number(merged, &merged->host) ||
		    !take_number(merged, &merged->cpu))
			return false;
	}
	return merged->host < merged->host_count && merged->cpu < EVTLOG_CPU_LIMIT;
}

/* What all events have. */
static bool take_common(struct evtlog_merged *merged, uint8_t tag)
{
	struct evtlog_event *event = &merged->inner;
	uint64_t since, pid, number = 0;

	memset(event, 0, sizeof(*event));
	if (!take_lane(merged, tag) || !take_number(merged, &since) ||
	    since > INT64_MAX ||
	    __builtin_add_overflow(merged->time_ns, (int64_t)since,
				   &merged->time_ns) ||
	    !take_number(merged, &pid) || pid > UINT32_MAX)
		return false;
	event->place = tag >> EVTLOG_MERGED_PLACE & 3;
	if (event->place && (!take_number(merged, &number) || number > UINT32_MAX))
		return false;
	event->place_number = event->place ? (uint32_t)number - 1 : 0;
	event->pid = (uint32_t)pid - 1;
	event->begin_pid = EVTLOG_PID_UNKNOWN;
	event->cpu = merged->cpu;
	merged->event.time_ns = merged->time_ns;
	merged->event.from_ns = 0;
	merged->event.host = merged->host;
	merged->event.doubtful = tag & EVTLOG_MERGED_DOUBTFUL;
	return true;
}

static bool take_lost(struct evtlog_merged *merged)
{
	return take_number(merged, &merged->inner.lost) &&
	       take_number(merged, &merged->inner.lost_buffers);
}

/* One entry.  Returns 1 if it is an event, 0 if it is not, -EBADMSG, -ENOMEM. */
static int take_entry(struct evtlog_merged *merged)
{
	uint8_t tag = *merged->pos++;
	struct evtlog_event *event = &merged->inner;
	uint64_t gap_ns;

	if ((tag & EVTLOG_MERGED_KIND) == EVTLOG_MERGED_NAME)
		return take_name(merged);
	if (!take_common(merged, tag))
		return -EBADMSG;
	switch (tag & EVTLOG_MERGED_KIND) {
	case EVTLOG_MERGED_RECORD:
		event->kind = EVTLOG_EVENT_RECORD;
		merged->records++;
		return take_record(merged) ? 1 : -EBADMSG;
	case EVTLOG_MERGED_BEGIN:
		event->kind = EVTLOG_EVENT_BEGIN;
		return take_lost(merged) ? 1 : -EBADMSG;
	case EVTLOG_MERGED_GAP:
		event->kind = EVTLOG_EVENT_GAP;
		if (!take_number(merged, &gap_ns) || gap_ns > INT64_MAX ||
		    __builtin_sub_overflow(merged->time_ns, (int64_t)gap_ns,
					   &merged->event.from_ns))
			return -EBADMSG;
		return take_lost(merged) ? 1 : -EBADMSG;
	case EVTLOG_MERGED_CUT:
		event->rest_missing = true;
		event->kind = EVTLOG_EVENT_END;
		return 1;
	case EVTLOG_MERGED_END:
		event->kind = EVTLOG_EVENT_END;
		return 1;
	default:
		return -EBADMSG;
	}
}

static int take_totals(struct evtlog_merged *merged)
{
	struct evtlog_merged_totals totals;
	size_t gaps_bytes = merged->host_count * sizeof(*merged->gaps);

	if (merged->payload_bytes != sizeof(totals) + gaps_bytes)
		return -EBADMSG;
	memcpy(&totals, merged->payload, sizeof(totals));
	memcpy(merged->gaps, merged->payload + sizeof(totals), gaps_bytes);
	if (totals.blocks != merged->blocks || totals.events != merged->records)
		return -ENODATA;
	merged->totals = (struct evtlog_merged_end) {
		.events = totals.events,
		.doubtful = totals.doubtful,
		.whole = totals.whole,
		.gaps = merged->gaps,
	};
	merged->ended = true;
	return 0;
}

/* The next block of events.  Returns 1; 0 at the end; -errno. */
static int next_block(struct evtlog_merged *merged)
{
	struct evtlog_block_header head;
	int result;

	for (;;) {
		result = read_head(merged, &head);
		if (!result)
			return -ENODATA;
		if (result < 0)
			return result;
		result = read_payload(merged, &head);
		if (result)
			return result;
		if (head.kind == EVTLOG_BLOCK_TOTALS)
			return take_totals(merged);
		if (head.kind != EVTLOG_BLOCK_EVENTS)
			continue;	/* what later versions add */
		if (head.sequence != merged->blocks ||
		    (merged->blocks && (int64_t)head.begin_ticks < merged->time_ns))
			return -EBADMSG;
		merged->blocks++;
		merged->time_ns = head.begin_ticks;
		merged->pos = merged->payload;
		merged->end = merged->payload + merged->payload_bytes;
		return 1;
	}
}

int evtlog_merged_next(struct evtlog_merged *merged,
		       const struct evtlog_merged_event **eventp)
{
	int result;

	while (!merged->ended) {
		if (merged->pos == merged->end) {
			result = next_block(merged);
			if (result <= 0)
				return result;
			continue;
		}
		result = take_entry(merged);
		if (result < 0)
			return result;
		if (!result)
			continue;
		merged->event.event = &merged->inner;
		*eventp = &merged->event;
		return 1;
	}
	return 0;
}
