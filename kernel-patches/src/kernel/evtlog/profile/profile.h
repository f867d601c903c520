/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles of tasks and CPUs: a feature of the kernel's part.
 *
 *	hooks.c		each boundary: the record's hook, then the charge (tree.h, tree.c)
 *	switch.c	switches of tasks: the slow path
 *	cpu.c		a CPU's clock
 *	list.c		all profiles, in lists of CPUs
 *	tasks.c		a profile for each task: at the start, at fork; freed with the task
 *	exit.c		the profile of a freed task: a record
 *	function.c	functions with %timer probes
 *	span.c		hooks of sockets and TCP/IP, VFS and block
 *	values.c	numbers without a time: bytes, lengths
 *	groups.c	selects events
 *	publish.c	the sums per group of a task that has mapped its page
 *	self.c		such pages: mapped, turned off, gone with the task
 *	family.c	a command and all that it forks
 *	family_sums.c	what those of them had that have ended
 *	process.c	a process's threads, and what those of them had that have ended
 *	ended_sums.c	the tree of these
 *	process_show.c	all of them as text, each thread once
 *	trace.c		the last events of a task, also when it is no more
 *	trace_file.c	traces as text
 *	control.c	/proc/evtlog/profile: its files; start and stop
 *	walk.c		which profiles a file shows to whom, one after another
 *	show.c		a task's profile as text
 *	row.c		a CPU's profile, of one moment
 *	cost.c		what the measurement itself costs
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

/* hooks.c: writes the record if it is wanted; when the child was born, by both. */
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
void evtlog_profile_self_lock(void);
void evtlog_profile_self_unlock(void);
void evtlog_profile_self_switch(bool on);
bool evtlog_profile_self_is_on(void);

/* exit.c */
int evtlog_profile_exit_init(void);
void evtlog_profile_tell_exit(const struct task_struct *task, struct evtlog_profile *p);

/* span.c */
void evtlog_profile_spans_switch(bool net, bool block);

/* Of files of profiles: text of this version without its last line was cut off. */
#define EVTLOG_PROFILE_VERSION_LINE	"version 2\n"
#define EVTLOG_PROFILE_LAST_LINE	"end\n"

/* groups.c; of what is written to control: why it was refused */
#define EVTLOG_PROFILE_ERROR_LEN	192

u64 evtlog_profile_types(void);
bool evtlog_profile_has_signals(void);
void evtlog_profile_groups_switch_spans(void);
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
 * @number:	which
 * @most:	about how many nodes of tasks are added to it in one go
 * @few:	so many may be before it is copied
 * @settled:	so many were; -1: there are more
 * @is_whole:	it was copied
 * @begin:	in ticks: since when it counts
 * @until:	in ticks: of when it is
 * @sums:	by slot
 * @values:	what is no span
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

/* Deeper paths are shown from there on. */
#define EVTLOG_PROFILE_DEPTH_MAX	32

/**
 * struct evtlog_profile_copy - a copy of a profile
 * @of:		what is copied
 * @done:	it is whole
 * @profile:	the copy
 * @more:	of its further nodes
 * @values:	of its values
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

/* Of which tasks a file is, which is its data */
enum evtlog_profile_whose { EVTLOG_PROFILE_SELF, EVTLOG_PROFILE_OTHERS, EVTLOG_PROFILE_ALL };
extern const struct proc_ops evtlog_profile_walk_ops;

#endif /* EVTLOG_PROFILE_PROFILE_H */
