// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes merged files.
 *
 * Stage: between a merge and the disk.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>

#include "common/atomic-file.h"
#include "lib/codec/crc32.h"
#include "merge.h"

/* A block is written when it reaches this length. */
#define PAYLOAD_BYTES	(1u << 20)
/* Maximum of an entry: 255 words, the bytes after them, and some numbers; or a format. */
#define ENTRY_MAX	16384u
#define DEFLATED_MIN	128u

/*
 * Types of a host, by number.
 * @words:	number of words, without bytes after them
 * @sized:	bits of types with bytes after their words: kind z in abi.h
 */
struct types {
	uint64_t sized;
	uint8_t words[EVTLOG_TYPE_MAX + 1];
};

/*
 * @payload:	events of the current block, @length bytes, from @begin_ns on
 * @types:	of each host
 * @files:	log of each host
 * @has_format:	for each host, a bit for each ID whose FORMAT is written; NULL if none
 * @host, @cpu, @time_ns: of the previous entry; @host is SIZE_MAX at the start of a block
 * @error:	the first error, after which nothing is written
 */
struct merged_writer {
	struct atomic_file output;
	int level;
	struct types *types;
	struct evtlog_file *const *files;
	uint8_t **has_format;
	size_t host_count;
	uint64_t blocks;
	uint8_t *payload;
	uint8_t *deflated;
	size_t length;
	int64_t begin_ns;
	size_t host;
	uint32_t cpu;
	int64_t time_ns;
	int error;
};

static void put(struct merged_writer *writer, const void *bytes, size_t length)
{
	if (writer->error || fwrite(bytes, 1, length, writer->output.out) == length)
		return;
	writer->error = errno ? -errno : -EIO;
}

static void put_padding(struct merged_writer *writer, size_t length)
{
	static const uint8_t zeros[8];

	put(writer, zeros, -length & 7);
}

static void put_block(struct merged_writer *writer, uint32_t kind, uint64_t sequence,
		      int64_t begin_ns, int64_t end_ns, const void *payload,
		      uint32_t bytes)
{
	uLongf deflated = compressBound(PAYLOAD_BYTES + ENTRY_MAX);
	struct evtlog_block_header header = {
		.magic = EVTLOG_BLOCK_MAGIC,
		.kind = kind,
		.stored_bytes = bytes,
		.raw_bytes = bytes,
		.sequence = sequence,
		.begin_ticks = begin_ns,
		.end_ticks = end_ns,
	};
	const void *stored = payload;

	if (writer->level && bytes >= DEFLATED_MIN &&
	    bytes <= PAYLOAD_BYTES + ENTRY_MAX &&
	    compress2(writer->deflated, &deflated, payload, bytes,
		      writer->level) == Z_OK && deflated < bytes) {
		header.flags = EVTLOG_BLOCK_DEFLATE;
		header.stored_bytes = deflated;
		stored = writer->deflated;
	}
	header.payload_crc32 = crc_of(0, stored, header.stored_bytes);
	header.header_crc32 = crc_of(0, &header, sizeof(header));
	put(writer, &header, sizeof(header));
	put(writer, stored, header.stored_bytes);
	put_padding(writer, header.stored_bytes);
}

/* ---- The beginning ---- */

static void put_header(struct merged_writer *writer, const struct report *report,
		       const struct real_points *real, const uint8_t *boot_id)
{
	struct evtlog_file_header header = {
		.magic = EVTLOG_MERGED_MAGIC,
		.version = EVTLOG_MERGED_VERSION,
	};
	uint8_t *all;
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	if (!out) {
		writer->error = -ENOMEM;
		return;
	}
	fprintf(out, "hosts=%zu\nreference=%s\nassume_ntp=%d\nntp_disproved_ns=%" PRIu64
		"\nbegin_ns=%" PRId64 "\nend_ns=%" PRId64 "\n", report->count,
		report->reference, report->assume_ntp, report->ntp_disproved_ns,
		report->begin_ns, report->end_ns);
	for (size_t i = 0; i < real->count; i++)
		fprintf(out, "real=%" PRId64 ":%" PRId64 "\n", real->at[i].time_ns,
			real->at[i].real_ns);
	if (fclose(out)) {
		writer->error = -ENOMEM;
		return;
	}
	memcpy(header.boot_id, boot_id, sizeof(header.boot_id));
	header.text_bytes = length;
	header.header_bytes = (sizeof(header) + length + 7) & ~7u;
	all = calloc(1, header.header_bytes);
	if (all) {
		memcpy(all, &header, sizeof(header));
		memcpy(all + sizeof(header), text, length);
		header.crc32 = crc_of(0, all, header.header_bytes);
		memcpy(all, &header, sizeof(header));
		put(writer, all, header.header_bytes);
	} else {
		writer->error = -ENOMEM;
	}
	free(all);
	free(text);
}

/* Returns the field with the number of bytes after the words of the type; NULL if it has none. */
static const struct evtlog_field *size_field(const struct evtlog_type_info *type)
{
	for (unsigned int i = 0; i < type->field_count; i++)
		if (type->fields[i].kind == 'z')
			return &type->fields[i];
	return NULL;
}

