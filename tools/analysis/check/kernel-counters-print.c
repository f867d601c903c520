// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints how the events of a run compare with the kernel's counters, as text and as JSON.
 *
 * Called by `evtlog check`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/json.h"
#include "input/types.h"
#include "kernel-counters.h"

#define VERDICT_WIDTH	30
#define TIMES_WIDTH	36

/* Types that the kernel also counts */
#define TYPES_COUNTED	(types_bit(EVTLOG_SCHED_SWITCH) | TYPES_SOFTIRQ | TYPES_IRQ | \
			 types_bit(EVTLOG_ICMP_RX))

/* Types that a counter counts */
static uint64_t counter_types(const struct evtlog_file *file, const struct counter_result *r)
{
	const struct evtlog_type_info *type;

	switch (r->counter) {
	case EVTLOG_COUNTER_CTXT:
	case EVTLOG_COUNTER_SWITCHES:
		return types_bit(EVTLOG_SCHED_SWITCH);
	case EVTLOG_COUNTER_SOFTIRQ:
		return TYPES_SOFTIRQ;
	case EVTLOG_COUNTER_IRQ:
	case EVTLOG_COUNTER_IRQS:
		return types_pair(EVTLOG_IRQ_HANDLER_ENTRY);
	case EVTLOG_COUNTER_ICMP:
		return types_bit(EVTLOG_ICMP_RX);
	case EVTLOG_COUNTER_VECTOR:
		type = evtlog_type_info(file, r->index);
		return type && type->known ? types_pair(type->known) : 0;
	case EVTLOG_COUNTER_REJECTED:
	case EVTLOG_COUNTER_STEAL:
		break;
	}
	return 0;
}

/* Returns recorded types that this kernel does not count: only of a module */
static uint64_t uncounted_types(const struct counters *counters)
{
	const struct evtlog_file *file = counters_file(counters);
	uint64_t types = types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_ICMP_RX) | TYPES_SOFTIRQ |
			 types_pair(EVTLOG_IRQ_HANDLER_ENTRY);
	struct counter_result r;

	if (!evtlog_meta(file, "form"))
		return 0;
	for (size_t i = 0; counters_result(counters, i, &r); i++)
		types &= ~counter_types(file, &r);
	return types & types_that_are(file, types, EVTLOG_RECORDED_ON);
}

static double seconds(const struct counters *counters, uint64_t time_ns)
{
	return (double)(int64_t)(time_ns - evtlog_begin_ns(counters_file(counters))) / 1e9;
}

static const char *part_words(const struct counter_part *part, uint64_t uncounted)
{
	if (part->is_unknown)
		return "no data";
	if (part->is_quiet)
		return "no events, no counters";
	switch (part->verdict) {
	case COUNTER_OK:
		return uncounted ? "complete as far as the kernel counts" : "proved complete";
	case COUNTER_LOST:
		return "not complete: events lost";
	case COUNTER_MISMATCH:
		return "NOT COMPLETE: counts differ";
	default:
		return "not proved: a counter reading is missing";
	}
}

static const char *part_name(const struct counter_part *part, uint64_t uncounted)
{
	if (part->is_quiet)
		return "quiet";
	switch (part->verdict) {
	case COUNTER_OK:
		return uncounted ? "unproved" : "complete";
	case COUNTER_LOST:
		return "lost";
	case COUNTER_MISMATCH:
		return "mismatch";
	default:
		return "unproved";
	}
}

static void show_parts(const struct counters *counters)
{
	uint64_t uncounted = uncounted_types(counters);
	struct counter_part part;

	printf("intervals   per CPU, between its two readings of the counters\n");
	for (unsigned int slot = 0; counters_part(counters, slot, &part); slot++) {
		printf("  CPU %-5u ", part.cpu);
		if (part.is_unknown)
			printf("%*s", TIMES_WIDTH, "");
		else
			printf("%14.9f s to %14.9f s", seconds(counters, part.from_ns),
			       seconds(counters, part.to_ns));
		printf("  %s\n", part_words(&part, uncounted));
	}
}

static bool is_off(const struct counters *counters, const struct counter_result *r)
{
	const struct evtlog_file *file = counters_file(counters);
	uint64_t types = counter_types(file, r);

	return types && types == (types & types_that_are(file, types, EVTLOG_RECORDED_OFF));
}

/* Returns true if no counted type was recorded, as in a log with only samples. */
static bool are_all_off(const struct counters *counters)
{
	struct counter_result r;

	for (size_t i = 0; counters_result(counters, i, &r); i++)
		if (!is_off(counters, &r) && (r.counter != EVTLOG_COUNTER_REJECTED || r.kernel))
			return false;
	return true;
}

/* Returns true if the kernel's counter includes tasks outside of the log's tree. */
static bool is_of_others(const struct counters *counters, const struct counter_result *r)
{
	return r->verdict == COUNTER_OFF && evtlog_tree_pid(counters_file(counters)) &&
	       !is_off(counters, r);
}

