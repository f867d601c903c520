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
 * A profile is the result of one reading: entries, one for each task or CPU, and the call paths of
 * each entry.  To read a thread's own sums without a system call, see profile.h.
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
 * enum evtlog_profile_cost - groups of events with the same cost of measurement
 * @EVTLOG_PROFILE_COST_SYSCALL: system calls
 * @EVTLOG_PROFILE_COST_OTHER:	interrupts, exceptions, softirqs, signals and functions
 * @EVTLOG_PROFILE_COSTS:	number of groups
 */
enum evtlog_profile_cost {
	EVTLOG_PROFILE_COST_SYSCALL,
	EVTLOG_PROFILE_COST_OTHER,
	EVTLOG_PROFILE_COSTS,
};

/**
 * struct evtlog_profile_costs - cost of the measurement of an event
 * @inside:	thousandths of a tick that are charged to the event
 * @outside:	thousandths of a tick that are charged to the path around the event
 */
struct evtlog_profile_costs {
	uint64_t inside;
	uint64_t outside;
};

/**
 * struct evtlog_profile_about - general data of a profile
 * @is_on:	profiling was on when the profile was read
 * @is_diff:	the profile is the difference of two profiles
 * @is_compensated: costs were subtracted
 * @rank:	rank of an MPI process; else -1
 * @ticks_hz:	rate of the ticks; 0 if unknown
 * @entries:	number of entries
 * @tasks_without: tasks without a profile, because memory was exhausted
 * @members:	number of tasks that live in a family
 * @listed:	number of @members that are entries
 * @removed:	ticks that were subtracted from exclusive ticks
 * @clamped:	number of sums that would have become negative and were set to 0
 * @costs:	by enum evtlog_profile_cost; all 0 if unknown
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
 * @cpu:	number of the CPU; -1 for tasks
 * @pid:	the task; 0: an idle task, or tasks that have ended
 * @tgid:	process of the task.  If @ended is not 0: the living process whose threads have
 *		ended; 0 for ended tasks of a family
 * @begin:	in ticks: time from which the entry counts; 0: not started
 * @end:	in ticks: end of the entry.  For a task: when it left its CPU; 0: it is running
 * @ended:	if the entry is the sum of ended tasks: number of these tasks; else 0
 * @lifetime:	total ticks that the ended tasks lived
 * @unmatched:	events that ended without a begin
 * @ahead:	ticks by which the counters of CPUs differed: charged, but not part of the lifetime
 * @comm:	name of the task, untrusted; "" for a CPU
 * @paths:	number of paths
 * @values:	number of values
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
 * struct evtlog_profile_path - a call path of a task
 * @path:	events from the outermost one on, joined by ">": "user>syscall:1>irq:24"
 * @event:	last event of the path; a CPU has single events only
 * @count:	how often the path ended
 * @inclusive:	ticks from begin to end, including nested events
 * @exclusive:	ticks without nested events; up to now, even if the path has not ended
 * @largest:	largest single value of @inclusive; not compensated; in a difference since the begin
 *		of the profile
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
 * struct evtlog_profile_value - a quantity without a time, such as bytes read
 * @name:	name of the quantity
 * @count:	number of values
 * @sum:	sum of all values
 * @least:	smallest value; in a difference since the begin of the profile
 * @largest:	largest value; in a difference since the begin of the profile
 * @squares:	sum of squares; UINT64_MAX: at least this much
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
 * enum evtlog_profile_form - output formats of a profile
 * @EVTLOG_PROFILE_TEXT: as in the kernel's files
 * @EVTLOG_PROFILE_JSON: an object; it cannot be loaded
 * @EVTLOG_PROFILE_BINARY: compact, with a checksum
 */
enum evtlog_profile_form {
	EVTLOG_PROFILE_TEXT,
	EVTLOG_PROFILE_JSON,
	EVTLOG_PROFILE_BINARY,
};

/**
 * evtlog_profile_self() - read the calling thread's profile, with its call paths
 * @profilep:	where the profile is stored; free it with evtlog_profile_free()
 *
 * All users may call this function.
 *
 * Return: 0; -ENODATA profiling is off; -ENOENT the kernel does not support profiles; -EPERM the
 * kernel is locked down; -errno of open() or read(); -EPROTO the kernel's text has an unknown
 * format; -ENOMEM.
 */
int evtlog_profile_self(struct evtlog_profile **profilep);

/**
 * evtlog_profile_others() - read profiles of processes or threads
 * @pids:	their pids in the caller's pid namespace; for a process, all its threads are read
 * @count:	number of @pids, 1 to 1,024
 * @profilep:	where the profile is stored; free it with evtlog_profile_free()
 *
 * The caller needs the rights that ptrace() needs, for all of @pids; otherwise nothing is read.  A
 * process that ends during the call is omitted.  Its ended threads are one entry.
 *
 * Return: the same as evtlog_profile_self(); -EPERM no right to read one of them; -ESRCH one of
 * them does not exist; -EINVAL a pid below 1, or no pids; -E2BIG too many.
 */
int evtlog_profile_others(const int *pids, size_t count, struct evtlog_profile **profilep);

/**
 * evtlog_profile_all() - read profiles of all tasks and CPUs
 * @profilep:	where the profile is stored; free it with evtlog_profile_free()
 *
 * The caller needs CAP_PERFMON.  The entry of a CPU is of one time; tasks are read one after the
 * other.  If profiling was stopped, the profiles are as of the stop.
 *
 * Return: 0; -EACCES, -EPERM missing right; -ENOENT the kernel does not support profiles; -errno of
 * open() or read(); -EPROTO the kernel's text has an unknown format; -ENOMEM.
 */
