/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles as trees of calls, read from the kernel or from files, and their output formats.
 *
 * Functions that return int return 0 or -errno and print no errors, except report_add_or_say().
 */
#ifndef EVTLOG_PROFILE_REPORT_REPORT_H
#define EVTLOG_PROFILE_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"

/* Kinds of a node's exclusive time */
enum report_kind {
	REPORT_USER,
	REPORT_REGION,		/* also user mode */
	REPORT_KERNEL,
	REPORT_TASK,		/* user mode or the kernel, not distinguished */
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
 * @name:	name of its last event, as shown to users
 * @path:	its events, as in profiles; NULL in flat trees
 * @group:	TAU's group, such as KERNEL_SYSCALL
 * @parent:	index of the node that contains it; REPORT_ROOT if none
 * @first, @next: its first child and its next sibling, or REPORT_ROOT
 * @depth:	0 for a node without parent
 * @subcalls:	number of calls of its children
 * @inclusive:	@exclusive and the @inclusive of its children
 * Times are in ticks.
 */
struct report_node {
	char *name;
	char *path;
	const char *group;
	enum report_kind kind;
	size_t parent, first, next;
	unsigned int depth;
	uint64_t count, inclusive, exclusive, largest, subcalls;
};

/*
 * struct report_tree - a task or a CPU
 * @label:	"app-4711", or "CPU 0"
 * @slot:	entry from which the tree was made
 * @rank:	MPI rank; -1 if none
 * @at:		parents in front of their children, siblings by inclusive time, longest first
 */
struct report_tree {
	char *label;
	const struct profile_slot *slot;
	int rank;
	bool has_regions;
	uint64_t total;
	struct report_node *at;
	size_t count, capacity;
};

/*
 * struct report - some trees
 * @hz:		rate of their ticks
 * @profiles:	profiles from which the trees are made, with ticks at this rate
 * @sum:	sum of all entries of @profiles, if it was asked for
 * @about:	sums of the costs that were subtracted from these profiles
 */
struct report {
	uint64_t hz;
	struct evtlog_profile_about about;
	struct evtlog_profile **profiles;
	size_t profile_count, profile_capacity;
	struct profile_slot sum;
	struct report_tree *at;
	size_t count;
};

/*
 * struct report_choice - selection of trees
 * @cpus:	trees of CPUs, else of tasks
 * @pid:	tasks of this process; 0: all tasks
 * @sum:	one tree with the sum of all
 * @compensate:	subtract the cost of the measurement
 */
struct report_choice {
	bool cpus, sum, compensate;
	uint64_t pid;
};

#define REPORT_DEPTH_MAX	512

/*
 * struct report_event - an event on a path
 * @name: from malloc()
 */
struct report_event {
	char *name;
	const char *group;
	enum report_kind kind;
};

/** report_event_of() - read an event in @length bytes of a path; 0 or -ENOMEM */
int report_event_of(struct report_event *event, const char *text, size_t length);

/**
 * report_add() - add @profile to @report, with ticks at the first profile's rate
 * @profile: owned by @report from now on, also on error
 *
 * -ELOOP: a path has more than REPORT_DEPTH_MAX events.
 */
int report_add(struct report *report, struct evtlog_profile *profile);

/** report_add_or_say() - add a file, or the kernel's profiles if "live"; returns an exit status */
int report_add_or_say(struct report *report, const char *path, const struct report_choice *choice);

/** report_make_trees() - make a tree of each entry, or, if @sum, one of the sum of all entries */
int report_make_trees(struct report *report, bool sum);

void report_clear(struct report *report);
void report_tree_free(struct report_tree *tree);

/** report_flat() - make one node for each name and group; free with report_tree_free() */
int report_flat(const struct report_tree *tree, struct report_tree *flat);

static inline double report_us(const struct report *report, uint64_t ticks)
{
	return report->hz ? ticks * 1e6 / report->hz : 0;
}

/* Computed with integers, to round only once */
static inline uint64_t report_ns(const struct report *report, uint64_t ticks)
{
	return report->hz ? (uint64_t)((unsigned __int128)ticks * 1000000000 / report->hz) : 0;
}

int report_print_table(FILE *out, const struct report *report);
int report_print_tree(FILE *out, const struct report *report);
int report_print_folded(FILE *out, const struct report *report);
int report_print_json(FILE *out, const struct report *report);
int report_print_svg(FILE *out, const struct report *report);

/** report_compare() - compare two flat sums by name, largest difference first */
int report_compare(FILE *out, const struct report *old, const struct report *new, bool as_json);

/** report_write_pprof() - write profile.proto in gzip, with values; on error there is no file */
int report_write_pprof(const struct report *report, const char *path);

/** report_write_tau() - write profile.N.C.T into @directory, which is made; @bad: failed file */
int report_write_tau(const struct report *report, const char *directory, char *bad, size_t room);

#endif /* EVTLOG_PROFILE_REPORT_REPORT_H */
