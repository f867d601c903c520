// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opens merged files: the events of many hosts as `evtlog dump -o` wrote them.
 *
 * Stage: between such a file and events.c, which reads its events.  hosts.c does the merging.  No
 * data of the file is trusted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lib/codec/crc32.h"
#include "lib/file/header.h"
#include "lib/stream/task-names.h"

#define HEADER_BYTES	sizeof(struct evtlog_block_header)
#define HOSTS_LIMIT	(1u << 20)

/* ---- Blocks ---- */

int merged_read_head(struct evtlog_merged *merged, struct evtlog_block_header *head)
{
	ssize_t got = source_read(&merged->source, head, sizeof(*head),
				  merged->offset);

	if (got <= 0)
		return got;
	if ((size_t)got < sizeof(*head))
		return -ENODATA;
	return block_header_valid(head) ? 1 : -EBADMSG;
}

int merged_read_payload(struct evtlog_merged *merged,
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
	else if (crc_of(0, stored, head->stored_bytes) != head->payload_crc32)
		error = -EBADMSG;
	if (!error && (head->flags & EVTLOG_BLOCK_DEFLATE)) {
		payload = malloc((size_t)head->raw_bytes + 1);
		error = payload ? block_inflate(stored, head->stored_bytes,
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
	struct evtlog_file_header *header = &merged->header;
	ssize_t got = source_read(&merged->source, header, sizeof(*header), 0);
	char *rest;
	int result;

	if (got < 0)
		return head_fail(error, got, 0, "%s", strerror(-got));
	if (got < (ssize_t)sizeof(header->magic) ||
	    header->magic != EVTLOG_MERGED_MAGIC)
		return head_fail(error, -EMEDIUMTYPE, 0, "it is not a merged file");
	result = head_read(&merged->source, "a merged file ",
			   &head_of_merged, header, got, &merged->text, error);
	if (result)
		return result;
	if (meta_parse(&merged->meta, merged->text, &rest))
		return head_fail(error, -ENOMEM, 0, "out of memory");
	merged->offset = header->header_bytes;
	return 0;
}

static int add_host(struct evtlog_merged *merged, struct evtlog_error *error)
{
	struct merged_host *host = &merged->hosts[merged->host_count];
	char *rest, *own;
	int result;

	host->text = (char *)merged->payload;
	merged->payload = NULL;
	merged->host_count++;
	if (meta_parse(&host->meta, host->text, &rest))
		return head_fail(error, -ENOMEM, 0, "out of memory");
	own = strdup(rest ? rest : "");
	host->tasks = tasks_new_empty();
	if (!own || !host->tasks) {
		free(own);
		return head_fail(error, -ENOMEM, 0, "out of memory");
	}
	result = file_of_text(own, &host->file, error);
	if (!result)
		tasks_name_outside(host->tasks, host->file);
	return result;
}

static int read_hosts(struct evtlog_merged *merged, struct evtlog_error *error)
{
	const char *text = meta_find(&merged->meta, "hosts");
	uint64_t count = text ? strtoull(text, NULL, 10) : 0;

	/* Each host has a block; this limits the memory that a forged number can demand. */
	if (!count || count > HOSTS_LIMIT ||
	    count > merged->source.size_bytes / HEADER_BYTES)
		return head_fail(error, -EBADMSG, 0, "its header has no number of hosts");
	merged->hosts = calloc(count, sizeof(*merged->hosts));
	merged->gaps = calloc(count, sizeof(*merged->gaps));
	if (!merged->hosts || !merged->gaps)
		return head_fail(error, -ENOMEM, 0, "out of memory");
	while (merged->host_count < count) {
		struct evtlog_block_header head;
		uint64_t offset = merged->offset;
		int result = merged_read_head(merged, &head);

		if (result > 0 && (head.kind != EVTLOG_BLOCK_HOST ||
				   head.sequence != merged->host_count))
			result = -EBADMSG;
		if (result > 0)
			result = merged_read_payload(merged, &head);
		else if (!result)
			result = -ENODATA;
		if (result == -ENOMEM)
			return head_fail(error, result, offset, "out of memory");
		if (result)
			return head_fail(error, -EBADMSG, offset,
				    "its description of the hosts is damaged");
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
		return head_fail(error, -ENOMEM, 0, "out of memory");
	if (path)
		result = source_open(&merged->source, path);
	else
		source_use_bytes(&merged->source, bytes ? bytes : "", length);
	if (result) {
		free(merged);
		return head_fail(error, result, 0, "%s", strerror(-result));
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

/* ---- Properties ---- */

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
