// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Begins traces of processes, and writes their events for each period.
 *
 * The kernel lists traces in the order in which they were begun, and a trace keeps its place when
 * its task ends. So the traces of two readings are matched in order.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/error.h"
#include "common/json.h"
#include "control/control.h"
#include "profile/profile.h"
#include "profile/trace.h"

/*
 * struct part - the new part of a trace
 * @events, @overwritten: numbers of new events that are there, and that were overwritten
 * @has_ended:	the task has ended since the last reading
 */
struct part {
	uint64_t events, overwritten;
	bool has_ended, is_shown;
};

int trace_record_begin(struct trace_record *record)
{
	int error = traces_read(&record->before);

	for (size_t i = 0; i < record->before.count && !error; i++)
		error = pid_set_add(&record->others, record->before.at[i].pid);
	if (error && error != -ENOMEM)
		traces_say_failed(error);
	return error;
}

static int add_one(struct trace_record *record, int pid)
{
	char text[64];
	int error;

	snprintf(text, sizeof(text), "%d %" PRIu64 " tree", pid, record->events);
	error = control_write(TRACE_FILE, text);
	switch (error) {
	case -ENOMEM:
		if (!record->said_full)
			pr_warn("%d: there is no memory for its trace; all traces together have 64 MiB: use a smaller --traces, or delete traces with evtlog profile stop PID",
				pid);
		record->said_full = true;
		return 0;
	case -EEXIST:
		if (!record->said_others && pid_set_has(&record->others, pid)) {
			pr_warn("%d: has a trace already, which is not recorded; delete it with evtlog profile stop %d, to record a new one",
				pid, pid);
			record->said_others = true;
		}
		return 0;
	/* The task is gone, or has no profile: it has just begun, or is ending. */
	case -ESRCH:
	case -ENODATA:
	case 0:
		return 0;
	}
	traces_say_failed(error);
	return error;
}

int trace_record_add(struct trace_record *record, const struct pid_set *pids)
{
	int error = 0;

	for (size_t i = 0; i < pids->count && !error; i++)
		error = add_one(record, pids->at[i]);
	return error;
}

/* Returns true if both are the same trace. A pid may be reused. */
static bool is_same(const struct trace *before, const struct trace *now)
{
	return before->pid == now->pid && before->tgid == now->tgid &&
	       before->written <= now->written && before->newest <= now->newest &&
	       (!before->has_ended || (now->has_ended && before->newest == now->newest));
}

/* Finds the same trace in the last reading, from @from on. */
static size_t find_before(const struct traces *before, size_t from, const struct trace *trace)
{
	while (from < before->count && !is_same(&before->at[from], trace))
		from++;
	return from;
}

static void set_parts(const struct traces *before, const struct traces *now, struct part *parts)
{
	size_t next = 0;

	for (size_t i = 0; i < now->count; i++) {
		size_t at = find_before(before, next, &now->at[i]);
		uint64_t written = now->at[i].written;
		bool had_ended = false;

		if (at < before->count) {
			written -= before->at[at].written;
			had_ended = before->at[at].has_ended;
			next = at + 1;
		}
		parts[i].events = written < now->at[i].count ? written : now->at[i].count;
		parts[i].overwritten = written - parts[i].events;
		parts[i].has_ended = now->at[i].has_ended && !had_ended;
	}
}

/* Number of traces that had already ended at the last reading, and are gone */
static uint64_t shown_and_gone(const struct traces *before, const struct traces *now)
{
	uint64_t gone = 0;
	size_t next = 0;

	for (size_t i = 0; i < before->count; i++) {
		size_t at = next;

		if (!before->at[i].has_ended)
			continue;
		while (at < now->count && !is_same(&before->at[i], &now->at[at]))
			at++;
		if (at < now->count)
			next = at + 1;
		else
			gone++;
	}
	return gone;
}

static void print_json(FILE *out, const struct period_files *files, const struct traces *traces,
		       const struct part *parts, double begin, double end, uint64_t lost)
{
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_double(&json, "begin", begin, 6);
	json_double(&json, "end", end, 6);
	json_u64(&json, "ticks_hz", files->hz);
	json_u64(&json, "traces_lost", lost);
	json_array(&json, "traces");
	for (size_t i = 0; i < traces->count; i++) {
		if (!parts[i].is_shown)
			continue;
		json_object(&json, NULL);
		json_u64(&json, "overwritten", parts[i].overwritten);
		trace_print_json(&json, &traces->at[i], parts[i].events);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
}

static void print_text(FILE *out, const struct period_files *files, const struct traces *traces,
		       const struct part *parts, double begin, double end, uint64_t lost)
{
	fprintf(out, "from %.6f to %.6f, %" PRIu64 " traces of ended tasks lost\n", begin, end,
		lost);
	for (size_t i = 0; i < traces->count; i++) {
		if (!parts[i].is_shown)
			continue;
		fputc('\n', out);
		trace_print(out, &traces->at[i], parts[i].events, files->hz);
		if (parts[i].overwritten)
			fprintf(out, "%" PRIu64 " events before these were overwritten\n",
				parts[i].overwritten);
	}
}

static int write_period(const struct period_files *files, const struct traces *traces,
			const struct part *parts, double begin, double end, uint64_t lost)
{
	struct period_file file;
	int error = period_file_open(&file, files, "trace", end);

	if (error)
		return error;
	if (files->form == PERIOD_JSON)
		print_json(file.file.out, files, traces, parts, begin, end, lost);
	else
		print_text(file.file.out, files, traces, parts, begin, end, lost);
	return period_file_close(&file, files, 0);
}

int trace_record_period(struct trace_record *record, const struct period_files *files,
			double begin, double end)
{
	struct part *parts;
	struct traces now;
	uint64_t lost, gone;
	int error = traces_read(&now);

	if (error) {
		traces_free(&now);
		if (error != -ENOMEM)
			traces_say_failed(error);
		return error;
	}
	parts = calloc(now.count + 1, sizeof(*parts));
	if (!parts) {
		traces_free(&now);
		return -ENOMEM;
	}
	set_parts(&record->before, &now, parts);
	for (size_t i = 0; i < now.count; i++)
		parts[i].is_shown = !pid_set_has(&record->others, now.at[i].pid) &&
				    (parts[i].events || parts[i].overwritten || parts[i].has_ended);
	gone = shown_and_gone(&record->before, &now);
	lost = now.dropped - record->before.dropped;
	lost = lost > gone ? lost - gone : 0;
	error = write_period(files, &now, parts, begin, end, lost);
	free(parts);
	if (lost)
		pr_warn("%" PRIu64 " traces of tasks that ended were dropped before they were read; evtlog profile start --keep %" PRIu64 " keeps more",
			lost, (now.dropped - record->before.dropped) * 2);
	record->lost += lost;
	traces_free(&record->before);
	record->before = now;
	return error;
}

void trace_record_end(struct trace_record *record)
{
	struct traces now;
	char text[32];

	/* Tasks that were forked since the last reading have traces, too. */
	if (!traces_read(&now)) {
		for (size_t i = 0; i < now.count; i++) {
			if (pid_set_has(&record->others, now.at[i].pid))
				continue;
			snprintf(text, sizeof(text), "-%u", now.at[i].pid);
			control_write(TRACE_FILE, text);
		}
	}
	traces_free(&now);
	traces_free(&record->before);
	pid_set_free(&record->others);
}
