/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/filters, for evtlog filter and evtlog record.
 */
#ifndef EVTLOG_CONTROL_FILTERS_H
#define EVTLOG_CONTROL_FILTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "session.h"

#define CONTROL_FILTERS	"filters"

/* @text: the condition, within the line */
struct control_filter {
	char type[32];
	uint64_t rejected;
	const char *text;
};

/** control_filter_parse() - parse a line of the file; returns false if it is no filter */
bool control_filter_parse(struct control_filter *filter, const char *line);

/**
 * control_filter_set() - set or delete the filter of a type or group of types
 * @session:	restores the filter from before when it ends; NULL: the change stays
 * @type:	name of the type or group
 * @condition:	"": delete the filter
 *
 * Prints errors.
 *
 * Return: 0 or -errno.
 */
int control_filter_set(struct control_session *session, const char *type, const char *condition);

#endif /* EVTLOG_CONTROL_FILTERS_H */
