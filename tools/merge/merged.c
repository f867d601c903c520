// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the events of a merged file, as the merge would have printed them.
 *
 * Stage: between merged files in libevtlog and stdout.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/hostlist.h"
#include "input/selection.h"
#include "merge.h"
#include "print/around.h"
#include "timeline.h"

/*
 * @types:	for each host, by its own numbers
 * @wanted:	True: the host is selected
 * @unknown:	a name in --type that is not a type of any host: perhaps a registered event
 */
struct showing {
	struct merge_options *opts;
	const char *path;
	struct evtlog_merged *merged;
	struct report report;
	struct real_points real;
	struct show_host *hosts;
	bool (*types)[EVTLOG_TYPE_MAX + 1];
	bool *wanted;
	char unknown[EVTLOG_NAME_MAX + 1];
	struct matches matches;
	struct iterator iterator;
};

static int prepare_host(struct showing *showing, size_t number)
{
	const struct report_host *of = &showing->report.hosts[number];
	struct show_host *host = &showing->hosts[number];
	const struct choice *choice = &showing->opts->hosts;

	showing->wanted[number] = host_filter_fits(choice, of->name) ||
				  (of->host && host_filter_fits(choice, of->host));
	host->file = evtlog_merged_file(showing->merged, number);
	host->tasks = evtlog_merged_tasks(showing->merged, number);
	/* Only names that are shown count for the column's width. */
	if (showing->wanted[number])
		show_host_init(&showing->opts->show, host, of->name,
			       of->clock.method);
	return fields_init(&host->fields, host->file, host->tasks);
}

