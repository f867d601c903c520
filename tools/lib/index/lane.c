// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes leaves from the events of a CPU.
 *
 * Stage: between the events of a CPU and the chunks of an index.  Sums are by pid: tasks are
 * assigned to pids after all CPUs were read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"
#include "lib/codec/record-class.h"

/* A leaf is ended at this number of events even if all are at one ns: its counter has 16 bits. */
#define LEAF_EVENTS_MAX	60000

/* The task of an event at @event_ns. */
struct about {
	uint32_t pid;
	uint32_t kinds : 8;	/* INDEX_ROSTER_* */
	uint32_t switches : 24;
};

/*
 * @begin_ns, @now_ns: start of the current leaf, and the time up to which it is filled
 * @ns:		time of the leaf by state
 * @events, @kinds: events of the leaf before @event_ns
 * @tail_events, @tail_kinds: events at @event_ns, which may still go to the next leaf
 * @about:	tasks of the tail's events
 * @slice_ns:	time of the current task's slice within the leaf
 * @leaf_pids, @group_pids, @totals: sums of the leaf, of the group of leaves, of all CPUs
 */
struct index_lane_builder {
	struct evtlog_index_cpu *cpu;
	bool no_switches;

	uint64_t begin_ns;
	uint64_t now_ns;
	uint64_t event_ns;
	uint64_t ns[INDEX_STATES];
	uint32_t events;
	uint32_t kinds;
	uint32_t tail_events;
	uint32_t tail_kinds;
	struct about *about;
	size_t about_count;
	size_t about_capacity;
	uint64_t slice_ns;
	uint64_t longest_ns;
	uint32_t slice_pid;
	struct index_pids leaf_pids;
	struct index_pids group_pids;
	struct index_pids totals;

	struct index_chunk_builder chunk;
};

struct index_lane_builder *index_lane_new(index_sink *sink, void *sink_arg)
{
	struct index_lane_builder *lane = calloc(1, sizeof(*lane));

	if (!lane)
		return NULL;
	lane->chunk.sink = sink;
	lane->chunk.sink_arg = sink_arg;
	if (index_pids_init(&lane->leaf_pids) || index_pids_init(&lane->group_pids) ||
	    index_pids_init(&lane->totals)) {
		index_lane_free(lane);
		return NULL;
	}
	return lane;
}

void index_lane_free(struct index_lane_builder *lane)
{
	if (!lane)
		return;
	index_pids_free(&lane->leaf_pids);
	index_pids_free(&lane->group_pids);
	index_pids_free(&lane->totals);
	free(lane->chunk.roster_bytes);
	free(lane->about);
	free(lane);
}

void index_lane_start(struct index_lane_builder *lane, struct evtlog_index_cpu *cpu,
		      bool no_switches)
{
	lane->cpu = cpu;
	lane->no_switches = no_switches;
	lane->chunk.leaf_count = 0;
	lane->chunk.roster_used = 0;
	lane->events = lane->tail_events = 0;
	lane->kinds = lane->tail_kinds = 0;
	lane->about_count = 0;
	lane->event_ns = 0;
	memset(lane->ns, 0, sizeof(lane->ns));
}

struct index_pids *index_lane_totals(struct index_lane_builder *lane)
{
	return &lane->totals;
}

static int end_group(struct index_lane_builder *lane)
{
	int error = index_pids_merge(&lane->totals, &lane->group_pids);

	if (!error)
		error = index_roster_make(&lane->chunk, &lane->group_pids);
	index_pids_clear(&lane->group_pids);
	return error;
}

static uint32_t clamp32(uint64_t ns)
{
	return ns > UINT32_MAX ? UINT32_MAX : ns;
}

/* The state of the whole leaf, or INDEX_STATES if it has several. */
static enum index_state alike(const struct index_lane_builder *lane)
{
	enum index_state found = INDEX_STATES;

	for (int state = 0; state < INDEX_STATES; state++) {
		if (!lane->ns[state])
			continue;
		if (found != INDEX_STATES)
			return INDEX_STATES;
		found = state;
	}
	if (found == INDEX_TASK) {
		unsigned int tasks = 0;

		for (uint32_t i = 0; i < lane->leaf_pids.count; i++)
			tasks += !!lane->leaf_pids.at[i].ns;
		if (tasks != 1)
			return INDEX_STATES;
	}
	return found;
}

