/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an event of a profile's path is: its name, its group, its kind.
 */
#ifndef EVTLOG_PROFILE_REPORT_EVENTS_H
#define EVTLOG_PROFILE_REPORT_EVENTS_H

#include "profile/report/report.h"

/*
 * struct report_event
 * @name:	malloc()ed
 */
struct report_event {
	char *name;
	const char *group;
	enum report_kind kind;
};

/** report_event_of() - of @length bytes of a path; 0 or -ENOMEM */
int report_event_of(struct report_event *event, const char *text, size_t length);

#endif /* EVTLOG_PROFILE_REPORT_EVENTS_H */
