/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Profiles of tasks and CPUs: read from the kernel, subtracted, compensated, written and loaded.
 *
 *	struct evtlog_profile *before, *after, *diff;
 *
 *	error = evtlog_profile_others(&pid, 1, &before);
 *	...
 *	error = evtlog_profile_others(&pid, 1, &after);
 *	error = evtlog_profile_diff(after, before, &diff);
 *	error = evtlog_profile_write(diff, EVTLOG_PROFILE_JSON, STDOUT_FILENO);
 *
 * A profile is what one reading found: entries, one for each task or CPU, and the call paths of
 * each.  A thread's own sums without a system call are in profile.h.
 */
#ifndef EVTLOG_PROFILES_H
#define EVTLOG_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/log.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_profile;

/**
 * enum evtlog_profile_cost - kinds of events that cost the same to measure
 * @EVTLOG_PROFILE_COST_SYSCALL: system calls
 * @EVTLOG_PROFILE_COST_OTHER:	interrupts, exceptions, softirqs, signals and functions
 * @EVTLOG_PROFILE_COSTS:	how many there are
 */
enum evtlog_profile_cost {
	EVTLOG_PROFILE_COST_SYSCALL,
	EVTLOG_PROFILE_COST_OTHER,
	EVTLOG_PROFILE_COSTS,
};

/**
 * struct evtlog_profile_costs - what the measurement of an event costs itself
 * @inside:	thousandths of a tick that are charged to the event, each time
 * @outside:	thousandths of a tick that are charged to what it is within
 */
struct evtlog_profile_costs {
	uint64_t inside;
	uint64_t outside;
};

/**
 * struct evtlog_profile_about - what a profile says of itself
 * @is_on:	profiles were kept when it was read
 * @is_diff:	it is the difference of two
 * @is_compensated: costs have been subtracted
 * @rank:	of a process of MPI; else -1
 * @ticks_hz:	rate of its ticks; 0: it is not said
 * @entries:	how many there are
 * @tasks_without: tasks that have no profile, for want of memory
 * @members:	of a family: how many tasks live in it
 * @listed:	how many of @members are entries
 * @removed:	ticks that were subtracted from exclusive ones
 * @clamped:	sums that would have been below zero, and are 0
 * @costs:	by enum evtlog_profile_cost; all 0: they are not known
 */
struct evtlog_profile_about {
	bool is_on;
	bool is_diff;
	bool is_compensated;
	int32_t rank;
	uint64_t ticks_hz;
	uint64_t entries;
	uint64_t tasks_without;
	uint64_t members;
	uint64_t listed;
	uint64_t removed;
	uint64_t clamped;
	struct evtlog_profile_costs costs[EVTLOG_PROFILE_COSTS];
};

/**
 * struct evtlog_profile_entry - a task or a CPU
 * @cpu:	a CPU's number; -1: it is a task, or are tasks
 * @pid:	the task; 0: an idle task, or tasks that have ended
 * @tgid:	its process; 0 with @ended: of a family, else of threads of that process, which lives
 * @begin:	in ticks: since when it counts; 0: not yet
 * @end:	in ticks: until when; of a task, when it left its CPU, 0: it runs
 * @ended:	of tasks that have ended, all together: how many; else 0
 * @lifetime:	ticks that these lived, together
 * @unmatched:	events that ended and had not begun
 * @ahead:	ticks by which counters of CPUs differed: charged, and not of the lifetime
 * @comm:	the task's name, untrusted; "" of a CPU
 * @paths:	how many paths it has
 * @values:	how many values it has
 */
struct evtlog_profile_entry {
	int32_t cpu;
	uint32_t pid;
	uint32_t tgid;
	uint64_t begin;
	uint64_t end;
	uint64_t ended;
	uint64_t lifetime;
	uint64_t unmatched;
	uint64_t ahead;
	const char *comm;
	size_t paths;
	size_t values;
};

/**
 * struct evtlog_profile_path - what a task was in, and within what
 * @path:	events from the outermost one on, joined by ">": "user>syscall:1>irq:24"
 * @event:	the last of them; of CPUs the only one
 * @count:	how often it ended
 * @inclusive:	ticks from its begin to its end, with all that was within it
 * @exclusive:	ticks in it and in nothing within; these are told up to now, also if it has
 *		not ended
 * @largest:	the longest of @inclusive; it is not compensated, and of a difference it is that
 *		since the profile's begin
 */