/* Adds the tail to the current leaf. */
static int take_tail(struct index_lane_builder *lane)
{
	lane->events += lane->tail_events;
	lane->kinds |= lane->tail_kinds;
	lane->tail_events = 0;
	lane->tail_kinds = 0;
	for (size_t i = 0; i < lane->about_count; i++) {
		const struct about *about = &lane->about[i];
		struct index_pid *entry = index_pids_get(&lane->leaf_pids, about->pid);

		if (!entry)
			return -ENOMEM;
		entry->kinds |= about->kinds;
		entry->switches += about->switches;
	}
	lane->about_count = 0;
	return 0;
}

static void end_slice(struct index_lane_builder *lane)
{
	if (lane->slice_ns > lane->longest_ns)
		lane->longest_ns = lane->slice_ns;
	lane->slice_ns = 0;
}

/* Ends the leaf at @now_ns.  Events at this time go to the next leaf. */
static int end_leaf(struct index_lane_builder *lane)
{
	struct index_leaf *leaf = &lane->chunk.leaves[lane->chunk.leaf_count];
	bool keep = lane->event_ns == lane->now_ns && lane->now_ns > lane->begin_ns;
	bool at_begin = !lane->events && (!lane->tail_events || keep ||
					  lane->event_ns == lane->begin_ns);
	enum index_state state = at_begin ? alike(lane) : INDEX_STATES;
	unsigned int best[INDEX_LEAF_TASKS] = { 0 };
	int error = keep ? 0 : take_tail(lane);

	if (error)
		return error;
	end_slice(lane);
	memset(leaf, 0, sizeof(*leaf));
	leaf->end_ns = lane->now_ns;
	leaf->events = lane->events;
	leaf->kinds = lane->kinds;
	leaf->longest_ns = clamp32(lane->longest_ns);
	for (int i = 0; i < INDEX_STATES - 1; i++)
		leaf->ns[i] = clamp32(lane->ns[i + 1]);
	for (unsigned int k = 0; k < INDEX_LEAF_TASKS; k++) {
		const struct index_pid *found = NULL;

		for (uint32_t i = 0; i < lane->leaf_pids.count; i++) {
			const struct index_pid *pid = &lane->leaf_pids.at[i];

			if (!pid->ns || (k && i == best[0]))
				continue;
			if (!found || pid->ns > found->ns ||
			    (pid->ns == found->ns && pid->pid < found->pid)) {
				found = pid;
				best[k] = i;
			}
		}
		if (!found)
			break;
		leaf->pid[k] = found->pid;
		leaf->pid_ns[k] = clamp32(found->ns);
	}
	if (state != INDEX_STATES)
		leaf->kinds |= (1 + state) << INDEX_ALIKE_SHIFT;

	if (index_pids_merge(&lane->group_pids, &lane->leaf_pids))
		return -ENOMEM;
	index_pids_clear(&lane->leaf_pids);
	lane->chunk.leaf_count++;
	if (!(lane->chunk.leaf_count % INDEX_GROUP_LEAVES))
		error = end_group(lane);
	if (!error && lane->chunk.leaf_count == INDEX_CHUNK_LEAVES) {
		error = index_chunk_end(&lane->chunk);
		lane->chunk.begin_ns = lane->now_ns;
	}
	lane->begin_ns = lane->now_ns;
	memset(lane->ns, 0, sizeof(lane->ns));
	lane->longest_ns = 0;
	lane->events = 0;
	lane->kinds = 0;
	return error;
}

/* The CPU was in @state up to @until_ns. */
static int account(struct index_lane_builder *lane, enum index_state state,
		   uint32_t pid, uint64_t until_ns)
{
	uint64_t ns = until_ns - lane->now_ns;
	bool alone = ns > UINT32_MAX;
	int error;

	if (until_ns <= lane->now_ns)
		return 0;
	if (lane->now_ns > lane->begin_ns &&
	    lane->now_ns - lane->begin_ns + ns > UINT32_MAX) {
		error = end_leaf(lane);
		if (error)
			return error;
	}
	lane->ns[state] += ns;
	if (state == INDEX_TASK) {
		struct index_pid *entry = index_pids_get(&lane->leaf_pids, pid);

		if (!entry)
			return -ENOMEM;
		entry->ns += ns;
		if (lane->now_ns < entry->first_ns)
			entry->first_ns = lane->now_ns;
		entry->last_ns = until_ns;
		if (pid != lane->slice_pid)
			end_slice(lane);
		lane->slice_pid = pid;
		lane->slice_ns += ns;
	} else {
		end_slice(lane);
	}
	lane->now_ns = until_ns;
	return alone ? end_leaf(lane) : 0;
}

