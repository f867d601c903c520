/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects events: --cpu, --pid, --comm, --type, --from, --to.
 */
#ifndef EVTLOG_INPUT_EVENT_FILTER_H
#define EVTLOG_INPUT_EVENT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "common/options.h"

/*
 * @cpus:	NULL for all
 * @pids:	unsorted
 * @comms:	names of tasks, or patterns with * and ?; without pids and names, all tasks match
 * @types:	by the file's numbers; used if @some_types
 * @events:	registered events or groups of them, by name; used if @some_types
 * @events_later: True: the files' registered events are not read yet, so all names are accepted
 * @from_ns, @to_ns: since the start of the run; @to_ns is not included
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

enum { FILTER_FROM = 0x1000, FILTER_TO, FILTER_COMM, FILTER_CPU, FILTER_PID };

#define FILTER_TIME_LIKE	"a time such as 1.5, .5, 10ms or 200us, without an exponent"
#define FILTER_CPUS_LIKE	"numbers such as 0,2-3"
#define FILTER_PIDS_LIKE	"process ids such as 12,4711; names are for --comm"
#define FILTER_COMM_LIKE	"names of tasks such as dd,kworker*"

/* --from and --to; and the same with --cpu, --pid and --comm.  Parsed by filter_option(). */
extern const struct option_desc filter_time_options[];
extern const struct option_desc filter_options[];

/* Parses one of filter_options.  Returns 0; -EINVAL, also for other options; -ENOMEM. */
int filter_option(struct filter *filter, int option, const char *text);

/* Parses "10ms", "1.5", ".5", "200us".  Returns 0 or -EINVAL; exponents are refused. */
int filter_time(uint64_t *ns, const char *text);

/* Formats @cpus (EVTLOG_CPU_LIMIT elements) as "0-3,6"; ends with "..." if they do not fit. */
void filter_cpus_text(const bool *cpus, char *text, size_t capacity);

/*
 * Parses names of types and registered events, or of groups of them ("softirq" for softirq_entry
 * and softirq_exit), or "all".  Selects those that @file has.  Returns NULL, or the first name
 * that @file does not have or for which no memory is left.
 */
const char *filter_types(struct filter *filter, char *list,
			 const struct evtlog_file *file);

/*
 * Like filter_types(), for one of several files with different type numbers.  The result is
 * @types.  Returns 0; 1 if the file lacks @unknown; -ENOMEM.
 */
int filter_types_of(struct filter *filter, const char *list,
		    const struct evtlog_file *file, bool types[EVTLOG_TYPE_MAX + 1],
		    char unknown[EVTLOG_NAME_MAX + 1]);

/* Returns true if --type selects the type with number @known in abi.h. */
bool filter_has_type(const struct filter *filter, const struct evtlog_file *file,
		     unsigned int known);

/* Returns true if the part of @file read so far defines a registered event that matches @name. */
bool filter_knows_event(const struct evtlog_file *file, const char *name);

/* Returns true if --type selects the registered event of the record @event. */
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

/* @comm: EVTLOG_COMM_LEN bytes, NULL if unknown */
bool filter_has_task(const struct filter *filter, uint32_t pid, const char *comm);

#endif /* EVTLOG_INPUT_EVENT_FILTER_H */
