// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Saves a named buffer to a file: a header, and each buffer as a block.
 *
 * The file has no index.  The reader builds one, as for a truncated file of a run.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <evtlog/abi.h>
#include <evtlog/file.h>

#include "common/error.h"
#include "control/control.h"
#include "lib/base/io.h"
#include "record/named.h"
#include "record/source.h"
#include "record/workload.h"

#define PADDING(bytes)	(-(bytes) & 7)
/* If the machine crashes, at most one second of events is lost. */
#define MARK_MS		1000

/*
 * @text:	of the file's header
 * @epoll:	for all CPUs of @source
 * @at:		offset of the next block
 * @has_ended:	the named buffer had already ended when the file was begun
 */
struct recording {
	const char *name;
	const char *path;
	char *text;
	size_t text_bytes;
	uint64_t run;
	uint8_t boot_id[16];
	int fd;
	int epoll;
	struct named_source source;
	uint64_t at;
	bool has_ended;
	struct named_totals *totals;
};

static int say_failed(const char *path, int error)
{
	pr_err("%s: %s", path, strerror(-error));
	return error;
}

static int read_text(const struct recording *r, const char *file, char **text)
{
	char name[64];
	int error;

	snprintf(name, sizeof(name), "named/%s/%s", r->name, file);
	error = control_read(name, text);
	if (error == -ENOENT)
		pr_err("%s: there is no such named buffer; see evtlog buffer list", r->name);
	else if (error)
		control_say_failed(name, error);
	return error;
}

static void print_boot_id(struct recording *r, FILE *to, const char *text)
{
	char id[64] = "";

	if (sscanf(text, "boot_id %63s", id) != 1)
		return;
	fprintf(to, "boot_id=%s\n", id);
	text = id;
	for (int i = 0; i < 16; i++) {
		unsigned int byte;

		text += *text == '-';
		if (sscanf(text, "%2x", &byte) != 1)
			return;
		r->boot_id[i] = byte;
		text += 2;
	}
}

static void print_machine(FILE *to)
{
	char host[65] = "localhost", created[32];
	struct utsname machine;
	time_t now = time(NULL);
	struct tm utc;

	gethostname(host, sizeof(host) - 1);
	fprintf(to, "host=%s\n", host);
	if (!uname(&machine))
		fprintf(to, "kernel=%s\nversion=%s\nmachine=%s\n", machine.release,
			machine.version, machine.machine);
	strftime(created, sizeof(created), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	fprintf(to, "cpus=%ld\nlogger_version=%s\ncreated=%s\n", sysconf(_SC_NPROCESSORS_ONLN),
		EVTLOG_VERSION, created);
}

/* Returns false for types that each file contains. */
static bool is_event(const char *name)
{
	static const char *const others[] = { "time", "lost", "counter", "task", "event",
					      "event_format", "on_cpu" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i]))
			return false;
	return true;
}

/* As in a run's file: "+" recorded, "~" without events that a filter rejected, "-" not recorded. */
static void print_events(FILE *to, const char *format, const char *events, bool is_filtered)
{
	const char *line = format;
	char name[32], wanted[64];

	fprintf(to, "events=+event");
	while ((line = strstr(line, "\ntype "))) {
		line++;
		if (sscanf(line, "type %*u %31s", name) != 1 || !is_event(name))
			continue;
		snprintf(wanted, sizeof(wanted), " %s\n", name);
		fprintf(to, " %c%s", !strstr(events, wanted) ? '-' : is_filtered ? '~' : '+',
			name);
	}
	fprintf(to, "\n");
}

static void print_buffer(struct recording *r, FILE *to, const char *status)
{
	unsigned int buffers = 0, kb = 0;
	const char *line = strstr(status, "\nbuffer ");

	if (line)
		sscanf(line, "\nbuffer %*s run %" SCNu64 " state %*s buffers %u kb %u", &r->run,
		       &buffers, &kb);
	fprintf(to, "run=%" PRIu64 "\nrun_name=%s\nnamed_buffer=%s\nbuffers=%u\nbuffer_kb=%u\n",
		r->run, r->name, r->source.is_global ? "global" : "cpus", buffers, kb);
	r->has_ended = line && strstr(line, " state ended ");
	line = strstr(status, "ticks_hz ");
	if (line)
		fprintf(to, "ticks_hz=%" PRIu64 "\n", (uint64_t)strtoull(line + 9, NULL, 10));
}

