// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rows of the log itself: run, header, clock and losses.
 */
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Distance of rows of the clock, in ns; longer if there would be more than CLOCK_ROWS rows */
#define CLOCK_NS	1000000000
#define CLOCK_ROWS	1000

/* ---- Clock ---- */

static void put_clock(struct tables *tables, uint64_t raw_ns)
{
	const struct evtlog_clocksync *hosts = tables->options.hosts;
	size_t number = tables->options.number;
	int64_t time = hosts ? evtlog_clocksync_time(hosts, number, raw_ns) : (int64_t)raw_ns;
	uint64_t bound = hosts ? evtlog_clocksync_bound(hosts, number, raw_ns) :
				 evtlog_clock_error_ns(tables->file);
	int64_t method = hosts ? tables_text(tables, evtlog_clock_method_name(
				 evtlog_clocksync_clock(hosts, number)->method)) : TEXT_NONE;

	tables_put_sourced(tables, TABLE_CLOCK, (int64_t[]) {
		time, raw_ns, raw_ns - time, bound, evtlog_real_ns(tables->file, raw_ns), method,
		SOURCE_VALUES(tables)
	}, NULL_IF(bound > INT64_MAX, 3) | NULL_IF(method < 0, 5));
}

static void put_clocks(struct tables *tables)
{
	uint64_t begin_ns = evtlog_begin_ns(tables->file), end_ns = evtlog_end_ns(tables->file);
	uint64_t step_ns = (end_ns - begin_ns) / CLOCK_ROWS;

	if (step_ns < CLOCK_NS)
		step_ns = CLOCK_NS;
	for (uint64_t at_ns = begin_ns; at_ns < end_ns && !tables->error; at_ns += step_ns) {
		put_clock(tables, at_ns);
		/* Do not overflow: times of a damaged log can be up to UINT64_MAX. */
		if (end_ns - at_ns <= step_ns)
			break;
	}
	put_clock(tables, end_ns);
}

/* ---- Header ---- */

static void put_meta(struct tables *tables)
{
	const char *key, *value;

	for (size_t i = 0; evtlog_meta_at(tables->file, i, &key, &value) && !tables->error; i++)
		tables_put_sourced(tables, TABLE_META, (int64_t[]) {
			tables_text(tables, key), tables_text_once(tables, value, strlen(value)),
			SOURCE_VALUES(tables)
		}, 0);
}

void host_begin(struct tables *tables)
{
	if (tables_want(tables, TABLE_META))
		put_meta(tables);
	if (tables_want(tables, TABLE_CLOCK))
		put_clocks(tables);
}

static int64_t once_or_none(struct tables *tables, const char *text)
{
	return text && *text ? tables_text_once(tables, text, strlen(text)) : TEXT_NONE;
}

/* Call it after all events were read, when all losses are known. */
void host_end(struct tables *tables)
{
	struct evtlog_file *file = tables->file;
	const uint8_t *boot = evtlog_boot_id(file);
	struct evtlog_summary summary;
	int64_t lost = 0, name, kernel;
	char id[33];

	if (!tables_want(tables, TABLE_RUN))
		return;
	evtlog_summarize(file, &summary);
	for (unsigned int i = 0; i < EVTLOG_LOST_CAUSES; i++)
		lost += summary.lost[i];
	for (unsigned int i = 0; i < 16; i++)
		snprintf(id + 2 * i, 3, "%02x", boot[i]);
	name = once_or_none(tables, evtlog_meta(file, "run_name"));
	kernel = once_or_none(tables, evtlog_meta(file, "kernel"));
	tables_put_sourced(tables, TABLE_RUN, (int64_t[]) {
		tables_time(tables, evtlog_begin_ns(file)),
		tables_time(tables, evtlog_end_ns(file)),
		evtlog_real_ns(file, evtlog_begin_ns(file)), name,
		tables_text_once(tables, id, 32), kernel, evtlog_cpu_count(file),
		evtlog_ticks_hz(file), lost, summary.missing_buffers, summary.complete,
		tables->events, SOURCE_VALUES(tables)
	}, NULL_IF(name < 0, 3) | NULL_IF(kernel < 0, 5));
}

/* ---- Losses ---- */

static void put_loss(struct tables *tables, const struct cpu *cpu, int64_t from, int64_t until,
		     const char *cause, uint64_t lost, uint64_t buffers)
{
	bool cut = false;

	if (!tables_want(tables, TABLE_LOSS) || !cpu->wanted || until < from ||
	    !tables_clip(tables, &from, until, &cut))
		return;
	tables_put_sourced(tables, TABLE_LOSS, (int64_t[]) {
		from, (until < tables->to ? until : tables->to) - from, cpu->number,
		tables_text(tables, cause), lost, buffers, SOURCE_VALUES(tables)
	}, 0);
}

void host_loss(struct tables *tables, const struct cpu *cpu, const struct evtlog_event *event,
	       int64_t from)
{
	bool is_loss = lanes_is_loss(event);

	put_loss(tables, cpu, from, tables_time(tables, event->time_ns),
		 is_loss ? "lost" : "offline",
		 event->lost, event->lost_buffers);
}

void host_cut(struct tables *tables, const struct cpu *cpu, int64_t from)
{
	put_loss(tables, cpu, from, tables_time(tables, evtlog_end_ns(tables->file)), "end", 0, 0);
}
