// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects the passes of the kernel's sampler.
 *
 * otf2/passes.c and analysis/interval/sampled.c call it with each event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "lib/base/array.h"
#include "samples.h"

enum kind {
	KIND_UNKNOWN,
	KIND_OTHER,
	KIND_CPU,
	KIND_TASK,
	KIND_PASS,
	KIND_POLICY,
	KINDS
};

#define FIELDS_MAX	5

/* Names of fields, as in sampler/control.c of the kernel */
static const struct {
	const char *name;
	const char *fields[FIELDS_MAX];
} known[KINDS] = {
	[KIND_CPU] = { "sampler_cpu", { "cpu", "nr_running" } },
	[KIND_TASK] = { "sampler_task", { "pid", "cpu", "state" } },
	[KIND_POLICY] = { "sampler_policy", { "pid", "policy", "nice", "rt_priority" } },
	[KIND_PASS] = { "sampler_pass", { "pass", "tasks", "cpus", "missed", "lost" } },
};

struct sample_format {
	const struct evtlog_event_field *fields[FIELDS_MAX];
};

int samples_init(struct samples *samples, const struct evtlog_file *file,
		 struct replay *replay)
{
	memset(samples, 0, sizeof(*samples));
	samples->file = file;
	samples->replay = replay;
	samples->off_ns = UINT64_MAX;
	samples->first = 1;
	samples->runnable = calloc(replay->cpu_count + 1, sizeof(*samples->runnable));
	samples->next_runnable = calloc(replay->cpu_count + 1, sizeof(*samples->next_runnable));
	samples->kinds = calloc(EVTLOG_EVENT_ID_MAX + 1, sizeof(*samples->kinds));
	samples->formats = calloc(KINDS, sizeof(*samples->formats));
	return samples->runnable && samples->next_runnable && samples->kinds && samples->formats ?
	       0 : -ENOMEM;
}

void samples_free(struct samples *samples)
{
	free(samples->now.at);
	free(samples->before.at);
	free(samples->next.at);
	free(samples->runnable);
	free(samples->next_runnable);
	free(samples->changes);
	free(samples->seen);
	free(samples->kinds);
	free(samples->formats);
}

/* ---- Formats ---- */

static const struct evtlog_event_field *field_named(const struct evtlog_event_format *format,
						    const char *name)
{
	for (uint32_t i = 0; i < format->field_count; i++)
		if (!strcmp(format->fields[i].name, name))
			return &format->fields[i];
	return NULL;
}

/* A format without one of the fields is not used. */
static uint8_t learn(struct samples *samples, const struct evtlog_event_format *format)
{
	unsigned int kind = KIND_CPU;

	while (kind < KINDS && (!format || strcmp(format->name, known[kind].name)))
		kind++;
	if (kind == KINDS)
		return KIND_OTHER;
	for (unsigned int i = 0; i < FIELDS_MAX && known[kind].fields[i]; i++) {
		samples->formats[kind].fields[i] = field_named(format, known[kind].fields[i]);
		if (!samples->formats[kind].fields[i])
			return KIND_OTHER;
	}
	return kind;
}

static uint8_t kind_of(struct samples *samples, const struct evtlog_event *event)
{
	uint32_t id = evtlog_event_id(event);

	if (id > EVTLOG_EVENT_ID_MAX)
		return KIND_OTHER;
	if (!samples->kinds[id])
		samples->kinds[id] = learn(samples, evtlog_event_format(samples->file, id));
	return samples->kinds[id];
}

/* Returns false if the payload is too short. */
static bool read_fields(const struct samples *samples, uint8_t kind,
			const struct evtlog_event *event, uint64_t values[FIELDS_MAX])
{
	size_t bytes, field_bytes;
	const void *payload = evtlog_event_payload(event, &bytes), *at;

	for (unsigned int i = 0; i < FIELDS_MAX && known[kind].fields[i]; i++) {
		at = evtlog_event_field_at(samples->formats[kind].fields[i], payload, bytes,
					   &field_bytes);
		if (!at || (field_bytes != 1 && field_bytes != 2 && field_bytes != 4 &&
			    field_bytes != 8))
			return false;
		values[i] = evtlog_event_field_u64(at, field_bytes);
	}
	return true;
}

/* ---- Starts of the sampler ---- */

static void restart(struct samples *samples)
{
	samples->has_restarted = true;
	samples->is_new_start = true;
}

/* Events that are registered again have other ids. */
static void follow_id(struct samples *samples, uint8_t kind, uint32_t id)
{
	uint32_t *last = &samples->ids[kind - KIND_CPU];

	if (*last && *last != id)
		restart(samples);
	*last = id;
}