struct evtlog_profile_path {
	const char *path;
	const char *event;
	uint64_t count;
	uint64_t inclusive;
	uint64_t exclusive;
	uint64_t largest;
};

/**
 * struct evtlog_profile_value - numbers without a time, such as bytes read
 * @name:	what they are
 * @count:	how many
 * @sum:	of all
 * @least:	of all; of a difference, since the profile's begin
 * @largest:	as @least
 * @squares:	the sum of squares; UINT64_MAX: that or more
 */
struct evtlog_profile_value {
	const char *name;
	uint64_t count;
	uint64_t sum;
	uint64_t least;
	uint64_t largest;
	uint64_t squares;
};

/**
 * enum evtlog_profile_form - how a profile is written
 * @EVTLOG_PROFILE_TEXT: as the kernel's files have it
 * @EVTLOG_PROFILE_JSON: an object; it is not loaded again
 * @EVTLOG_PROFILE_BINARY: compact, with a checksum
 */
enum evtlog_profile_form {
	EVTLOG_PROFILE_TEXT,
	EVTLOG_PROFILE_JSON,
	EVTLOG_PROFILE_BINARY,
};

/**
 * evtlog_profile_self() - the calling thread's profile, with routines
 * @profilep:	where it is stored; free it with evtlog_profile_free()
 *
 * Each user may.
 *
 * Return: 0; -ENODATA profiles are not kept; -ENOENT this kernel keeps none; -EPERM the kernel
 * is locked down; -errno of open() or read(); -EPROTO the kernel's text is not understood;
 * -ENOMEM.
 */
int evtlog_profile_self(struct evtlog_profile **profilep);

/**
 * evtlog_profile_others() - profiles of some processes or threads
 * @pids:	their numbers, in the caller's namespace; of a process all threads are read
 * @count:	how many, from 1 to 1,024
 * @profilep:	where it is stored; free it with evtlog_profile_free()
 *
 * The rights are those of ptrace(): all of @pids are read, or none.  A process that ends
 * meanwhile is left out; its threads that have ended are one entry together.
 *
 * Return: as evtlog_profile_self(); -EPERM one of them may not be read; -ESRCH one of them does
 * not exist; -EINVAL a number below 1, or none; -E2BIG too many.
 */
int evtlog_profile_others(const int *pids, size_t count, struct evtlog_profile **profilep);

/**
 * evtlog_profile_all() - profiles of all tasks and CPUs
 * @profilep:	where it is stored; free it with evtlog_profile_free()
 *
 * The caller has CAP_PERFMON.  A CPU's entry is of one moment; tasks are read one after
 * another.  Profiles that are not kept any more are those of when they were stopped.
 *
 * Return: 0; -EACCES, -EPERM the right is missing; -ENOENT this kernel keeps no profiles;
 * -errno of open() or read(); -EPROTO the kernel's text is not understood; -ENOMEM.
 */
int evtlog_profile_all(struct evtlog_profile **profilep);

/**
 * evtlog_profile_load() - read a profile from a file
 * @path:	text or binary, as evtlog_profile_write() has written it; also a copy of a file of
 *		/proc/evtlog/profile, and of EVTLOG_PROFILE_FILE
 * @profilep:	where it is stored; free it with evtlog_profile_free()
 * @error:	filled in on failure; may be NULL
 *
 * Return: 0; -errno of open() or read(); -EMEDIUMTYPE it is no profile; -EPROTONOSUPPORT it is of
 * another version or byte order; -EBADMSG it is damaged; -ENODATA it is cut off; -EFBIG it is longer
 * than 1 GiB, or all its paths written in full are; -ENOMEM.
 */
int evtlog_profile_load(const char *path, struct evtlog_profile **profilep,
			struct evtlog_error *error);

/**
 * evtlog_profile_load_bytes() - read a profile from memory
 * @bytes:	text or binary; stays the caller's, and is not needed afterwards
 * @length:	of @bytes
 * @profilep:	where it is stored; free it with evtlog_profile_free()
 * @error:	filled in on failure; may be NULL
 *
 * Return: as evtlog_profile_load().
 */
int evtlog_profile_load_bytes(const void *bytes, size_t length, struct evtlog_profile **profilep,
			      struct evtlog_error *error);

