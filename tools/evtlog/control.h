/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control files of /proc/evtlog, for the commands that start and stop.
 *
 * Stage: beside the data's way; no log is read here.  Functions return 0 or
 * -errno and say nothing, except those named say.
 */
#ifndef EVTLOG_CONTROL_H
#define EVTLOG_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CONTROL_DIRECTORY	"/proc/evtlog"

/* One CPU that has buffers; counts are of the current or last run. */
struct control_cpu {
	unsigned int cpu;
	bool is_online;
	uint64_t buffers;	/* handed over */
	unsigned int waiting;	/* full and not yet read */
	uint64_t bytes;
	uint64_t lost_full;
	uint64_t lost_nmi;
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
};

struct control_status {
	bool is_recording;
	uint64_t run;		/* current or last; 0 = none since boot */
	char run_name[32];	/* its name; empty = it has none */
	pid_t logger;		/* 0 = none */
	unsigned int buffers;
	unsigned int buffer_kb;
	uint64_t ticks_hz;
	bool ticks_trusted;
	char boot_id[37];
	struct control_remote remote;
	struct control_boost boost;
	struct control_cpu *cpus;
	unsigned int cpu_count;
};

/** control_read() - a control file's text, malloc()ed */
int control_read(const char *name, char **text);

/** control_write() - write a text to a control file */
int control_write(const char *name, const char *text);

/** control_status() - read and parse status; free with control_status_free() */
int control_status(struct control_status *status);
void control_status_free(struct control_status *status);

/** control_status_or_say() - the same, and say why if it can't be read */
int control_status_or_say(struct control_status *status);

/** control_lost() - events lost in the current or last run, on all CPUs */
uint64_t control_lost(const struct control_status *status);

/** control_waiting() - full buffers that no logger fetched yet */
unsigned int control_waiting(const struct control_status *status);

/**
 * control_events() - what to write to events for a user's choice
 * @choice:	names divided by commas or blanks.  With signs they change what
 *		is on; without, they are all that is on.
 *
 * Returns a malloc()ed text, or NULL for want of memory.
 */
char *control_events(const char *choice);

/** control_events_now() - the same for what is on now; NULL on failure */
char *control_events_now(void);

/** control_say_failed() - why a file of /proc/evtlog could not be used */
void control_say_failed(const char *name, int error);

#endif /* EVTLOG_CONTROL_H */