int evtlog_profile_all(struct evtlog_profile **profilep);

/**
 * evtlog_profile_load() - load a profile from a file
 * @path:	text or binary file from evtlog_profile_write(), a copy of a file in
 *		/proc/evtlog/profile, or a file of EVTLOG_PROFILE_FILE
 * @profilep:	where the profile is stored; free it with evtlog_profile_free()
 * @error:	filled in on failure; may be NULL
 *
 * Return: 0; -errno of open() or read(); -EMEDIUMTYPE not a profile; -EPROTONOSUPPORT another
 * version or byte order; -EBADMSG damaged; -ENODATA truncated; -EFBIG the file, or the full text of
 * all its paths, is longer than 1 GiB; -ENOMEM.
 */
int evtlog_profile_load(const char *path, struct evtlog_profile **profilep,
			struct evtlog_error *error);

/**
 * evtlog_profile_load_bytes() - load a profile from memory
 * @bytes:	text or binary; owned by the caller, not needed after the call
 * @length:	length of @bytes
 * @profilep:	where the profile is stored; free it with evtlog_profile_free()
 * @error:	filled in on failure; may be NULL
 *
 * Return: the same as evtlog_profile_load().
 */
int evtlog_profile_load_bytes(const void *bytes, size_t length, struct evtlog_profile **profilep,
			      struct evtlog_error *error);

/**
 * evtlog_profile_new() - create a profile without entries
 * @about:	general data; @entries is ignored and becomes 0
 * @profilep:	where the profile is stored; free it with evtlog_profile_free()
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_profile_new(const struct evtlog_profile_about *about, struct evtlog_profile **profilep);

/**
 * evtlog_profile_add() - append an entry
 * @profile:	changed: pointers from evtlog_profile_entry_at() become invalid
 * @entry:	its @paths and @values are the lengths of the arrays
 * @paths:	copied with all strings; @event is computed from @path; NULL if there are none
 * @values:	copied; NULL if there are none
 *
 * Return: 0; -ENOMEM: a part of the entry may have been added.
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
 * evtlog_profile_about() - get the general data of a profile
 * @profile:	the profile
 *
 * Return: the data, valid until the profile is freed.
 */
const struct evtlog_profile_about *evtlog_profile_about(const struct evtlog_profile *profile);

/**
 * evtlog_profile_entry_at() - get an entry by its number
 * @profile:	the profile
 * @number:	from 0
 *
 * Return: the entry, valid until the profile is freed; NULL after the last entry.
 */
const struct evtlog_profile_entry *evtlog_profile_entry_at(const struct evtlog_profile *profile,
							   size_t number);

/**
 * evtlog_profile_path_at() - get a path of an entry by its number
 * @profile:	the profile
 * @entry:	number of the entry
 * @number:	from 0
 *
 * Return: the path, valid until the profile is freed; the entry's other paths follow it in memory,
 * in order.  NULL after the last path.
 */
const struct evtlog_profile_path *evtlog_profile_path_at(const struct evtlog_profile *profile,
							 size_t entry, size_t number);

/**
 * evtlog_profile_value_at() - get a value of an entry by its number
 * @profile:	the profile
 * @entry:	number of the entry
 * @number:	from 0
 *
 * Return: the value, valid until the profile is freed; the entry's other values follow it in
 * memory, in order.  NULL after the last value.
 */
const struct evtlog_profile_value *evtlog_profile_value_at(const struct evtlog_profile *profile,
							   size_t entry, size_t number);

/**
 * evtlog_profile_diff() - subtract an earlier profile from a later one
 * @after:	later profile
 * @before:	earlier profile; entries that it does not have are new
 * @diffp:	where the difference is stored; independent of @after and @before; free it with
 *		evtlog_profile_free()
 *
 * Tasks are matched by pid and begin.  Entries that only @before has, and paths without new ticks
 * and counts, are omitted.  If @before has a larger value than @after, the difference is 0.
 *
 * Return: 0; -EINVAL the tick rates differ by 1 % or more, or only one profile is compensated;
 * -ENOMEM.
 */
int evtlog_profile_diff(const struct evtlog_profile *after, const struct evtlog_profile *before,
			struct evtlog_profile **diffp);

/**
 * evtlog_profile_compensate() - subtract the cost of the measurement
 * @profile:	changed.  Each path loses its count times the cost inside, and for each event nested
 *		in it the cost of this event
 *
 * The costs are those that the kernel measured when profiling was started; they are a lower bound.
 * No sum becomes negative.  A CPU has no paths: only the cost inside is subtracted.  @removed and
 * @clamped of struct evtlog_profile_about have the amount.
 *
 * Return: 0; -EALREADY the profile is already compensated; -ENODATA the costs are unknown, and
 * nothing is changed; -ENOMEM.
 */
int evtlog_profile_compensate(struct evtlog_profile *profile);

/**
 * evtlog_profile_write() - write a profile
 * @profile:	the profile
 * @form:	enum evtlog_profile_form
 * @fd:		descriptor to write to; it is not closed
 *
 * Return: 0; -EINVAL no such form; -errno of write(): a part may have been written; -ENOMEM.
 */
int evtlog_profile_write(const struct evtlog_profile *profile, enum evtlog_profile_form form,
			 int fd);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_PROFILES_H */