static void put_host(struct merged_writer *writer, const struct report *report,
		     size_t number, const struct evtlog_file *file)
{
	size_t length;
	char *own, *text;
	FILE *out;
	int error = evtlog_text(file, &own);

	if (error) {
		writer->error = error;
		return;
	}
	out = open_memstream(&text, &length);
	if (!out) {
		writer->error = -ENOMEM;
		free(own);
		return;
	}
	report_lines(&report->hosts[number], out);
	putc('\n', out);
	fputs(own, out);
	free(own);
	if (fclose(out))
		writer->error = -ENOMEM;
	else
		put_block(writer, EVTLOG_BLOCK_HOST, number, 0, 0, text, length);
	free(text);
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (!type)
			continue;
		writer->types[number].words[i] = type->words;
		if (size_field(type))
			writer->types[number].sized |= UINT64_C(1) << i;
	}
}

int merged_write_new(const char *path, int level, const struct report *report,
		     const struct real_points *real,
		     struct evtlog_file *const *files,
		     struct merged_writer **writerp)
{
	struct merged_writer *writer = calloc(1, sizeof(*writer));
	int error = -ENOMEM;

	*writerp = NULL;
	if (!writer)
		return -ENOMEM;
	writer->level = level;
	writer->host_count = report->count;
	writer->host = SIZE_MAX;
	writer->payload = malloc(PAYLOAD_BYTES + ENTRY_MAX);
	writer->deflated = malloc(compressBound(PAYLOAD_BYTES + ENTRY_MAX));
	writer->types = calloc(report->count + 1, sizeof(*writer->types));
	writer->has_format = calloc(report->count + 1, sizeof(*writer->has_format));
	writer->files = files;
	if (!writer->payload || !writer->deflated || !writer->types || !writer->has_format)
		goto fail;
	/* The file contains logs: only its owner can read it. */
	error = atomic_file_new(&writer->output, path, 0600);
	if (error)
		goto fail;
	put_header(writer, report, real, evtlog_boot_id(files[0]));
	for (size_t i = 0; i < report->count && !writer->error; i++)
		put_host(writer, report, i, files[i]);
	error = writer->error;
	if (error)
		goto fail;
	*writerp = writer;
	return 0;
fail:
	merged_write_free(writer);
	return error;
}

void merged_write_free(struct merged_writer *writer)
{
	if (!writer)
		return;
	atomic_file_discard(&writer->output);
	free(writer->payload);
	free(writer->deflated);
	free(writer->types);
	for (size_t i = 0; writer->has_format && i < writer->host_count; i++)
		free(writer->has_format[i]);
	free(writer->has_format);
	free(writer);
}

/* ---- Events ---- */

/* Each of these returns the address after what it wrote. */

static inline uint8_t *put_number(uint8_t *to, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	return to;
}

static inline uint8_t *put_bytes(uint8_t *to, const void *bytes, size_t length)
{
	memcpy(to, bytes, length);
	return to + length;
}

static uint8_t *end_of_payload(const struct merged_writer *writer)
{
	return writer->payload + writer->length;
}

static void flush_events(struct merged_writer *writer)
{
	if (!writer->length)
		return;
	put_block(writer, EVTLOG_BLOCK_EVENTS, writer->blocks++, writer->begin_ns,
		  writer->time_ns, writer->payload, writer->length);
	writer->length = 0;
	writer->host = SIZE_MAX;
	writer->begin_ns = writer->time_ns;
}

int merged_write_name(struct merged_writer *writer, size_t host,
		      const struct evtlog_task *task)
{
	uint8_t *to = end_of_payload(writer);

	*to++ = EVTLOG_MERGED_NAME;
	to = put_number(to, host);
	to = put_number(to, task->pid);
	to = put_bytes(to, task->comm, sizeof(task->comm));
	writer->length = to - writer->payload;
	if (writer->length >= PAYLOAD_BYTES)
		flush_events(writer);
	return writer->error;
}

static uint8_t entry_kind(const struct evtlog_event *event)
{
	switch (event->kind) {
	case EVTLOG_EVENT_BEGIN:
		return EVTLOG_MERGED_BEGIN;
	case EVTLOG_EVENT_GAP:
		return EVTLOG_MERGED_GAP;
	case EVTLOG_EVENT_END:
		return event->rest_missing ? EVTLOG_MERGED_CUT : EVTLOG_MERGED_END;
	default:
		return EVTLOG_MERGED_RECORD;
	}
}

static void put_format(struct merged_writer *writer, size_t host,
		       const struct evtlog_event_format *format)
{
	size_t bytes;
	char *text;
	uint8_t *to = end_of_payload(writer);
	FILE *out = open_memstream(&text, &bytes);

	if (!out) {
		writer->error = -ENOMEM;
		return;
	}
	fprintf(out, "%s\n", format->name);
	for (uint32_t i = 0; i < format->field_count; i++)
		fprintf(out, "%s%s:%u:%u:%c", i ? " " : "", format->fields[i].name,
			format->fields[i].offset, format->fields[i].bytes,
			format->fields[i].kind);
	putc('\n', out);
	if (fclose(out) || bytes > EVTLOG_EVENT_BYTES_MAX) {
		writer->error = writer->error ? writer->error : -ENOMEM;
	} else {
		*to++ = EVTLOG_MERGED_FORMAT;
		to = put_number(to, host);
		to = put_number(to, format->id);
		to = put_number(to, bytes);
		to = put_bytes(to, text, bytes);
		writer->length = to - writer->payload;
	}
	free(text);
}