static void show_line(const struct counters *counters, const struct counter_result *r)
{
	char name[64];

	counter_name(counters_file(counters), r, name, sizeof(name));
	if (r->counter == EVTLOG_COUNTER_CTXT)
		printf("  all CPUs  ");
	else
		printf("  CPU %-5u ", r->cpu);
	printf("%-*s kernel ", VERDICT_WIDTH, name);
	if (r->verdict == COUNTER_PARTIAL)
		printf("%10s", "?");
	else
		printf("%10" PRIu64, r->kernel);
	printf("  recorded %10" PRIu64 "  %s\n", r->recorded, counter_verdict_name(r->verdict));
}

/* Prints the types that were not recorded or have no counter, and ends the line. */
static void show_off(const struct counters *counters)
{
	const struct evtlog_file *file = counters_file(counters);
	uint64_t types = types_that_are(file, TYPES_COUNTED, EVTLOG_RECORDED_OFF);
	struct counter_result r;
	char *text;

	for (size_t i = 0; counters_result(counters, i, &r); i++)
		if (r.verdict == COUNTER_OFF && !is_of_others(counters, &r))
			types |= counter_types(file, &r);
	text = types_text(file, types);
	if (text)
		printf("; not recorded: %s", text);
	free(text);
	text = types_text(file, uncounted_types(counters));
	if (text)
		printf("; this kernel has no counter of: %s", text);
	free(text);
	putchar('\n');
}

void counters_show(const struct counters *counters, const uint64_t *verdicts)
{
	uint64_t count = 0, zeros = 0, unread = 0, others = 0;
	struct counter_result r;

	for (size_t i = 0; counters_result(counters, i, &r); i++)
		count++;
	printf("counters    ");
	if (!count) {
		printf("none in the file\n");
		return;
	}
	if (are_all_off(counters)) {
		printf("not compared: none of the events that the kernel counts were recorded\n");
		return;
	}
	/* Counters of types that are off cannot agree. */
	printf("%" PRIu64 " of %" PRIu64 " agree with the kernel", verdicts[COUNTER_OK],
	       count - verdicts[COUNTER_OFF]);
	show_off(counters);
	for (size_t i = 0; counters_result(counters, i, &r); i++) {
		if (is_of_others(counters, &r)) {
			others++;
			continue;
		}
		if (r.kernel || r.recorded) {
			show_line(counters, &r);
			continue;
		}
		zeros += r.verdict != COUNTER_PARTIAL;
		unread += r.verdict == COUNTER_PARTIAL;
	}
	if (counters_total(counters, &r))
		show_line(counters, &r);
	if (others)
		printf("  (%" PRIu64 " more are not comparable: the kernel counts tasks outside the tree, too)\n",
		       others);
	if (zeros)
		printf("  (%" PRIu64 " more are zero)\n", zeros);
	if (unread)
		printf("  (%" PRIu64 " more lack a reading)\n", unread);
	show_parts(counters);
}

static void result_json(const struct counters *counters, const struct counter_result *r,
			struct json *json)
{
	static const char *const verdicts[] = {
		"ok", "mismatch", "lost", "off", "partial", "shared"
	};
	char name[64];

	counter_name(counters_file(counters), r, name, sizeof(name));
	json_object(json, NULL);
	json_string(json, "name", name);
	if (r->counter != EVTLOG_COUNTER_CTXT)
		json_u64(json, "cpu", r->cpu);
	json_u64(json, "index", r->index);
	if (r->verdict == COUNTER_PARTIAL)
		json_null(json, "kernel");
	else
		json_u64(json, "kernel", r->kernel);
	json_u64(json, "recorded", r->recorded);
	json_string(json, "verdict", verdicts[r->verdict]);
	json_end(json);
}

static void part_json(const struct counters *counters, const struct counter_part *part,
		      struct json *json)
{
	uint64_t begin_ns = evtlog_begin_ns(counters_file(counters));
	const struct { const char *key; uint64_t at_ns; } times[] = {
		{ "start_ns", part->begin_ns }, { "from_ns", part->from_ns },
		{ "to_ns", part->to_ns }, { "end_ns", part->end_ns },
	};

	json_object(json, NULL);
	json_u64(json, "cpu", part->cpu);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (part->is_unknown)
			json_null(json, times[i].key);
		else
			json_s64(json, times[i].key, times[i].at_ns - begin_ns);
	json_string(json, "status", part_name(part, uncounted_types(counters)));
	json_end(json);
}

/* This key exists only for a module. */
static void uncounted_json(const struct counters *counters, struct json *json)
{
	const struct evtlog_file *file = counters_file(counters);
	uint64_t types = uncounted_types(counters);

	if (!evtlog_meta(file, "form"))
		return;
	json_array(json, "uncounted");
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (type && type->known && types >> type->known & 1)
			json_string(json, NULL, type->name);
	}
	json_end(json);
}

void counters_json(const struct counters *counters, struct json *json)
{
	struct counter_result r;
	struct counter_part part;

	json_array(json, "counters");
	for (size_t i = 0; counters_result(counters, i, &r); i++)
		result_json(counters, &r, json);
	if (counters_total(counters, &r))
		result_json(counters, &r, json);
	json_end(json);
	uncounted_json(counters, json);
	json_array(json, "intervals");
	for (unsigned int slot = 0; counters_part(counters, slot, &part); slot++)
		part_json(counters, &part, json);
	json_end(json);
}
