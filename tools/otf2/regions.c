// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Defines and names the regions that show the states of tasks and CPUs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "print/names.h"
#include "regions.h"

#define CALLS		1024

static const char *const kinds[] = {
	[KIND_RUNNABLE] = "tasks that run or wait",
	[KIND_RUNNING] = "running",
	[KIND_PREEMPTED] = "preempted",
	[KIND_WAITING] = "woken",
	[KIND_INTERRUPT] = "interrupt",
	[KIND_CALL] = "system call",
	[KIND_EXCEPTION] = "exception",
	[KIND_STATE] = "state",
	[KIND_THREAD] = "thread",
};

void regions_begin(struct output *out)
{
	struct shared_regions *shared = &out->shared;
	struct archive *archive = &out->archive;

	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		shared->kinds[i] = archive_string(archive, kinds[i]);
	/* Number REGION_LOST */
	archive_region(archive, "LOST", shared->kinds[KIND_STATE], OTF2_REGION_ROLE_ARTIFICIAL);
	shared->offline = archive_region(archive, "offline", shared->kinds[KIND_STATE],
					 OTF2_REGION_ROLE_ARTIFICIAL);
	shared->idle = archive_region(archive, "idle", shared->kinds[KIND_STATE],
				      OTF2_REGION_ROLE_ARTIFICIAL);
	shared->outside = archive_region(archive, "outside the tree", shared->kinds[KIND_STATE],
					 OTF2_REGION_ROLE_ARTIFICIAL);
	shared->unknown = archive_region(archive, "unknown task", shared->kinds[KIND_STATE],
					 OTF2_REGION_ROLE_ARTIFICIAL);
	shared->unsampled = archive_region(archive, "not sampled", shared->kinds[KIND_STATE],
					   OTF2_REGION_ROLE_ARTIFICIAL);
}

void regions_begin_threads(struct output *out)
{
	static const struct {
		enum task_state state;
		const char *name;
	} states[] = {
		{ TASK_BLOCKED, "blocked" },
		{ TASK_WAITING, "woken" },
		{ TASK_PREEMPTED, "preempted" },
	};
	struct shared_regions *shared = &out->shared;

	for (unsigned int i = 0; i < sizeof(states) / sizeof(*states); i++)
		shared->states[states[i].state] =
			archive_region(&out->archive, states[i].name, shared->kinds[KIND_THREAD],
				       OTF2_REGION_ROLE_ARTIFICIAL);
	shared->unknown_state = archive_region(&out->archive, "unknown",
					       shared->kinds[KIND_THREAD],
					       OTF2_REGION_ROLE_ARTIFICIAL);
}

uint32_t region_count_slow(struct output *out, uint32_t count)
{
	struct shared_regions *shared = &out->shared;
	char name[24];

	if (count >= shared->counts_defined) {
		size_t more = count + 1 - shared->counts_defined;

		if (array_reserve_more(&shared->counts, &shared->counts_capacity,
				       shared->counts_defined, more, sizeof(*shared->counts))) {
			archive_check_error(&out->archive, OTF2_ERROR_MEM_ALLOC_FAILED);
			return shared->unknown;
		}
		memset(shared->counts + shared->counts_defined, 0, more * sizeof(*shared->counts));
		shared->counts_defined = count + 1;
	}
	snprintf(name, sizeof(name), "%u%s", count, count == REGION_COUNT_MAX ? " or more" : "");
	shared->counts[count] = archive_region(&out->archive, name, shared->kinds[KIND_RUNNABLE],
					       OTF2_REGION_ROLE_FUNCTION);
	return shared->counts[count];
}

/* ---- Tasks ---- */

