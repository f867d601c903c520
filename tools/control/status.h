/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What /proc/evtlog/status says, for the commands and for logd.
 *
 * It reads no file: see control.h.
 */
#ifndef EVTLOG_CONTROL_STATUS_H
#define EVTLOG_CONTROL_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One CPU that has buffers; counts are of the current or last run. */
struct control_cpu {
	unsigned int cpu;
	bool is_online;
	uint64_t buffers;	/* handed over */
	unsigned int waiting;	/* full and not yet read */
	uint64_t bytes;
	uint64_t lost_full;
	uint64_t lost_nmi;
	uint64_t lost_nested;
	uint64_t lost_large;
};

#define CONTROL_CAUSES_MAX	32

/* Control messages refused for one cause, as the kernel names it. */
struct control_refused {
	char cause[24];
	uint64_t count;
};

/* Control messages since boot. */
struct control_remote {
	char keys[32];		/* ids, by commas; empty: none is obeyed */
	uint64_t obeyed;
	uint64_t replied;
	struct control_refused refused[CONTROL_CAUSES_MAX];
	unsigned int causes;	/* 0: a kernel without control messages */
};

/* Task groups scheduled by message; all but the first two since boot. */
struct control_boost {
	uint32_t active;	/* the request under way; 0: none */
	unsigned int tasks;	/* boosted now */
	uint64_t boosted;
	uint64_t restored;
	uint64_t left;		/* ended meanwhile, or took another policy */
	uint64_t skipped;	/* have a limit of real-time CPU time */
};

/* The sampler of tasks; all but the first two since boot. */
struct control_sampler {
	char interval[24];	/* "4ms", "tick"; empty: it is off */
	char tree[16];		/* "all", or a pid */
	uint64_t passes;
	uint64_t missed;	/* were due, but did not take place */
	uint64_t lost;		/* samples for which there was no buffer */
	unsigned int tasks;	/* in the last pass */
};

struct control_status {
	bool is_recording;
	bool is_armed;
	bool tells_armed;	/* a kernel that can be armed */
	uint64_t run;		/* current or last; 0 = none since boot */
	char run_name[32];	/* its name; empty = it has none */
	uint64_t reference_ticks; /* when it was ordered; 0 = unknown */
	uint32_t tree_pid;	/* whose tree runs are of; 0 = of all tasks */
	pid_t logger;		/* 0 = none */
	pid_t self, self_thread; /* who read it, with pids as events have them; 0 = unknown */
	unsigned int buffers;
	unsigned int buffer_kb;
	uint64_t ticks_hz;
	bool ticks_trusted;
	char boot_id[37];
	struct control_remote remote;
	struct control_boost boost;
	struct control_sampler sampler;
	struct control_cpu *cpus;
	unsigned int cpu_count;
	size_t cpu_capacity;
};

/**
 * control_status_parse() - take the file's text apart
 * @text:	changed by this
 *
 * Returns 0, or -ENOMEM with nothing to be freed.
 */
int control_status_parse(struct control_status *status, char *text);
void control_status_free(struct control_status *status);

/** control_lost() - events lost in the current or last run, on all CPUs */
uint64_t control_lost(const struct control_status *status);

/** control_waiting() - full buffers that no logger fetched yet */
unsigned int control_waiting(const struct control_status *status);

#endif /* EVTLOG_CONTROL_STATUS_H */
