/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events the user wants: --cpu, --pid, --comm, --type, --from, --to.
 *
 * Stage: between argv and the reading commands.
 */
#ifndef EVTLOG_INPUT_EVENT_FILTER_H
#define EVTLOG_INPUT_EVENT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

/*
 * @cpus:	NULL: all
 * @pids:	in no order
 * @comms:	names of tasks, or patterns with * and ?; if there are neither pids nor
 *		names, all tasks are wanted
 * @types:	by the file's numbers; used if @some_types
 * @from_ns, @to_ns: since the run's begin; to_ns is not included
 */
struct selection {
	bool *cpus;
	uint32_t *pids;
	size_t pid_count;
	char **comms;
	size_t comm_count;
	bool some_types;
	bool types[EVTLOG_TYPE_MAX + 1];
	uint64_t from_ns;
	uint64_t to_ns;
};

void select_all(struct selection *selection);
void select_free(struct selection *selection);

/* Entries for getopt_long(), of which select_option() takes what it gives. */
enum { SELECT_FROM = 0x1000, SELECT_TO, SELECT_COMM };

#define SELECT_OPTIONS \
	{ "cpu", required_argument, NULL, 'c' }, \
	{ "pid", required_argument, NULL, 'p' }, \
	{ "comm", required_argument, NULL, SELECT_COMM }, \
	{ "from", required_argument, NULL, SELECT_FROM }, \
	{ "to", required_argument, NULL, SELECT_TO }
#define SELECT_LETTERS	"c:p:"

/* Entries for struct options' values, for the same. */
#define SELECT_TIME_LIKE	"a time such as 1.5, .5, 10ms or 200us, without an exponent"
#define SELECT_CPUS_LIKE	"numbers such as 0,2-3"
#define SELECT_PIDS_LIKE	"process ids such as 12,4711; names are for --comm"
#define SELECT_COMM_LIKE	"names of tasks such as dd,kworker*"
#define SELECT_TIME_VALUES \
	{ SELECT_FROM, NULL, SELECT_TIME_LIKE }, \
	{ SELECT_TO, NULL, SELECT_TIME_LIKE }
#define SELECT_VALUES \
	{ 'c', NULL, SELECT_CPUS_LIKE }, \
	{ 'p', NULL, SELECT_PIDS_LIKE }, \
	{ SELECT_COMM, NULL, SELECT_COMM_LIKE }, \
	SELECT_TIME_VALUES

/* Takes one of SELECT_OPTIONS: 0; -EINVAL, also if it is another; -ENOMEM. */
int select_option(struct selection *selection, int option, const char *text);

/* "10ms", "1.5", ".5", "200us": 0 or -EINVAL; an exponent is refused. */
int select_time(uint64_t *ns, const char *text);

/* CPUs of @cpus, of EVTLOG_CPU_LIMIT, as "0-3,6"; with ... where they do not fit. */
void select_cpus_text(const bool *cpus, char *text, size_t room);

/*
 * Names or beginnings of names, "softirq" for softirq_entry and softirq_exit, or "all".
 * Takes those that @file has.  Returns NULL, or the first that it does not have.
 */
const char *select_types(struct selection *selection, char *list,
			 const struct evtlog_file *file);

/*
 * The same of one of several files, which have numbers of their own: into @types.  Returns
 * 0; 1: it lacks @unknown; -ENOMEM.
 */
int select_types_of(struct selection *selection, const char *list,
		    const struct evtlog_file *file, bool types[EVTLOG_TYPE_MAX + 1],
		    char unknown[EVTLOG_NAME_MAX + 1]);

/* Whether --type named the type that abi.h has as @known. */
bool select_has_type(const struct selection *selection, const struct evtlog_file *file,
		     unsigned int known);

static inline bool selects_cpu(const struct selection *selection, uint32_t cpu)
{
	return !selection->cpus ||
	       (cpu < EVTLOG_CPU_LIMIT && selection->cpus[cpu]);
}

static inline bool selects_some_tasks(const struct selection *selection)
{
	return selection->pid_count || selection->comm_count;
}

/* @comm: EVTLOG_COMM_LEN bytes; NULL: no name is known. */
bool selects_task(const struct selection *selection, uint32_t pid, const char *comm);

#endif /* EVTLOG_INPUT_EVENT_FILTER_H */
