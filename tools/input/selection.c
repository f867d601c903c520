// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints what a log has, if a selection matches nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "common/command.h"
#include "common/error.h"
#include "common/linebuf.h"
#include "common/spelling.h"
#include "open-log.h"
#include "selection.h"
#include "types.h"

/* Messages name at most this many tasks: a log may have thousands. */
#define TASKS_TOLD	12

int matches_init(struct matches *matches, const char *path,
		 const struct filter *filter, size_t log_count)
{
	*matches = (struct matches) {
		.path = path,
		.filter = filter,
		.log_count = log_count,
		.knows_cpus = true,
	};
	matches->logs = calloc(log_count + 1, sizeof(*matches->logs));
	matches->cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(*matches->cpus));
	return matches->logs && matches->cpus ? 0 : -ENOMEM;
}

void matches_free(struct matches *matches)
{
	free(matches->logs);
	free(matches->cpus);
}

void matches_add(struct matches *matches, size_t number, const struct evtlog_file *file,
		 const struct evtlog_tasks *tasks, bool has_cpus)
{
	matches->logs[number].file = file;
	matches->logs[number].tasks = tasks;
	has_cpus = has_cpus && !log_is_global(file);
	matches->knows_cpus &= has_cpus;
	for (unsigned int i = 0; has_cpus && i < evtlog_cpu_count(file); i++)
		matches->cpus[evtlog_cpu_number(file, i)] = true;
}

/* ---- Lists ---- */

static void put_cpus(struct line *line, const bool *cpus)
{
	char text[200];

	filter_cpus_text(cpus, text, sizeof(text));
	line_printf(line, *text ? "CPUs %s" : "no CPU", text);
}

/* Returns true if a log before @number has a type of this name, which is printed already. */
static bool is_listed(const struct matches *matches, size_t number, const char *name)
{
	for (size_t i = 0; i < number; i++)
		for (unsigned int type = 0; type <= EVTLOG_TYPE_MAX; type++)
			if (matches->logs[i].seen >> type & 1 &&
			    !strcmp(evtlog_type_info(matches->logs[i].file, type)->name, name))
				return true;
	return false;
}

static void put_types(struct line *line, const struct matches *matches)
{
	const char *before = "types ";

	for (size_t i = 0; i < matches->log_count; i++)
		for (unsigned int type = 0; type <= EVTLOG_TYPE_MAX; type++) {
			const char *name;

			if (!(matches->logs[i].seen >> type & 1))
				continue;
			name = evtlog_type_info(matches->logs[i].file, type)->name;
			if (is_listed(matches, i, name))
				continue;
			line_printf(line, "%s%s", before, name);
			before = ", ";
		}
	if (*before != ',')
		line_text(line, "no event");
}

/* Adds selected types that were off in all logs. */
static void put_not_recorded(struct line *line, const struct matches *matches)
{
	uint64_t off = TYPES_ALL;
	char *text;

	for (size_t i = 0; i < matches->log_count; i++) {
		const struct evtlog_file *file = matches->logs[i].file;
		uint64_t wanted = 0;

		for (unsigned int type = 1; file && type <= EVTLOG_TYPE_MAX; type++)
			if (filter_has_type(matches->filter, file, type))
				wanted |= types_bit(type);
		if (file)
			off &= types_that_are(file, wanted, EVTLOG_RECORDED_OFF);
	}
	text = matches->log_count && matches->logs[0].file ?
	       types_text(matches->logs[0].file, off) : NULL;
	if (text)
		line_printf(line, "; %.180s %s not recorded", text, strchr(text, ',') ? "were" : "was");
	free(text);
}

/* Names of tasks without duplicates, at most TASKS_TOLD. */
struct names {
	const char *at[TASKS_TOLD];
	size_t count;
	bool more;
};

static void add_name(struct names *names, const char *comm)
{
	if (!*comm || names->more)
		return;
	for (size_t i = 0; i < names->count; i++)
		if (!strncmp(names->at[i], comm, EVTLOG_COMM_LEN))
			return;
	if (names->count == TASKS_TOLD)
		names->more = true;
	else
		names->at[names->count++] = comm;
}

/* Called for user tasks first: users usually look for a program, not for a kernel thread. */
static void collect_names(const struct matches *matches, struct names *names, bool kernel)
{
	const struct evtlog_task *task;

	for (size_t i = 0; i < matches->log_count; i++)
		for (size_t k = 0; matches->logs[i].tasks &&
				   evtlog_tasks_at(matches->logs[i].tasks, k, &task); k++)
			if (task && task->pid && !(task->flags & EVTLOG_TASK_KTHREAD) == !kernel)
				add_name(names, task->comm);
}

