// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The name, group and kind of an event on a path.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/report/report.h"

const char *const report_kind_names[REPORT_KINDS] = {
	[REPORT_USER] = "user",
	[REPORT_REGION] = "region",
	[REPORT_KERNEL] = "kernel",
	[REPORT_TASK] = "user or kernel",
	[REPORT_WAITING] = "waiting",
	[REPORT_PREEMPTED] = "preempted",
	[REPORT_BLOCKED] = "blocked",
	[REPORT_IDLE] = "idle",
};

/* Classes of events, and words that are events themselves */
static const struct {
	const char *word;
	const char *group;
	enum report_kind kind;
} classes[] = {
	{ "user", "USER", REPORT_USER },
	{ "task", "USER_OR_KERNEL", REPORT_TASK },
	{ "region", "REGION", REPORT_REGION },
	{ "idle", "IDLE", REPORT_IDLE },
	{ "runqueue", "KERNEL_SCHED", REPORT_WAITING },
	/* Any wait: the profile had no path left. */
	{ "waiting", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "preempted", "KERNEL_SCHED", REPORT_PREEMPTED },
	{ "interruptible", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "uninterruptible", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "io", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "stopped", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "blocked", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "sched", "KERNEL_SCHED", REPORT_KERNEL },
	{ "syscall", "KERNEL_SYSCALL", REPORT_KERNEL },
	{ "compat", "KERNEL_SYSCALL", REPORT_KERNEL },
	{ "exception", "KERNEL_EXCEPTION", REPORT_KERNEL },
	{ "signal", "KERNEL_SIGNAL", REPORT_KERNEL },
	{ "function", "KERNEL_FUNCTION", REPORT_KERNEL },
	{ "net", "KERNEL_NET", REPORT_KERNEL },
	{ "block", "KERNEL_BLOCK", REPORT_KERNEL },
	{ "offline", "IDLE", REPORT_IDLE },
	{ "irq", "KERNEL_INTERRUPT", REPORT_KERNEL },
	{ "vector", "KERNEL_INTERRUPT", REPORT_KERNEL },
	{ "softirq", "KERNEL_BOTTOM_HALF", REPORT_KERNEL },
};

static bool starts_with(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Libraries of evtlog begin regions with these names. */
static const char *region_group(const char *name)
{
	if (starts_with(name, "MPI_"))
		return "MPI";
	if (starts_with(name, "OpenMP "))
		return "OPENMP";
	return "REGION";
}

static void classify(struct report_event *event, const char *word, size_t length)
{
	event->group = "KERNEL";
	event->kind = REPORT_KERNEL;
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strlen(classes[i].word) == length && !memcmp(classes[i].word, word, length)) {
			event->group = classes[i].group;
			event->kind = classes[i].kind;
			return;
		}
	}
}

static int hex(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* "%20" is a blank, as blanks and ">" cannot be in a path. */
static void decode(char *to, const char *from, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (from[i] == '%' && i + 2 < length && hex(from[i + 1]) >= 0 &&
		    hex(from[i + 2]) >= 0) {
			*to++ = hex(from[i + 1]) * 16 + hex(from[i + 2]);
			i += 2;
		} else {
			*to++ = from[i];
		}
	}
	*to = '\0';
}

static bool is_class(const char *text, size_t class, const char *word)
{
	return class == strlen(word) && !memcmp(text, word, class);
}

int report_event_of(struct report_event *event, const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	size_t class = colon ? (size_t)(colon - text) : length;
	size_t behind = colon ? class + 1 : 0;
	/* "group:" and a word: the time of all events of a group of the kernel */
	bool is_group = colon && is_class(text, class, "group");

	*event = (struct report_event){ .name = malloc(length + 64) };
	if (!event->name)
		return -ENOMEM;
	if (is_group)
		classify(event, text + behind, length - behind);
	else
		classify(event, text, class);
	if (is_group || event->kind == REPORT_REGION || is_class(text, class, "function"))
		decode(event->name, text + behind, length - behind);
	else
		profile_event_name(text, length, event->name, length + 64);
	if (event->kind == REPORT_REGION)
		event->group = region_group(event->name);
	return 0;
}