/* The line in status ends with the filter, if there is one. */
static bool has_filter(const char *status)
{
	const char *line = strstr(status, "\nbuffer "), *filter;

	filter = line ? strstr(line, " if ") : NULL;
	return filter && filter < line + 1 + strcspn(line + 1, "\n");
}

/* Makes the header's text, and gets the other values of the header from the kernel. */
static int describe(struct recording *r)
{
	char *status, *format, *events;
	FILE *to;
	int error = read_text(r, "status", &status);

	if (error)
		return error;
	error = read_text(r, "format", &format);
	if (error)
		goto free_status;
	error = read_text(r, "events", &events);
	if (error)
		goto free_format;
	to = open_memstream(&r->text, &r->text_bytes);
	if (!to) {
		error = -ENOMEM;
		goto free_events;
	}
	print_boot_id(r, to, status);
	print_buffer(r, to, status);
	print_events(to, format, events, has_filter(status));
	print_machine(to);
	fprintf(to, "\n%s", format);
	if (fclose(to))
		error = -ENOMEM;
free_events:
	free(events);
free_format:
	free(format);
free_status:
	free(status);
	return error;
}

static int write_header(struct recording *r)
{
	size_t bytes = sizeof(struct evtlog_file_header) + r->text_bytes;
	struct evtlog_file_header *header;
	int error;

	bytes += PADDING(bytes);
	header = calloc(1, bytes);
	if (!header)
		return -ENOMEM;
	header->magic = EVTLOG_FILE_MAGIC;
	header->version = EVTLOG_FILE_VERSION;
	header->header_bytes = bytes;
	header->run = r->run;
	memcpy(header->boot_id, r->boot_id, sizeof(header->boot_id));
	header->text_bytes = r->text_bytes;
	memcpy(header + 1, r->text, r->text_bytes);
	header->crc32 = crc32_z(0, (const void *)header, bytes);
	error = io_write_at(r->fd, header, bytes, 0);
	free(header);
	r->at = bytes;
	return error;
}

static int write_block(struct recording *r, const struct evtlog_buffer_header *buffer)
{
	static const char zeros[8];
	struct evtlog_block_header header = {
		.magic = EVTLOG_BLOCK_MAGIC,
		.kind = EVTLOG_BLOCK_BUFFER,
		.stored_bytes = buffer->used_bytes,
		.raw_bytes = buffer->used_bytes,
		.run = buffer->run,
		.sequence = buffer->sequence,
		.begin_ticks = buffer->begin_ticks,
		.end_ticks = buffer->end_ticks,
		.cpu = buffer->cpu,
		.payload_crc32 = crc32_z(0, (const void *)buffer, buffer->used_bytes),
	};
	struct iovec vectors[3] = {
		{ &header, sizeof(header) },
		{ (void *)(uintptr_t)buffer, buffer->used_bytes },
		{ (void *)(uintptr_t)zeros, PADDING(buffer->used_bytes) },
	};
	int error;

	header.header_crc32 = crc32_z(0, (const void *)&header, sizeof(header));
	error = io_write_vectors_at(r->fd, vectors, vectors[2].iov_len ? 3 : 2, r->at);
	if (error)
		return error;
	r->at += sizeof(header) + buffer->used_bytes + PADDING(buffer->used_bytes);
	r->totals->buffers++;
	r->totals->bytes += buffer->used_bytes;
	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
		r->totals->lost += buffer->lost[cause];
	return 0;
}

/*
 * Writes the names of all tasks: the buffer lacks those of tasks that existed before it.  If the
 * buffer has already ended, the names are newer than all of its events.
 */
