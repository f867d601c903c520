// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes leaves, nodes and rosters of a CPU's events.
 *
 * Stage: between a CPU's events and the chunks of an index.  It does not know where
 * chunks go, nor who had a pid: that is told once all CPUs were read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "index.h"
#include "room.h"

/* So many at one ns are cut all the same: what a leaf counts must fit. */
#define LEAF_EVENTS_MAX	60000

/* Of one entry of a roster. */
#define ROSTER_ENTRY_MAX	(5 + 10 + 6)

/* An event at @event_ns is about that task. */
struct about {
	uint32_t pid;
	uint32_t kinds : 8;	/* INDEX_ROSTER_* */
	uint32_t switches : 24;
};

/*
 * @begin_ns:	of the leaf at work, and @now_ns up to where it is accounted for
 * @ns:		of it, by state
 * @events, @kinds: of it, before @event_ns
 * @tail_events, @tail_kinds: at @event_ns, which may yet go to the next one
 * @about:	whom the tail's events are about
 * @slice_ns:	how long the task at work has been at it within the leaf
 * @leaf_pids, @group_pids, @totals: sums of the leaf, the group of leaves, all CPUs
 * @roster_bytes: of the chunk, @roster_used of @roster_room
 */
struct index_lane_builder {
	index_sink *sink;
	void *sink_arg;
	struct evtlog_index_cpu *cpu;

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
	size_t about_room;
	uint64_t slice_ns;
	uint64_t longest_ns;
	uint32_t slice_pid;
	struct index_pids leaf_pids;
	struct index_pids group_pids;
	struct index_pids totals;

	uint64_t chunk_begin_ns;
	uint64_t leaf_begin_ns;
	unsigned int leaf_count;
	struct index_leaf leaves[INDEX_CHUNK_LEAVES];
	struct index_roster rosters[INDEX_CHUNK_GROUPS];
	uint8_t *roster_bytes;
	size_t roster_used;
	size_t roster_room;
	struct index_node nodes[INDEX_LEVELS][INDEX_CHUNK_LEAVES / INDEX_FANOUT];
};

struct index_lane_builder *index_lane_new(index_sink *sink, void *sink_arg)
{
	struct index_lane_builder *lane = calloc(1, sizeof(*lane));

	if (!lane)
		return NULL;
	lane->sink = sink;
	lane->sink_arg = sink_arg;
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
	free(lane->roster_bytes);
	free(lane->about);
	free(lane);
}