/* Writes a registered event's format before its first record. */
static void write_format(struct merged_writer *writer, size_t host,
			 const struct evtlog_event *event)
{
	uint32_t id = evtlog_event_id(event);
	const struct evtlog_event_format *format;

	if (!writer->has_format[host])
		writer->has_format[host] = calloc(1, (EVTLOG_EVENT_ID_MAX + 1) / 8);
	if (!writer->has_format[host]) {
		writer->error = -ENOMEM;
		return;
	}
	if (writer->has_format[host][id / 8] & 1 << id % 8)
		return;
	writer->has_format[host][id / 8] |= 1 << id % 8;
	format = evtlog_event_format(writer->files[host], id);
	if (format)
		put_format(writer, host, format);
}

static uint8_t *put_record(uint8_t *to, const struct merged_writer *writer, size_t host,
			   const struct evtlog_event *event)
{
	const struct types *types = &writer->types[host];
	unsigned int number = event->number, words = types->words[number];
	uint32_t upper = event->file_words[0] >> 32;

	to = put_bytes(to, &upper, sizeof(upper));
	for (unsigned int i = 1; i < words; i++)
		to = put_number(to, event->file_words[i]);
	if (types->sized >> number & 1) {
		const struct evtlog_type_info *type = evtlog_type_info(writer->files[host], number);
		uint64_t bytes = evtlog_field_u64(size_field(type), event->file_words);

		to = put_bytes(to, event->file_words + words, (bytes + 7) & ~7u);
	}
	/* The arrival time in these is in ticks: save the ticks, which the first word contained. */
	if (event->known == EVTLOG_ICMP_RX || event->known == EVTLOG_REMOTE)
		to = put_number(to, event->ticks);
	return to;
}

int merged_write_event(struct merged_writer *writer,
		       const struct iterator_event *event, bool doubtful)
{
	const struct evtlog_event *inner = event->event;
	uint8_t kind = entry_kind(inner), *to;
	bool same = writer->host == event->log && writer->cpu == inner->cpu;

	if (kind == EVTLOG_MERGED_RECORD && inner->known == EVTLOG_EVENT)
		write_format(writer, event->log, inner);
	/* Names may precede the first event. */
	if (!writer->blocks && writer->host == SIZE_MAX)
		writer->begin_ns = writer->time_ns = event->time_ns;
	to = end_of_payload(writer);
	*to++ = kind | (doubtful ? EVTLOG_MERGED_DOUBTFUL : 0) |
		inner->context << EVTLOG_MERGED_PLACE | (same ? EVTLOG_MERGED_SAME : 0);
	if (!same) {
		to = put_number(to, event->log);
		to = put_number(to, inner->cpu);
	}
	to = put_number(to, event->time_ns - writer->time_ns);
	to = put_number(to, (uint32_t)(inner->pid + 1));
	if (inner->context)
		to = put_number(to, (uint32_t)(inner->context_number + 1));
	if (kind == EVTLOG_MERGED_RECORD) {
		to = put_record(to, writer, event->log, inner);
	} else if (kind != EVTLOG_MERGED_END && kind != EVTLOG_MERGED_CUT) {
		if (kind == EVTLOG_MERGED_GAP)
			to = put_number(to, event->time_ns - event->from_ns);
		to = put_number(to, inner->lost);
		to = put_number(to, inner->lost_buffers);
	}
	writer->length = to - writer->payload;
	writer->host = event->log;
	writer->cpu = inner->cpu;
	writer->time_ns = event->time_ns;
	if (writer->length >= PAYLOAD_BYTES)
		flush_events(writer);
	return writer->error;
}

/* ---- The end ---- */

static void put_totals(struct merged_writer *writer, const struct report *report)
{
	struct evtlog_merged_totals totals = {
		.events = report->events,
		.doubtful = report->doubtful,
		.blocks = writer->blocks,
		.whole = report->whole,
	};
	size_t bytes = sizeof(totals) + report->count * sizeof(uint64_t);
	uint8_t *payload = malloc(bytes);

	if (!payload) {
		writer->error = -ENOMEM;
		return;
	}
	memcpy(payload, &totals, sizeof(totals));
	for (size_t i = 0; i < report->count; i++)
		memcpy(payload + sizeof(totals) + i * sizeof(uint64_t),
		       &report->hosts[i].gaps, sizeof(uint64_t));
	put_block(writer, EVTLOG_BLOCK_TOTALS, 0, writer->time_ns, writer->time_ns,
		  payload, bytes);
	free(payload);
}

int merged_write_finish(struct merged_writer *writer, const struct report *report)
{
	flush_events(writer);
	put_totals(writer, report);
	if (!writer->error)
		writer->error = atomic_file_finish(&writer->output);
	return writer->error;
}
