/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows what follows the first word of a record of variable size.
 *
 * Stage: behind fields.h, which shows that word.
 */
#ifndef EVTLOG_PRINT_PAYLOAD_H
#define EVTLOG_PRINT_PAYLOAD_H

#include "fields.h"

/* Of other records: nothing.  @apart: a blank comes before it. */
void payload_show(const struct fields *fields, struct line *line, bool apart,
		  const struct evtlog_event *event);
void payload_json(const struct fields *fields, struct json *json,
		  const struct evtlog_event *event);

#endif /* EVTLOG_PRINT_PAYLOAD_H */