/* Returns EXIT_OK, or an error after printing why nothing can match.  CPUs are known later. */
static int check_options(struct showing *showing)
{
	if (matches_init(&showing->matches, showing->path, &showing->opts->filter,
			 evtlog_merged_hosts(showing->merged))) {
		pr_err("%s: %s", showing->path, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	showing->matches.length_ns = showing->report.end_ns - showing->report.begin_ns;
	for (size_t i = 0; i < showing->matches.log_count; i++)
		matches_add(&showing->matches, i, showing->hosts[i].file,
			    showing->hosts[i].tasks, false);
	return matches_check(&showing->matches, showing->opts->command);
}

/* Prints the existing hosts.  Returns EXIT_MISUSE. */
static int refuse_hosts(const struct showing *showing)
{
	const struct report *report = &showing->report;
	const char **names = calloc(report->count + 1, sizeof(*names));
	char *folded = NULL;
	int status;

	for (size_t i = 0; names && i < report->count; i++)
		names[i] = report->hosts[i].name;
	if (names)
		folded = fold_hosts(names, report->count);
	status = misuse(showing->opts->command, "--host: %s: no such host is in %s; hosts: %s",
			showing->opts->hosts.text, showing->path, folded ? folded : "others");
	free(folded);
	free(names);
	return status;
}

/* Selects types of all hosts.  Returns 0; 1 if all hosts lack @showing->unknown; -errno. */
static int choose_types(struct showing *showing)
{
	size_t count = evtlog_merged_hosts(showing->merged), lacking = 0;
	int error = 0;

	for (size_t i = 0; i < count && error >= 0; i++) {
		error = filter_types_of(&showing->opts->filter, showing->opts->types,
					showing->hosts[i].file, showing->types[i],
					showing->unknown);
		lacking += error == 1;
		showing->opts->show.counters |= filter_has_type(&showing->opts->filter,
								showing->hosts[i].file,
								EVTLOG_COUNTER);
	}
	return error < 0 ? error : count && lacking == count;
}

/* Call after reading: returns true if no host has defined a registered event of this name. */
static bool is_unknown(const struct showing *showing)
{
	for (size_t i = 0; i < evtlog_merged_hosts(showing->merged); i++)
		if (filter_knows_event(showing->hosts[i].file, showing->unknown))
			return false;
	return *showing->unknown;
}

static int prepare(struct showing *showing)
{
	size_t count = evtlog_merged_hosts(showing->merged), wanted = 0;
	int error = report_of_merged(&showing->report, showing->merged);

	showing->hosts = calloc(count, sizeof(*showing->hosts));
	showing->types = calloc(count, sizeof(*showing->types));
	showing->wanted = calloc(count, sizeof(*showing->wanted));
	if (error || !showing->hosts || !showing->types || !showing->wanted) {
		pr_err("%s: %s", showing->path, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < count && !error; i++) {
		error = prepare_host(showing, i);
		wanted += showing->wanted[i];
	}
	if (!error && showing->opts->types)
		error = choose_types(showing);
	if (error == 1) {
		/* Registered events are known only while the file is read. */
		showing->opts->filter.events_later = true;
		error = choose_types(showing);
	} else {
		*showing->unknown = '\0';
	}
	if (error) {
		pr_err("%s: %s", showing->path, strerror(-error));
		return EXIT_FAILED;
	}
	if (!wanted)
		return refuse_hosts(showing);
	real_points_read(&showing->real, showing->merged);
	return check_options(showing);
}

static int show(struct showing *showing, const struct iterator_event *at)
{
	const struct show_host *host = &showing->hosts[at->log];
	bool matches = show_selects(&showing->opts->filter, showing->types[at->log], host,
				    at->event);
	struct show_moment moment = {
		.start_ns = at->time_ns - showing->report.begin_ns,
		.kind_ns = at->time_ns,
		.from_ns = at->from_ns - showing->report.begin_ns,
		.doubtful = at->doubtful,
	};

	if (showing->opts->show.time == SHOW_REAL)
		moment.kind_ns = real_at(&showing->real, at->time_ns);
	matches_see(&showing->matches, at->log, at->event, matches);
	return around_show(showing->opts->around, &showing->opts->show, host, at->event,
			   &moment, matches);
}

static int take(void *context, const struct iterator_event *at)
{
	struct showing *showing = context;

	matches_see(&showing->matches, at->log, at->event, false);
	/* Events that match, or may be near a match. */
	return iterator_wants(&showing->iterator, at) &&
	       !show_hides(&showing->opts->show, at->event) ? show(showing, at) : 0;
}

/* Returns 1 if all was read, 0 if only a part was requested, or -errno. */
static int read_events(struct showing *showing)
{
	const struct merge_options *opts = showing->opts;
	const struct iterator_window window = {
		.begin_ns = showing->report.begin_ns,
		.from_ns = opts->filter.from_ns,
		.to_ns = opts->filter.to_ns,
		.cpus = opts->filter.cpus,
		.logs = showing->wanted,
	};
	bool ended;
	int error;

	iterator_of_merged(&showing->iterator, showing->merged, &window);
	error = events_show_all(&showing->iterator, opts->around, "read", take, showing);
	ended = showing->iterator.ended;
	iterator_end(&showing->iterator);
	return error ? error : ended;
}

static int say_error(const char *path, const struct evtlog_merged *merged, int error)
{
	if (error == -ENODATA)
		pr_err("%s: truncated: merge the hosts' files again",
		       path);
	else if (error == -EBADMSG)
		pr_err("%s: at byte %" PRIu64 ": damaged; merge the hosts' files again",
		       path, evtlog_merged_position(merged));
	else
		pr_err("%s: %s", path, strerror(-error));
	return EXIT_FAILED;
}

/* Returns the exit status that the merge would have had. */
static int verdict(const struct report *report, const char *path)
{
	int status = report_verdict(report, path);

	for (size_t i = 0; i < report->count; i++)
		if (report->hosts[i].clock.violations)
			return EXIT_FAILED;
	return status;
}

static int print(struct showing *showing)
{
	int result = read_events(showing), status;

	if (result < 0)
		return say_error(showing->path, showing->merged, result);
	if (result == 1 && is_unknown(showing))
		return matches_refuse_type(showing->opts->command, showing->unknown, showing->path,
					   showing->hosts[0].file);
	report_free(&showing->report);
	if (report_of_merged(&showing->report, showing->merged))
		return say_error(showing->path, showing->merged, -ENOMEM);
	/* After reading all, the CPUs of all hosts are known. */
	showing->matches.knows_cpus = result == 1;
	status = matches_check(&showing->matches, showing->opts->command);
	if (status != EXIT_OK)
		return status;
	if (showing->opts->around->limit)
		matches_report(&showing->matches);
	status = merge_report(showing->opts, &showing->report);
	return status == EXIT_OK ? finish(verdict(&showing->report, showing->path)) : status;
}

int merged_show(struct merge_options *opts, const char *path)
{
	struct showing showing = { .opts = opts, .path = path };
	struct evtlog_error error = { 0 };
	int status = EXIT_FAILED;

	if (evtlog_merged_open(path, &showing.merged, &error)) {
		pr_err("%s: %s", path, error.reason);
		return EXIT_FAILED;
	}
	status = prepare(&showing);
	if (status == EXIT_OK)
		status = print(&showing);
	for (size_t i = 0; showing.hosts && i < evtlog_merged_hosts(showing.merged);
	     i++)
		fields_free(&showing.hosts[i].fields);
	matches_free(&showing.matches);
	free(showing.hosts);
	free(showing.types);
	free(showing.wanted);
	report_free(&showing.report);
	evtlog_merged_close(showing.merged);
	return status;
}

/* ---- Information about a merged file ---- */

static int read_to_end(struct evtlog_merged *merged, const char *path)
{
	const struct iterator_event *at;
	struct iterator iterator;
	struct progress progress;
	uint32_t events = 0;
	int result;

	iterator_of_merged(&iterator, merged, NULL);
	progress_begin(&progress, path, iterator.all_bytes);
	while ((result = iterator_next(&iterator, &at)) > 0)
		if (!(++events & 0xfffff))
			progress_update(&progress, iterator_position(&iterator));
	progress_end(&progress);
	iterator_end(&iterator);
	return result;
}

static void info_show(const struct report *report, const struct evtlog_merged *merged,
		      const char *path)
{
	printf("log         %s\n", path);
	printf("merged      %zu hosts on the clock of %s%s\n", report->count,
	       report->reference,
	       report->assume_ntp ? "; some clocks are assumed" : "");
	printf("span        %.9f s\n", (report->end_ns - report->begin_ns) / 1e9);
	printf("file        %" PRIu64 " bytes%s\n", evtlog_merged_size_bytes(merged),
	       report->whole ? "" : ", part of the hosts' files");
	printf("events      %" PRIu64 ", %" PRIu64 " in uncertain order\n\n",
	       report->events, report->doubtful);
	report_show(report, stdout);
}

int merged_info(const char *path, bool json)
{
	struct evtlog_merged *merged;
	struct evtlog_error error = { 0 };
	struct report report = { 0 };
	int result, status = EXIT_FAILED;

	if (evtlog_merged_open(path, &merged, &error)) {
		pr_err("%s: %s", path, error.reason);
		return EXIT_FAILED;
	}
	result = read_to_end(merged, path);
	if (!result)
		result = report_of_merged(&report, merged);
	if (result) {
		status = say_error(path, merged, result);
	} else {
		if (json)
			report_json(&report, stdout);
		else
			info_show(&report, merged, path);
		status = verdict(&report, path);
	}
	report_free(&report);
	evtlog_merged_close(merged);
	return status;
}
