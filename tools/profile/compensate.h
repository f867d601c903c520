/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles without what their measurement cost.
 */
#ifndef EVTLOG_PROFILE_COMPENSATE_H
#define EVTLOG_PROFILE_COMPENSATE_H

#include <stdint.h>
#include <stdio.h>

#include <evtlog/profiles.h>

struct json;
struct profile;

/* The option of all commands that take it. */
#define PROFILE_COMPENSATE \
	{ 'C', "compensate", .help = "subtract the known cost of the measurement itself" }

/** profile_compensate_or_say() - take it off, as the kernel measured it; an exit status */
int profile_compensate_or_say(struct profile *profile);

/** profile_print_compensated() - how much was taken off, by ticks of @hz; if it was not, nothing */
void profile_print_compensated(FILE *out, const struct evtlog_profile_about *about,
			       uint64_t hz);

/** profile_print_json_compensated() - the same as a member of an object */
void profile_print_json_compensated(struct json *json,
				    const struct evtlog_profile_about *about);

#endif /* EVTLOG_PROFILE_COMPENSATE_H */
