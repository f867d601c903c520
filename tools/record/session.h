/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a command, from its start to its file.
 *
 * All functions print errors.
 */
#ifndef EVTLOG_RECORD_SESSION_H
#define EVTLOG_RECORD_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include "control/control.h"
#include "control/probes.h"
#include "control/session.h"
#include "logger.h"

#define RECORDING_FILTERS_MAX	16
#define RECORDING_PROBES_MAX	64

/* @condition: a filter in the kernel for events of @type, while the run lasts */
struct recording_filter {
	const char *type;
	const char *condition;
};

/*
 * @output:	file of the run; NULL: HOST-RUN.evl in @directory
 * @directory:	NULL for the current one
 * @events:	as for control_events(); NULL to keep the selection
 * @filters:	@filter_count of them
 * @probes:	@probe_count of them, as evtlog probe add takes them
 * @settings:	for our own logd, NULL-terminated
 * @notes:	settings with notes about the run, which only our own logd writes into the file
 * @buffers, @buffer_kb: 0 to keep
 */
struct recording_options {
	const char *output;
	const char *directory;
	const char *events;
	struct recording_filter filters[RECORDING_FILTERS_MAX];
	unsigned int filter_count;
	char *probes[RECORDING_PROBES_MAX];
	unsigned int probe_count;
	const char *settings[OWN_LOGGER_SETTINGS_MAX + 1];
	unsigned int setting_count;
	const char *notes[OWN_LOGGER_NOTES_MAX + 1];
	unsigned int buffers;
	unsigned int buffer_kb;
};

/* The option --buffers, and its handler: returns 0 or -EINVAL */
#define RECORDING_BUFFERS(val) \
	{ (val), "buffers", "SIZE", "use this number of buffers per CPU, and this size in KiB: 8, " \
	  "8x512 or x512", .valid = "NUMBER, NUMBERxKIB or xKIB: 2 to 1048576 buffers of 4 to " \
	  "1048576 KiB" }
int recording_take_buffers(struct recording_options *options, const char *text);

/*
 * @directory:	where the logger writes the file
 * @own:	our own logger; its pid is 0 if another one is used
 * @session:	commands so far; the kernel undoes them if this process is killed
 * @probes:	that the session has inserted
 * @is_started:	the newest command started the run
 * @before:	status at the beginning, with the number and size of buffers
 * @lost:	events lost, as counted by the kernel
 */
struct recording {
	const struct recording_options *options;
	struct logger_directory directory;
	struct own_logger own;
	struct control_session session;
	struct control_probe_texts probes;
	bool is_started;
	struct control_status before;
	struct control_status after;
	struct logger_file file;
	uint64_t lost;
};

/*
 * recording_begin() - set events and buffers, and start a logger unless one is announced
 *
 * From now on signals are only noted; see workload.h.  @options must live as long as @recording.
 * Returns 0 or -errno.  After an error all settings are restored.
 */
int recording_begin(struct recording *recording, const struct recording_options *options);

/* Start and stop the run.  Return 0 or -errno. */
int recording_start(struct recording *recording);
int recording_stop(struct recording *recording);

/* Ends a useless run.  Its file is removed if it is from our own logger. */
void recording_drop(struct recording *recording);

/* Waits for the file of the ended run: recording->file.  Returns an exit status. */
int recording_collect(struct recording *recording);

/* Ends our own logger and restores the settings. */
void recording_end(struct recording *recording);

#endif /* EVTLOG_RECORD_SESSION_H */