#define NEAREST_TOLD	8

/* @far: distance of @pid from the nearest selected pid */
struct near {
	uint32_t pid;
	uint32_t far;
	const char *comm;
};

struct nearest {
	struct near at[NEAREST_TOLD];
	size_t count;
	uint64_t all;
};

static uint32_t how_far(const struct filter *filter, uint32_t pid)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < filter->pid_count; i++) {
		uint32_t wanted = filter->pids[i];
		uint32_t far = wanted > pid ? wanted - pid : pid - wanted;

		least = far < least ? far : least;
	}
	return least;
}

/* Several logs may have tasks with this pid; those of the same name are printed once. */
static bool has(const struct nearest *nearest, const struct near *near)
{
	for (size_t i = 0; i < nearest->count; i++)
		if (nearest->at[i].pid == near->pid &&
		    !strncmp(nearest->at[i].comm, near->comm, EVTLOG_COMM_LEN))
			return true;
	return false;
}

static void add(struct nearest *nearest, const struct near *near)
{
	size_t i;

	if (has(nearest, near))
		return;
	nearest->all++;
	if (nearest->count < NEAREST_TOLD)
		nearest->count++;
	else if (near->far >= nearest->at[NEAREST_TOLD - 1].far)
		return;
	for (i = nearest->count - 1; i && nearest->at[i - 1].far > near->far; i--)
		nearest->at[i] = nearest->at[i - 1];
	nearest->at[i] = *near;
}

/* Adds "tasks dd-12, cat-14 and 7 more"; pids near to selected pids come first. */
static void nearest_put_tasks(struct line *line, const struct matches *matches)
{
	struct nearest nearest = { .count = 0 };
	const struct evtlog_task *task;

	for (size_t i = 0; i < matches->log_count; i++)
		for (size_t k = 0; matches->logs[i].tasks &&
				   evtlog_tasks_at(matches->logs[i].tasks, k, &task); k++)
			if (task && task->pid && *task->comm)
				add(&nearest, &(struct near) {
					task->pid, how_far(matches->filter, task->pid),
					task->comm });
	for (size_t i = 0; i < nearest.count; i++) {
		const struct near *near = &nearest.at[i];

		line_text(line, i ? ", " : "tasks ");
		line_escaped(line, near->comm, strnlen(near->comm, EVTLOG_COMM_LEN));
		line_char(line, '-');
		line_u64(line, near->pid, 0, ' ');
	}
	if (nearest.all > nearest.count) {
		line_text(line, " and ");
		line_u64(line, nearest.all - nearest.count, 0, ' ');
		line_text(line, " more");
	}
	if (!nearest.count)
		line_text(line, "no name of a task");
}

static void put_tasks(struct line *line, const struct matches *matches)
{
	struct names names = { .count = 0 };

	if (matches->filter->pid_count) {
		nearest_put_tasks(line, matches);
		return;
	}
	collect_names(matches, &names, false);
	collect_names(matches, &names, true);
	for (size_t i = 0; i < names.count; i++) {
		line_text(line, i ? ", " : "tasks ");
		line_escaped(line, names.at[i], strnlen(names.at[i], EVTLOG_COMM_LEN));
	}
	if (names.more)
		line_text(line, ", ...");
	if (!names.count)
		line_text(line, "no name of a task");
}

/* Suggests the name of a task that is similar to a name in --comm. */
static void put_meant(struct line *line, const struct matches *matches)
{
	const struct filter *filter = matches->filter;
	char comm[EVTLOG_COMM_LEN + 1] = "", best[EVTLOG_COMM_LEN + 1] = "";
	const struct evtlog_task *task;
	struct spelling spelling;

	for (size_t c = 0; c < filter->comm_count; c++) {
		spelling_start(&spelling, filter->comms[c]);
		for (size_t i = 0; i < matches->log_count; i++)
			for (size_t k = 0; matches->logs[i].tasks &&
					   evtlog_tasks_at(matches->logs[i].tasks, k, &task); k++) {
				memcpy(comm, task ? task->comm : "", task ? EVTLOG_COMM_LEN : 1);
				spelling_try(&spelling, comm);
				if (spelling.nearest == comm)
					spelling.nearest = memcpy(best, comm, sizeof(best));
			}
	}
	if (!*best)
		return;
	line_text(line, "; did you mean ");
	line_escaped(line, best, strlen(best));
	line_char(line, '?');
}

/* ---- Before reading ---- */

