// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the options that select events.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "common/number.h"
#include "common/spelling.h"
#include "event-filter.h"
#include "lib/base/array.h"

const struct option_desc filter_time_options[] = {
	{ FILTER_FROM, "from", "TIME", "start TIME after the run's start: 1.5, 10ms, 200us",
	  .kind = VALUE_TEXT, .valid = FILTER_TIME_LIKE },
	{ FILTER_TO, "to", "TIME", "end TIME after the run's start",
	  .kind = VALUE_TEXT, .valid = FILTER_TIME_LIKE },
	{ }
};

const struct option_desc filter_options[] = {
	{ FILTER_CPU, "cpu", "LIST", "print only events of these CPUs: 0,2-3",
	  .kind = VALUE_CPUS, .valid = FILTER_CPUS_LIKE },
	{ FILTER_PID, "pid", "LIST", "print only events of these tasks: events while they run, and "
	  "events that name them", .kind = VALUE_TEXT, .valid = FILTER_PIDS_LIKE },
	{ FILTER_COMM, "comm", "NAMES", "print only events of tasks with these names: dd,kworker*",
	  .kind = VALUE_COMMS, .valid = FILTER_COMM_LIKE },
	OPTION_GROUP(filter_time_options),
	{ }
};

void filter_all(struct filter *filter)
{
	memset(filter, 0, sizeof(*filter));
	filter->to_ns = UINT64_MAX;
}

void filter_free(struct filter *filter)
{
	free(filter->cpus);
	free(filter->pids);
	for (size_t i = 0; i < filter->comm_count; i++)
		free(filter->comms[i]);
	free(filter->comms);
	for (size_t i = 0; i < filter->event_count; i++)
		free(filter->events[i]);
	free(filter->events);
}

static int filter_cpus(struct filter *filter, const char *list)
{
	uint64_t first, last;

	if (!filter->cpus)
		filter->cpus = calloc(EVTLOG_CPU_LIMIT,
				      sizeof(*filter->cpus));
	if (!filter->cpus)
		return -ENOMEM;
	do {
		if (number_read(&first, &list, EVTLOG_CPU_LIMIT - 1))
			return -EINVAL;
		last = first;
		if (*list == '-') {
			list++;
			if (number_read(&last, &list, EVTLOG_CPU_LIMIT - 1) ||
			    last < first)
				return -EINVAL;
		}
		while (first <= last)
			filter->cpus[first++] = true;
	} while (*list++ == ',');
	return list[-1] ? -EINVAL : 0;
}

static int filter_pids(struct filter *filter, const char *list)
{
	uint64_t pid;

	do {
		if (number_read(&pid, &list, UINT32_MAX - 1))
			return -EINVAL;
		if (array_reserve(&filter->pids, &filter->pid_capacity, filter->pid_count,
				  sizeof(*filter->pids)))
			return -ENOMEM;
		filter->pids[filter->pid_count++] = pid;
	} while (*list++ == ',');
	return list[-1] ? -EINVAL : 0;
}

void filter_cpus_text(const bool *cpus, char *text, size_t capacity)
{
	size_t length = 0;

	*text = '\0';
	for (unsigned int i = 0; i < EVTLOG_CPU_LIMIT; i++) {
		unsigned int first = i;

		if (!cpus[i])
			continue;
		if (length + 24 > capacity) {
			strcpy(text + length, ",...");
			return;
		}
		while (i + 1 < EVTLOG_CPU_LIMIT && cpus[i + 1])
			i++;
		length += sprintf(text + length, "%s%u", length ? "," : "", first);
		if (i > first)
			length += sprintf(text + length, "-%u", i);
	}
}

static int add_comm(struct filter *filter, const char *name, size_t length)
{
	char *comm;

	if (array_reserve(&filter->comms, &filter->comm_capacity, filter->comm_count,
			  sizeof(*filter->comms)))
		return -ENOMEM;
	comm = strndup(name, length);
	if (!comm)
		return -ENOMEM;
	/* The kernel cuts names to this length. */
	if (length >= EVTLOG_COMM_LEN && !strpbrk(comm, "*?"))
		comm[EVTLOG_COMM_LEN - 1] = '\0';
	filter->comms[filter->comm_count++] = comm;
	return 0;
}

static int filter_comms(struct filter *filter, const char *list)
{
	int error = 0;

	do {
		size_t length = strcspn(list, ",");

		error = length ? add_comm(filter, list, length) : -EINVAL;
		list += length;
	} while (!error && *list++ == ',');
	return error;
}

bool filter_has_task(const struct filter *filter, uint32_t pid, const char *comm)
{
	char name[EVTLOG_COMM_LEN + 1] = "";

	if (!filter_has_some_tasks(filter))
		return true;
	for (size_t i = 0; i < filter->pid_count; i++)
		if (filter->pids[i] == pid)
			return true;
	if (!filter->comm_count || !comm)
		return false;
	memcpy(name, comm, EVTLOG_COMM_LEN);
	for (size_t i = 0; i < filter->comm_count; i++)
		if (strpbrk(filter->comms[i], "*?") ?
		    !fnmatch(filter->comms[i], name, FNM_NOESCAPE) :
		    !strcmp(filter->comms[i], name))
			return true;
	return false;
}

