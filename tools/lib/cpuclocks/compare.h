/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What comparing CPUs' counters keeps of CPUs, pairs of CPUs and tasks.
 *
 * Stage: shared by compare.c, which takes events up, tasks.c, which keeps
 * tasks, and guess.c, which finds offsets when orders are wrong.
 */
#ifndef EVTLOG_LIB_CPUCLOCKS_COMPARE_H
#define EVTLOG_LIB_CPUCLOCKS_COMPARE_H

#include <evtlog/cpu-clocks.h>

#include "lib/base/key-table.h"
#include "lib/file/file.h"

#define SLOTS_MAX	2048u
#define SLOT_NONE	UINT16_MAX
#define SLACK_NS	EVTLOG_CPU_CLOCKS_SLACK_NS

/* What is known of a task: the last of each, with the CPU that recorded it. */
enum clocks_point {
	POINT_IN,	/* switched in */
	POINT_IN_BEFORE, /* the last on another CPU than that of POINT_IN */
	POINT_OUT,
	POINT_MIGRATE,	/* since it was switched in */
	POINT_WAKE,	/* ditto */
	POINT_FORK,	/* ditto: fork or wakeup_new */
	POINTS
};

#define TASK_SLEPT	0x1	/* when it was switched out */
#define TASK_UNWOKEN	0x2	/* it slept, and was switched in without a waking */
#define TASK_IGNORED	0x4	/* it exits, or changed its pid: up to the next fork */

struct clocks_task {
	uint16_t flags;
	uint16_t slot[POINTS];
	int64_t ns[POINTS];
};

/*
 * A CPU's state.
 * @pid:	runs since @in_ns at least; 0: idle, or not known
 * @fresh:	nothing is known up to the next record
 */
struct clocks_cpu {
	uint32_t pid;
	bool fresh;
	int64_t in_ns;
};

/*
 * Orders of events of one CPU before events of another.
 * @least_ns:	the least time between two such
 * @least_signed_ns: the same with those that are the wrong way round, by the least that puts
 *	them right; 0 or less
 * @wakes, @late: wakings of tasks that had slept: before they ran, and after
 * @forked, @forked_ns: forks of tasks that ran already, by how much at most
 */
struct clocks_pair {
	int64_t least_ns;
	int64_t least_signed_ns;
	uint32_t orders;
	uint32_t violations;
	uint32_t wakes;
	uint32_t late;
	uint32_t forked;
	int64_t forked_ns;
};

struct evtlog_cpu_clocks {
	struct evtlog_file *file;
	unsigned int slots;
	uint32_t *slot_of;	/* by CPU number */
	unsigned int cpus;
	struct clocks_cpu *cpu;
	struct clocks_pair **pairs;	/* [from][to]; rows are made when they are needed */
	struct clocks_task *tasks;	/* as many as @by_pid has */
	struct key_table by_pid;
	size_t task_capacity;
	/* ns = (ticks - base_ticks) * mult >> shift; without mult the events' own */
	uint64_t base_ticks;
	uint64_t mult;
	unsigned int shift;
	int64_t *ahead_ns;	/* of each CPU, taken off; NULL: 0 */
	int64_t *low_ns;
	int64_t *high_ns;
	uint64_t gaps;
	bool no_switches;	/* not all */
	bool no_wakings;
	struct evtlog_cpu_clocks_summary summary;
};

/* Time of an event of @slot, less what the CPU is ahead. */
int64_t clocks_time(const struct evtlog_cpu_clocks *clocks, const struct evtlog_event *event,
		    unsigned int slot);

/* ---- tasks.c ---- */

/* NULL: there is none. */
struct clocks_task *clocks_task_find(const struct evtlog_cpu_clocks *clocks, uint32_t pid);
/* Makes it if need be; NULL: no memory. */
struct clocks_task *clocks_task_get(struct evtlog_cpu_clocks *clocks, uint32_t pid);
void clocks_task_reset(struct clocks_task *task);

/* ---- guess.c ---- */

/*
 * Finds by how much each CPU is ahead of the first, from pairs with violations: into
 * clocks->low_ns and high_ns.  0; -ENOMEM; -errno of read().
 */
int clocks_guess(struct evtlog_cpu_clocks *clocks);

/* ---- pair.c: offsets of two CPUs, guessed from the stays of tasks on both, for guess.c ---- */

#define FORBIDDEN_MAX	(1u << 19)

/* A task on a CPU; or, of no length, a record of another that it is not on a CPU then. */
struct span {
	uint32_t pid;
	int64_t from_ns;
	int64_t to_ns;
};

struct spans {
	struct span *at;
	size_t count;
	size_t capacity;
	bool read;
};

struct interval {
	int64_t from_ns;
	int64_t to_ns;
};

/*
 * The second of two CPUs is ahead by @low_ns to @high_ns.
 * @wrong:	stays that overlap in the middle of it
 * @close:	how closely stays follow each other there
 */
struct guess {
	int64_t low_ns;
	int64_t high_ns;
	uint64_t wrong;
	uint64_t close;
	bool found;
};

/* Reads the stays and records of a CPU's tasks once.  0; -ENOMEM; -errno of read(). */
int clocks_read_spans(const struct evtlog_cpu_clocks *clocks, unsigned int slot,
		      struct spans *spans);

/*
 * By how much @b is ahead of @a, if it is less than @window_ns; @guess is one of before, or 0.
 * @forbidden: memory for FORBIDDEN_MAX
 * @most:	gaps are tried
 * @budget:	comparisons of stays that are left; at 0 it ends
 */
void clocks_guess_pair(const struct spans *a, const struct spans *b, int64_t window_ns,
		       struct interval *forbidden, size_t most, uint64_t *budget,
		       struct guess *guess);

/* ---- compare.c ---- */

/* Bounds of each CPU to the first, by all orders: into clocks->low_ns and high_ns. */
void clocks_close(struct evtlog_cpu_clocks *clocks);
/* Reads all of the file in the order of times less @ahead_ns.  0; -ENOMEM; -errno. */
int clocks_read_shifted(struct evtlog_file *file, const int64_t *ahead_ns,
			struct evtlog_cpu_clocks **clocksp);

#endif /* EVTLOG_LIB_CPUCLOCKS_COMPARE_H */
