// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog check: whether a file is whole, and whether the run in it is.
 *
 * Reads every byte that matters and compares; it repairs nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/cpu-clocks-print.h"
#include "analysis/check/kernel-counters.h"
#include "analysis/check/user-boundary.h"
#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "input/open-log.h"
#include "lib/file/file.h"
#include "profile/subcommands.h"

/*
 * @gaps, @lost_in_gaps, @unknown_ns: of all CPUs
 * @sums:	of all streams
 * @nested_wrong: @nesting_errors of CPUs where nothing is lost that explains it
 * @crossings, @crossed_wrong: of user mode's boundary, and those out of turn
 * @is_global:	of a global named buffer
 */
struct check {
	struct evtlog_file *file;
	const char *path;
	struct counters *counters;
	struct evtlog_cpu_clocks *clocks;
	struct evtlog_stream_counts sums;
	struct evtlog_summary summary;
	uint64_t nested_wrong;
	uint64_t crossings;
	uint64_t crossed_wrong;
	uint64_t gaps;
	uint64_t unknown_ns;
	uint64_t verdicts[COUNTER_SHARED + 1];
	bool is_global;
};

/*
 * What is being read of a CPU.
 * @lossy:	events are missing, which may explain what does not nest
 */
struct check_cpu {
	struct boundary boundary;
	bool lossy;
};

static int check_event(struct check *check, struct check_cpu *cpu,
		       const struct evtlog_event *event)
{
	int error;

	if (event->kind == EVTLOG_EVENT_GAP) {
		check->gaps++;
		check->unknown_ns += event->time_ns - event->from_ns;
		cpu->lossy = true;
	}
	/* In a ring that all CPUs write, the next event of a CPU is unknown. */
	if (check->is_global)
		return 0;
	boundary_update(&cpu->boundary, event);
	error = evtlog_cpu_clocks_event(check->clocks, event);
	return error ? error : counters_update(check->counters, event);
}

/* Some exits or entries are not in the log. */
static bool boundary_is_filtered(const struct evtlog_file *file)
{
	return evtlog_recorded(file, EVTLOG_USER_EXIT) == EVTLOG_RECORDED_OFF ||
	       evtlog_recorded(file, EVTLOG_USER_ENTER) == EVTLOG_RECORDED_OFF;
}

static void add_counts(struct check *check, const struct check_cpu *cpu,
		       const struct evtlog_stream_counts *counts)
{
	check->sums.records += counts->records;
	check->sums.backward += counts->backward;
	check->sums.outside += counts->outside;
	check->sums.overlaps += counts->overlaps;
	check->sums.nesting_errors += counts->nesting_errors;
	check->sums.mismatches += counts->mismatches;
	check->crossings += cpu->boundary.exits + cpu->boundary.enters;
	if (!boundary_is_filtered(check->file))
		check->crossed_wrong += boundary_wrong(&cpu->boundary);
	check->nested_wrong += cpu->lossy ? 0 : counts->nesting_errors;
}

/* All CPUs' events in the order of time, as what happened on two is compared. */
static int check_events(struct check *check, struct check_cpu *cpus, struct progress *progress)
{
	const struct evtlog_event *event;
	struct evtlog_cpu_merge *merge;
	uint16_t events = 0;
	int result = evtlog_cpu_merge_new(check->file, &merge);

	if (result)
		return result;
	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0) {
		result = check_event(check, &cpus[file_event_slot(check->file, event)], event);
		if (result)
			break;
		if (!++events)
			progress_update(progress, evtlog_cpu_merge_position(merge));
	}
	for (unsigned int slot = 0; slot < evtlog_cpu_count(check->file); slot++)
		add_counts(check, &cpus[slot], evtlog_cpu_merge_counts(merge, slot));
	evtlog_cpu_merge_free(merge);
	return result;
}

