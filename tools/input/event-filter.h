/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events the user wants: --cpu, --pid, --comm, --type, --from, --to.
 */
#ifndef EVTLOG_INPUT_EVENT_FILTER_H
#define EVTLOG_INPUT_EVENT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "common/options.h"

/*
 * @cpus:	NULL: all
 * @pids:	in no order
 * @comms:	names of tasks, or patterns with * and ?; if there are neither pids nor
 *		names, all tasks are wanted
 * @types:	by the file's numbers; used if @some_types
 * @events:	names of registered events, or what they begin with; ditto
 * @events_later: files tell of registered events only as they are read: any name may be one's
 * @from_ns, @to_ns: since the run's begin; to_ns is not included
 */
struct filter {
	bool *cpus;
	uint32_t *pids;
	size_t pid_count;
	size_t pid_capacity;
	char **comms;
	size_t comm_count;
	size_t comm_capacity;
	bool some_types;
	bool types[EVTLOG_TYPE_MAX + 1];
	char **events;
	size_t event_count;
	size_t event_capacity;
	bool events_later;
	uint64_t from_ns;
	uint64_t to_ns;
};

void filter_all(struct filter *filter);
void filter_free(struct filter *filter);

enum { FILTER_FROM = 0x1000, FILTER_TO, FILTER_COMM };

#define FILTER_TIME_LIKE	"a time such as 1.5, .5, 10ms or 200us, without an exponent"
#define FILTER_CPUS_LIKE	"numbers such as 0,2-3"
#define FILTER_PIDS_LIKE	"process ids such as 12,4711; names are for --comm"
#define FILTER_COMM_LIKE	"names of tasks such as dd,kworker*"

/* --from and --to; and these with --cpu, --pid and --comm: filter_option() takes them. */
extern const struct option_desc filter_time_options[];
extern const struct option_desc filter_options[];

/* Takes one of filter_options: 0; -EINVAL, also if it is another; -ENOMEM. */
int filter_option(struct filter *filter, int option, const char *text);

/* "10ms", "1.5", ".5", "200us": 0 or -EINVAL; an exponent is refused. */
int filter_time(uint64_t *ns, const char *text);

/* CPUs of @cpus, of EVTLOG_CPU_LIMIT, as "0-3,6"; with ... where they do not fit. */
void filter_cpus_text(const bool *cpus, char *text, size_t capacity);

/*
 * Names or beginnings of names, "softirq" for softirq_entry and softirq_exit, or "all"; of types
 * or of registered events.  Takes those that @file has.  Returns NULL, or the first that it does
 * not have, or for which there is no memory.
 */
const char *filter_types(struct filter *filter, char *list,
			 const struct evtlog_file *file);

/*
 * The same of one of several files, which have numbers of their own: into @types.  Returns
 * 0; 1: it lacks @unknown; -ENOMEM.
 */
int filter_types_of(struct filter *filter, const char *list,
		    const struct evtlog_file *file, bool types[EVTLOG_TYPE_MAX + 1],
		    char unknown[EVTLOG_NAME_MAX + 1]);

/* Whether --type named the type that abi.h has as @known. */
bool filter_has_type(const struct filter *filter, const struct evtlog_file *file,
		     unsigned int known);

/* Whether @file tells of a registered event that @name names, as far as it has been read. */
bool filter_knows_event(const struct evtlog_file *file, const char *name);

/* Whether --type named the registered event that @event is one of. */
bool filter_has_registered(const struct filter *filter, const struct evtlog_file *file,
			   const struct evtlog_event *event);

static inline bool filter_has_cpu(const struct filter *filter, uint32_t cpu)
{
	return !filter->cpus ||
	       (cpu < EVTLOG_CPU_LIMIT && filter->cpus[cpu]);
}

static inline bool filter_has_some_tasks(const struct filter *filter)
{
	return filter->pid_count || filter->comm_count;
}

/* @comm: EVTLOG_COMM_LEN bytes; NULL: no name is known. */
bool filter_has_task(const struct filter *filter, uint32_t pid, const char *comm);

#endif /* EVTLOG_INPUT_EVENT_FILTER_H */
