/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees of tasks, by fork lineage: a process, its threads, its descendants, and all that they fork
 * later, even if their parent changes.  Or the tasks of cgroups, and tasks that enter these later.
 *
 * A tree is a bit of a word in task_struct, evtlog_trees, that a child inherits.  The sampler and
 * filters test it; nothing else is done at a fork or a switch.
 */
#ifndef EVTLOG_LINEAGE_LINEAGE_H
#define EVTLOG_LINEAGE_LINEAGE_H

#include <linux/bits.h>
#include <linux/types.h>

struct evtlog_proc_file;
struct seq_file;
struct task_struct;

/* One bit of the word belongs to no tree, see births.c. */
#define EVTLOG_TREES_MAX	31
#define EVTLOG_TREES_ALL	BIT(EVTLOG_TREES_MAX)

/*
 * Where the bits of a task are: a module has a table (kernel-patches/module/trees.c), in which the
 * task needs a place first.
 */
#ifdef MODULE
extern u32 evtlog_trees_live;
u32 *evtlog_trees_at(const struct task_struct *task);
bool evtlog_trees_place(const struct task_struct *task);
int evtlog_trees_begin(void);
void evtlog_trees_end(void);
void evtlog_lineage_exit(void);
#else
#define evtlog_trees_at(task)		(&(task)->evtlog_trees)
#define evtlog_trees_place(task)	true
#define evtlog_trees_begin()		0
#define evtlog_trees_end()		do { } while (0)
#endif

/* mark.c */
int evtlog_lineage_hold(pid_t nr);
int evtlog_lineage_extend(unsigned int number, pid_t nr);
void evtlog_lineage_mark(struct task_struct *task, u32 bits, bool is_new);
void evtlog_lineage_set_of_runs(u32 bit);
int evtlog_lineage_number(pid_t nr);
void evtlog_lineage_release(unsigned int number);
unsigned int evtlog_lineage_changes(void);
bool evtlog_lineage_has(const struct task_struct *task, pid_t nr, bool *is_in);
void evtlog_lineage_show(struct seq_file *m);

/* cgroup.c */
#ifdef CONFIG_EVTLOG_CGROUP_TREES
int evtlog_cgroup_follow(int fd, u32 bit);
void evtlog_cgroup_leave(u32 bit);
#else
#define evtlog_cgroup_follow(fd, bit)	(-EOPNOTSUPP)
#define evtlog_cgroup_leave(bit)	do { } while (0)
#endif

/* walk.c */
void evtlog_lineage_each_task(void (*visit)(struct task_struct *task, void *data), void *data);

/* births.c */
int evtlog_births_open(u32 trees);
void evtlog_births_close(void);
struct task_struct *evtlog_births_take(void);
bool evtlog_births_were_lost(void);

#endif /* EVTLOG_LINEAGE_LINEAGE_H */
