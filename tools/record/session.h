/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run, made by a command from its begin to its file.
 *
 * Every function says what is wrong.
 */
#ifndef EVTLOG_RECORD_SESSION_H
#define EVTLOG_RECORD_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include "control/control.h"
#include "control/probes.h"
#include "control/session.h"
#include "run-file.h"

/* ---- spawn-logd.c: a logd that evtlog record runs for one run only ---- */

#define OWN_LOGGER_SETTINGS_MAX	12
/* Settings that the run brings */
#define OWN_LOGGER_NOTES_MAX	2
#define RECORDING_FILTERS_MAX	16
#define RECORDING_PROBES_MAX	64

/* @pid: 0 = there is none, or it ended */
struct own_logger {
	pid_t pid;
};

/**
 * own_logger_find() - the logd that would be run
 * @program:	NULL = search it beside this program and in the usual places
 * @found:	PATH_MAX bytes
 *
 * Says what is wrong.  Returns 0 or -errno.
 */
int own_logger_find(const char *program, char *found);

/**
 * own_logger_start() - run logd and wait until it is ready
 * @program:	as of own_logger_find()
 * @directory:	absolute
 * @settings:	KEY=VALUE, ended by NULL
 *
 * It dies with us, after stopping the run and fetching what there is.  Says
 * what is wrong.  Returns 0 or -errno.
 */
int own_logger_start(struct own_logger *logger, const char *program, const char *directory,
		     const char *const *settings);

bool own_logger_is_alive(struct own_logger *logger);

/** own_logger_stop() - let it end, and wait for that */
void own_logger_stop(struct own_logger *logger);

/* ---- The run ---- */

/* @condition: a filter in the kernel for events of @type, while the run lasts */
struct recording_filter {
	const char *type;
	const char *condition;
};

/*
 * @output:	the run's file; NULL: HOST-RUN.evl in @directory
 * @directory:	NULL: this one
 * @events:	as control_events(); NULL: as they are
 * @filters:	@filter_count of them
 * @probes:	@probe_count of them, as evtlog probe add takes them
 * @logd:	NULL: own_logger_start() finds it
 * @settings:	for a logd of our own, ended by NULL
 * @notes:	of the run, for a logd of our own, which writes them into the file; another one does not
 * @buffers, @buffer_kb: 0: as they are
 * @timeout_s:	how long to wait for the file
 */
struct recording_options {
	const char *output;
	const char *directory;
	const char *events;
	struct recording_filter filters[RECORDING_FILTERS_MAX];
	unsigned int filter_count;
	char *probes[RECORDING_PROBES_MAX];
	unsigned int probe_count;
	const char *logd;
	const char *settings[OWN_LOGGER_SETTINGS_MAX + 1];
	unsigned int setting_count;
	const char *notes[OWN_LOGGER_NOTES_MAX + 1];
	unsigned int buffers;
	unsigned int buffer_kb;
	unsigned int timeout_s;
};

/*
 * @directory:	where the file will be
 * @own:	our own logger; its pid is 0 if another is announced
 * @session:	the orders so far, which the kernel undoes if we are killed
 * @probes:	that the session has inserted
 * @is_started:	the newest order is the one that started the run
 * @before:	the status at the beginning, for the geometry
 * @lost:	events, by the kernel's count
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
 * recording_begin() - set events and buffers, and see that a logger is there
 *
 * From now on signals only take notes; see workload.h.  @options must live as long.
 * Returns 0 or -errno; then all is as it was, and the recording over.
 */
int recording_begin(struct recording *recording, const struct recording_options *options);

/* The run itself.  0 or -errno. */
int recording_start(struct recording *recording);
int recording_stop(struct recording *recording);

/* Ends a run that is of no use: the file of our own logger goes, one of another stays. */
void recording_drop(struct recording *recording);

/* Waits for the file of a run that is over: recording->file.  Returns an exit status. */
int recording_collect(struct recording *recording);

/* Ends our own logger, and sets back what was set. */
void recording_end(struct recording *recording);

#endif /* EVTLOG_RECORD_SESSION_H */
