/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles of tasks and CPUs: a feature of the kernel's part.
 *
 *	hooks.c		each boundary: the record's hook, then the charge (tree.h, tree.c)
 *	switch.c	context switches: the slow path
 *	cpu.c		a CPU's clock
 *	list.c		all profiles, in lists of CPUs
 *	tasks.c		a profile for each task: at the start, at fork; freed with the task
 *	exit.c		the profile of a freed task, as a record
 *	function.c	functions with %timer probes
 *	span.c		hooks of sockets and TCP/IP, VFS and block
 *	values.c	numbers without a time: bytes, lengths
 *	groups.c	selects events
 *	publish.c	updates the sums per group of a task that has mapped its page
 *	self.c		such pages: mapping, turning off, the end of the task
 *	family.c	a command and all that it forks
 *	process.c	the threads of a process, and the sum of its ended threads
 *	ended_sums.c	the tree of this sum
 *	process_show.c	a process as text, each thread once
 *	trace.c		the last events of a task, also after its end
 *	trace_file.c	traces as text
 *	control.c	/proc/evtlog/profile: its files; start and stop
 *	walk.c		selects the profiles that a file shows to a reader, one after another
 *	show.c		a task's profile as text
 *	row.c		a CPU's profile at one moment
 *	cost.c		the cost of the measurement itself
 */
#ifndef EVTLOG_PROFILE_PROFILE_H
#define EVTLOG_PROFILE_PROFILE_H

#include "profile/trace.h"
#include "profile/tree.h"

struct pid;
struct pid_namespace;
struct proc_ops;
struct seq_file;
struct task_struct;
struct vm_area_struct;

/* hooks.c: records the fork if enabled; returns its time, for the record and the profile. */
u64 evtlog_profile_record_fork(struct task_struct *child);

/* tasks.c */
int evtlog_profile_attach_all(void);
void evtlog_profile_free(struct evtlog_profile *p);

struct evtlog_profile *evtlog_profile_attach(void);
void evtlog_profile_attach_leader(void);

/* family.c */
extern const struct proc_ops evtlog_profile_family_ops;
void evtlog_profile_family_inherit(struct evtlog_profile *child,
				   const struct evtlog_profile *parent);
void evtlog_profile_family_leave(struct evtlog_profile *p);
void evtlog_profile_family_without(const struct evtlog_profile *parent);

/* self.c */
int evtlog_profile_self_map(struct vm_area_struct *vma);
void evtlog_profile_self_end(struct evtlog_profile *p);
void evtlog_profile_self_keep(bool on);
extern raw_spinlock_t evtlog_profile_self_lock;
void evtlog_profile_self_switch(bool on);
bool evtlog_profile_self_is_on(void);

/* exit.c */
int evtlog_profile_exit_init(void);
void evtlog_profile_tell_exit(const struct task_struct *task, struct evtlog_profile *p);

/* span.c */
void evtlog_profile_spans_switch(bool signal, bool net, bool block);

/* In files of profiles: a text with this version but without its last line was cut off. */
#define EVTLOG_PROFILE_VERSION_LINE	"version 2\n"
#define EVTLOG_PROFILE_LAST_LINE	"end\n"

/* groups.c; size of the reason why a write to control was refused */
#define EVTLOG_PROFILE_ERROR_LEN	192

u64 evtlog_profile_types(void);
void evtlog_profile_groups_switch(bool on);
unsigned int evtlog_profile_root(unsigned int root);
int evtlog_profile_groups_choose(char *list, char *cause);
void evtlog_profile_groups_show(struct seq_file *m);

/* control.c */
int evtlog_profile_control_show(struct seq_file *m, void *unused);
int evtlog_profile_control_write(char *text);
bool evtlog_profile_is_on(void);
u64 evtlog_profile_until(void);
int evtlog_profile_hold(void);
void evtlog_profile_release(void);
void evtlog_profile_have_traces(bool on);
void evtlog_profile_sleep(bool soon);

/* cost.c */
void evtlog_profile_cost_measure(void);
void evtlog_profile_cost_show(struct seq_file *m);

/* row.c */

/**
 * struct evtlog_profile_row - a CPU's sums
 * @number:	number of the CPU
 * @most:	about how many nodes of tasks are added to the CPU's sums at a time
 * @few:	the row is copied if at most this many nodes were added before
 * @settled:	number of nodes that were added; -1: there are more
 * @is_whole:	True: the row was copied
 * @begin:	in ticks: start of the sums
 * @until:	in ticks: end of the sums
 * @sums:	by slot
 * @values:	numbers without a time
 */
struct evtlog_profile_row {
	unsigned int number;
	int most;
	int few;
	int settled;
	bool is_whole;
	u64 begin;
	u64 until;
	struct evtlog_profile_sums sums[EVTLOG_PROFILE_SLOTS];
	struct evtlog_profile_values values;
};

void evtlog_profile_row_show(struct seq_file *m, unsigned int number,
			     struct evtlog_profile_row *row);

/* show.c */

/* A deeper path is shown from this depth on. */
#define EVTLOG_PROFILE_DEPTH_MAX	32

/**
 * struct evtlog_profile_copy - a copy of a profile
 * @of:		the original
 * @done:	True: the copy is complete
 * @profile:	the copy
 * @more:	copy of its further nodes
 * @values:	copy of its values
 */
struct evtlog_profile_copy {
	const struct evtlog_profile *of;
	bool done;
	struct evtlog_profile profile;
	u64 more[EVTLOG_CALLPATH_MORE_BYTES_MAX / sizeof(u64)];
	struct evtlog_profile_values values;
};

void evtlog_profile_show_task(struct seq_file *m, struct task_struct *task,
			      struct evtlog_profile_copy *copy, int pid, int tgid);
void evtlog_profile_read(struct evtlog_profile_copy *copy, const struct evtlog_profile *p);
void evtlog_profile_show_event(struct seq_file *m, unsigned int event);
void evtlog_profile_show_path(struct seq_file *m, const u16 *events, unsigned int depth,
			      const struct evtlog_profile_sums *sums);

/* A task's name, in a line */
#define evtlog_profile_show_comm(m, comm)	seq_escape(m, comm, "\n\\")

/* walk.c */
struct task_struct *evtlog_profile_next_task(struct pid_namespace *ns, int *number,
					     bool (*is_wanted)(void *of, struct task_struct *task,
							       const struct pid *pid),
					     void *of);

/* Which tasks a file shows; the value is the file's data */
enum evtlog_profile_whose { EVTLOG_PROFILE_SELF, EVTLOG_PROFILE_OTHERS, EVTLOG_PROFILE_ALL };
extern const struct proc_ops evtlog_profile_walk_ops;

#endif /* EVTLOG_PROFILE_PROFILE_H */
