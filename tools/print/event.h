/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event as a line of text or of JSON.
 *
 * It does not choose events: input/event-filter.h does.
 */
#ifndef EVTLOG_PRINT_EVENT_H
#define EVTLOG_PRINT_EVENT_H

#include "common/linebuf.h"
#include "fields.h"
#include "input/event-filter.h"

enum show_time { SHOW_START, SHOW_RAW, SHOW_REAL, SHOW_TICKS };

/* Beside others: what was asked for, or what is near it. */
enum show_match { SHOW_ALONE, SHOW_MATCH, SHOW_NEAR };

/*
 * @out:	where to
 * @match:	of the next event; SHOW_ALONE: all match
 * @counters:	all counters of the kernel as lines of text, not one for each reading
 * @hosts:	there are several: their names and whether their order is known
 *		are shown
 * @host_width: of the longest name
 */
struct show {
	FILE *out;
	enum show_time time;
	enum show_match match;
	bool json;
	bool counters;
	bool hosts;
	unsigned int host_width;
	struct line line;
};

/*
 * Whose event it is; @name and @clock are not used if there is but one host.
 * @clock:	by which method its times came onto the timeline
 * @assumed:	nothing proves them: a ? follows the name
 */
struct show_host {
	const char *name;
	const char *clock;
	bool assumed;
	const struct evtlog_file *file;
	const struct evtlog_tasks *tasks;
	struct fields fields;
};

/*
 * When it was.
 * @start_ns:	since the run's begin
 * @kind_ns:	what show->time asks for, unless that is the start
 * @from_ns:	of a gap, since the run's begin
 * @doubtful:	whether it came before or after an event of another host that is
 *		shown above is not known
 */
struct show_moment {
	int64_t start_ns;
	int64_t kind_ns;
	int64_t from_ns;
	bool doubtful;
};

/* Names a host of several, and makes room for the name. */
void show_host_init(struct show *show, struct show_host *host, const char *name,
		    enum evtlog_clock_method method);

/* By enum show_time. */
extern const char *const show_time_words[];

/* One of show_time_words: 0 or -EINVAL. */
int show_parse_time(enum show_time *time, const char *text);

#define SHOW_LIMIT_LIKE	"a number of lines"

/* A number of lines: 0 or -EINVAL. */
int show_parse_limit(uint64_t *limit, const char *text);

/* What --cpu, --pid, --comm and --type say to an event; not --from and --to. */
bool show_selects(const struct filter *filter, const bool *types,
		  const struct show_host *host, const struct evtlog_event *event);

/*
 * Whether an event has no line of its own: of the counters that a CPU reads, only the first,
 * which stands for all.
 */
bool show_hides(const struct show *show, const struct evtlog_event *event);

void show_event(struct show *show, const struct show_host *host,
		const struct evtlog_event *event,
		const struct show_moment *moment);

#endif /* EVTLOG_PRINT_EVENT_H */
