/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles as trees of calls, from the kernel or from files, and what they are written as.
 *
 * Functions that return int return 0 or -errno and say nothing, except those named say.
 */
#ifndef EVTLOG_PROFILE_REPORT_REPORT_H
#define EVTLOG_PROFILE_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"

/* What a task did in a node's own time. */
enum report_kind {
	REPORT_USER,
	REPORT_REGION,		/* user mode as well */
	REPORT_KERNEL,
	REPORT_TASK,		/* user mode or the kernel, which were not told apart */
	REPORT_WAITING,		/* for a CPU, after it was woken */
	REPORT_PREEMPTED,
	REPORT_BLOCKED,
	REPORT_IDLE,
	REPORT_KINDS
};

extern const char *const report_kind_names[REPORT_KINDS];

#define REPORT_ROOT	((size_t)-1)

/*
 * struct report_node - a call path
 * @name:	of its last event, as users know it
 * @group:	TAU's, such as KERNEL_SYSCALL
 * @parent:	index of what it is within; REPORT_ROOT: nothing
 * @first, @next: its first child and its next sibling, or REPORT_ROOT
 * @depth:	0 of what is within nothing
 * @subcalls:	calls that it made
 * @inclusive:	@exclusive and its children's @inclusive
 * Times are in ticks.
 */
struct report_node {
	char *name;
	const char *group;
	enum report_kind kind;
	size_t parent, first, next;
	unsigned int depth;
	uint64_t count, inclusive, exclusive, largest, subcalls;
};

/*
 * struct report_tree - of a task or a CPU
 * @label:	"app-4711", or "CPU 0"
 * @cpu:	-1: it is a task's
 * @rank:	MPI's; -1: none
 * @at:		parents before their children, siblings by inclusive time, longest first
 */
struct report_tree {
	char *label;
	int cpu, pid, tgid, rank;
	bool has_regions;
	uint64_t total;
	struct profile_values values;
	struct report_node *at;
	size_t count, capacity;
};

/*
 * struct report - some trees
 * @hz:		of their ticks
 * @profiles:	what they are made of; names of values are theirs
 * @about:	what was subtracted of all of these
 */
struct report {
	uint64_t hz;
	struct evtlog_profile_about about;
	struct report_tree *at;
	size_t count, capacity;
	struct profile *profiles;
	size_t profile_count, profile_capacity;
};

/*
 * struct report_choice - which trees
 * @cpus:	those of CPUs, else of tasks
 * @pid:	tasks of this process; 0: of all
 * @sum:	one of all
 * @compensate:	without what the measurement cost
 */
struct report_choice {
	bool cpus, sum, compensate;
	uint64_t pid;
};

#define REPORT_DEPTH_MAX	512

/**
 * report_add() - add what @profile has to @report, in ticks of the first profile's rate
 * @profile:	@report's from now on, also if this fails
 *
 * -ELOOP: a path has more than REPORT_DEPTH_MAX events.
 */
int report_add(struct report *report, struct profile *profile);

/** report_add_or_say() - the same of a file, "live": the kernel; an exit status */
int report_add_or_say(struct report *report, const char *path, const struct report_choice *choice);

/** report_node_get() - a child by its name; with count 0 if it is new; REPORT_ROOT: no memory */
size_t report_node_get(struct report_tree *tree, size_t parent, const char *name,
		       const char *group, enum report_kind kind);

/** report_tree_finish() - inclusive times, calls, order */
int report_tree_finish(struct report_tree *tree);

/** report_sum() - one tree of all; they are freed */
int report_sum(struct report *report);

void report_clear(struct report *report);
void report_tree_free(struct report_tree *tree);

/** report_flat() - one node for each name and group; free with report_tree_free() */
int report_flat(const struct report_tree *tree, struct report_tree *flat);

static inline double report_us(const struct report *report, uint64_t ticks)
{
	return report->hz ? ticks * 1e6 / report->hz : 0;
}

/* Of integers alone: no rounding twice. */
static inline uint64_t report_ns(const struct report *report, uint64_t ticks)
{
	return report->hz ? (uint64_t)((unsigned __int128)ticks * 1000000000 / report->hz) : 0;
}

/** report_name() - copies a name into @room bytes at @to, with @bad characters as '_' */
const char *report_name(const char *name, const char *bad, char *to, size_t room);

int report_print_table(FILE *out, const struct report *report);
int report_print_tree(FILE *out, const struct report *report);
int report_print_folded(FILE *out, const struct report *report);
int report_print_json(FILE *out, const struct report *report);
int report_print_svg(FILE *out, const struct report *report);

/** report_compare() - @new against @old, by name, largest difference first; both are flat sums */
int report_compare(FILE *out, const struct report *old, const struct report *new, bool as_json);

/** report_write_pprof() - profile.proto in gzip, with values; -errno, nothing is left of it then */
int report_write_pprof(const struct report *report, const char *path);

/** report_write_tau() - profile.N.C.T into @directory, which is made; @bad: the file that failed */
int report_write_tau(const struct report *report, const char *directory, char *bad, size_t room);

#endif /* EVTLOG_PROFILE_REPORT_REPORT_H */
