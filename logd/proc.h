/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control files of /proc/evtlog, as used by the logger.
 */
#ifndef EVTLOG_LOGD_PROC_H
#define EVTLOG_LOGD_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/status.h"

struct config;
struct run_id;

#define KERNEL_DIRECTORY	"/proc/evtlog"

/* Opened before capabilities are dropped, and kept open. */
struct kernel {
	int pid;
	int enable;
	int status;
	int format;
	int events;
};

/**
 * kernel_open() - open the control files
 *
 * Prints errors.  Returns 0, -EPROTO if the kernel's buffers have an unknown format, or -errno.
 */
int kernel_open(struct kernel *kernel);
void kernel_close(struct kernel *kernel);

/** kernel_announce() - become the logger; prints errors; returns 0 or -errno */
int kernel_announce(const struct kernel *kernel);

/**
 * kernel_arm() - arm the kernel for a start
 *
 * Prints errors.  Returns true if the caller must disarm it; false if it was armed before or
 * cannot be armed.
 */
bool kernel_arm(const struct kernel *kernel);

/** kernel_disarm() - switch the hooks off, unless a run is recorded */
void kernel_disarm(const struct kernel *kernel);

/** kernel_withdraw() - stop being the logger */
void kernel_withdraw(const struct kernel *kernel);

/** kernel_stop_run() - end the run that is recorded; returns 0 also if there is none */
int kernel_stop_run(const struct kernel *kernel);

/** kernel_read_status() - read the status, without CPUs; returns 0 or -errno */
int kernel_read_status(const struct kernel *kernel, struct control_status *status);

/** kernel_read_format() - read /proc/evtlog/format, malloc()ed; returns 0 or -errno */
int kernel_read_format(const struct kernel *kernel, char **text, size_t *bytes);

/**
 * kernel_read_events() - read which types are on: "+sched_switch -user_exit ..."
 * @text:	malloc()ed
 * @bytes:	length of @text
 *
 * Returns 0 or -errno.
 */
int kernel_read_events(const struct kernel *kernel, char **text, size_t *bytes);

/** kernel_say_open_failed() - print why a file of /proc/evtlog could not be opened */
void kernel_say_open_failed(const char *path, int error);

/** describe_host() - return HOST for file names, as configured, else from the kernel */
const char *describe_host(const struct config *config);

/**
 * describe_run() - make the text of a run file's header, from the configuration and the kernel
 * @cpus_possible: number of CPUs for which the kernel has buffers
 * @is_prompt:	True: the kernel's types of events are those of @run, even if it has ended
 *
 * Returns 0 or -errno; @text is malloc()ed.
 */
int describe_run(const struct config *config, const struct kernel *kernel,
		 unsigned int cpus_possible, const struct run_id *run,
		 bool is_prompt, char **text, size_t *bytes);

#endif /* EVTLOG_LOGD_PROC_H */
