// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The task that evtlog why is asked about: TASK[@HOST][@TIME].
 *
 * It does not read logs.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "input/event-filter.h"
#include "why.h"

static const char *host_named(const struct query_logs *logs, const char *name)
{
	for (size_t i = 0; i < logs->set.count; i++)
		if (!strcmp(logs->set.files[i].name, name))
			return logs->set.files[i].name;
	return NULL;
}

/* Names can contain @: only a time and the name of a host are cut off. */
static void cut_place(struct why_task *task, const struct query_logs *logs)
{
	char *at = strrchr(task->name, '@');
	uint64_t ns;

	if (at && !filter_time(&ns, at + 1)) {
		task->has_time = true;
		task->time = why_time(logs, ns);
		*at = '\0';
		at = strrchr(task->name, '@');
	}
	task->host = at ? host_named(logs, at + 1) : NULL;
	if (task->host)
		*at = '\0';
}

/* "comm-PID" as in evtlog dump, "comm.PID" as in evtlog view; or a name that only looks like one */
static int cut_pid(struct why_task *task)
{
	size_t length = strlen(task->name), digits = length;

	while (digits && isdigit((unsigned char)task->name[digits - 1]))
		digits--;
	if (number_parse_u32(&task->pid, task->name + digits, 1, (1u << EVTLOG_PID_BITS) - 1))
		return 0;
	task->is_pid = !digits;
	if (digits < 2 || (task->name[digits - 1] != '-' && task->name[digits - 1] != '.'))
		return 0;
	task->stem = strndup(task->name, digits - 1);
	return task->stem ? 0 : -ENOMEM;
}

int why_task_parse(struct why_task *task, const char *text, const struct query_logs *logs)
{
	*task = (struct why_task) { .text = text, .name = strdup(text) };
	if (!task->name)
		return -ENOMEM;
	cut_place(task, logs);
	return cut_pid(task);
}

void why_task_free(struct why_task *task)
{
	free(task->name);
	free(task->stem);
}

bool why_task_on(const struct why_task *task, const struct query_logs *logs, size_t number)
{
	return !task || !task->host || !strcmp(task->host, logs->set.files[number].name);
}

static bool is_named(const struct dictionary *dictionary, int64_t name, const char *wanted)
{
	struct dictionary_text text;

	if (name < 0 || !wanted)
		return false;
	text = dictionary_text(dictionary, name);
	return text.length == strlen(wanted) && !memcmp(text.bytes, wanted, text.length);
}

bool why_task_fits(const struct why_task *task, const struct dictionary *dictionary, int64_t name,
		   uint32_t pid)
{
	if (task->is_pid)
		return pid == task->pid;
	return is_named(dictionary, name, task->name) ||
	       (pid == task->pid && is_named(dictionary, name, task->stem));
}

bool why_task_may_fit(const struct why_task *task, const struct dictionary *dictionary,
		      int64_t name)
{
	return task->is_pid || is_named(dictionary, name, task->name) ||
	       is_named(dictionary, name, task->stem);
}
