// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints information about a log as text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/linebuf.h"
#include "info.h"
#include "input/open-log.h"
#include "input/types.h"

/* Types that the kernel always records */
#define TYPES_OWN	(types_bit(EVTLOG_TIME) | types_bit(EVTLOG_LOST) | \
			 types_bit(EVTLOG_COUNTER) | types_bit(EVTLOG_TASK) | \
			 types_bit(EVTLOG_EVENT_FORMAT) | types_bit(EVTLOG_ON_CPU))

#define LABEL_WIDTH	12
#define LINE_WIDTH	100

/* "0-3,6": all CPUs, or those without a buffer */
static void cpus_text(const struct evtlog_file *file, bool absent, struct line *line)
{
	unsigned int cpus = evtlog_cpu_count(file);

	for (unsigned int i = 0; i < cpus; i++) {
		unsigned int first = evtlog_cpu_number(file, i);

		if (absent && !evtlog_cpu_is_absent(file, i))
			continue;
		while (i + 1 < cpus && evtlog_cpu_number(file, i + 1) ==
				       evtlog_cpu_number(file, i) + 1 &&
		       (!absent || evtlog_cpu_is_absent(file, i + 1)))
			i++;
		if (line->length)
			line_char(line, ',');
		line_u64(line, first, 0, ' ');
		if (evtlog_cpu_number(file, i) == first)
			continue;
		line_char(line, '-');
		line_u64(line, evtlog_cpu_number(file, i), 0, ' ');
	}
	line_char(line, '\0');
}

static void show_text(const struct info *info, const char *label,
		      const char *text)
{
	struct line line;

	line.length = 0;
	line_text(&line, label);
	line_column(&line, 12);
	if (text)
		line_escaped(&line, text, strlen(text));
	else
		line_text(&line, "unknown");
	line_print(&line, stdout);
}

/* Prints names separated by commas, in lines that fit on a terminal. */
static void show_types(const char *label, const struct evtlog_file *file, uint64_t types)
{
	char *text = types_text(file, types), *rest = text, *name;
	size_t column = LABEL_WIDTH;

	if (!text)
		return;
	printf("%-*s", LABEL_WIDTH, label);
	while ((name = strsep(&rest, ","))) {
		name += strspn(name, " ");
		if (column > LABEL_WIDTH)
			column += printf(",");
		if (column > LABEL_WIDTH && column + strlen(name) + 2 > LINE_WIDTH) {
			printf("\n%*s", LABEL_WIDTH, "");
			column = LABEL_WIDTH;
		}
		column += printf("%s%s", column > LABEL_WIDTH ? " " : "", name);
	}
	putchar('\n');
	free(text);
}

static void show_recorded(const struct info *info)
{
	uint64_t on = types_that_are(info->file, ~TYPES_OWN, EVTLOG_RECORDED_ON);
	uint64_t off = types_that_are(info->file, TYPES_ALL, EVTLOG_RECORDED_OFF);

	/* Older logs have no list of events. */
	if (evtlog_meta(info->file, "events"))
		show_types("recorded", info->file, on);
	show_types("not rec.", info->file, off);
}

static void show_events(const struct info *info)
{
	printf("events      %" PRIu64 "\n", info->events);
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (info->counts[i])
			printf("  %-28s %12" PRIu64 "\n",
			       evtlog_type_info(info->file, i)->name,
			       info->counts[i]);
}

static void show_state(const struct info *info)
{
	const struct evtlog_summary *s = &info->summary;
	uint64_t lost = log_lost(info->file);

	printf("lost        %" PRIu64, lost);
	log_print_causes(info->file);
	printf("\nfile        %" PRIu64 " bytes, %" PRIu64
	       " buffer%s of %" PRIu64 " bytes%s%s\n",
	       evtlog_size_bytes(info->file), s->buffers, s->buffers == 1 ? "" : "s", s->raw_bytes,
	       s->stored_bytes < s->raw_bytes ? ", compressed" : "",
	       s->closed ? ", closed" : ", not closed");
	if (!s->complete)
		printf("            the end of the run is missing\n");
	if (evtlog_damage_count(info->file))
		printf("damage      %" PRIu64 " place%s; 'evtlog check' lists them\n",
		       evtlog_damage_count(info->file),
		       evtlog_damage_count(info->file) == 1 ? "" : "s");
}

