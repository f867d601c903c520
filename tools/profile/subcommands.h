/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of `evtlog profile`, and what they share.
 */
#ifndef EVTLOG_PROFILE_SUBCOMMANDS_H
#define EVTLOG_PROFILE_SUBCOMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/command.h"
#include "common/options.h"
#include "profile/profile.h"

/*
 * Each is a const struct evtlog_command profile_NAME in cmd-NAME.c, and a line here, in the order
 * `evtlog profile --help` shows them.  Its messages are of "profile NAME".
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
 * @given:	which of --tree, --folded and --json, a bit each: one is taken
 * @compensate:	without what the measurement cost
 */
struct profile_shape {
	enum profile_form form;
	unsigned int given;
	bool as_json, compensate;
};

/* A group for tables of options, and what one of them says; others change nothing. */
extern const struct option_desc profile_shape_options[];
void profile_shape_option(struct profile_shape *shape, int option);

/*
 * What is to be printed, and how.
 *
 * @cpus:	profiles of CPUs, else of tasks
 * @pid:	tasks of this process alone; 0: of all
 */
struct profile_request {
	struct profile_shape shape;
	bool cpus;
	uint64_t pid;
};

/** profile_print_all() - on stdout, by ticks of @hz; says what is wrong; an exit status */
int profile_print_all(const struct profile *profile, const struct profile_request *request,
		      uint64_t hz);

/** profile_say_failed() - why the kernel's profiles could not be read or shown; EXIT_FAILED */
int profile_say_failed(int error);

/**
 * profile_read_live() - what the kernel has now; an exit status
 * @pid:	of this process, which also those may read who may trace it; 0: of all
 * @hz:		the rate of its ticks
 */
int profile_read_live(struct profile *profile, int pid, uint64_t *hz);

/** profile_hz_or_say() - the rate of the kernel's ticks, for what reads all profiles; an exit status */
int profile_hz_or_say(uint64_t *hz);

/** profile_turn() - start profiles ("1") or stop them ("0"); says why not; an exit status */
int profile_turn(const char *value);

#endif /* EVTLOG_PROFILE_SUBCOMMANDS_H */