/**
 * evtlog_profile_new() - make a profile
 * @about:	what it is to say of itself; its @entries are 0 so far, whatever is said here
 * @profilep:	where it is stored; free it with evtlog_profile_free()
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_profile_new(const struct evtlog_profile_about *about, struct evtlog_profile **profilep);

/**
 * evtlog_profile_add() - add an entry behind the others
 * @profile:	changed: what evtlog_profile_entry_at() returned is not valid any more
 * @entry:	its @paths and @values say how many there are of these
 * @paths:	copied, as all strings are; their @event is found in @path; NULL if there are none
 * @values:	copied; NULL if there are none
 *
 * Return: 0; -ENOMEM, after which a part of it may be there.
 */
int evtlog_profile_add(struct evtlog_profile *profile, const struct evtlog_profile_entry *entry,
		       const struct evtlog_profile_path *paths,
		       const struct evtlog_profile_value *values);

/**
 * evtlog_profile_free() - free a profile, its entries and paths
 * @profile:	NULL is allowed
 */
void evtlog_profile_free(struct evtlog_profile *profile);

/**
 * evtlog_profile_about() - what a profile says of itself
 * @profile:	the profile
 *
 * Return: valid until the profile is freed.
 */
const struct evtlog_profile_about *evtlog_profile_about(const struct evtlog_profile *profile);

/**
 * evtlog_profile_entry_at() - an entry, by its number
 * @profile:	the profile
 * @number:	from 0
 *
 * Return: valid until the profile is freed; NULL behind the last one.
 */
const struct evtlog_profile_entry *evtlog_profile_entry_at(const struct evtlog_profile *profile,
							   size_t number);

/**
 * evtlog_profile_path_at() - a path of an entry, by its number
 * @profile:	the profile
 * @entry:	the entry's number
 * @number:	from 0
 *
 * Return: valid until the profile is freed, and the entry's other paths are behind it, in order;
 * NULL behind the last one.
 */
const struct evtlog_profile_path *evtlog_profile_path_at(const struct evtlog_profile *profile,
							 size_t entry, size_t number);

/**
 * evtlog_profile_value_at() - a value of an entry, by its number
 * @profile:	the profile
 * @entry:	the entry's number
 * @number:	from 0
 *
 * Return: valid until the profile is freed, and the entry's other values are behind it, in order;
 * NULL behind the last one.
 */
const struct evtlog_profile_value *evtlog_profile_value_at(const struct evtlog_profile *profile,
							   size_t entry, size_t number);

/**
 * evtlog_profile_diff() - what tasks and CPUs have more than before
 * @after:	the later reading
 * @before:	the earlier one; entries that are not in it are new
 * @diffp:	where the difference is stored, which needs neither of both any more; free it with
 *		evtlog_profile_free()
 *
 * A task is known by its number and its begin.  What @before alone has is left out, and so are
 * paths with nothing new.  What @before has more of is 0.
 *
 * Return: 0; -EINVAL the ticks are of rates that differ by 1 % or more, or costs were subtracted of
 * one alone; -ENOMEM.
 */
int evtlog_profile_diff(const struct evtlog_profile *after, const struct evtlog_profile *before,
			struct evtlog_profile **diffp);

/**
 * evtlog_profile_compensate() - subtract what the measurement itself cost
 * @profile:	changed: from a path's ticks its count times the cost inside it, and of what is
 *		within it the cost of that
 *
 * Costs are those that the kernel measured when profiles were started, a lower bound.  No sum
 * gets below zero.  A CPU has no paths: of it only what is inside an event is subtracted.  See
 * struct evtlog_profile_about for how much was.
 *
 * Return: 0; -EALREADY it is compensated; -ENODATA costs are not known, and nothing is changed;
 * -ENOMEM.
 */
int evtlog_profile_compensate(struct evtlog_profile *profile);

/**
 * evtlog_profile_write() - write a profile
 * @profile:	the profile
 * @form:	enum evtlog_profile_form
 * @fd:		written to, and not closed
 *
 * Return: 0; -EINVAL no such form; -errno of write(), after which some of it may be written;
 * -ENOMEM.
 */
int evtlog_profile_write(const struct evtlog_profile *profile, enum evtlog_profile_form form,
			 int fd);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_PROFILES_H */
