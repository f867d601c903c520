/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The regions that show the states of tasks and CPUs.  Each is defined when it is first shown.
 */
#ifndef EVTLOG_OTF2_REGIONS_H
#define EVTLOG_OTF2_REGIONS_H

#include "host.h"

/* Defines regions that all hosts share. */
void regions_begin(struct output *out);

/* Defines regions for threads of programs. */
void regions_begin_threads(struct output *out);

/* Larger numbers of tasks share this region, as a damaged log can have any number. */
#define REGION_COUNT_MAX	65536

/* "3": three tasks run or wait. */
uint32_t region_count_slow(struct output *out, uint32_t count);

/* "comm (pid)" and the state, with the current name of the task */
uint32_t region_task_slow(struct host *host, struct task *task, unsigned int state);

/* The context of a CPU: a softirq, a device interrupt, a vector */
uint32_t region_context_slow(struct host *host, const struct context *context);

/* The system call of a user_exit; 0 if it is none */
uint32_t region_call(struct host *host, const struct evtlog_event *event);

uint32_t region_exception(struct host *host, unsigned int vector);

static inline uint32_t region_of_count(struct output *out, uint32_t count)
{
	if (count > REGION_COUNT_MAX)
		count = REGION_COUNT_MAX;
	return __builtin_expect(count < out->shared.counts_defined &&
				out->shared.counts[count], 1) ?
	       out->shared.counts[count] : region_count_slow(out, count);
}

static inline uint32_t region_of_task(struct host *host, struct task *task, unsigned int state)
{
	return __builtin_expect(task->regions[state] != 0, 1) ? task->regions[state] :
	       region_task_slow(host, task, state);
}

static inline uint32_t *region_place(struct host *host, const struct context *context)
{
	uint32_t number = context->number;

	switch (context->kind) {
	case EVTLOG_IN_SOFTIRQ:
		return &host->softirqs[number < SOFTIRQS ? number : SOFTIRQS];
	case EVTLOG_IN_IRQ:
		return &host->irqs[number < IRQS ? number : IRQS];
	default:
		return &host->vectors[number <= EVTLOG_TYPE_MAX ? number : 0];
	}
}

static inline uint32_t region_of_context(struct host *host, const struct context *context)
{
	uint32_t *place = region_place(host, context);

	return __builtin_expect(*place != 0, 1) ? *place : region_context_slow(host, context);
}

#endif /* EVTLOG_OTF2_REGIONS_H */