void index_lane_start(struct index_lane_builder *lane, struct evtlog_index_cpu *cpu)
{
	lane->cpu = cpu;
	lane->leaf_count = 0;
	lane->roster_used = 0;
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

/* ---- Chunks ---- */

/* The greatest of some sums by pid, kept in @pid and @ns. */
struct top {
	uint32_t pid[INDEX_FANOUT * INDEX_NODE_TASKS];
	uint64_t ns[INDEX_FANOUT * INDEX_NODE_TASKS];
	unsigned int count;
};

static void top_add(struct top *top, uint32_t pid, uint64_t ns)
{
	unsigned int i = 0;

	if (!ns)
		return;
	while (i < top->count && top->pid[i] != pid)
		i++;
	if (i == top->count) {
		top->pid[i] = pid;
		top->ns[i] = 0;
		top->count++;
	}
	top->ns[i] += ns;
}

static void top_take(struct top *top, struct index_node *node)
{
	for (unsigned int k = 0; k < INDEX_NODE_TASKS; k++) {
		unsigned int best = 0;

		for (unsigned int i = 1; i < top->count; i++)
			if (top->ns[i] > top->ns[best] ||
			    (top->ns[i] == top->ns[best] && top->pid[i] < top->pid[best]))
				best = i;
		node->pid[k] = 0;
		node->pid_ns[k] = 0;
		if (best >= top->count)
			continue;
		node->pid[k] = top->pid[best];
		node->pid_ns[k] = top->ns[best];
		top->pid[best] = top->pid[--top->count];
		top->ns[best] = top->ns[top->count];
	}
}

static void node_of_leaves(struct index_lane_builder *lane, unsigned int number,
			   struct index_node *node)
{
	unsigned int first = number * INDEX_FANOUT, end = first + INDEX_FANOUT;
	struct top top = { .count = 0 };

	if (end > lane->leaf_count)
		end = lane->leaf_count;
	memset(node, 0, sizeof(*node));
	for (unsigned int i = first; i < end; i++) {
		const struct index_leaf *leaf = &lane->leaves[i];
		uint64_t begin_ns = i ? leaf[-1].end_ns : lane->chunk_begin_ns;
		unsigned int alike = leaf->kinds >> INDEX_ALIKE_SHIFT;

		if (alike && alike - 1 != INDEX_IDLE)
			node->ns[alike - 2] += leaf->end_ns - begin_ns;
		else if (!alike)
			for (int k = 0; k < INDEX_STATES - 1; k++)
				node->ns[k] += leaf->ns[k];
		if (alike == 1 + INDEX_TASK)
			top_add(&top, leaf->pid[0], leaf->end_ns - begin_ns);
		else
			for (int k = 0; k < INDEX_LEAF_TASKS; k++)
				top_add(&top, leaf->pid[k], leaf->pid_ns[k]);
		node->events += leaf->events;
		node->kinds |= leaf->kinds & INDEX_KINDS_MASK;
		if (leaf->longest_ns > node->longest_ns)
			node->longest_ns = leaf->longest_ns;
		node->end_ns = leaf->end_ns;
	}
	top_take(&top, node);
}

static void node_of_nodes(const struct index_node *nodes, unsigned int count,
			  struct index_node *node)
{
	struct top top = { .count = 0 };

	memset(node, 0, sizeof(*node));
	for (unsigned int i = 0; i < count; i++) {
		for (int k = 0; k < INDEX_STATES - 1; k++)
			node->ns[k] += nodes[i].ns[k];
		for (int k = 0; k < INDEX_NODE_TASKS; k++)
			top_add(&top, nodes[i].pid[k], nodes[i].pid_ns[k]);
		node->events += nodes[i].events;
		node->kinds |= nodes[i].kinds;
		if (nodes[i].longest_ns > node->longest_ns)
			node->longest_ns = nodes[i].longest_ns;
		node->end_ns = nodes[i].end_ns;
	}
	top_take(&top, node);
}

static void make_nodes(struct index_lane_builder *lane)
{
	for (unsigned int level = 1; level <= INDEX_LEVELS; level++) {
		unsigned int below = index_nodes(lane->leaf_count, level - 1);

		for (unsigned int i = 0; i < index_nodes(lane->leaf_count, level); i++) {
			unsigned int count = below - i * INDEX_FANOUT;

			if (level == 1)
				node_of_leaves(lane, i, &lane->nodes[0][i]);
			else
				node_of_nodes(&lane->nodes[level - 2][i * INDEX_FANOUT],
					      count < INDEX_FANOUT ? count : INDEX_FANOUT,
					      &lane->nodes[level - 1][i]);
		}
	}
}

size_t index_chunk_bytes(unsigned int leaves)
{
	size_t bytes = leaves * sizeof(struct index_leaf) +
		       index_groups(leaves) * sizeof(struct index_roster);

	for (unsigned int level = 1; level <= INDEX_LEVELS; level++)
		bytes += index_nodes(leaves, level) * sizeof(struct index_node);
	return bytes;
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return to + bytes;
}

static int end_chunk(struct index_lane_builder *lane)
{
	size_t padded = (lane->roster_used + 7) & ~(size_t)7;
	size_t length = index_chunk_bytes(lane->leaf_count) + padded;
	struct index_chunk chunk = {
		.begin_ns = lane->chunk_begin_ns,
		.leaves = lane->leaf_count,
		.roster_bytes = lane->roster_used,
	};
	uint8_t *bytes, *to;
	int error;

	if (!lane->leaf_count)
		return 0;
	bytes = calloc(1, length);
	if (!bytes)
		return -ENOMEM;
	make_nodes(lane);
	chunk.node = lane->nodes[INDEX_LEVELS - 1][0];
	to = bytes;
	for (unsigned int level = INDEX_LEVELS; level; level--)
		to = put(to, lane->nodes[level - 1],
			 index_nodes(lane->leaf_count, level) * sizeof(struct index_node));
	to = put(to, lane->leaves, lane->leaf_count * sizeof(struct index_leaf));
	to = put(to, lane->rosters,
		 index_groups(lane->leaf_count) * sizeof(struct index_roster));
	if (lane->roster_used)
		put(to, lane->roster_bytes, lane->roster_used);
	chunk.crc32 = crc32(0, bytes, length);
	error = lane->sink(lane->sink_arg, &chunk, bytes, length);
	free(bytes);
	lane->leaf_count = 0;
	lane->roster_used = 0;
	return error;
}

/* ---- Rosters ---- */

static uint8_t *put_number(uint8_t *to, uint64_t number)
{
	while (number >= 0x80) {
		*to++ = number | 0x80;
		number >>= 7;
	}
	*to++ = number;
	return to;
}

static int end_group(struct index_lane_builder *lane)
{
	struct index_pids *pids = &lane->group_pids;
	struct index_roster *roster = &lane->rosters[(lane->leaf_count - 1) >>
						     INDEX_GROUP_SHIFT];
	size_t room = lane->roster_used + pids->count * (size_t)ROSTER_ENTRY_MAX;
	uint32_t last = 0;
	uint8_t *to;

	if (room > lane->roster_room) {
		uint8_t *grown = realloc(lane->roster_bytes, 2 * room);

		if (!grown)
			return -ENOMEM;
		lane->roster_bytes = grown;
		lane->roster_room = 2 * room;
	}
	if (index_pids_merge(&lane->totals, pids))
		return -ENOMEM;
	*roster = (struct index_roster) {
		.offset = lane->roster_used,
		.count = pids->count,
	};
	to = lane->roster_bytes + lane->roster_used;
	index_pids_sort(pids);
	for (uint32_t i = 0; i < pids->count; i++) {
		const struct index_pid *pid = &pids->at[i];

		roster->filter |= index_filter(pid->pid);
		to = put_number(to, pid->pid - last);
		to = put_number(to, pid->ns);
		to = put_number(to, (uint64_t)pid->switches << INDEX_ROSTER_SHIFT |
				    pid->kinds);
		last = pid->pid;
	}
	lane->roster_used = to - lane->roster_bytes;
	index_pids_clear(pids);
	return 0;
}

/* ---- Leaves ---- */

static uint32_t clamp32(uint64_t ns)
{
	return ns > UINT32_MAX ? UINT32_MAX : ns;
}

/* The state all of the leaf is in, or INDEX_STATES. */
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

/* The tail is of the leaf at work. */
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

/* The leaf ends at @now_ns; events at that time are of the next. */
static int end_leaf(struct index_lane_builder *lane)
{
	struct index_leaf *leaf = &lane->leaves[lane->leaf_count];
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
	lane->leaf_count++;
	if (!(lane->leaf_count % INDEX_GROUP_LEAVES))
		error = end_group(lane);
	if (!error && lane->leaf_count == INDEX_CHUNK_LEAVES) {
		error = end_chunk(lane);
		lane->chunk_begin_ns = lane->now_ns;
	}
	lane->begin_ns = lane->now_ns;
	memset(lane->ns, 0, sizeof(lane->ns));
	lane->longest_ns = 0;
	lane->events = 0;
	lane->kinds = 0;
	return error;
}

/* Up to @until_ns the CPU was in @state. */
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
	if (room_for_one(&lane->about, &lane->about_room, lane->about_count,
			 sizeof(*lane->about)))
		return -ENOMEM;
	lane->about[lane->about_count++] = (struct about) { pid, kind, switches };
	return 0;
}

