/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often and how long tasks were in user mode, system calls and exceptions.
 */
#ifndef EVTLOG_VIEW_API_USER_MODES_H
#define EVTLOG_VIEW_API_USER_MODES_H

#include "view/http/request.h"

/*
 * Puts "modes" into @json if @lanes, all of one host, have such events: { mode, count,
 * time_ns }, of exceptions also the vector.  0 or -errno.
 */
int modes_json(struct request *request, struct json *json, const uint32_t *lanes, size_t count,
	       int64_t from_ns, int64_t to_ns);

#endif /* EVTLOG_VIEW_API_USER_MODES_H */
