// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names contexts, and reasons for leaving.
 */
#include <stdio.h>

#include "analysis/stat/stat.h"
#include "context-names.h"
#include "print/fields.h"

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
	const char *told = NULL;
	struct fields fields;
	int error = fields_init(&fields, file, NULL);

	name[0] = '\0';
	if (error)
		return error;
	if (context == EVTLOG_IN_SOFTIRQ)
		told = evtlog_softirq_name(file, number);
	else if (context == EVTLOG_IN_IRQ)
		told = fields_irq_name(&fields, number);
	else if (context == EVTLOG_IN_VECTOR)
		name_vector(file, number, name);
	if (told)
		snprintf(name, CONTEXT_NAME_BYTES, "%s", told);
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
