/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control files of /proc/evtlog, as the logger uses them.
 */
#ifndef EVTLOG_LOGD_PROC_H
#define EVTLOG_LOGD_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/status.h"
#include "run-id.h"

#define KERNEL_DIRECTORY	"/proc/evtlog"

/* Opened while there are capabilities, and kept: later there are none. */
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
 * Says what is wrong.  Returns 0, -EPROTO when the kernel's buffers are of
 * another form than this program knows, or -errno.
 */
int kernel_open(struct kernel *kernel);
void kernel_close(struct kernel *kernel);

/** kernel_announce() - become the logger; says what is wrong; 0 or -errno */
int kernel_announce(const struct kernel *kernel);

/**
 * kernel_arm() - make it ready for a start
 *
 * Says what is wrong.  Returns whether it is the caller who is to disarm it: not one that
 * somebody armed before, nor one that cannot be armed.
 */
bool kernel_arm(const struct kernel *kernel);

/** kernel_disarm() - take its hooks off again, unless it records */
void kernel_disarm(const struct kernel *kernel);

/** kernel_withdraw() - be the logger no more */
void kernel_withdraw(const struct kernel *kernel);

/** kernel_stop_run() - end the run that is recorded; 0 also if there is none */
int kernel_stop_run(const struct kernel *kernel);

/** kernel_read_status() - what it says of itself, but of no CPU; 0 or -errno */
int kernel_read_status(const struct kernel *kernel, struct control_status *status);

/** kernel_boot_id() - the 16 bytes of the status's text */
void kernel_boot_id(const struct control_status *status, uint8_t *boot_id);

/** kernel_run_id() - the current or last run, as its buffers name it */
void kernel_run_id(const struct control_status *status, struct run_id *run);

/** kernel_read_format() - /proc/evtlog/format, malloc()ed; 0 or -errno */
int kernel_read_format(const struct kernel *kernel, char **text, size_t *bytes);

/**
 * kernel_read_events() - which types are on, as "+sched_switch -user_exit ..."
 * @text:	malloc()ed
 * @bytes:	of @text
 *
 * Returns 0 or -errno.
 */
int kernel_read_events(const struct kernel *kernel, char **text, size_t *bytes);

/** kernel_say_open_failed() - explain why a file of /proc/evtlog did not open */
void kernel_say_open_failed(const char *path, int error);

#endif /* EVTLOG_LOGD_PROC_H */
