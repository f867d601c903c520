/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The content of /proc/evtlog/status, parsed, for the commands and for logd.
 *
 * The file itself is read in control.c.
 */
#ifndef EVTLOG_CONTROL_STATUS_H
#define EVTLOG_CONTROL_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A CPU that has buffers.  Counts are for the current or last run. */
struct control_cpu {
	unsigned int cpu;
	bool is_online;
	uint64_t buffers;	/* passed to the logger */
	unsigned int waiting;	/* full, not yet read */
	uint64_t bytes;
	uint64_t lost_full;
	uint64_t lost_nmi;
	uint64_t lost_nested;
	uint64_t lost_large;
	uint64_t records;	/* only of named buffers */
};

#define CONTROL_CAUSES_MAX	32

/* Control messages refused for one cause; @cause is the kernel's name for it. */
struct control_refused {
	char cause[24];
	uint64_t count;
};

/* Control messages since boot. */
struct control_remote {
	char keys[32];		/* key IDs separated by commas; empty: no message is accepted */
	uint64_t obeyed;
	uint64_t replied;
	struct control_refused refused[CONTROL_CAUSES_MAX];
	unsigned int causes;	/* 0 if the kernel has no control messages */
};

/* Task groups boosted by messages.  All counts but the first two are since boot. */
struct control_boost {
	uint32_t active;	/* ID of the active request, 0 if none */
	unsigned int tasks;	/* boosted at present */
	uint64_t boosted;
	uint64_t restored;
	uint64_t left;		/* had ended, or had got another policy */
	uint64_t skipped;	/* not boosted, because their real-time CPU time is limited */
};

/* The sampler of tasks.  All counts are since boot, except @tasks. */
struct control_sampler {
	char interval[24];	/* such as "4ms" or "tick"; empty if off */
	char tree[16];		/* "all" or a pid */
	uint64_t passes;
	uint64_t missed;	/* due, but did not take place */
	uint64_t lost;		/* samples lost because no buffer was free */
	unsigned int tasks;	/* in the last pass */
};

struct control_status {
	bool is_recording;
	bool is_armed;
	bool supports_arming;	/* the kernel supports arming */
	uint64_t run;		/* current or last run; 0: none since boot */
	char run_name[32];	/* empty if it has no name */
	uint64_t reference_ticks; /* when the start was ordered; 0 if unknown */
	uint32_t tree_pid;	/* root of the tree that is recorded; 0: all tasks are recorded */
	pid_t logger;		/* 0 if none */
	pid_t self, self_thread; /* pids of the reading process as in events; 0 if unknown */
	unsigned int buffers;
	unsigned int buffer_kb;
	uint64_t ticks_hz;
	bool ticks_trusted;
	char boot_id[37];
	char form[16];		/* "module"; empty: evtlog is a part of the kernel */
	char unsupported[1024];	/* types that this form cannot record, separated by blanks */
	struct control_remote remote;
	struct control_boost boost;
	struct control_sampler sampler;
	struct control_cpu *cpus;
	unsigned int cpu_count;
	size_t cpu_capacity;
};

/**
 * control_status_parse() - parse the text of the file
 * @text:	modified
 *
 * Returns 0, or -ENOMEM with nothing to free.
 */
int control_status_parse(struct control_status *status, char *text);
void control_status_free(struct control_status *status);

/** control_lost() - return the events lost in the current or last run, on all CPUs */
uint64_t control_lost(const struct control_status *status);

/** control_waiting() - return the full buffers that no logger has read */
unsigned int control_waiting(const struct control_status *status);

#endif /* EVTLOG_CONTROL_STATUS_H */
