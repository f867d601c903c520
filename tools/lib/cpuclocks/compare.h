/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * State of the comparison of CPUs' tick counters: CPUs, pairs of CPUs and tasks.
 *
 * Stage: shared by compare.c, which processes events, tasks.c, which stores tasks, and guess.c,
 * which finds offsets if orders are wrong.
 */
#ifndef EVTLOG_LIB_CPUCLOCKS_COMPARE_H
#define EVTLOG_LIB_CPUCLOCKS_COMPARE_H

#include <evtlog/cpu-clocks.h>

#include "lib/base/key-table.h"
#include "lib/file/file.h"

#define SLOTS_MAX	2048u
#define SLOT_NONE	UINT16_MAX
#define SLACK_NS	EVTLOG_CPU_CLOCKS_SLACK_NS

/* Events of a task: for each kind the last one, with the CPU that recorded it. */
enum clocks_point {
	POINT_IN,	/* switched in */
	POINT_IN_BEFORE, /* last switch in on another CPU than POINT_IN's */
	POINT_OUT,
	POINT_MIGRATE,	/* since it was switched in */
	POINT_WAKE,	/* since it was switched in */
	POINT_FORK,	/* since it was switched in: fork or wakeup_new */
	POINTS
};

#define TASK_SLEPT	0x1	/* when it was switched out, it went to sleep */
#define TASK_UNWOKEN	0x2	/* it slept, and was switched in without a wake-up */
#define TASK_IGNORED	0x4	/* it exits or changed its pid: ignored until the next fork */

struct clocks_task {
	uint16_t flags;
	uint16_t slot[POINTS];
	int64_t ns[POINTS];
};

/*
 * State of a CPU.
 * @pid:	task that runs since @in_ns or earlier; 0: idle or unknown
 * @fresh:	true: the state is unknown until the next record
 */
struct clocks_cpu {
	uint32_t pid;
	bool fresh;
	int64_t in_ns;
};

/*
 * Known orders of events on one CPU before events on another.
 * @least_ns: the least time between two such events
 * @least_signed_ns: the same for wrong orders, by the smallest correction of each; 0 or negative
 * @wakes, @late: wake-ups of tasks that slept: before they ran, and after
 * @forked, @forked_ns: forks of tasks that already ran, and the largest time since
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
	struct clocks_cpu *cpu;
	struct clocks_pair **pairs;	/* [from][to]; rows are allocated when needed */
	struct clocks_task *tasks;	/* indexed by the numbers in @by_pid */
	struct key_table by_pid;
	size_t task_capacity;
	/* ns = (ticks - base_ticks) * mult >> shift; if mult is 0, the time of the event */
	uint64_t base_ticks;
	uint64_t mult;
	unsigned int shift;
	int64_t *ahead_ns;	/* subtracted from the times of each CPU; NULL: 0 */
	int64_t *low_ns;
	int64_t *high_ns;
	uint64_t gaps;
	bool no_switches;	/* off or filtered */
	bool no_wakings;
	struct evtlog_cpu_clocks_summary summary;
};

/* Returns the time of an event of @slot, minus the CPU's @ahead_ns. */
int64_t clocks_time(const struct evtlog_cpu_clocks *clocks, const struct evtlog_event *event,
		    unsigned int slot);

/* ---- tasks.c ---- */

/* Returns NULL if there is none. */
struct clocks_task *clocks_task_find(const struct evtlog_cpu_clocks *clocks, uint32_t pid);
/* Adds the task if there is none.  Returns NULL if out of memory. */
struct clocks_task *clocks_task_get(struct evtlog_cpu_clocks *clocks, uint32_t pid);
void clocks_task_reset(struct clocks_task *task);

/* ---- guess.c ---- */

/*
 * Finds by how much each CPU is ahead of the first, if orders are wrong.  Stores the bounds in
 * clocks->low_ns and high_ns.  Returns 0; -ENOMEM; -errno of read().
 */
int clocks_guess(struct evtlog_cpu_clocks *clocks);

/* ---- pair.c: guesses the offset of two CPUs from the slices of tasks on both, for guess.c ---- */

#define FORBIDDEN_MAX	(1u << 19)

/* A slice of a task; or, with length 0, a time at which the task runs on no CPU. */
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
 * @wrong:	slices that overlap in the middle of this range
 * @close:	how closely slices follow each other there
 */
struct guess {
	int64_t low_ns;
	int64_t high_ns;
	uint64_t wrong;
	uint64_t close;
	bool found;
};

/* Reads the slices and records of a CPU's tasks once.  Returns 0; -ENOMEM; -errno of read(). */
int clocks_read_spans(const struct evtlog_cpu_clocks *clocks, unsigned int slot,
		      struct spans *spans);

/*
 * Guesses by how much @b is ahead of @a, if it is less than @window_ns.  @guess is an earlier
 * guess or zero, and is replaced by a better one.
 * @forbidden: memory for FORBIDDEN_MAX intervals
 * @most:	number of gaps to try
 * @budget:	number of comparisons of slices that are left; at 0 the function ends
 */
void clocks_guess_pair(const struct spans *a, const struct spans *b, int64_t window_ns,
		       struct interval *forbidden, size_t most, uint64_t *budget,
		       struct guess *guess);

/* ---- compare.c ---- */

/* Bounds each CPU against the first, by all orders: in clocks->low_ns and high_ns. */
void clocks_close(struct evtlog_cpu_clocks *clocks);
/* Reads the whole file in the order of times - @ahead_ns.  Returns 0; -ENOMEM; -errno. */
int clocks_read_shifted(struct evtlog_file *file, const int64_t *ahead_ns,
			struct evtlog_cpu_clocks **clocksp);

#endif /* EVTLOG_LIB_CPUCLOCKS_COMPARE_H */
