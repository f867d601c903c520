/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A logd that evtlog record runs for one run only.
 */
#ifndef EVTLOG_RECORD_SPAWN_LOGD_H
#define EVTLOG_RECORD_SPAWN_LOGD_H

#include <stdbool.h>
#include <sys/types.h>

#define OWN_LOGGER_SETTINGS_MAX	12
/* Settings that the run brings */
#define OWN_LOGGER_NOTES_MAX	2

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

#endif /* EVTLOG_RECORD_SPAWN_LOGD_H */
