// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads one host of a log or of a merged file, and keeps its records and the names of its tasks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "host.h"
#include "input/open-log.h"
#include "lib/base/array.h"

/* ---- Names of tasks at each position: a chain of names for each task, the last name first ---- */

/* Adds a task that has no name yet.  Returns its number in @latest; KEY_NONE if out of memory. */
static uint32_t add_task(struct names *names, uint32_t pid)
{
	uint32_t task = names->latest_count;

	if (array_reserve(&names->latest, &names->latest_capacity, task,
			  sizeof(*names->latest)) ||
	    key_table_add(&names->tasks, pid, task))
		return KEY_NONE;
	names->latest[task] = KEY_NONE;
	names->latest_count++;
	return task;
}

/* Notes the task's name in @tasks, valid from @from on, if it changed.  Returns 0 or -ENOMEM. */
static int names_note(struct names *names, const struct evtlog_tasks *tasks, uint32_t pid,
		      uint64_t from)
{
	const struct evtlog_task *named;
	uint32_t task, before;

	if (pid == EVTLOG_PID_UNKNOWN)
		return 0;
	named = evtlog_tasks_find(tasks, pid);
	if (!named || !named->comm[0])
		return 0;
	task = key_table_find(&names->tasks, pid);
	if (task == KEY_NONE)
		task = add_task(names, pid);
	if (task == KEY_NONE)
		return -ENOMEM;
	before = names->latest[task];
	if (before != KEY_NONE && !memcmp(names->names[before].comm, named->comm, EVTLOG_COMM_LEN))
		return 0;
	if (names->count >= KEY_NONE ||
	    array_reserve(&names->names, &names->capacity, names->count, sizeof(*names->names)))
		return -ENOMEM;
	names->names[names->count] = (struct name) { .from = from, .pid = pid, .before = before };
	memcpy(names->names[names->count].comm, named->comm, EVTLOG_COMM_LEN);
	names->latest[task] = names->count++;
	return 0;
}

/* Calls names_note() for all tasks that have a name before the first event. */
static int names_note_all(struct names *names, const struct evtlog_tasks *tasks)
{
	const struct evtlog_task *task;
	int error = 0;

	for (size_t i = 0; !error && evtlog_tasks_at(tasks, i, &task); i++)
		if (task)
			error = names_note(names, tasks, task->pid, 0);
	return error;
}

const char *names_at(const struct names *names, uint32_t pid, uint64_t position)
{
	uint32_t task = key_table_find(&names->tasks, pid), number;

	if (task == KEY_NONE)
		return NULL;
	number = names->latest[task];
	while (number != KEY_NONE && names->names[number].from > position)
		number = names->names[number].before;
	return number == KEY_NONE ? NULL : names->names[number].comm;
}

static void names_free(struct names *names)
{
	free(names->names);
	free(names->latest);
	key_table_free(&names->tasks);
	*names = (struct names) { 0 };
}

/* ---- A host ---- */

static int open_merged(struct host *host)
{
	struct evtlog_error error = { 0 };
	int result = evtlog_merged_open(host->path, &host->merged, &error);

	if (result) {
		pr_err("%s: %s", host->path, error.reason);
		return result;
	}
	host->read = false;
	/* Used only for types, header lines and registered events. */
	host->file = (struct evtlog_file *)evtlog_merged_file(host->merged, host->number);
	if (!host->file) {
		pr_err("%s: no host in the file: merge its logs again", host->path);
		return -ENODATA;
	}
	return 0;
}

static void close_file(struct host *host)
{
	fields_free(&host->fields);
	host->fields.irq_names = NULL;
	if (host->merged)
		evtlog_merged_close(host->merged);
	else
		evtlog_close(host->file);
	host->merged = NULL;
	host->file = NULL;
}

static int open_file(struct host *host)
{
	int error = 0;

	if (evtlog_is_merged(host->path))
		error = open_merged(host);
	else
		host->file = log_open_events(host->path);
	if (!error && !host->file)
		error = -ENODATA;	/* log_open_events() has printed the error */
	return error ? error : fields_init(&host->fields, host->file, NULL);
}

/* Prints the clock error: KernelShark's entries have no field for it. */
static void say_clock(const struct host *host)
{
	const char *bound = evtlog_merged_host_meta(host->merged, host->number, "bound_ns");
	const char *name = host_name(host);
	uint64_t bound_ns = bound ? strtoull(bound, NULL, 10) : UINT64_MAX;

	if (bound_ns == UINT64_MAX)
		pr_info("%s: %s: the error of its times is unknown", host->path, name ? name : "?");
	else if (bound_ns)
		pr_info("%s: %s: the error of its times is at most %.3f us, relative to the other hosts",
			host->path, name ? name : "?", bound_ns / 1e3);
}

int host_open(struct host **hostp, const char *path, size_t number)
{
	struct host *host = calloc(1, sizeof(*host));
	int error;

	if (!host)
		return -ENOMEM;
	host->path = path;
	host->number = number;
	error = open_file(host);
	if (error) {
		host_close(host);
		return error;
	}
	if (host->merged)
		say_clock(host);
	*hostp = host;
	return 0;
}

