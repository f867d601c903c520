/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Subtracts the cost of the measurement from profiles.
 */
#ifndef EVTLOG_PROFILE_COMPENSATE_H
#define EVTLOG_PROFILE_COMPENSATE_H

#include <stdint.h>
#include <stdio.h>

#include <evtlog/profiles.h>

struct json;
struct profile;

/* The option of commands that compensate */
enum { PROFILE_COMPENSATE_OPTION = 0x1000 };
#define PROFILE_COMPENSATE \
	{ PROFILE_COMPENSATE_OPTION, "compensate", \
	  .help = "subtract the known cost of the measurement itself" }

/** profile_compensate_or_say() - subtract the measured cost; returns an exit status */
int profile_compensate_or_say(struct profile *profile);

/** profile_print_compensated() - print what was subtracted, if compensated; @hz: rate of ticks */
void profile_print_compensated(FILE *out, const struct evtlog_profile_about *about,
			       uint64_t hz);

/** profile_print_json_compensated() - print the same as a member of an object */
void profile_print_json_compensated(struct json *json,
				    const struct evtlog_profile_about *about);

#endif /* EVTLOG_PROFILE_COMPENSATE_H */
