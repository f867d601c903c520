/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of `evtlog profile`, and their common functions.
 *
 * Functions that return an exit status print errors.
 */
#ifndef EVTLOG_PROFILE_SUBCOMMANDS_H
#define EVTLOG_PROFILE_SUBCOMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/command.h"
#include "common/options.h"
#include "profile/profile.h"

/*
 * Each command is a const struct evtlog_command profile_NAME, mostly in cmd-NAME.c, and a line
 * here, in the order of `evtlog profile --help`. Its messages are prefixed with "profile NAME".
 */
#define PROFILE_COMMANDS(X) \
	X(run) \
	X(start) \
	X(stop) \
	X(top) \
	X(record) \
	X(report)

#define X(name) extern const struct evtlog_command profile_##name;
PROFILE_COMMANDS(X)
#undef X

/* The option of commands that compensate */
enum { PROFILE_COMPENSATE_OPTION = 0x1000 };
#define PROFILE_COMPENSATE \
	{ PROFILE_COMPENSATE_OPTION, "compensate", \
	  .help = "subtract the known cost of the measurement itself" }

/** profile_compensate_or_say() - subtract the measured cost; returns an exit status */
int profile_compensate_or_say(struct evtlog_profile *profile);

/** profile_say_failed() - print why the kernel's profiles cannot be read or shown; EXIT_FAILED */
int profile_say_failed(int error);

/**
 * profile_read_live() - read the kernel's profiles, with their rate; returns an exit status
 * @pid:	read only this process if the caller may not read all profiles; 0: all
 */
int profile_read_live(struct evtlog_profile **profilep, int pid);

/** profile_hz_or_say() - get the kernel's tick rate, to read all; returns an exit status */
int profile_hz_or_say(uint64_t *hz);

/** profile_check() - check that the kernel's profiles add up; returns an exit status */
int profile_check(void);

#define PROFILE_INTERVAL_VALID	"a time from 1s to 24h"

/** profile_take_interval() - parse "10s", "5m", "1h", or seconds, from 1s to 24h; 0 or -EINVAL */
int profile_take_interval(uint64_t *seconds, const char *value);

/** profile_turn() - start ("1") or stop ("0") profiles; returns an exit status */
int profile_turn(const char *value);

#endif /* EVTLOG_PROFILE_SUBCOMMANDS_H */