void host_close(struct host *host)
{
	close_file(host);
	records_free(&host->records);
	names_free(&host->names);
	free(host);
}

size_t host_count(const struct host *host)
{
	return host->merged ? evtlog_merged_hosts(host->merged) : 1;
}

const char *host_name(const struct host *host)
{
	return host->merged ? evtlog_merged_host_meta(host->merged, host->number, "name") :
			      evtlog_meta(host->file, "host");
}

/*
 * State while a host's events are read.
 * @tasks:	names of tasks at the current event
 * @own:	@tasks belongs to this reading and is freed after it; the host has a log
 * @named:	task that the previous event may have named
 */
struct reading {
	struct host *host;
	struct iterator iterator;
	struct evtlog_tasks *tasks;
	bool own;
	uint32_t named;
};

static int begin_reading(struct reading *reading)
{
	struct host *host = reading->host;
	int error = 0;

	if (host->merged && host->read) {
		close_file(host);
		error = open_file(host);
		if (error)
			return error;
	}
	records_free(&host->records);
	names_free(&host->names);
	if (host->merged) {
		host->read = true;
		iterator_of_merged(&reading->iterator, host->merged, NULL);
		reading->tasks = (struct evtlog_tasks *)
			evtlog_merged_tasks(host->merged, host->number);
	} else {
		reading->own = true;
		error = evtlog_tasks_new(host->file, &reading->tasks);
		if (!error)
			error = iterator_of_log(&reading->iterator, host->file, 0, NULL);
	}
	return error ? error : names_note_all(&host->names, reading->tasks);
}

/* In a merged file names are separate from events: look up all tasks that the event refers to. */
static int note_fields(struct reading *reading, const struct evtlog_event *event)
{
	struct host *host = reading->host;
	const struct evtlog_type_info *type;
	int error = names_note(&host->names, reading->tasks, event->pid, host->records.count);

	if (error || event->kind != EVTLOG_EVENT_RECORD)
		return error;
	type = evtlog_type_info(host->file, event->number);
	for (unsigned int i = 0; !error && i < type->field_count; i++)
		if (type->fields[i].kind == 'p')
			error = names_note(&host->names, reading->tasks,
					   evtlog_field_u64(&type->fields[i], event->file_words),
					   host->records.count);
	return error;
}

/* As in `evtlog dump`, a fork's name is valid from the fork on, others from the next event on. */
static int note_names(struct reading *reading, const struct evtlog_event *event)
{
	struct host *host = reading->host;
	uint32_t named = evtlog_tasks_named(event);
	int error = 0;

	if (!reading->own)
		return note_fields(reading, event);
	if (event->known == EVTLOG_SCHED_PROCESS_FORK)
		error = evtlog_tasks_update(reading->tasks, event);
	if (!error)
		error = names_note(&host->names, reading->tasks, reading->named,
				   host->records.count);
	if (!error && named != reading->named)
		error = names_note(&host->names, reading->tasks, named, host->records.count);
	reading->named = named;
	return error;
}

static bool is_shown(const struct evtlog_event *event)
{
	return event->kind != EVTLOG_EVENT_BUFFER && event->known != EVTLOG_ON_CPU;
}

static int take_event(struct reading *reading, const struct iterator_event *at, host_take *take,
		      void *context)
{
	const struct evtlog_event *event = at->event;
	struct host *host = reading->host;
	uint64_t position = host->records.count;
	struct evtlog_event other;
	int error = note_names(reading, event);

	if (!error && is_shown(event)) {
		if (event->kind != EVTLOG_EVENT_RECORD) {
			other = *event;
			other.from_ns = at->from_ns;
			event = &other;
		}
		error = records_add(&host->records, host->file, event, at->doubtful);
		if (!error)
			error = take(context, at, position);
	}
	/* The iterator's own event, as @event may point to the copy. */
	if (!error && reading->own)
		error = evtlog_tasks_update(reading->tasks, at->event);
	return error;
}

/* Prints errors.  A merged file that is cut off or damaged is no error: its start is shown. */
static int verdict(const struct host *host, int error)
{
	if (!host->merged || (error != -ENODATA && error != -EBADMSG)) {
		if (error)
			pr_err("%s: %s", host->path, strerror(-error));
		else if (!host->merged)
			log_verdict(host->file, host->path);
		return error;
	}
	pr_warn("%s: the file is %s: events after that point are not shown; merge the logs again",
		host->path, error == -ENODATA ? "truncated" : "damaged");
	return 0;
}

int host_each(struct host *host, host_take *take, void *context)
{
	struct reading reading = { .host = host, .named = EVTLOG_PID_UNKNOWN };
	const struct iterator_event *at;
	int error = begin_reading(&reading), result;

	while (!error) {
		result = iterator_next(&reading.iterator, &at);
		if (result <= 0) {
			error = result;
			break;
		}
		if (at->log == host->number)
			error = take_event(&reading, at, take, context);
	}
	iterator_end(&reading.iterator);
	if (reading.own)
		evtlog_tasks_free(reading.tasks);
	return verdict(host, error);
}