/* The next record is the sample of this task. */
static void take_policy(struct samples *samples, uint32_t stream, const uint64_t values[FIELDS_MAX])
{
	if (!samples->open || samples->stream != stream)
		return;
	samples->policy_pid = values[0];
	samples->policy = 1u << 31 | (values[1] & 0xff) << 16 | (values[2] & 0xff) << 8 |
			(values[3] & 0xff);
}

/* A policy is recorded when it changes. If it is recorded unchanged, the sampler has restarted. */
static void compare_policy(struct samples *samples, uint32_t number)
{
	struct sample_seen *seen = &samples->seen[number];

	if (seen->policy == samples->policy && seen->pass && seen->pass == samples->complete)
		restart(samples);
	seen->policy = samples->policy;
}

/* All tasks of the pass have new policy records: the sampler has restarted with another tree. */
static void find_other_tree(struct samples *samples)
{
	if (samples->now.count && samples->task_records &&
	    samples->policy_records == samples->task_records)
		restart(samples);
}

uint64_t samples_off_ns(const struct samples *samples, uint64_t now_ns)
{
	uint64_t every_ns = samples->due ?
			    (samples->last_ns - samples->start_ns) / samples->due : 0;

	if (!samples->last_ns)
		return UINT64_MAX;
	return now_ns < samples->last_ns + 2 * every_ns ? UINT64_MAX : samples->last_ns + every_ns;
}

/* A pass ends. A restart before this pass is known now. */
static void follow_time(struct samples *samples, uint64_t time_ns, uint64_t due)
{
	samples->off_ns = UINT64_MAX;
	if (samples->is_new_start)
		samples->off_ns = samples_off_ns(samples, time_ns);
	if (samples->is_new_start || !samples->last_ns) {
		samples->start_ns = time_ns;
		samples->due = 0;
	} else {
		samples->due += due;
	}
	samples->is_new_start = false;
	samples->last_ns = time_ns;
}

/* ---- Records of a pass ---- */

static void open_pass(struct samples *samples, uint32_t stream)
{
	samples->open = true;
	samples->stream = stream;
	samples->cpu_records = 0;
	samples->task_records = 0;
	samples->policy_records = 0;
	samples->policy_pid = 0;
	samples->next.count = 0;
	for (unsigned int i = 0; i < samples->replay->cpu_count; i++)
		samples->next_runnable[i] = SAMPLES_NO_CPU;
}

/* If a pass is still open, its end was lost. Its number will be missing. */
static int take_cpu(struct samples *samples, uint32_t stream, const uint64_t values[FIELDS_MAX])
{
	uint32_t index = values[0] < EVTLOG_CPU_LIMIT ?
			 file_slot(samples->file, values[0]) : NO_SLOT;
	bool again = samples->open &&
		     (samples->stream != stream || samples->task_records ||
		      (index != NO_SLOT && samples->next_runnable[index] != SAMPLES_NO_CPU));
	uint32_t running = values[1];

	if (!samples->open || again)
		open_pass(samples, stream);
	samples->cpu_records++;
	/* A CPU without events is not in the log. */
	if (index != NO_SLOT)
		samples->next_runnable[index] = running - (index == stream && running);
	return again ? SAMPLES_INCOMPLETE : SAMPLES_NOTHING;
}

static int reserve_seen(struct samples *samples)
{
	size_t had = samples->seen_capacity;

	if (had >= samples->replay->task_count)
		return 0;
	if (array_reserve_more(&samples->seen, &samples->seen_capacity, had,
			       samples->replay->task_capacity - had, sizeof(*samples->seen)))
		return -ENOMEM;
	memset(samples->seen + had, 0, (samples->seen_capacity - had) * sizeof(*samples->seen));
	return 0;
}

static bool is_dead(char state)
{
	return state == 'X' || state == 'Z';
}

static int take_task(struct samples *samples, uint32_t stream, const uint64_t values[FIELDS_MAX])
{
	struct replay *replay = samples->replay;
	uint32_t cpu = file_slot(samples->file, values[1]), number;
	char state = values[2];
	bool has_policy = samples->policy_pid && samples->policy_pid == values[0];

	samples->policy_pid = 0;
	/* The begin of the pass was lost, or is before the part that is read. */
	if (!samples->open || samples->stream != stream)
		return 0;
	samples->task_records++;
	samples->policy_records += has_policy;
	/* Only the sampler runs on its CPU. */
	if (cpu == NO_SLOT || is_dead(state) || (state == 'R' && cpu == stream))
		return 0;
	if (replay_reserve(replay) ||
	    array_reserve(&samples->next.at, &samples->next.capacity, samples->next.count,
			  sizeof(*samples->next.at)))
		return -ENOMEM;
	number = replay_task(replay, values[0]);
	if (reserve_seen(samples))
		return -ENOMEM;
	if (number > REPLAY_IDLE && has_policy)
		compare_policy(samples, number);
	if (number > REPLAY_IDLE)
		samples->next.at[samples->next.count++] = (struct sample) {
			.task = number,
			.cpu = cpu,
			.state = state,
		};
	return 0;
}