static bool has_cpu(const struct matches *matches)
{
	const struct filter *filter = matches->filter;

	if (!filter->cpus)
		return true;
	for (unsigned int i = 0; i < EVTLOG_CPU_LIMIT; i++)
		if (filter->cpus[i] && matches->cpus[i])
			return true;
	return false;
}

bool matches_can(const struct matches *matches, char *why)
{
	const struct filter *filter = matches->filter;
	struct line line = { .length = 0 };

	if (filter->from_ns >= filter->to_ns) {
		snprintf(why, MATCHES_WHY_BYTES, "--from is not before --to");
		return false;
	}
	if (filter->from_ns && filter->from_ns >= matches->length_ns) {
		snprintf(why, MATCHES_WHY_BYTES,
			 "--from: %.9g s is after the end: %s starts at 0 s and ends at %.9g s",
			 filter->from_ns / 1e9, matches->path, matches->length_ns / 1e9);
		return false;
	}
	if (matches->knows_cpus && !has_cpu(matches)) {
		put_cpus(&line, matches->cpus);
		line_char(&line, '\0');
		snprintf(why, MATCHES_WHY_BYTES, "--cpu: %.200s has %.250s", matches->path, line.text);
		return false;
	}
	return true;
}

int matches_check(const struct matches *matches, const char *command)
{
	const struct filter *filter = matches->filter;
	char why[MATCHES_WHY_BYTES];

	if (matches_can(matches, why))
		return EXIT_OK;
	if (filter->from_ns >= filter->to_ns)
		return misuse(command, "%s", why);
	pr_err("%s", why);
	return EXIT_MISUSE;
}

/* ---- After reading ---- */

static void report(struct line *line)
{
	line_char(line, '\0');
	pr_err("%s", line->text);
}

void matches_report(const struct matches *matches)
{
	const struct filter *filter = matches->filter;
	bool window = filter->from_ns || filter->to_ns != UINT64_MAX;
	struct line line = { .length = 0 };

	if (matches->count || !(window || filter->cpus || filter->some_types ||
				filter_has_some_tasks(filter)))
		return;
	line_printf(&line, "%s: no event matches; it has ", matches->path);
	if (window)
		line_printf(&line, "0 s to %.9g s, ", matches->length_ns / 1e9);
	if (filter->cpus) {
		put_cpus(&line, matches->cpus);
		line_text(&line, ", ");
	}
	if (filter_has_some_tasks(filter)) {
		put_tasks(&line, matches);
		line_text(&line, ", ");
	}
	if (filter->some_types) {
		put_types(&line, matches);
		if (filter->to_ns < matches->length_ns)
			line_printf(&line, " up to %.9g s", filter->to_ns / 1e9);
		line_text(&line, ", ");
	}
	line.length -= 2;
	put_meant(&line, matches);
	put_not_recorded(&line, matches);
	report(&line);
}

void matches_report_tasks(const struct matches *matches)
{
	struct line line = { .length = 0 };

	line_printf(&line, "%s: no such task ran; it has ", matches->path);
	put_tasks(&line, matches);
	put_meant(&line, matches);
	report(&line);
}

/* Tries the names of types, of groups of types, and of registered events. */
static void try_types(struct spelling *spelling, const struct evtlog_file *file,
		      char (*heads)[EVTLOG_NAME_MAX + 1])
{
	const struct evtlog_event_format *format;

	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (!type)
			continue;
		snprintf(heads[i], sizeof(heads[i]), "%.*s", (int)strcspn(type->name, "_"),
			 type->name);
		spelling_try(spelling, heads[i]);
		spelling_try(spelling, type->name);
	}
	for (size_t i = 0; (format = evtlog_event_format_at(file, i)); i++)
		spelling_try(spelling, format->name);
}

int matches_refuse_type(const char *command, const char *name, const char *path,
			const struct evtlog_file *file)
{
	char heads[EVTLOG_TYPE_MAX + 1][EVTLOG_NAME_MAX + 1];
	struct line line = { .length = 0 };
	const char *not = path ? "no such" : "such an";
	const char *before = "";
	struct spelling spelling;

	spelling_start(&spelling, name);
	try_types(&spelling, file, heads);
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (evtlog_type_info(file, i)) {
			line_printf(&line, "%s%s", before, evtlog_type_info(file, i)->name);
			before = ", ";
		}
	line_char(&line, '\0');
	path = path ? path : "no file";
	if (spelling.nearest)
		return misuse(command, "--type: %s: %s has %s event; did you mean '%s'? There are %s",
			      name, path, not, spelling.nearest, line.text);
	return misuse(command, "--type: %s: %s has %s event; there are %s", name, path, not,
		      line.text);
}