/* The times are from buffers. */
static void show_time(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	uint64_t span_ns = evtlog_end_ns(file) - evtlog_begin_ns(file);
	struct evtlog_real_step step;
	uint64_t ordered_ns;
	char begin[64];

	if (!info_has_time(info)) {
		printf("start       unknown\nspan        unknown\n");
		if (evtlog_ticks_hz(file))
			printf("clock       %.6g MHz\n", evtlog_ticks_hz(file) / 1e6);
		else
			printf("clock       unknown\n");
		return;
	}
	info_real(file, evtlog_begin_ns(file), begin, sizeof(begin));
	printf("start       %s\n", *begin ? begin : "unknown");
	if (info_ordered_before_ns(info, &ordered_ns))
		printf("requested   %" PRIu64 ".%09" PRIu64 " s before the start\n",
		       ordered_ns / 1000000000, ordered_ns % 1000000000);
	printf("span        %" PRIu64 ".%09" PRIu64 " s\n",
	       span_ns / 1000000000, span_ns % 1000000000);
	printf("clock       ");
	if (evtlog_ticks_hz(file))
		printf("%.6g MHz", evtlog_ticks_hz(file) / 1e6);
	else
		printf("unknown rate");
	printf(", error <= %" PRIu64 " ns%s\n", evtlog_clock_error_ns(file),
	       info->summary.tsc_bad ? "; not trusted by the kernel" : "");
	for (size_t i = 0; evtlog_real_step(file, i, &step); i++)
		printf("real time   set by %+.6f s, %.6f to %.6f s after the start\n", step.step_ns / 1e9,
		       ((double)step.before_ns - evtlog_begin_ns(file)) / 1e9,
		       ((double)step.after_ns - evtlog_begin_ns(file)) / 1e9);
}

static void show_cpus(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	unsigned int cpus = evtlog_cpu_count(file);
	struct line list = { .length = 0 }, absent = { .length = 0 };
	const char *of_meta = evtlog_meta(file, "cpus");

	cpus_text(file, false, &list);
	cpus_text(file, true, &absent);
	if (log_is_global(file))
		printf("CPUs        all, in one ring\n");
	else if (!cpus)
		show_text(info, "CPUs", of_meta);
	else if (!*absent.text)
		printf("CPUs        %u (%s)\n", cpus, list.text);
	else
		printf("CPUs        %u (%s); no data of %s\n", cpus, list.text, absent.text);
}

static void print_tree(const struct evtlog_file *file, uint32_t pid)
{
	uint32_t processes;
	const char *choice = info_tree_choice(file, &processes);
	struct line line = { .length = 0 };

	if (pid >> EVTLOG_PID_BITS)
		printf("of cgroups");
	else
		printf("of pid %" PRIu32, pid);
	if (!choice)
		return;
	line_escaped(&line, choice, strlen(choice));
	line_char(&line, '\0');
	printf(" (%s", line.text);
	if (processes)
		printf(", %" PRIu32 " process%s at the start", processes, processes == 1 ? "" : "es");
	putchar(')');
}

static void show_tree(const struct info *info)
{
	uint32_t pid = evtlog_tree_pid(info->file);

	if (!pid)
		return;
	printf("tree        ");
	print_tree(info->file, pid);
	puts(": tasks outside of it are pid 0");
}

static void show_sampler(const struct info *info)
{
	struct info_sampler sampler;

	if (!info_sampler(info->file, &sampler))
		return;
	/* The interval may change while a run is recorded. */
	if (sampler.interval_ns)
		printf("sampler     at the start: every %.9g ms, ", sampler.interval_ns / 1e6);
	else
		printf("sampler     at the start: every tick, ");
	if (sampler.tree_pid) {
		printf("the tree ");
		print_tree(info->file, sampler.tree_pid);
		putchar('\n');
	} else {
		puts("all tasks");
	}
}

static void show_passes(const struct info *info)
{
	const struct pass_counts *counts = &info->passes;

	if (!counts->passes)
		return;
	printf("passes      %" PRIu64 " of the sampler", counts->passes);
	if (counts->missed)
		printf(", %" PRIu64 " missed (%.1f %%)", counts->missed,
		       100.0 * counts->missed / (counts->passes + counts->missed));
	putchar('\n');
}

static void show_logger(const struct info *info)
{
	printf("logger      ");
	if (!info->logger_pid)
		printf("unknown\n");
	else if (!info_knows_logger_time(info))
		printf("pid %u, CPU time unknown\n", info->logger_pid);
	else
		printf("pid %u, %.3f %% of CPU time\n", info->logger_pid,
		       info_logger_share(info) * 100);
}

/* Nothing if evtlog was a part of the kernel. */
static void show_form(const struct evtlog_file *file)
{
	const char *form = evtlog_meta(file, "form"), *types = evtlog_meta(file, "unsupported");

	if (!form)
		return;
	printf("form        %s", form);
	if (types)
		printf("; it cannot record: %s", types);
	putchar('\n');
}

void info_show(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	char boot_id[37];

	info_boot_id(file, boot_id);

	show_text(info, "log", info->path);
	show_text(info, "host", evtlog_meta(file, "host"));
	show_text(info, "kernel", evtlog_meta(file, "kernel"));
	if (evtlog_meta(file, "version"))
		show_text(info, "", evtlog_meta(file, "version"));
	show_form(file);
	printf("run         %" PRIu64 " of boot %s\n", evtlog_run(file),
	       boot_id);
	if (evtlog_meta(file, "run_name"))
		show_text(info, "name", evtlog_meta(file, "run_name"));
	show_time(info);
	show_cpus(info);
	show_tree(info);
	show_sampler(info);
	show_passes(info);
	show_logger(info);
	show_recorded(info);
	show_state(info);
	show_events(info);
}
