// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes buffers into the files of their runs, and detects when a run is complete.
 *
 * Stage: between the kernel's buffers and the files, for logd and for evtlog buffer record.  It
 * handles removed files and full disks; it does not access the kernel and never waits.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "block.h"
#include "common/say.h"
#include "directory.h"
#include "run.h"
#include "runs.h"
#include "scan.h"

/*
 * @last_put:	run of the last buffer
 * @lost:	events, as of all buffers written
 * @stall_error: errno of the failed attempt; 0 while writing works
 */
struct runs {
	const struct runs_settings *settings;
	struct runs_source source;
	struct directory directory;
	struct compressor *compressor;
	unsigned int compressor_how;
	bool is_short_of_memory;
	struct run *list;
	uint64_t last_put;
	uint64_t last_complete;
	uint64_t lost;
	int stall_error;
	uint64_t stall_begin_ns;
};

static uint64_t real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

struct runs *runs_new(const struct runs_settings *settings, const struct runs_source *source)
{
	struct runs *runs = calloc(1, sizeof(*runs));

	if (!runs)
		return NULL;
	runs->settings = settings;
	runs->source = *source;
	runs->directory.fd = -1;
	return runs;
}

int runs_prepare(struct runs *runs, bool needs_room)
{
	const struct runs_settings *settings = runs->settings;
	int error = directory_use(&runs->directory, settings);

	if (!error)
		error = directory_writable(&runs->directory);
	if (error)
		say_error("%s: %s; choose another directory for the logs", settings->directory,
			  strerror(-error));
	if (error || !needs_room)
		return error;
	error = directory_room(&runs->directory, settings->min_free_mb);
	if (error)
		say_error("%s: less than %u MiB are free; delete files, choose another directory for the logs, or set min_free_mb to less",
			  settings->directory, settings->min_free_mb);
	return error;
}

void runs_free(struct runs *runs)
{
	if (!runs)
		return;
	while (runs->list) {
		struct run *run = runs->list;

		runs->list = run->next;
		run_free(run);
	}
	compressor_free(runs->compressor);
	directory_close(&runs->directory);
	free(runs);
}

static struct run *find(const struct runs *runs, uint64_t number)
{
	struct run *run = runs->list;

	while (run && run->id.number != number)
		run = run->next;
	return run;
}

static struct run *find_or_add(struct runs *runs, const struct run_id *id)
{
	struct run *run = find(runs, id->number);

	if (run)
		return run;
	run = run_new(id);
	if (!run)
		return NULL;
	run->next = runs->list;
	runs->list = run;
	return run;
}

static void forget(struct runs *runs, struct run *run)
{
	struct run **link = &runs->list;

	while (*link != run)
		link = &(*link)->next;
	*link = run->next;
	run_free(run);
}

/* "run 3", or "named buffer net" */
static const char *label_of(const struct run *run)
{
	static char label[sizeof("named buffer ") + EVTLOG_RUN_NAME_LEN];

	if (run->id.is_named)
		snprintf(label, sizeof(label), "named buffer %s", run->id.name);
	else
		snprintf(label, sizeof(label), "run %" PRIu64, run->id.number);
	return label;
}

static int close_file(struct runs *runs, struct run *run, const char *what)
{
	char name[sizeof(run->file.name)];
	bool was_closed = run->file.closed;
	int error;

	if (run->file.fd < 0)
		return 0;
	if (run->is_begun && runfile_remove(&run->file, runs->directory.fd))
		return 0;
	strcpy(name, run->file.name);
	error = runfile_close(&run->file, run_is_complete(run));
	if (error)
		say_warning("%s/%s: closed without an index: %s; its data can still be read",
			    runs->directory.path, name, strerror(-error));
	else if (!was_closed)
		say_info("%s/%s: %s %s: %" PRIu64 " buffers, %" PRIu64 " events lost",
			 runs->directory.path, name, label_of(run), what, run->buffers, run->lost);
	return error;
}

