/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows an event as a line of text or of JSON.
 *
 * It does not choose events: input/event-filter.h does.
 */
#ifndef EVTLOG_PRINT_EVENT_H
#define EVTLOG_PRINT_EVENT_H

#include "common/linebuf.h"
#include "fields.h"
#include "input/event-filter.h"

enum show_time { SHOW_START, SHOW_RAW, SHOW_REAL, SHOW_TICKS };

/* If events near matches are shown too: the event is a match, or near a match */
enum show_match { SHOW_ALONE, SHOW_MATCH, SHOW_NEAR };

/*
 * @match:	for the next event; SHOW_ALONE: only matches are shown, without a mark
 * @counters:	as text, show all kernel counters, not one line for each reading of them
 * @hosts:	several hosts: show their names, and where the order of events is unknown
 * @host_width: length of the longest name
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
 * The host of an event.  @name, @clock and @assumed are not used for a single host.
 * @clock:	name of the method that relates the host's clock to the timeline
 * @assumed:	the clock is only assumed to be right (NTP): a ? follows the name
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
 * The time of an event.
 * @start_ns:	since the begin of the run
 * @kind_ns:	the time that show->time selects; unused for SHOW_START
 * @from_ns:	begin of a gap, since the begin of the run
 * @doubtful:	the order relative to an event of another host, shown above, is unknown
 */
struct show_moment {
	int64_t start_ns;
	int64_t kind_ns;
	int64_t from_ns;
	bool doubtful;
};

/* Sets the name and clock of one of several hosts, and widens the column of names. */
void show_host_init(struct show *show, struct show_host *host, const char *name,
		    enum evtlog_clock_method method);

/* Indexed by enum show_time */
extern const char *const show_time_words[];

/* Parses one of show_time_words.  Returns 0 or -EINVAL. */
int show_parse_time(enum show_time *time, const char *text);

#define SHOW_LIMIT_LIKE	"a number of lines"

/* Parses a number of lines.  Returns 0 or -EINVAL. */
int show_parse_limit(uint64_t *limit, const char *text);

/* Returns true if --cpu, --pid, --comm and --type select the event.  Ignores --from and --to. */
bool show_selects(const struct filter *filter, const bool *types,
		  const struct show_host *host, const struct evtlog_event *event);

/*
 * Returns true if an event has no line: ON_CPU; and as text without @counters, all kernel counters
 * that a CPU records except the first.
 */
bool show_hides(const struct show *show, const struct evtlog_event *event);

void show_event(struct show *show, const struct show_host *host,
		const struct evtlog_event *event,
		const struct show_moment *moment);

#endif /* EVTLOG_PRINT_EVENT_H */
