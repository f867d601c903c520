// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of contexts, of states in which tasks leave a CPU, and of tasks.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/stat/stat.h"
#include "print/fields.h"
#include "session.h"

const char *context_kind(enum evtlog_context context)
{
	static const char *const kinds[] = {
		[EVTLOG_IN_TASK] = "task",
		[EVTLOG_IN_SOFTIRQ] = "softirq",
		[EVTLOG_IN_IRQ] = "irq",
		[EVTLOG_IN_VECTOR] = "vector",
	};

	return kinds[context];
}

static void name_vector(const struct evtlog_file *file, uint32_t number,
			char name[CONTEXT_NAME_BYTES])
{
	char vector[EVTLOG_NAME_MAX + 1];

	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (!type || !type->known || type->known != number)
			continue;
		stat_vector_name(type, vector);
		snprintf(name, CONTEXT_NAME_BYTES, "%s", vector);
	}
}

int context_name(const struct evtlog_file *file, enum evtlog_context context, uint32_t number,
		 char name[CONTEXT_NAME_BYTES])
{
	const char *known_name = NULL;
	struct fields fields;
	int error = fields_init(&fields, file, NULL);

	name[0] = '\0';
	if (error)
		return error;
	if (context == EVTLOG_IN_SOFTIRQ)
		known_name = evtlog_softirq_name(file, number);
	else if (context == EVTLOG_IN_IRQ)
		known_name = fields_irq_name(&fields, number);
	else if (context == EVTLOG_IN_VECTOR)
		name_vector(file, number, name);
	if (known_name)
		snprintf(name, CONTEXT_NAME_BYTES, "%s", known_name);
	else if (context == EVTLOG_IN_IRQ && number != EVTLOG_NUMBER_UNKNOWN)
		snprintf(name, CONTEXT_NAME_BYTES, "%u", number);
	fields_free(&fields);
	return 0;
}

const char *left_name(char letter)
{
	switch (letter) {
	case 'R':
	case '+':
		return "preempted";
	case 'S':
		return "sleeping";
	case 'D':
		return "waiting";
	case 'T':
		return "stopped";
	case 't':
		return "traced";
	case 'X':
	case 'Z':
		return "exited";
	case 'P':
		return "parked";
	case 'I':
		return "idle";
	default:
		return NULL;
	}
}

/* ---- Name of a task at a time, and all its names ---- */

/* Stage: between the index, which has names by time, and the answers and pictures. */

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

	/* Each name once, where it occurs first.  If there are too many, the first ones. */
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
