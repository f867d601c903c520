// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads fetched files from start to end, and moves them to the user's directory.
 *
 * rsync compares copies.  Only reading a log shows whether the log is complete.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evtlog/evtlog.h>

#include "gather.h"
#include "input/open-log.h"

static bool is_of_run(const struct evtlog_file *log, const char *run)
{
	const char *name = evtlog_meta(log, "run_name");
	char number[24];

	if (!run)
		return true;
	if (name)
		return !strcmp(name, run);
	snprintf(number, sizeof(number), "%" PRIu64, evtlog_run(log));
	return !strcmp(number, run);
}

static int read_through(struct evtlog_file *log)
{
	int result = 0;

	for (unsigned int slot = 0; !result && slot < evtlog_cpu_count(log); slot++) {
		const struct evtlog_event *event;
		struct evtlog_stream *stream;

		result = evtlog_stream_new(log, slot, &stream);
		if (result)
			break;
		do
			result = evtlog_stream_next(stream, &event);
		while (result > 0);
		evtlog_stream_free(stream);
	}
	return result;
}

/* Returns true for the same run of the same host: the file at @path is then an older copy. */
static bool is_copy_of(const struct evtlog_file *log, const char *path)
{
	struct evtlog_file *other;
	const char *a, *b;
	bool same;

	if (evtlog_open(path, &other, NULL))
		return false;
	a = evtlog_meta(log, "host");
	b = evtlog_meta(other, "host");
	same = evtlog_run(log) == evtlog_run(other) &&
	       !memcmp(evtlog_boot_id(log), evtlog_boot_id(other), 16) &&
	       a && b && !strcmp(a, b);
	evtlog_close(other);
	return same;
}

/* Compares the first labels: one of the names may be fully qualified. */
static bool is_from(const struct evtlog_file *log, const char *sender)
{
	const char *host = evtlog_meta(log, "host");
	size_t length = strcspn(sender, ".");

	return host && strcspn(host, ".") == length && !strncmp(host, sender, length);
}

/* Reads @log to its end. */
static void measure(struct evtlog_file *log, struct gathered_file *file)
{
	struct evtlog_summary summary;

	if (read_through(log))
		file->error = "can't be read";
	evtlog_summarize(log, &summary);
	file->complete = summary.complete;
	file->lost = log_lost(log);
	file->damages = log_damages(log);
	file->bytes = evtlog_size_bytes(log);
	file->run = evtlog_run(log);
}

/* Returns true if @beginning, such as a copy of an unfinished log, is the start of @path. */
static bool begins_with(const char *path, const char *beginning)
{
	FILE *one = fopen(path, "re"), *other = fopen(beginning, "re");
	bool same = one && other;
	char a[16384], b[16384];
	size_t bytes;

	while (same && (bytes = fread(b, 1, sizeof(b), other)) > 0)
		same = fread(a, 1, bytes, one) == bytes && !memcmp(a, b, bytes);
	same = same && !ferror(other);
	if (one)
		fclose(one);
	if (other)
		fclose(other);
	return same;
}

/*
 * Returns why @file, at @path, must not replace @target; NULL if it may.  A better copy is kept,
 * whatever happened to the remote log and whichever host sent it.
 */
static const char *why_worse(const struct gathered_file *file, const char *path,
			     const char *target)
{
	struct gathered_file here = { 0 };
	struct evtlog_file *log;

	if (evtlog_open(target, &log, NULL))
		return NULL;
	measure(log, &here);
	evtlog_close(log);
	if (here.error)
		return NULL;
	if (file->complete != here.complete)
		return file->complete ? NULL :
		       "lacks the end of the run; the local copy has it and is kept";
	if (file->damages != here.damages)
		return file->damages < here.damages ||
		       (!here.complete && begins_with(path, target)) ? NULL :
		       "is more damaged than the local copy, which is kept";
	return file->bytes >= here.bytes ? NULL : "is shorter than the local copy, which is kept";
}