static int write_tasks(struct recording *r)
{
	struct evtlog_block_header header = {
		.magic = EVTLOG_BLOCK_MAGIC,
		.kind = EVTLOG_BLOCK_TASKS,
		.run = r->run,
	};
	struct iovec vectors[2] = { { &header, sizeof(header) } };
	size_t bytes;
	char *words;
	int error = control_read_bytes("tasks", &words, &bytes);

	/* Kernels before 0.12 do not have this file. */
	if (error == -ENOENT)
		return 0;
	if (error) {
		control_say_failed("tasks", error);
		return error;
	}
	if (r->has_ended)
		header.begin_ticks = header.end_ticks = UINT64_MAX;
	header.stored_bytes = header.raw_bytes = bytes;
	header.payload_crc32 = crc32_z(0, (const void *)words, bytes);
	header.header_crc32 = crc32_z(0, (const void *)&header, sizeof(header));
	vectors[1] = (struct iovec) { words, bytes };
	error = io_write_vectors_at(r->fd, vectors, 2, r->at);
	free(words);
	if (error)
		return say_failed(r->path, error);
	r->at += sizeof(header) + bytes;
	return 0;
}

static int drain(struct recording *r, struct named_cpu *cpu)
{
	const struct evtlog_buffer_header *buffer;
	int result;

	while ((result = named_source_read(&r->source, cpu, &buffer)) > 0) {
		result = write_block(r, buffer);
		if (!result)
			continue;
		r->totals->is_cut = true;
		/* Remove the incomplete block: it would be a damage. */
		io_truncate(r->fd, r->at);
		return say_failed(r->path, result);
	}
	return result;
}

static int watch_cpus(struct recording *r)
{
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (r->epoll < 0)
		return say_failed("epoll", -errno);
	for (size_t i = 0; i < r->source.cpu_count; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u64 = i };

		if (epoll_ctl(r->epoll, EPOLL_CTL_ADD, r->source.cpus[i].fd, &event) < 0)
			return say_failed("epoll", -errno);
	}
	return 0;
}

static int record_all(struct recording *r)
{
	struct epoll_event events[16];
	int error = 0;

	while (!error && r->source.left && !workload_interrupted()) {
		int count;

		if (!workload_wait_fd(r->epoll, -1))
			continue;
		count = epoll_wait(r->epoll, events, 16, 0);
		for (int i = 0; i < count && !error; i++)
			error = drain(r, &r->source.cpus[events[i].data.u64]);
	}
	/* A watermark makes the kernel pass on the records written up to now. */
	for (size_t i = 0; i < r->source.cpu_count && !error; i++) {
		struct named_cpu *cpu = &r->source.cpus[i];

		if (cpu->fd >= 0 && !named_source_mark(&r->source, cpu))
			error = drain(r, cpu);
	}
	return error;
}

int named_record(const char *name, const char *path, struct named_totals *totals)
{
	struct recording r = { .name = name, .path = path, .fd = -1, .epoll = -1,
			       .totals = totals };
	int error;

	memset(totals, 0, sizeof(*totals));
	error = named_source_open(&r.source, name, MARK_MS);
	if (!error)
		error = describe(&r);
	if (!error)
		error = watch_cpus(&r);
	if (error)
		goto close_all;
	r.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (r.fd < 0) {
		error = -errno;
		pr_err("%s: %s", path, error == -EEXIST ?
		       "exists; remove it, or choose another name" :
		       strerror(-error));
		goto close_all;
	}
	error = write_header(&r);
	if (error)
		say_failed(path, error);
	else
		error = write_tasks(&r);
	if (!error) {
		pr_info("%s: recording named buffer %s; press Ctrl-C to stop", path, name);
		error = record_all(&r);
	}
	totals->was_deleted = r.source.was_deleted;
	if (totals->was_deleted)
		pr_warn("%s: deleted before all of it was read: the rest is lost, and the file has no end; use evtlog buffer end before del",
			name);
	if (close(r.fd) && !error)
		error = say_failed(path, -errno);
	/* A file with only a header would be in the way of the next attempt. */
	if (error && !totals->buffers)
		unlink(path);
close_all:
	if (r.epoll >= 0)
		close(r.epoll);
	named_source_close(&r.source);
	free(r.text);
	return error;
}
