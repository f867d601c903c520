// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adds an entry from the record of an ended task. Its strings are those of the kernel's text for a
 * live task, so that both can be compared.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/profile-abi.h>

#include "control/control.h"
#include "profile/ended.h"

/* Limit of events on a path: the root, and the events within it that the kernel shows */
#define DEPTH_MAX	33

/* Classes and names as in callpath/event.h and profile/show.c of the kernel */
#define CLASS_FUNCTION	8
#define CLASS_NET	9
#define CLASS_BLOCK	10
#define CLASS_VALUE	11

static const char *const classes[] = {
	"state", "syscall", "compat", "exception", "irq", "vector", "softirq", "signal", "function",
	"net", "block",
};

static const char *const net_spans[] = {
#define X(NAME, name)	#name,
	EVTLOG_NET_SPANS(X)
#undef X
};

static const char *const block_spans[] = {
#define X(NAME, name)	#name,
	EVTLOG_BLOCK_SPANS(X)
#undef X
};

static const char *const values[] = {
#define X(NAME, name)	#name,
	EVTLOG_VALUES_OF(X)
#undef X
};

static const char *const states[] = {
	"none", "user", "kernel", "idle", "runqueue", "preempted", "interruptible",
	"uninterruptible", "io", "stopped", "waiting", "rest", "offline", "task",
};

static unsigned int class_of(unsigned int event)
{
	return event >> 12;
}

static unsigned int number_of(unsigned int event)
{
	return event & 0xfff;
}

/* NULL if it is not a function, or its name is unknown */
static const char *function_name(const struct ended_names *names, unsigned int event)
{
	return class_of(event) == CLASS_FUNCTION && number_of(event) < ENDED_FUNCTIONS ?
	       names->at[number_of(event)] : NULL;
}

static void print_event(FILE *out, unsigned int event, const struct ended_names *names)
{
	unsigned int class = class_of(event), number = number_of(event);

	if (!class && number < sizeof(states) / sizeof(*states))
		fputs(states[number], out);
	else if (class == CLASS_NET && number < sizeof(net_spans) / sizeof(*net_spans))
		fprintf(out, "net:%s", net_spans[number]);
	else if (class == CLASS_BLOCK && number < sizeof(block_spans) / sizeof(*block_spans))
		fprintf(out, "block:%s", block_spans[number]);
	else if (function_name(names, event))
		fprintf(out, "function:%s", function_name(names, event));
	else if (class < sizeof(classes) / sizeof(*classes))
		fprintf(out, "%s:%u", classes[class], number);
	else
		fprintf(out, "class%u:%u", class, number);
}

/* Stores the events of a path, innermost first. Returns their number. */
static unsigned int events_of(const struct ended_path *paths, unsigned int count, unsigned int at,
			      uint16_t events[DEPTH_MAX])
{
	unsigned int depth = 0;

	for (; at < count && depth < DEPTH_MAX; at = paths[at].parent)
		events[depth++] = paths[at].event;
	return depth;
}

static void print_path(FILE *out, const struct ended_path *paths, unsigned int count,
		       unsigned int at, const struct ended_names *names)
{
	uint16_t events[DEPTH_MAX];
	unsigned int depth = events_of(paths, count, at, events);

	while (depth--) {
		print_event(out, events[depth], names);
		if (depth)
			putc('>', out);
	}
	putc('\0', out);
}

/* ---- Names of functions ---- */

bool ended_names_lack(const struct ended_names *names, const struct ended_path *paths,
		      unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (class_of(paths[i].event) == CLASS_FUNCTION &&
		    !function_name(names, paths[i].event))
			return true;
	}
	return false;
}

int ended_names_read(struct ended_names *names)
{
	char *text, *rest, *line;
	int error = control_read(PROFILE_CONTROL, &text);

	if (error)
		return error;
	for (rest = text; !error && (line = strsep(&rest, "\n"));) {
		unsigned int number;
		int at = 0;

		if (sscanf(line, "function %u %n", &number, &at) != 1 || !at ||
		    number >= ENDED_FUNCTIONS || names->at[number])
			continue;
		names->at[number] = strdup(line + at);
		error = names->at[number] ? 0 : -ENOMEM;
	}
	free(text);
	return error;
}

void ended_names_free(struct ended_names *names)
{
	for (unsigned int i = 0; i < ENDED_FUNCTIONS; i++)
		free(names->at[i]);
	*names = (struct ended_names){ 0 };
}

/* ---- Entries ---- */

static void fill(struct evtlog_profile_path *to, const char *text, const struct ended_path *from)
{
	*to = (struct evtlog_profile_path){
		.path = text, .count = (uint64_t)from->count_high << 32 | from->count,
		.inclusive = from->inclusive, .exclusive = from->exclusive,
		.largest = from->largest,
	};
}

/* Returns the number of values that were added: 0 or 1. */
static unsigned int fill_value(struct evtlog_profile_value *to, const struct ended_path *from)
{
	unsigned int number = number_of(from->event);
	uint64_t count = (uint64_t)from->count_high << 32 | from->count;

	if (!count || number >= sizeof(values) / sizeof(*values))
		return 0;
	*to = (struct evtlog_profile_value){
		.name = values[number], .count = count, .sum = from->inclusive, .least = from->least,
		.largest = from->largest, .squares = from->exclusive,
	};
	return 1;
}

/* Prints the name of the task and all paths, each with a NUL. NULL: no memory */
static char *texts_of(const struct ended_header *header, const struct ended_path *paths,
		      unsigned int count, const struct ended_names *names)
{
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	fprintf(out, "%.*s%c", (int)sizeof(header->comm), header->comm, '\0');
	for (unsigned int i = 0; i < count; i++)
		print_path(out, paths, count, i, names);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

int ended_entry_add(struct evtlog_profile *profile, const struct ended_header *header,
		    const struct ended_path *paths, unsigned int count,
		    const struct ended_names *names)
{
	struct evtlog_profile_path at[ENDED_PATHS_MAX];
	struct evtlog_profile_value kept[ENDED_PATHS_MAX];
	struct evtlog_profile_entry entry = {
		.cpu = -1, .pid = header->pid, .tgid = header->tgid, .begin = header->born,
		.end = header->off, .ended = 1, .unmatched = header->unmatched,
		.ahead = header->ahead,
	};
	char *text, *path;
	int error;

	for (; count && class_of(paths[count - 1].event) == CLASS_VALUE; count--)
		entry.values += fill_value(&kept[entry.values], &paths[count - 1]);
	text = texts_of(header, paths, count, names);
	if (!text)
		return -ENOMEM;
	entry.comm = text;
	path = text + strlen(text) + 1;
	for (; entry.paths < count; entry.paths++, path += strlen(path) + 1)
		fill(&at[entry.paths], path, &paths[entry.paths]);
	error = evtlog_profile_add(profile, &entry, at, kept);
	if (!error)
		profile->slots[profile->about.entries - 1].parent = header->parent;
	free(text);
	return error;
}