static int take_record(struct index_lane_builder *lane, const struct evtlog_event *event)
{
	enum evtlog_kind kind = evtlog_kind_of(event->known);
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
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		error = about(lane, event->pid, INDEX_ROSTER_SWITCH, 0);
		return error ? error : about(lane, evtlog_record_pid(event->words),
					     INDEX_ROSTER_SWITCH, 1);
	case EVTLOG_SCHED_WAKING:
	case EVTLOG_SCHED_WAKEUP_NEW:
		return about(lane, evtlog_record_pid(event->words),
			     INDEX_ROSTER_WAKING, 0);
	case EVTLOG_SCHED_MIGRATE_TASK:
		return about(lane, evtlog_record_pid(event->words),
			     INDEX_ROSTER_MIGRATION, 0);
	default:
		return 0;
	}
}

static int account_until(struct index_lane_builder *lane,
			 const struct evtlog_event *event, uint64_t until_ns)
{
	enum index_state state = index_state(event);
	struct evtlog_index_cpu *cpu = lane->cpu;
	uint64_t ns = until_ns > lane->now_ns ? until_ns - lane->now_ns : 0;

	switch (state) {
	case INDEX_IDLE:
		cpu->idle_ns += ns;
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
		lane->chunk_begin_ns = event->time_ns;
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
	/* Events at the very end are nobody's time, but are events. */
	if (!error && lane->tail_events)
		error = end_leaf(lane);
	if (!error && lane->leaf_count % INDEX_GROUP_LEAVES)
		error = end_group(lane);
	return error ? error : end_chunk(lane);
}
