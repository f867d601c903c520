// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a task is called: at a time, and all in all.
 *
 * Between the index, which has names by time, and who answers and draws.
 */
#include <string.h>

#include "session.h"

static bool is_new(const struct evtlog_index_name *names, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (!memcmp(names[i].comm, names[at].comm, EVTLOG_COMM_LEN))
			return false;
	return true;
}

static size_t put(char *text, size_t used, size_t capacity, const char *from, size_t length)
{
	if (length > capacity - used)
		length = capacity - used;
	memcpy(text + used, from, length);
	return used + length;
}

size_t session_task_label(const struct session *session, uint32_t host, uint32_t id,
			  char text[SESSION_LABEL_BYTES])
{
	const struct evtlog_index_name *names;
	size_t count = evtlog_index_task_names(session->hosts[host].index, id, &names), used = 0;
	unsigned int shown = 0;

	/* Each name once, where it is first; of many, those at the begin. */
	for (size_t i = 0; i < count && shown <= SESSION_LABEL_NAMES; i++) {
		size_t length = strnlen(names[i].comm, EVTLOG_COMM_LEN);

		if (!length || !is_new(names, i))
			continue;
		if (shown)
			used = put(text, used, SESSION_LABEL_BYTES, " > ", 3);
		if (shown++ < SESSION_LABEL_NAMES)
			used = put(text, used, SESSION_LABEL_BYTES, names[i].comm, length);
		else
			used = put(text, used, SESSION_LABEL_BYTES, "...", 3);
	}
	return used;
}

const char *session_task_name(const struct session *session, uint32_t host, uint32_t id,
			      uint64_t raw_ns)
{
	return evtlog_index_task_name(session->hosts[host].index, id, raw_ns);
}
