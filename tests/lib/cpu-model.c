// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A model of a CPU's time, so simple that it is clearly right, see cpu-model.h
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cpu-model.h"

static void add_segment(struct model *model, uint64_t from_ns, uint64_t until_ns,
			enum state state, uint32_t pid)
{
	if (until_ns <= from_ns)
		return;
	/* The capacity is doubled at each power of two. */
	if (!(model->segment_count & (model->segment_count - 1)))
		model->segments = reallocarray(model->segments,
					       2 * model->segment_count + 1,
					       sizeof(*model->segments));
	model->segments[model->segment_count++] = (struct segment) {
		from_ns, until_ns, state, pid,
	};
}

static enum state state_of(const struct evtlog_event *event)
{
	if (event->context == EVTLOG_IN_SOFTIRQ)
		return SOFTIRQ;
	if (event->context != EVTLOG_IN_TASK)
		return IRQ;
	if (event->pid == EVTLOG_PID_UNKNOWN)
		return LOST;
	return event->pid ? TASK : IDLE;
}

/* When a pid passed to a new task */
struct birth {
	uint64_t time_ns;
	uint32_t pid;
};

static struct birth *births;
static size_t birth_count;

static void add_happening(struct model *model, const struct evtlog_event *event)
{
	struct happening happening = {
		.time_ns = event->time_ns,
		.kind = evtlog_kind_of(event->known),
		.pid = event->pid,
		.about = EVTLOG_PID_UNKNOWN,
	};

	if (event->known == EVTLOG_SCHED_PROCESS_FORK) {
		if (!(birth_count & (birth_count - 1)))
			births = reallocarray(births, 2 * birth_count + 1, sizeof(*births));
		births[birth_count++] = (struct birth) {
			event->time_ns, evtlog_record_pid(event->words),
		};
	}
	if (happening.kind <= EVTLOG_KIND_MIGRATION)
		happening.about = evtlog_record_pid(event->words);
	if (!(model->happening_count & (model->happening_count - 1)))
		model->happenings = reallocarray(model->happenings,
						 2 * model->happening_count + 1,
						 sizeof(*model->happenings));
	model->happenings[model->happening_count++] = happening;
}

void model_read(struct evtlog_file *file, unsigned int slot, struct model *model)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	uint64_t now = 0;

	memset(model, 0, sizeof(*model));
	assert_int_equal(evtlog_stream_new(file, slot, &stream), 0);
	while (evtlog_stream_next(stream, &event) > 0) {
		uint64_t until = event->time_ns;

		if (event->kind == EVTLOG_EVENT_BEGIN) {
			model->begin_ns = now = event->time_ns;
			continue;
		}
		if (event->kind == EVTLOG_EVENT_GAP)
			until = event->from_ns > now ? event->from_ns : now;
		add_segment(model, now, until, state_of(event), event->pid);
		add_segment(model, until, event->time_ns, LOST, 0);
		now = event->time_ns;
		if (event->kind == EVTLOG_EVENT_RECORD)
			add_happening(model, event);
	}
	model->end_ns = now;
	evtlog_stream_free(stream);
}

static void split_at(struct model *model, const struct birth *birth)
{
	/* Find the segment that contains the time. */
	for (size_t i = model_segment(model, birth->time_ns); i < model->segment_count &&
	     model->segments[i].from_ns < birth->time_ns; i++) {
		struct segment *segment = &model->segments[i];
		uint64_t until_ns = segment->until_ns;

		if (segment->state != TASK || segment->pid != birth->pid)
			continue;
		add_segment(model, birth->time_ns, until_ns, TASK, birth->pid);
		/* The call may have moved the array. */
		segment = &model->segments[i];
		segment->until_ns = birth->time_ns;
		/* Put the new segment after this one. */
		memmove(segment + 2, segment + 1,
			(model->segment_count - i - 2) * sizeof(*segment));
		segment[1] = (struct segment) {
			birth->time_ns, until_ns, TASK, birth->pid,
		};
		return;
	}
}

void models_split(struct model *models, unsigned int cpus)
{
	for (size_t i = 0; i < birth_count; i++)
		for (unsigned int c = 0; c < cpus; c++)
			split_at(&models[c], &births[i]);
	free(births);
	births = NULL;
	birth_count = 0;
}

void model_free(struct model *model)
{
	free(model->segments);
	free(model->happenings);
}

uint64_t segment_overlap(const struct segment *segment, uint64_t from, uint64_t to)
{
	uint64_t a = segment->from_ns > from ? segment->from_ns : from;
	uint64_t b = segment->until_ns < to ? segment->until_ns : to;

	return b > a ? b - a : 0;
}

size_t model_segment(const struct model *model, uint64_t from)
{
	size_t low = 0, high = model->segment_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (model->segments[middle].until_ns <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t model_happening(const struct model *model, uint64_t from)
{
	size_t low = 0, high = model->happening_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (model->happenings[middle].time_ns < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
