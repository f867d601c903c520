// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs an export: opens the logs, reads their events, and reports losses.
 */
#include <string.h>
#include <sys/resource.h>

#include "common/command.h"
#include "common/error.h"
#include "input/types.h"
#include "run.h"

/* ---- SIGINT, SIGTERM and SIGHUP while an export is written ---- */

volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	interrupted = number;
}

/* From here on, signals only set @interrupted. */
static void interrupt_catch(void)
{
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
}

/* Ends the process by the received signal if @status is EXIT_FAILED; else returns @status. */
static int interrupt_end(int status)
{
	if (interrupted && status == EXIT_FAILED) {
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return status;
}

/* ---- The order of an export ---- */

int export_run(struct sources *sources, const struct sources_options *opts, char **paths,
	       size_t count, int (*write)(void *context), void *context)
{
	int status = sources_open(sources, opts, paths, count);

	interrupt_catch();
	if (status == EXIT_OK)
		status = write(context);
	if (status == EXIT_OK || status == EXIT_EVENTS_LOST) {
		int verdict = sources_verdict(sources);

		if (verdict != EXIT_OK)
			status = verdict;
	}
	sources_close(sources);
	return interrupt_end(status);
}

int export_hosts(const struct sources *sources, int (*host)(void *context, size_t number),
		 void *context, const char *what)
{
	const uint64_t types = types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_SCHED_WAKING);

	for (size_t i = 0; i < sources->logs.count; i++) {
		const struct log_set_file *log = &sources->logs.files[i];
		int result;

		if (!sources->wanted[i])
			continue;
		result = host(context, i);
		if (interrupted)
			return EXIT_FAILED;
		if (result > 0)
			return result;
		if (result)
			return sources_say(log, result);
		sources_warn_of_types(log, types, what);
	}
	return EXIT_OK;
}

/* ---- What an export leaves out of the logs, or changes ---- */

void notes_say(const char *lines, const char *path)
{
	while (*lines) {
		int length = strcspn(lines, "\n");

		pr_info("%s: %.*s", path, length, lines);
		lines += length + (lines[length] != '\0');
	}
}

void notes_say_some(const char *const *texts, uint32_t notes, const char *path)
{
	for (; notes; notes &= notes - 1)
		notes_say(texts[__builtin_ctz(notes)], path);
}

/* ---- The events of a host while its log is exported ---- */

int reading_begin(struct reading *reading, struct evtlog_file *file, const char *name,
		  struct span span)
{
	bool later = span.from_ns > evtlog_begin_ns(file);
	int error;

	reading->span = span;
	reading->count = 0;
	error = iterator_of_log(&reading->iterator, file, later ? span.from_ns : 0, NULL);
	progress_begin(&reading->progress, name, reading->iterator.all_bytes);
	return error;
}

void reading_end(struct reading *reading)
{
	progress_end(&reading->progress);
	iterator_end(&reading->iterator);
}

/* ---- How many files may be open ---- */

void files_limit_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