static int check_all(struct check *check)
{
	struct check_cpu *cpus = calloc(evtlog_cpu_count(check->file) + 1, sizeof(*cpus));
	struct counter_result counter;
	struct progress progress;
	int result = cpus ? 0 : -ENOMEM;

	evtlog_summarize(check->file, &check->summary);
	progress_begin(&progress, check->path, check->summary.raw_bytes);
	if (!result)
		result = check_events(check, cpus, &progress);
	progress_end(&progress);
	free(cpus);
	if (!result)
		result = evtlog_cpu_clocks_finish(check->clocks);
	evtlog_summarize(check->file, &check->summary);
	for (size_t i = 0; counters_result(check->counters, i, &counter); i++)
		check->verdicts[counter.verdict]++;
	return result;
}

/* Damage of the file itself: data that the logger dropped and recorded as dropped is a loss. */
static uint64_t broken_places(const struct check *check, uint64_t *dropped)
{
	uint64_t count = evtlog_damage_count(check->file);
	const struct evtlog_damage *damage;

	*dropped = 0;
	for (size_t i = 0; (damage = evtlog_damage(check->file, i)); i++)
		*dropped += damage->kind == EVTLOG_DAMAGE_DROPPED;
	return count - *dropped;
}

static bool order_is_wrong(const struct check *check)
{
	return check->sums.backward || check->sums.outside ||
	       check->sums.overlaps || check->sums.mismatches;
}

static int status(const struct check *check)
{
	uint64_t dropped, broken = broken_places(check, &dropped);

	if (broken || order_is_wrong(check) || check->nested_wrong ||
	    check->crossed_wrong ||
	    evtlog_cpu_clocks_summary(check->clocks)->verdict == EVTLOG_CPU_CLOCKS_DISAGREE ||
	    !check->summary.complete || check->verdicts[COUNTER_MISMATCH])
		return EXIT_FAILED;
	if (dropped || log_lost(check->file))
		return EXIT_EVENTS_LOST;
	return EXIT_OK;
}

static const char *status_name(int status)
{
	switch (status) {
	case EXIT_OK:
		return "ok";
	case EXIT_EVENTS_LOST:
		return "lost";
	default:
		return "damaged";
	}
}

static void show_damage(const struct evtlog_damage *damage)
{
	printf("  %-8s", evtlog_damage_name(damage->kind));
	if (damage->length)
		printf(" bytes %" PRIu64 " to %" PRIu64 ":", damage->offset,
		       damage->offset + damage->length - 1);
	printf(" %s", damage->reason);
	if (damage->error > 0)
		printf(" (%s)", strerror(damage->error));
	if (damage->has_cpu && damage->buffers == 1)
		printf("; CPU %u buffer %" PRIu64 " is missing", damage->cpu,
		       damage->sequence);
	else if (damage->has_cpu && damage->buffers)
		printf("; CPU %u buffers %" PRIu64 " to %" PRIu64 " are missing",
		       damage->cpu, damage->sequence,
		       damage->sequence + damage->buffers - 1);
	else if (damage->has_cpu && damage->kind == EVTLOG_DAMAGE_RECORD)
		printf("; the rest of CPU %u buffer %" PRIu64 " is missing",
		       damage->cpu, damage->sequence);
	else if (damage->has_cpu)
		printf("; CPU %u buffer %" PRIu64 " is a duplicate",
		       damage->cpu, damage->sequence);
	putchar('\n');
}

static void show_places(const struct check *check)
{
	const struct evtlog_summary *s = &check->summary;
	const struct evtlog_damage *damage;
	uint64_t count = evtlog_damage_count(check->file);
	size_t listed = 0;

	printf("blocks      %" PRIu64 " buffer%s%s", s->buffers, s->buffers == 1 ? "" : "s",
	       s->closed ? ", file closed" : ", file not closed");
	if (s->duplicates)
		printf(", %" PRIu64 " duplicate", s->duplicates);
	if (s->complete)
		printf(", run complete\n");
	else
		printf("; the end of the run is MISSING\n");
	printf("damage      %s", count ? "" : "none\n");
	if (!count)
		return;
	printf("%" PRIu64 " place%s\n", count, count == 1 ? "" : "s");
	for (; (damage = evtlog_damage(check->file, listed)); listed++)
		show_damage(damage);
	if (listed < count)
		printf("  ... and %" PRIu64 " more\n", count - listed);
}