static void complete(struct runs *runs, struct run *run)
{
	close_file(runs, run, "complete");
	if (run->id.number > runs->last_complete)
		runs->last_complete = run->id.number;
	forget(runs, run);
}

static void found_buffer(void *context, const struct evtlog_buffer_header *buffer)
{
	run_note(context, buffer);
}

/* Writes what precedes the buffers, unless the file has blocks. */
static int begin_file(struct runs *runs, struct run *run)
{
	struct block block;
	const struct block *list = &block;
	int result;

	if (!runs->source.first || run->file.tail > run->file.begin)
		return 0;
	result = runs->source.first(runs->source.context, &run->id, &block);
	if (result > 0)
		result = runfile_append(&run->file, &list, 1);
	if (result && !runfile_remove(&run->file, runs->directory.fd))
		runfile_drop(&run->file);
	return result;
}

static int open_file(struct runs *runs, struct run *run, bool fresh)
{
	struct runfile_request request = {
		.name = runs->settings->file,
		.host = runs->settings->file ? NULL : runs->source.host(runs->source.context),
		.run = &run->id,
		.mode = runs->settings->file_mode,
		.group = runs->settings->group,
		.visitor = { found_buffer, run },
		.fresh = fresh,
		.direct = runs->settings->direct,
	};
	char *text;
	int result;

	result = runs->source.text(runs->source.context, &run->id, &text, &request.text_bytes);
	if (result)
		return result;
	request.text = text;
	result = runfile_open(&run->file, runs->directory.fd, &request);
	free(text);
	if (result < 0)
		return result;
	say_detail("%s/%s: %s", runs->directory.path, run->file.name,
		   result ? "continued" : "created");
	/* Earlier buffers are in a file that was moved away. */
	if (result == 0 && !run->was_removed)
		run_starts_part(run);
	return begin_file(runs, run);
}

static int make_ready(struct runs *runs, struct run *run)
{
	int error;

	if (run->file.fd >= 0 && runfile_is_removed(&run->file)) {
		if (!run->is_begun)
			say_error("%s/%s: removed while in use: its data is lost; continuing in a new file",
				  runs->directory.path, run->file.name);
		run->was_removed |= !run->is_begun;
		run->is_begun = false;
		runfile_drop(&run->file);
	}
	if (run->file.fd < 0) {
		error = directory_use(&runs->directory, runs->settings);
		if (error)
			return error;
	}
	error = directory_room(&runs->directory, runs->settings->min_free_mb);
	if (error)
		return error;
	return run->file.fd < 0 ? open_file(runs, run, run->was_removed) : 0;
}

static struct compressor *current_compressor(struct runs *runs)
{
	unsigned int how = runs->is_short_of_memory ? 0 : runs->settings->compress;

	if (how != runs->compressor_how) {
		compressor_free(runs->compressor);
		runs->compressor = how ? compressor_new(how) : NULL;
		runs->compressor_how = how;
		if (how && !runs->compressor)
			say_warning("compress: no memory; storing buffers uncompressed");
	}
	return runs->compressor;
}

#define LATE_NS		50000000

/*
 * Returns true if the CPU may run out of free buffers because this buffer waits.  It is late
 * after LATE_NS, or a quarter of the time in which it was filled: if it began in a quiet period,
 * this time does not show the present load.  Flushed buffers are never late.
 */
static bool is_late(const struct evtlog_buffer_header *buffer)
{
	struct timespec now;
	int64_t waited_ns, fill_ns = buffer->end.raw_ns - buffer->begin.raw_ns;

	if (buffer->flags & (EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL))
		return false;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	waited_ns = now.tv_sec * 1000000000ull + now.tv_nsec - buffer->end.raw_ns;
	return waited_ns > LATE_NS || waited_ns > fill_ns / 4;
}

/* Makes the gap blocks that must precede the next buffer in the file. */
static size_t make_gaps(const struct runs *runs, const struct run *run, struct block *blocks)
{
	size_t count = run->was_removed ? run_removed_gaps(run, blocks) : 0;
	struct evtlog_gap gap = {
		.begin_real_ns = runs->stall_begin_ns,
		.end_real_ns = real_ns(),
		.error = runs->stall_error,
	};

	if (runs->stall_error)
		block_of_gap(&blocks[count++], run->id.number, &gap);
	return count;
}