/* ---- Changes ---- */

static void change(struct samples *samples, uint32_t task, uint32_t from, uint32_t to)
{
	samples->changes[samples->change_count++] = (struct sample_change) {
		.task = task,
		.from = from,
		.to = to,
	};
}

static void compare(struct samples *samples)
{
	uint64_t pass = samples->complete;
	bool is_first = pass == samples->first;

	samples->change_count = 0;
	for (size_t i = 0; i < samples->now.count; i++) {
		const struct sample *sample = &samples->now.at[i];
		struct sample_seen *seen = &samples->seen[sample->task];

		if (!is_first && seen->pass + 1 < pass)
			change(samples, sample->task, NO_SLOT, sample->cpu);
		else if (!is_first && seen->cpu != sample->cpu)
			change(samples, sample->task, seen->cpu, sample->cpu);
		seen->pass = pass;
		seen->cpu = sample->cpu;
		seen->state = sample->state;
	}
	for (size_t i = 0; !is_first && i < samples->before.count; i++) {
		const struct sample *sample = &samples->before.at[i];

		if (samples->seen[sample->task].pass != pass)
			change(samples, sample->task, sample->cpu, NO_SLOT);
	}
}

static int complete(struct samples *samples, uint64_t time_ns)
{
	struct sample_list spare = samples->before;
	uint32_t *runnable = samples->runnable;

	if (array_reserve_more(&samples->changes, &samples->change_capacity, 0,
			       samples->next.count + samples->now.count,
			       sizeof(*samples->changes)) || reserve_seen(samples))
		return -ENOMEM;
	samples->before = samples->now;
	samples->now = samples->next;
	samples->next = spare;
	samples->next.count = 0;
	samples->runnable = samples->next_runnable;
	samples->next_runnable = runnable;
	samples->time_ns = time_ns;
	samples->complete++;
	if (samples->has_restarted)
		samples->first = samples->complete;
	samples->has_restarted = false;
	compare(samples);
	return SAMPLES_COMPLETE;
}

static int take_pass(struct samples *samples, uint32_t stream, uint64_t time_ns,
		     const uint64_t values[FIELDS_MAX])
{
	uint64_t number = values[0], last = samples->last_number;
	bool whole = samples->open && samples->stream == stream && !values[4] &&
		     samples->task_records == values[1] && samples->cpu_records == values[2];
	/* Reading may have begun within a pass. */
	bool is_cut = !last && !whole && !values[4];

	if (samples->open)
		find_other_tree(samples);
	follow_time(samples, time_ns, (last && number > last ? number - last : 1) + values[3]);
	samples->open = false;
	samples->last_number = number;
	samples->missed = values[3];
	samples->incomplete = last && number > last ? number - last - 1 : 0;
	if (whole)
		return complete(samples, time_ns);
	if (is_cut)
		return SAMPLES_NOTHING;
	samples->incomplete++;
	return SAMPLES_INCOMPLETE;
}

bool samples_has(struct samples *samples, const struct evtlog_event *event)
{
	return event->known == EVTLOG_EVENT && kind_of(samples, event) != KIND_OTHER;
}

int samples_take(struct samples *samples, const struct evtlog_event *event)
{
	uint32_t stream = file_slot(samples->file, event->cpu);
	uint64_t values[FIELDS_MAX];
	uint8_t kind;
	int result;

	if (event->kind != EVTLOG_EVENT_RECORD || event->known != EVTLOG_EVENT ||
	    stream == NO_SLOT)
		return SAMPLES_NOTHING;
	kind = kind_of(samples, event);
	if (kind == KIND_OTHER || !read_fields(samples, kind, event, values))
		return SAMPLES_NOTHING;
	if (kind != KIND_POLICY)
		follow_id(samples, kind, evtlog_event_id(event));
	switch (kind) {
	case KIND_CPU:
		samples->missed = 0;
		samples->incomplete = 0;
		samples->off_ns = UINT64_MAX;
		return take_cpu(samples, stream, values);
	case KIND_TASK:
		result = take_task(samples, stream, values);
		return result < 0 ? result : SAMPLES_NOTHING;
	case KIND_POLICY:
		take_policy(samples, stream, values);
		return SAMPLES_NOTHING;
	default:
		return take_pass(samples, stream, event->time_ns, values);
	}
}