static void show_order(const struct check *check)
{
	const struct evtlog_stream_counts *sums = &check->sums;

	printf("order       ");
	if (!order_is_wrong(check))
		printf("%" PRIu64 " record%s in time order\n", sums->records,
		       sums->records == 1 ? "" : "s");
	else
		printf("WRONG: %" PRIu64 " records earlier than their predecessor, %" PRIu64
		       " outside their buffer's time range, %" PRIu64
		       " overlapping buffers, %" PRIu64
		       " task mismatches between buffers\n",
		       sums->backward, sums->outside, sums->overlaps,
		       sums->mismatches);
	cpu_clocks_show(check->clocks);
	printf("nesting     ");
	if (!sums->nesting_errors)
		printf("every interrupt has an entry and an exit\n");
	else
		printf("%" PRIu64 " %s no counterpart%s\n", sums->nesting_errors,
		       sums->nesting_errors == 1 ? "entry or exit has" : "entries or exits have",
		       check->nested_wrong ? "" : ", but events were lost");
	if (!check->crossings)
		return;
	printf("boundary    ");
	if (!check->crossed_wrong)
		printf("exits and entries of user mode alternate, %" PRIu64 " time%s\n",
		       check->crossings, check->crossings == 1 ? "" : "s");
	else
		printf("WRONG: %" PRIu64 " record%s in user mode, or in the wrong order\n",
		       check->crossed_wrong, check->crossed_wrong == 1 ? "" : "s");
}

static void show(const struct check *check)
{
	uint64_t lost = log_lost(check->file);

	printf("%s: %s\n", check->path,
	       status(check) == EXIT_OK ? "ok" :
	       status(check) == EXIT_EVENTS_LOST ?
	       "whole, but events were lost during recording" :
	       "DAMAGED, INCOMPLETE OR WRONG");
	show_places(check);
	show_order(check);
	printf("lost        %" PRIu64 " event%s", lost, lost == 1 ? "" : "s");
	log_print_causes(check->file);
	if (check->gaps)
		printf("; %" PRIu64 " gap%s, %.6f s of CPU time unknown", check->gaps,
		       check->gaps == 1 ? "" : "s", check->unknown_ns / 1e9);
	putchar('\n');
	counters_show(check->counters, check->verdicts);
}

static void damages_json(const struct check *check, struct json *json)
{
	const struct evtlog_damage *d;

	json_array(json, "damage");
	for (size_t i = 0; (d = evtlog_damage(check->file, i)); i++) {
		json_object(json, NULL);
		json_string(json, "kind", evtlog_damage_name(d->kind));
		json_u64(json, "offset", d->offset);
		json_u64(json, "length", d->length);
		if (d->has_cpu) {
			json_u64(json, "cpu", d->cpu);
			json_u64(json, "sequence", d->sequence);
			json_u64(json, "buffers", d->buffers);
		}
		if (d->error)
			json_s64(json, "errno", d->error);
		json_string(json, "reason", d->reason);
		json_end(json);
	}
	json_end(json);
}