/* Writes the necessary gap blocks and the block, all or none. */
static int append(struct runs *runs, struct run *run, const struct block *block)
{
	size_t most = (run->was_removed ? run->cpu_count : 0) + 1;
	const struct block **list;
	struct block *gaps;
	size_t count;
	int error;

	if (!run->was_removed && !runs->stall_error) {
		error = runfile_append(&run->file, &block, 1);
		if (!error)
			run->is_begun = false;
		return error;
	}
	gaps = calloc(most, sizeof(*gaps));
	list = calloc(most + 1, sizeof(*list));
	if (!gaps || !list) {
		error = -ENOMEM;
		goto free_lists;
	}
	count = make_gaps(runs, run, gaps);
	for (size_t i = 0; i < count; i++)
		list[i] = &gaps[i];
	list[count] = block;
	error = runfile_append(&run->file, list, count + 1);
	if (!error)
		run->was_removed = run->is_begun = false;
free_lists:
	free(list);
	free(gaps);
	return error;
}

static void stalled(struct runs *runs, const struct run *run, int error)
{
	if (runs->stall_error != -error) {
		const char *name = run->file.fd >= 0 ? run->file.name : "";

		say_error("%s/%s: %s%s; leaving data with the kernel, which counts dropped events; retrying at least every %u s",
			  runs->settings->directory, name, strerror(-error),
			  error == -ENOSPC && runs->settings->min_free_mb
				? " (see min_free_mb)" : "",
			  runs->settings->retry_s);
	}
	if (!runs->stall_error)
		runs->stall_begin_ns = real_ns();
	runs->stall_error = -error;
}

static void going_on(struct runs *runs, const struct run *run)
{
	if (!runs->stall_error)
		return;
	say_info("%s/%s: writing again after %.1f s", runs->directory.path, run->file.name,
		 (real_ns() - runs->stall_begin_ns) / 1e9);
	runs->stall_error = 0;
}

static void push(struct runs *runs, struct run *run)
{
	int error = runfile_push(&run->file, (uint64_t)runs->settings->cache_mb << 20);
	struct evtlog_gap gap = { .error = -error };
	struct block block;
	const struct block *list = &block;

	if (!error)
		return;
	say_error("%s/%s: the disk rejected an earlier write: %s; evtlog check shows the damage",
		  runs->directory.path, run->file.name, strerror(-error));
	gap.begin_real_ns = gap.end_real_ns = real_ns();
	block_of_gap(&block, run->id.number, &gap);
	runfile_append(&run->file, &list, 1);
}

bool runs_is_writing(const struct runs *runs)
{
	const struct run *run = runs->list;

	while (run && (run->file.fd < 0 || run->is_begun))
		run = run->next;
	return run;
}

int runs_begin(struct runs *runs, const struct run_id *id)
{
	struct run *run = runs->list;
	int error;

	while (run) {
		struct run *next = run->next;

		if (run->is_begun && !(id && run->id.number == id->number)) {
			close_file(runs, run, "removed");
			forget(runs, run);
		}
		run = next;
	}
	if (!id || runs->stall_error || find(runs, id->number))
		return 0;
	run = find_or_add(runs, id);
	if (!run)
		return -ENOMEM;
	error = make_ready(runs, run);
	if (error) {
		forget(runs, run);
		return error;
	}
	/* An earlier logger may have written buffers of this run. */
	run->is_begun = !run->buffers && !run->file.index.count && !run->file.closed;
	current_compressor(runs);
	return 0;
}