static int parse_unit(const char *unit, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1000000000 }, { "s", 1000000000 }, { "ms", 1000000 },
		{ "us", 1000 }, { "ns", 1 }, { "m", 60 * UINT64_C(1000000000) },
		{ "h", 3600 * UINT64_C(1000000000) },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i].name)) {
			*ns = units[i].ns;
			return 0;
		}
	return -EINVAL;
}

int filter_time(uint64_t *ns, const char *text)
{
	unsigned __int128 sum;
	uint64_t whole = 0, unit_ns, part_ns = 0;
	const char *part = NULL;

	/* ".5" is accepted; then digits must follow. */
	if (*text != '.' && number_read(&whole, &text, UINT64_MAX / 100))
		return -EINVAL;
	if (*text == '.') {
		part = ++text;
		text += strspn(text, "0123456789");
		if (text == part)
			return -EINVAL;
	}
	if (parse_unit(text, &unit_ns))
		return -EINVAL;
	/* Digits below 1 ns are ignored. */
	for (uint64_t weight = unit_ns; part && part < text && weight; part++) {
		part_ns += (*part - '0') * weight / 10;
		weight /= 10;
	}
	sum = (unsigned __int128)whole * unit_ns + part_ns;
	if (sum > INT64_MAX)
		return -EINVAL;
	*ns = sum;
	return 0;
}

bool filter_knows_event(const struct evtlog_file *file, const char *name)
{
	const struct evtlog_event_format *format;

	for (size_t i = 0; (format = evtlog_event_format_at(file, i)); i++)
		if (is_of_type_group(format->name, name))
			return true;
	return false;
}

static int add_event(struct filter *filter, const char *name)
{
	for (size_t i = 0; i < filter->event_count; i++)
		if (!strcmp(filter->events[i], name))
			return 0;
	if (array_reserve(&filter->events, &filter->event_capacity, filter->event_count,
			  sizeof(*filter->events)))
		return -ENOMEM;
	filter->events[filter->event_count] = strdup(name);
	if (!filter->events[filter->event_count])
		return -ENOMEM;
	filter->event_count++;
	return 0;
}

/* Each name may also select registered events.  They are searched only if it is not a type. */
static bool take_event(struct filter *filter, const struct evtlog_file *file, const char *name,
		       bool is_type)
{
	bool found = *name && (is_type || filter->events_later || filter_knows_event(file, name));

	return found && !add_event(filter, name);
}

bool filter_has_registered(const struct filter *filter, const struct evtlog_file *file,
			   const struct evtlog_event *event)
{
	const struct evtlog_event_format *format;

	if (!filter->event_count || event->known != EVTLOG_EVENT)
		return false;
	format = evtlog_event_format(file, evtlog_event_id(event));
	for (size_t i = 0; format && i < filter->event_count; i++)
		if (is_of_type_group(format->name, filter->events[i]))
			return true;
	return false;
}

const char *filter_types(struct filter *filter, char *list,
			 const struct evtlog_file *file)
{
	const char *unknown = NULL;
	char *name;

	filter->some_types = true;
	while ((name = strsep(&list, ","))) {
		bool found = false;

		for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
			const struct evtlog_type_info *type;

			type = evtlog_type_info(file, i);
			if (type && *name && (is_of_type_group(type->name, name) ||
					      !strcmp(name, "all"))) {
				filter->types[i] = true;
				found = true;
			}
		}
		if (!take_event(filter, file, name, found) && !unknown)
			unknown = name;
	}
	return unknown;
}

int filter_types_of(struct filter *filter, const char *list,
		    const struct evtlog_file *file, bool types[EVTLOG_TYPE_MAX + 1],
		    char unknown[EVTLOG_NAME_MAX + 1])
{
	char *copy = strdup(list);
	const char *name;

	if (!copy)
		return -ENOMEM;
	memset(filter->types, 0, sizeof(filter->types));
	name = filter_types(filter, copy, file);
	if (name)
		snprintf(unknown, EVTLOG_NAME_MAX + 1, "%s", name);
	memcpy(types, filter->types, sizeof(filter->types));
	free(copy);
	return name != NULL;
}

bool filter_has_type(const struct filter *filter, const struct evtlog_file *file,
		     unsigned int known)
{
	for (unsigned int i = 0; filter->some_types && i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (type && type->known == known && filter->types[i])
			return true;
	}
	return false;
}

int filter_option(struct filter *filter, int option, const char *text)
{
	switch (option) {
	case FILTER_CPU:
		return filter_cpus(filter, text);
	case FILTER_PID:
		return filter_pids(filter, text);
	case FILTER_COMM:
		return filter_comms(filter, text);
	case FILTER_FROM:
		return filter_time(&filter->from_ns, text);
	case FILTER_TO:
		return filter_time(&filter->to_ns, text);
	default:
		return -EINVAL;
	}
}