static int about(struct index_lane_builder *lane, uint32_t pid, uint32_t kind,
		 unsigned int switches)
{
	if (!pid || pid == EVTLOG_PID_UNKNOWN)
		return 0;
	if (array_reserve(&lane->about, &lane->about_capacity, lane->about_count,
			  sizeof(*lane->about)))
		return -ENOMEM;
	lane->about[lane->about_count++] = (struct about) { pid, kind, switches };
	return 0;
}

static int take_record(struct index_lane_builder *lane, const struct evtlog_event *event)
{
	enum evtlog_kind kind = record_kind(record_class(event->known));
	int error;

	if (event->time_ns > lane->event_ns) {
		if (lane->events + lane->tail_events >= INDEX_LEAF_EVENTS &&
		    lane->now_ns > lane->begin_ns) {
			error = end_leaf(lane);
			if (error)
				return error;
		}
		error = take_tail(lane);
		if (error)
			return error;
		lane->event_ns = event->time_ns;
	} else if (lane->events + lane->tail_events >= LEAF_EVENTS_MAX) {
		error = end_leaf(lane);
		if (error)
			return error;
		if (lane->tail_events >= LEAF_EVENTS_MAX) {
			error = end_leaf(lane);
			if (error)
				return error;
		}
	}
	lane->tail_events++;
	lane->tail_kinds |= 1u << kind;
	lane->cpu->events++;
	lane->cpu->counts[kind]++;
	switch (kind) {
	case EVTLOG_KIND_SWITCH:
		error = about(lane, event->pid, INDEX_ROSTER_SWITCH, 0);
		return error ? error : about(lane, evtlog_record_pid(event->words),
					     INDEX_ROSTER_SWITCH, 1);
	case EVTLOG_KIND_WAKING:
		return about(lane, evtlog_record_pid(event->words),
			     INDEX_ROSTER_WAKING, 0);
	case EVTLOG_KIND_MIGRATION:
		return about(lane, evtlog_record_pid(event->words),
			     INDEX_ROSTER_MIGRATION, 0);
	default:
		return 0;
	}
}

static int account_until(struct index_lane_builder *lane,
			 const struct evtlog_event *event, uint64_t until_ns)
{
	enum index_state state = index_state(event, lane->no_switches);
	struct evtlog_index_cpu *cpu = lane->cpu;
	uint64_t ns = until_ns > lane->now_ns ? until_ns - lane->now_ns : 0;

	switch (state) {
	case INDEX_IDLE:
		*(lane->no_switches ? &cpu->unknown_ns : &cpu->idle_ns) += ns;
		break;
	case INDEX_LOST:
		cpu->unknown_ns += ns;
		break;
	default:
		cpu->busy_ns += ns;
		cpu->irq_ns += state == INDEX_IRQ ? ns : 0;
		cpu->softirq_ns += state == INDEX_SOFTIRQ ? ns : 0;
		break;
	}
	return account(lane, state, event->pid, until_ns);
}

static int take_gap(struct index_lane_builder *lane, const struct evtlog_event *event)
{
	struct evtlog_index_cpu *cpu = lane->cpu;
	int error = account_until(lane, event, event->from_ns);

	if (error)
		return error;
	cpu->gaps++;
	cpu->gap_ns += event->time_ns - lane->now_ns;
	cpu->unknown_ns += event->time_ns - lane->now_ns;
	return account(lane, INDEX_LOST, 0, event->time_ns);
}

int index_lane_event(struct index_lane_builder *lane, const struct evtlog_event *event)
{
	int error;

	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		error = account_until(lane, event, event->time_ns);
		return error ? error : take_record(lane, event);
	case EVTLOG_EVENT_BEGIN:
		lane->cpu->begin_ns = event->time_ns;
		lane->cpu->lost += event->lost;
		lane->begin_ns = lane->now_ns = event->time_ns;
		lane->chunk.begin_ns = event->time_ns;
		return 0;
	case EVTLOG_EVENT_GAP:
		lane->cpu->lost += event->lost;
		return take_gap(lane, event);
	case EVTLOG_EVENT_END:
		lane->cpu->end_ns = event->time_ns;
		return account_until(lane, event, event->time_ns);
	default:
		return account_until(lane, event, event->time_ns);
	}
}

int index_lane_end(struct index_lane_builder *lane)
{
	int error = 0;

	if (lane->now_ns > lane->begin_ns || lane->events || lane->tail_events)
		error = end_leaf(lane);
	/* Events at the very end have no time but are counted. */
	if (!error && lane->tail_events)
		error = end_leaf(lane);
	if (!error && lane->chunk.leaf_count % INDEX_GROUP_LEAVES)
		error = end_group(lane);
	return error ? error : index_chunk_end(&lane->chunk);
}