int runs_put(struct runs *runs, const struct evtlog_buffer_header *buffer)
{
	struct run_id id;
	struct block block;
	struct run *run;
	uint64_t lost;
	int error;

	run_id_of_buffer(&id, buffer);
	run = find_or_add(runs, &id);
	if (!run)
		return -ENOMEM;
	error = make_ready(runs, run);
	if (error)
		goto stall;
	if (run_has(run, buffer)) {
		say_detail("%s cpu %u buffer %llu: already in the file",
			   label_of(run), buffer->cpu, buffer->sequence);
		goto check_complete;
	}
	block_of_buffer(&block, buffer, is_late(buffer) ? NULL : current_compressor(runs));
	error = append(runs, run, &block);
	if (error)
		goto stall;
	going_on(runs, run);
	lost = run->lost;
	run_note(run, buffer);
	runs->lost += run->lost - lost;
	if (!lost && run->lost)
		say_warning("%s: events are being lost; use more or larger buffers%s", label_of(run),
			    run->id.is_named ? "" : ": see buffers and buffer_kb in logd(8)");
	runs->last_put = run->id.number;
	push(runs, run);
check_complete:
	if (run_is_complete(run))
		complete(runs, run);
	return 0;

stall:
	stalled(runs, run, error);
	return error;
}

bool runs_spare_memory(struct runs *runs)
{
	if (!runs->compressor)
		return false;
	runs->is_short_of_memory = true;
	current_compressor(runs);
	say_warning("compress: its memory is needed for the kernel's buffers; storing them uncompressed");
	return true;
}

void runs_put_unreadable(struct runs *runs, uint32_t cpu, uint32_t bytes)
{
	struct run *run = find(runs, runs->last_put);
	struct evtlog_gap gap = {
		.buffers = 1,
		.bytes = bytes,
		.cpu = cpu,
		.error = EBADMSG,
	};
	struct block block;

	say_error("cpu%u: invalid buffer from the kernel; logd and kernel have different versions, or memory is damaged",
		  cpu);
	if (!run || run->file.fd < 0)
		return;
	if (cpu < run->cpu_count)
		gap.sequence = run->cpus[cpu].next;
	gap.begin_real_ns = gap.end_real_ns = real_ns();
	block_of_gap(&block, run->id.number, &gap);
	append(runs, run, &block);
}

static void adopt(void *context, const struct run_id *id)
{
	struct runs *runs = context;
	struct run *run = find_or_add(runs, id);
	int error;

	if (!run || run->file.fd >= 0)
		return;
	error = open_file(runs, run, false);
	if (error) {
		say_warning("%s: %s: %s", runs->directory.path, label_of(run), strerror(-error));
		forget(runs, run);
		return;
	}
	say_info("%s/%s: left open by a logger; it has %" PRIu64 " buffers",
		 runs->directory.path, run->file.name, run->buffers);
	if (run_is_complete(run))
		complete(runs, run);
}

void runs_adopt(struct runs *runs, const uint8_t *boot_id)
{
	if (directory_use(&runs->directory, runs->settings))
		return;
	recover_each(runs->directory.fd, runs->directory.path,
		     runs->source.host(runs->source.context), boot_id, adopt, runs);
}

void runs_settle(struct runs *runs, uint64_t recording)
{
	struct run *run = runs->list;

	while (run) {
		struct run *next = run->next;

		if (run->id.number != recording) {
			close_file(runs, run, "closed, not complete");
			forget(runs, run);
		}
		run = next;
	}
}

void runs_reopen(struct runs *runs)
{
	struct run *run = runs->list;

	while (run) {
		struct run *next = run->next;

		close_file(runs, run, "closed for reopening");
		if (run->is_begun)
			forget(runs, run);
		run = next;
	}
	directory_close(&runs->directory);
}

int runs_close(struct runs *runs)
{
	int result = 0;

	for (struct run *run = runs->list; run; run = run->next) {
		int error = close_file(runs, run, "closed");

		if (error)
			result = error;
	}
	return result;
}

uint64_t runs_last_complete(const struct runs *runs)
{
	return runs->last_complete;
}

uint64_t runs_lost(const struct runs *runs)
{
	return runs->lost;
}

bool runs_is_stalled(const struct runs *runs)
{
	return runs->stall_error;
}
