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
	X(show) \
	X(check) \
	X(record) \
	X(report) \
	X(top) \
	X(trace)

#define X(name) extern const struct evtlog_command profile_##name;
PROFILE_COMMANDS(X)
#undef X

/*
 * How profiles are printed.
 *
 * @given:	a bit for each of --tree, --folded and --json that is given; only one is allowed
 * @compensate:	subtract the cost of the measurement
 */
struct profile_shape {
	enum profile_form form;
	unsigned int given;
	bool as_json, compensate;
};

/* A group for tables of options, and its handler, which ignores other options */
extern const struct option_desc profile_shape_options[];
void profile_shape_option(struct profile_shape *shape, int option);

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

/** profile_turn() - start ("1") or stop ("0") profiles; returns an exit status */
int profile_turn(const char *value);

#endif /* EVTLOG_PROFILE_SUBCOMMANDS_H */
