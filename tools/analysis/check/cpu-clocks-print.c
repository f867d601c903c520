// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows whether the tick counters of a host's CPUs agree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/error.h"
#include "cpu-clocks-print.h"

#define LISTED_MAX	8
#define SPAN_BYTES	80

static const char *verdict_name(enum evtlog_cpu_clocks_verdict verdict)
{
	switch (verdict) {
	case EVTLOG_CPU_CLOCKS_AGREE:
		return "agree";
	case EVTLOG_CPU_CLOCKS_DISAGREE:
		return "disagree";
	case EVTLOG_CPU_CLOCKS_UNTRUSTED:
		return "untrusted";
	case EVTLOG_CPU_CLOCKS_UNKNOWN:
		break;
	}
	return "unknown";
}

static bool is_bounded(const struct evtlog_cpu_offset *offset)
{
	return offset->low_ns != INT64_MIN && offset->high_ns != INT64_MAX;
}

/* "-1.2 to 3.4 us" */
static const char *span(const struct evtlog_cpu_offset *offset, char text[SPAN_BYTES])
{
	if (is_bounded(offset))
		snprintf(text, SPAN_BYTES, "%.1f to %.1f us", offset->low_ns / 1e3,
			 offset->high_ns / 1e3);
	else if (offset->high_ns != INT64_MAX)
		snprintf(text, SPAN_BYTES, "at most %.1f us", offset->high_ns / 1e3);
	else if (offset->low_ns != INT64_MIN)
		snprintf(text, SPAN_BYTES, "at least %.1f us", offset->low_ns / 1e3);
	else
		snprintf(text, SPAN_BYTES, "an unknown time");
	return text;
}

/* Finds the CPU with the widest bounds. */
static bool find_widest(const struct evtlog_cpu_clocks *clocks, struct evtlog_cpu_offset *widest)
{
	struct evtlog_cpu_offset offset;
	bool found = false;

	for (unsigned int i = 0; evtlog_cpu_clocks_offset(clocks, i, &offset); i++) {
		if (found && (!is_bounded(widest) ||
			      (is_bounded(&offset) && offset.high_ns - offset.low_ns <=
			       widest->high_ns - widest->low_ns)))
			continue;
		*widest = offset;
		found = true;
	}
	return found;
}

static void show_wrong(const struct evtlog_cpu_clocks *clocks)
{
	const struct evtlog_cpu_clocks_summary *summary = evtlog_cpu_clocks_summary(clocks);
	struct evtlog_cpu_offset offset;
	char text[SPAN_BYTES];
	unsigned int listed = 0, wrong = 0;

	printf("%s: %" PRIu64 " of %" PRIu64 " constraints violated, by up to %.1f us (CPUs %u and %u)\n",
	       summary->verdict == EVTLOG_CPU_CLOCKS_DISAGREE ? "WRONG" :
	       "not trusted by the kernel", summary->violations, summary->orders,
	       summary->worst_ns / 1e3, summary->worst_cpus[0], summary->worst_cpus[1]);
	if (!summary->constant) {
		printf("  no constant offsets between the CPUs explain them\n");
		return;
	}
	for (unsigned int i = 0; evtlog_cpu_clocks_offset(clocks, i, &offset); i++) {
		if (!offset.wrong)
			continue;
		wrong++;
		if (listed == LISTED_MAX)
			continue;
		listed++;
		printf("  CPU %u is ahead of CPU %u by %s (estimate)\n", offset.cpu, offset.other,
		       span(&offset, text));
	}
	if (wrong > listed)
		printf("  ... and %u more CPUs\n", wrong - listed);
}

void cpu_clocks_show(const struct evtlog_cpu_clocks *clocks)
{
	const struct evtlog_cpu_clocks_summary *summary = evtlog_cpu_clocks_summary(clocks);
	struct evtlog_cpu_offset offset;
	char text[SPAN_BYTES];

	if (!find_widest(clocks, &offset))
		return;
	printf("CPU clocks  ");
	if (summary->verdict == EVTLOG_CPU_CLOCKS_UNKNOWN) {
		printf("not compared: no task ran on two CPUs\n");
		return;
	}
	if (summary->violations) {
		show_wrong(clocks);
		return;
	}
	printf("%" PRIu64 " constraints between CPUs hold; CPU %u is ahead of CPU %u by %s\n",
	       summary->orders, offset.cpu, offset.other, span(&offset, text));
}

void cpu_clocks_json(const struct evtlog_cpu_clocks *clocks, struct json *json)
{
	const struct evtlog_cpu_clocks_summary *summary = evtlog_cpu_clocks_summary(clocks);
	struct evtlog_cpu_offset offset;

	json_object(json, "cpu_clocks");
	json_string(json, "status", verdict_name(summary->verdict));
	json_u64(json, "constraints", summary->orders);
	json_u64(json, "violations", summary->violations);
	json_u64(json, "worst_ns", summary->worst_ns);
	json_bool(json, "constant", summary->constant);
	json_array(json, "offsets");
	for (unsigned int i = 0; evtlog_cpu_clocks_offset(clocks, i, &offset); i++) {
		json_object(json, NULL);
		json_u64(json, "cpu", offset.cpu);
		json_u64(json, "to", offset.other);
		if (offset.low_ns != INT64_MIN)
			json_s64(json, "low_ns", offset.low_ns);
		if (offset.high_ns != INT64_MAX)
			json_s64(json, "high_ns", offset.high_ns);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

char *cpu_clocks_warning(struct evtlog_file *file, uint64_t events)
{
	const struct evtlog_cpu_clocks_summary *summary;
	struct evtlog_cpu_clocks *clocks;
	char *text = NULL;

	/* On errors there is no warning: the caller gets the error when it reads the file. */
	if (evtlog_cpu_clocks_read(file, events, &clocks))
		return NULL;
	summary = evtlog_cpu_clocks_summary(clocks);
	if (summary->violations &&
	    asprintf(&text, "the tick counters of its CPUs disagree by %.1f us or more (CPUs %u and %u): do not trust the order of events between CPUs; 'evtlog check' shows the offsets",
		     summary->worst_ns / 1e3, summary->worst_cpus[0], summary->worst_cpus[1]) < 0)
		text = NULL;
	evtlog_cpu_clocks_free(clocks);
	return text;
}

void cpu_clocks_warn(struct evtlog_file *file, const char *path, uint64_t events)
{
	char *text = cpu_clocks_warning(file, events);

	if (text)
		pr_warn("%s: warning: %s", path, text);
	free(text);
}