static void show_json(const struct check *check)
{
	const struct evtlog_summary *s = &check->summary;
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "file", check->path);
	json_string(&json, "status", status_name(status(check)));
	json_u64(&json, "events", check->sums.records);
	json_u64(&json, "buffers", s->buffers);
	json_u64(&json, "duplicate_buffers", s->duplicates);
	json_u64(&json, "missing_buffers", s->missing_buffers);
	json_bool(&json, "closed", s->closed);
	json_bool(&json, "complete", s->complete);
	json_u64(&json, "lost", log_lost(check->file));
	log_causes_json(check->file, &json);
	json_u64(&json, "gaps", check->gaps);
	json_u64(&json, "unknown_ns", check->unknown_ns);
	json_u64(&json, "backward", check->sums.backward);
	json_u64(&json, "outside", check->sums.outside);
	json_u64(&json, "overlaps", check->sums.overlaps);
	json_u64(&json, "task_mismatches", check->sums.mismatches);
	cpu_clocks_json(check->clocks, &json);
	json_u64(&json, "nesting_errors", check->sums.nesting_errors);
	json_u64(&json, "crossings", check->crossings);
	json_u64(&json, "crossing_errors", check->crossed_wrong);
	json_u64(&json, "damaged_places", evtlog_damage_count(check->file));
	damages_json(check, &json);
	counters_json(check->counters, &json);
	json_end(&json);
}

struct manner {
	bool json;
	bool quiet;
	bool profile;
};

static int check_file(const char *path, void *context)
{
	const struct manner *manner = context;
	struct check check = { .path = path };
	int result;

	check.file = log_open(path);
	if (!check.file)
		return EXIT_FAILED;
	check.is_global = log_is_global(check.file);
	check.counters = counters_new(check.file);
	result = check.counters ? evtlog_cpu_clocks_new(check.file, &check.clocks) : -ENOMEM;
	if (!result)
		result = check_all(&check);
	if (result) {
		pr_err("%s: %s", path, strerror(-result));
		result = EXIT_FAILED;
	} else {
		if (manner->json)
			show_json(&check);
		else if (!manner->quiet)
			show(&check);
		result = status(&check);
	}
	evtlog_cpu_clocks_free(check.clocks);
	counters_free(check.counters);
	evtlog_close(check.file);
	return result;
}

enum { PROFILE = 256 };

static int take_option(void *context, int option, char *value)
{
	struct manner *manner = context;

	if (option == 'j')
		manner->json = true;
	else if (option == PROFILE)
		manner->profile = true;
	else
		manner->quiet = true;
	return 0;
}

static const struct option_desc table[] = {
	{ 'j', "json", .help = "print a JSON object per file" },
	{ 'q', "quiet", .help = "print nothing; only set the exit status" },
	{ PROFILE, "profile", .help = "check instead that the kernel's profiles add up, to the "
	  "tick: the profile of a CPU to the time that passed, the profile of a task to its "
	  "lifetime; running tasks are checked only after evtlog profile stop" },
	{ }
};

static const struct options options = {
	.command = "check",
	.usage = "[OPTION...] FILE|DIRECTORY...",
	.about = "Read a whole file and report its faults: wrong checksums, gaps in the sequence "
		 "of buffers, times out of order, torn or damaged parts, and lost events by cause. "
		 "Compare the number of events with the kernel's own counters, which each CPU "
		 "reads twice. Check with the order of migrations, wake-ups and forks that the "
		 "clocks of the CPUs agree.",
	.table = table,
	.notes =
	"Exit status: 0 the file is good, or the profiles add up; 1 the file is damaged\n"
	"or incomplete, or counts do not match; 2 misuse; 4 the file is good, but events\n"
	"were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog check node1-1.evl\n"
	"  evtlog check --json *.evl | jq 'select(.status != \"ok\")'\n"
	"  evtlog check --profile\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct manner manner = { 0 };
	int result = options_take(&options, argc, argv, &manner);

	if (result != OPTIONS_TAKEN)
		return result;
	if (manner.profile && (optind < argc || manner.json || manner.quiet))
		return misuse("check", "--profile takes no files, --json or --quiet");
	if (manner.profile)
		return finish(profile_check());
	if (optind == argc)
		return misuse("check", "name a file");
	return finish(log_each(argv + optind, argc - optind, !manner.json && !manner.quiet,
			       check_file, &manner));
}

const struct evtlog_command command_check = {
	.name = "check",
	.summary = "check that a file is complete and undamaged",
	.run = run,
};