/* Returns false if the file is of another run than @run. */
static bool look_at(struct gathered_file *file, const char *path, const char *target,
		    const char *run, const char *sender)
{
	struct evtlog_file *log;
	bool is_new = strcmp(path, target) != 0;

	if (evtlog_open(path, &log, NULL)) {
		file->error = "is not a log that can be read";
		return true;
	}
	if (!is_of_run(log, run)) {
		evtlog_close(log);
		return false;
	}
	measure(log, file);
	if (is_new && !file->error && access(target, F_OK) == 0) {
		if (!is_copy_of(log, target)) {
			file->error = "a local file of another host or run has its name";
		} else {
			file->error = why_worse(file, path, target);
			/* A host that is asked by another name may still extend the copy here. */
			if (!file->error && !is_from(log, sender) && !begins_with(path, target))
				file->error = "is the log of another host than the local copy, which is kept";
			if (file->error)
				unlink(path);
		}
	}
	evtlog_close(log);
	if (is_new && !file->error && rename(path, target) < 0)
		file->error = strerror(errno);
	return true;
}

static int take_one(struct gathered *gathered, const char *to, const char *run, const char *name)
{
	struct gathered_file *file = &gathered->files[gathered->count];
	char path[PATH_MAX], target[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", gathered->transfer->stage, name) >= PATH_MAX ||
	    snprintf(target, sizeof(target), "%s/%s", to, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	memset(file, 0, sizeof(*file));
	/* The file was here already, so rsync did not copy it. */
	if (access(path, F_OK) < 0)
		strcpy(path, target);
	if (!look_at(file, path, target, run, gathered->transfer->host)) {
		if (strcmp(path, target))
			unlink(path);
		return 0;
	}
	file->name = strdup(name);
	if (!file->name)
		return -ENOMEM;
	gathered->count++;
	return 0;
}

int gathered_take(struct gathered *gathered, const struct transfer *transfer, const char *to,
		  const char *run)
{
	int error = 0;

	memset(gathered, 0, sizeof(*gathered));
	gathered->transfer = transfer;
	/* An incomplete file is kept for the next attempt; an empty directory is removed. */
	if (transfer->why) {
		rmdir(transfer->stage);
		return 0;
	}
	gathered->files = calloc(transfer->file_count + 1, sizeof(*gathered->files));
	if (!gathered->files)
		return -ENOMEM;
	for (size_t i = 0; i < transfer->file_count && !error; i++)
		error = take_one(gathered, to, run, transfer->files[i]);
	/* The directory stays if a file in it could not be moved. */
	rmdir(transfer->stage);
	return error;
}

void gathered_free(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->count; i++)
		free(gathered->files[i].name);
	free(gathered->files);
}

bool gathered_is_good(const struct gathered *gathered)
{
	bool good = !gathered->transfer->why && gathered->count;

	for (size_t i = 0; i < gathered->count; i++)
		good = good && !gathered->files[i].error && gathered->files[i].complete;
	return good;
}

bool gathered_has_losses(const struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->count; i++)
		if (gathered->files[i].lost || gathered->files[i].damages)
			return true;
	return false;
}

static void print_sums(FILE *to, const struct gathered *gathered)
{
	uint64_t lost = 0, damages = 0;
	size_t incomplete = 0;

	for (size_t i = 0; i < gathered->count; i++) {
		lost += gathered->files[i].lost;
		damages += gathered->files[i].damages;
		incomplete += !gathered->files[i].complete;
	}
	fprintf(to, "%zu %s", gathered->count, gathered->count == 1 ? "file" : "files");
	if (!incomplete)
		fputs(", complete", to);
	else if (gathered->count == 1)
		fputs(", not complete (yet)", to);
	else
		fprintf(to, ", %zu of them not complete (yet)", incomplete);
	if (damages)
		fprintf(to, ", %" PRIu64 " place%s damaged or missing", damages,
			damages == 1 ? "" : "s");
	fprintf(to, ", %" PRIu64 " events lost", lost);
}

char *gathered_text(const struct gathered *gathered)
{
	size_t bytes;
	char *text;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	if (gathered->transfer->why) {
		fputs(gathered->transfer->why, to);
	} else if (!gathered->count) {
		fputs("no such file", to);
	} else {
		const struct gathered_file *bad = NULL;

		for (size_t i = 0; i < gathered->count && !bad; i++)
			if (gathered->files[i].error)
				bad = &gathered->files[i];
		if (bad)
			fprintf(to, "%s: %s", bad->name, bad->error);
		else
			print_sums(to, gathered);
	}
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}
