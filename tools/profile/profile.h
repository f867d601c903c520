/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of tasks and CPUs, as /proc/evtlog/profile/all has them.
 *
 * Functions that return int return 0 or -errno and say nothing.
 */
#ifndef EVTLOG_PROFILE_PROFILE_H
#define EVTLOG_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/values.h"

#define PROFILE_FILE	"profile/all"
#define PROFILE_CONTROL	"profile/control"
#define PROFILE_COSTS	2

/*
 * struct profile_path - what a task was in, and within what
 * @path:	events from the outermost one on, joined by '>', each CLASS:NUMBER or a word
 * @event:	the last of them: within @path
 * All times are in ticks.
 */
struct profile_path {
	char *path;
	const char *event;
	uint64_t count, inclusive, exclusive, largest;
};

/*
 * struct profile_entry - of a task or a CPU
 * @cpu:	of a CPU: its number; of a task: -1
 * @ended:	of tasks that have ended, all together: how many; 0: of one task or CPU
 * @lifetime:	of such: the sum of theirs
 * @unmatched:	see profile/tree.h of the kernel
 * @ahead:	ticks that counters of CPUs were apart: charged, and not of the lifetime
 * @values:	without a time
 * @own:	strings that are the entry's and not its profile's; NULL: none
 * @parent:	of one that has ended: the process that forked it
 * @missed:	in how many readings it was not
 * @is_wanted:	by what reads it: see members.h
 * @begin, @end: since when it counts, until when; @end of a task: when it left its CPU, or 0
 */
struct profile_entry {
	int cpu;
	int pid, tgid;
	const char *comm;
	uint64_t begin, end;
	uint64_t ended, lifetime, unmatched, ahead;
	struct profile_path *at;
	size_t count, capacity;
	char *own;
	uint32_t parent, missed;
	struct profile_values values;
	bool is_wanted;
};

/*
 * @text:	has all strings
 * @members, @listed: of a family: how many tasks are in it, and how many of them are entries
 * @without:	tasks that have no profile, for want of memory
 * @regions_missed, @threads_missed: of a program's regions: those without a time of their own
 * @hz:		of its ticks, if the text says so, else 0
 * @rank:	of a process of MPI: its number; else -1
 * @costs:	lines that say what a measurement costs, in @text; NULL: none
 * @removed:	if it @is_compensated: exclusive ticks that were taken off
 * @clamped:	sums that would have been below 0
 * @skipped:	tasks that could not be read; @skips: the last one is such
 */
struct profile {
	char *text;
	bool is_on;
	int members, listed, without;
	uint64_t regions_missed, threads_missed;
	uint64_t hz;
	int rank;
	const char *costs[PROFILE_COSTS];
	bool is_compensated;
	uint64_t removed, clamped;
	size_t skipped;
	bool skips;
	struct profile_entry *at;
	size_t count, capacity;
};

/** profile_read() - what the kernel has now; free with profile_free() */
int profile_read(struct profile *profile);

/**
 * profile_parse() - the same of a text, which is the profile's from now on
 *
 * Tasks that can't be read are left out with one warning; -EINVAL: all of them, or another line.
 */
int profile_parse(struct profile *profile, char *text);

/** profile_append() - one entry more, which is the profile's from now on; 0 or -ENOMEM */
int profile_append(struct profile *profile, const struct profile_entry *entry);

/** profile_entry_finish() - inclusive times of roots, which never end: of all that is within */
void profile_entry_finish(struct profile_entry *entry);

/** profile_entry_copy() - the same with strings of its own; 0 or -ENOMEM */
int profile_entry_copy(const struct profile_entry *from, struct profile_entry *to);

void profile_free(struct profile *profile);

/**
 * profile_flatten() - one entry for each event, whatever it was within
 *
 * An event within itself is in its inclusive time once.  Free with profile_entry_free().
 */
int profile_flatten(const struct profile_entry *entry, struct profile_entry *flat);

/**
 * profile_sum() - one entry for all of some, by path
 *
 * Free with profile_entry_free(), before @profile.
 */
int profile_sum(const struct profile *profile, struct profile_entry *sum);

void profile_entry_free(struct profile_entry *entry);

/** profile_unescape() - in place: "\n", "\\" and "\033" in names, as the kernel writes them */
void profile_unescape(char *text);

/**
 * profile_plain() - a name for a terminal or a line, in @room bytes at @to
 *
 * '_' is for each of @bad, for control characters, and for what is not UTF-8.
 */
const char *profile_plain(const char *name, const char *bad, char *to, size_t room);

/** profile_event_name() - "write" of "syscall:1"; @room bytes at @name */
const char *profile_event_name(const char *event, size_t length, char *name, size_t room);

enum profile_form { PROFILE_FLAT, PROFILE_TREE, PROFILE_FOLDED };

/** profile_print() - an entry as a table, by ticks of @hz */
int profile_print(FILE *out, const struct profile_entry *entry, enum profile_form form,
		  uint64_t hz);

struct json;

/** profile_print_json() - an entry as an object */
void profile_print_json(struct json *json, const struct profile_entry *entry);

/** profile_print_json_paths() - its paths as a member of an object */
void profile_print_json_paths(struct json *json, const struct profile_entry *entry);

#endif /* EVTLOG_PROFILE_PROFILE_H */