static void remember_process(struct host *host, uint32_t tgid, uint32_t region)
{
	if (array_reserve(&host->regions, &host->region_capacity, host->region_count,
			  sizeof(*host->regions)))
		archive_check_error(&host->out->archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	else
		host->regions[host->region_count++] = (struct process_region) { tgid, region };
}

uint32_t region_task_slow(struct host *host, struct task *task, unsigned int state)
{
	static const char *const suffix[TASK_STATES] = {
		[TASK_UNKNOWN] = "", [TASK_BLOCKED] = "", [TASK_RUNNING] = "",
		[TASK_WAITING] = " woken",
		[TASK_PREEMPTED] = " preempted",
	};
	static const enum region_kind kind[TASK_STATES] = {
		[TASK_RUNNING] = KIND_RUNNING,
		[TASK_WAITING] = KIND_WAITING,
		[TASK_PREEMPTED] = KIND_PREEMPTED,
	};
	const struct evtlog_task *known = evtlog_tasks_find(host->names, task->pid);
	char name[EVTLOG_COMM_LEN + 40];
	int length = known ? strnlen(known->comm, EVTLOG_COMM_LEN) : 0;

	snprintf(name, sizeof(name), "%.*s (%u)%s", length ? length : 1,
		 length ? known->comm : "?", task->pid, suffix[state]);
	task->regions[state] = archive_region(&host->out->archive, name,
					      host->out->shared.kinds[kind[state]],
					      state == TASK_RUNNING ? OTF2_REGION_ROLE_FUNCTION :
					      OTF2_REGION_ROLE_ARTIFICIAL);
	memcpy(task->comm, known ? known->comm : "", length);
	memset(task->comm + length, 0, sizeof(task->comm) - length);
	remember_process(host, known && known->tgid ? known->tgid : task->pid,
			 task->regions[state]);
	return task->regions[state];
}

/* ---- Interrupts, system calls and exceptions ---- */

static void vector_name(struct host *host, unsigned int known, char *name, size_t size)
{
	const struct evtlog_type_info *type = NULL;
	size_t length;

	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		type = evtlog_type_info(host->file, i);
		if (type && type->known == known)
			break;
	}
	if (!type) {
		snprintf(name, size, "interrupt");
		return;
	}
	length = strlen(type->name);
	if (length > 6 && !strcmp(type->name + length - 6, "_entry"))
		length -= 6;
	snprintf(name, size, "%.*s", (int)length, type->name);
}

uint32_t region_context_slow(struct host *host, const struct context *context)
{
	uint32_t *place = region_place(host, context);
	uint32_t number = context->number;
	const char *known = NULL;
	char name[128];

	switch (context->kind) {
	case EVTLOG_IN_SOFTIRQ:
		known = evtlog_softirq_name(host->file, number);
		if (known)
			snprintf(name, sizeof(name), "softirq %s", known);
		else
			snprintf(name, sizeof(name), "softirq");
		break;
	case EVTLOG_IN_IRQ:
		known = number < IRQS ? fields_irq_name(&host->fields, number) : NULL;
		if (number >= IRQS)
			snprintf(name, sizeof(name), "irq");
		else
			snprintf(name, sizeof(name), "irq %u%s%s", number, known ? " " : "",
				 known ? known : "");
		break;
	default:
		vector_name(host, number, name, sizeof(name));
	}
	*place = archive_region(&host->out->archive, name,
				host->out->shared.kinds[KIND_INTERRUPT],
				OTF2_REGION_ROLE_ARTIFICIAL);
	return *place;
}

uint32_t region_call(struct host *host, const struct evtlog_event *event)
{
	unsigned int cause = evtlog_data(event->words, 0, 2);
	unsigned int number = evtlog_data(event->words, 2, 16);
	bool compat = cause == EVTLOG_USER_EXIT_COMPAT;
	uint32_t *place, **table = &host->calls[compat];
	const char *known;
	char name[64];

	if (cause != EVTLOG_USER_EXIT_SYSCALL && !compat)
		return 0;
	if (!*table)
		*table = calloc(CALLS + 1, sizeof(**table));
	if (!*table) {
		archive_check_error(&host->out->archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return 0;
	}
	place = &(*table)[number < CALLS ? number : CALLS];
	if (*place)
		return *place;
	known = number >= CALLS ? "other" : compat ? syscall_name_32(number) :
						     syscall_name(number);
	if (known)
		snprintf(name, sizeof(name), "call %s%s", known, compat ? " (32 bits)" : "");
	else
		snprintf(name, sizeof(name), "call %u%s", number, compat ? " (32 bits)" : "");
	*place = archive_region(&host->out->archive, name, host->out->shared.kinds[KIND_CALL],
				OTF2_REGION_ROLE_FUNCTION);
	return *place;
}

uint32_t region_exception(struct host *host, unsigned int vector)
{
	uint32_t *place = &host->exceptions[vector & 0xff];
	const char *known = evtlog_exception_name(vector & 0xff);
	char name[64];

	if (*place)
		return *place;
	if (known)
		snprintf(name, sizeof(name), "exception %s", known);
	else
		snprintf(name, sizeof(name), "exception %u", vector & 0xff);
	*place = archive_region(&host->out->archive, name,
				host->out->shared.kinds[KIND_EXCEPTION],
				OTF2_REGION_ROLE_FUNCTION);
	return *place;
}
