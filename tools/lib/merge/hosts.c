// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Merges the events of many hosts in the order of their common timeline.
 *
 * Stage: between the streams of all files, with the clock model, and programs that need one
 * stream.  Each CPU of a host is a lane.  With thousands of lanes, the next event is nearly always
 * from another lane.  So a tree of losers is used: each event needs only the path from its lane's
 * leaf to the root, which is compact in memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file/file.h"
#include "lib/stream/stream.h"

#define PIECE_MIN	4096u
#define PIECE_MAX	65536u
/* With more lanes, the processor's caches are too small, and the next lane is prefetched. */
#define LANES_MANY	64
/* The second best lost against the winner at depth n of the tree with a probability of 1/2^n. */
#define FETCH_DEPTH	6

/*
 * A turn: the ns from the epoch to a lane's next event, above the number of the lane.  Lanes are
 * numbered by host and CPU, so no two turns are equal.  An event that is later than a turn can
 * represent is late.  When only such events are left, the earliest of them begins a new epoch.
 */
#define TURN_NEVER	UINT64_MAX

/* Data of a lane that is prefetched before its turn; compact in memory. */
struct hint {
	const struct evtlog_stream *stream;
	const void *record;
};

/* @event: the next event; NULL at the end */
struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	struct evtlog_host_cursor cursor;
	size_t file;
};

/*
 * @epoch_ns:	no further event is earlier
 * @lane_bits:	of a turn
 * @losers:	[1 .. lanes): the loser at each node; a lane's leaf is at lanes + number
 * @winner:	the next turn
 * @given:	the event of @winner was returned
 */
struct evtlog_host_merge {
	const struct evtlog_clocksync *hosts;
	struct evtlog_file **files;
	size_t file_count;
	struct lane *lanes;
	struct hint *hints;
	uint32_t lane_count;
	unsigned int lane_bits;
	int64_t epoch_ns;
	uint64_t *losers;
	uint64_t winner;
	bool given;
	struct spill spill;
	struct evtlog_host_event event;
};

static uint32_t lane_number(const struct evtlog_host_merge *merge, uint64_t turn)
{
	return turn & ((UINT64_C(1) << merge->lane_bits) - 1);
}

/* Returns the ns of the turns of late events. */
static uint64_t late_ns(const struct evtlog_host_merge *merge)
{
	return UINT64_MAX >> merge->lane_bits;
}

/* Returns the time of the lane's next event on the timeline. */
static int64_t next_ns(struct lane *lane)
{
	return evtlog_host_cursor_time(&lane->cursor, lane->event->time_ns);
}

static uint64_t make_turn(struct evtlog_host_merge *merge, uint32_t number)
{
	struct lane *lane = &merge->lanes[number];
	uint64_t late = late_ns(merge), ns;

	if (!lane->event)
		return TURN_NEVER;
	ns = (uint64_t)next_ns(lane) - (uint64_t)merge->epoch_ns;
	return (ns < late ? ns : late) << merge->lane_bits | number;
}

/* Reads the lane's next event.  Returns 0 or -errno. */
static int advance(struct evtlog_host_merge *merge, uint32_t number)
{
	struct lane *lane = &merge->lanes[number];
	int result = evtlog_stream_next(lane->stream, &lane->event);

	merge->hints[number].record = stream_next_record(lane->stream);
	if (result <= 0)
		lane->event = NULL;
	return result < 0 ? result : 0;
}

/* Compares the lane's turn with the losers on its path to the root.  Returns the winner. */
static uint64_t replay(struct evtlog_host_merge *merge, uint32_t number)
{
	uint64_t turn = make_turn(merge, number);

	for (uint32_t at = (merge->lane_count + number) / 2; at; at /= 2) {
		uint64_t other = merge->losers[at];
		bool loses = other < turn;

		merge->losers[at] = loses ? turn : other;
		turn = loses ? other : turn;
	}
	return turn;
}

/*
 * Prefetches the lane that is most likely next: the best of those that lost against the winner
 * near the root.  This overlaps with the processing of the winner's event.
 */
static void fetch_next(const struct evtlog_host_merge *merge)
{
	uint32_t number = lane_number(merge, merge->winner);
	uint64_t best = TURN_NEVER;

	for (uint32_t at = (merge->lane_count + number) >> (merge->lane_bits - FETCH_DEPTH); at;
	     at /= 2)
		if (merge->losers[at] < best)
			best = merge->losers[at];
	if (best == TURN_NEVER)
		return;
	number = lane_number(merge, best);
	__builtin_prefetch(&merge->lanes[number], 1);
	__builtin_prefetch((const char *)&merge->lanes[number] + 64, 1);
	stream_prefetch(merge->hints[number].stream, merge->hints[number].record);
}

/*
 * Begins an epoch at the earliest event.  At first, a turn before all others is at each node: it
 * wins against the first lane that arrives, which then waits at the node for its opponent.
 */
static void begin_epoch(struct evtlog_host_merge *merge)
{
	merge->epoch_ns = INT64_MAX;
	for (uint32_t i = 0; i < merge->lane_count; i++) {
		struct lane *lane = &merge->lanes[i];

		if (lane->event && next_ns(lane) < merge->epoch_ns)
			merge->epoch_ns = next_ns(lane);
	}
	memset(merge->losers, 0, merge->lane_count * sizeof(*merge->losers));
	for (uint32_t i = 0; i < merge->lane_count; i++)
		merge->winner = replay(merge, i);
}

/* Reads the first event of each lane.  Returns 0 or -errno. */
static int begin(struct evtlog_host_merge *merge)
{
	while (merge->lane_count >> merge->lane_bits)
		merge->lane_bits++;
	merge->winner = TURN_NEVER;
	for (uint32_t i = 0; i < merge->lane_count; i++) {
		int error = advance(merge, i);

		if (error)
			return error;
	}
	begin_epoch(merge);
	return 0;
}

/* Returns the memory that a whole buffer for each lane would need. */
static uint64_t whole_bytes(const struct evtlog_file *file)
{
	uint64_t sum = 0;

	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		const struct block *block = file->blocks + file->parts[slot].first;
		uint32_t largest = 0;

		for (size_t i = 0; i < file->parts[slot].count; i++)
			if (block[i].raw_bytes > largest)
				largest = block[i].raw_bytes;
		sum += largest;
	}
	return sum;
}

static bool wants(const struct evtlog_host_merge_options *options, size_t file)
{
	return !options || !options->wanted || options->wanted[file];
}

static int add_lanes(struct evtlog_host_merge *merge, size_t number, bool pieces)
{
	struct evtlog_file *file = merge->files[number];
	int error = 0;

	file->scratch = &merge->spill.scratch;
	for (unsigned int slot = 0; !error && slot < file->part_count; slot++) {
		struct lane *lane = &merge->lanes[merge->lane_count];

		if (pieces)
			error = stream_new_pieces(file, slot, &merge->spill,
						  &lane->stream);
		else
			error = evtlog_stream_new(file, slot, &lane->stream);
		if (error)
			break;
		lane->file = number;
		merge->hints[merge->lane_count].stream = lane->stream;
		evtlog_host_cursor_start(&lane->cursor, merge->hosts, number);
		merge->lane_count++;
	}
	return error;
}

static int make_lanes(struct evtlog_host_merge *merge,
		      const struct evtlog_host_merge_options *options)
{
	size_t memory = options && options->memory_bytes ? options->memory_bytes :
			EVTLOG_MERGE_MEMORY_BYTES;
	size_t piece, lanes = 0;
	uint64_t whole = 0;
	int error = 0;

	for (size_t i = 0; i < merge->file_count; i++) {
		if (!wants(options, i))
			continue;
		lanes += merge->files[i]->part_count;
		whole += whole_bytes(merge->files[i]);
	}
	if (lanes >= UINT32_MAX / 2)
		return -EOVERFLOW;
	merge->lanes = calloc(lanes + 1, sizeof(*merge->lanes));
	merge->losers = calloc(lanes + 1, sizeof(*merge->losers));
	merge->hints = calloc(lanes + 1, sizeof(*merge->hints));
	if (!merge->lanes || !merge->losers || !merge->hints)
		return -ENOMEM;
	piece = lanes ? memory / lanes / PIECE_MIN * PIECE_MIN : PIECE_MIN;
	piece = piece < PIECE_MIN ? PIECE_MIN : piece > PIECE_MAX ? PIECE_MAX : piece;
	spill_init(&merge->spill, piece);
	for (size_t i = 0; !error && i < merge->file_count; i++) {
		size_t file = evtlog_clocksync_order(merge->hosts, i);

		if (wants(options, file))
			error = add_lanes(merge, file, whole > memory);
	}
	return error;
}

int evtlog_host_merge_new(const struct evtlog_clocksync *hosts,
			  struct evtlog_file *const *files, size_t count,
			  const struct evtlog_host_merge_options *options,
			  struct evtlog_host_merge **mergep)
{
	struct evtlog_host_merge *merge = calloc(1, sizeof(*merge));
	int error = -ENOMEM;

	*mergep = NULL;
	if (!merge)
		return -ENOMEM;
	spill_init(&merge->spill, 0);
	merge->hosts = hosts;
	merge->files = calloc(count + 1, sizeof(*merge->files));
	if (!merge->files)
		goto fail;
	memcpy(merge->files, files, count * sizeof(*files));
	merge->file_count = count;
	error = make_lanes(merge, options);
	if (!error)
		error = begin(merge);
	if (error)
		goto fail;
	*mergep = merge;
	return 0;
fail:
	evtlog_host_merge_free(merge);
	return error;
}

void evtlog_host_merge_free(struct evtlog_host_merge *merge)
{
	if (!merge)
		return;
	for (uint32_t i = 0; i < merge->lane_count; i++)
		evtlog_stream_free(merge->lanes[i].stream);
	for (size_t i = 0; i < merge->file_count; i++)
		merge->files[i]->scratch = &merge->files[i]->own_scratch;
	spill_free(&merge->spill);
	free(merge->lanes);
	free(merge->losers);
	free(merge->hints);
	free(merge->files);
	free(merge);
}

int evtlog_host_merge_next(struct evtlog_host_merge *merge,
			   const struct evtlog_host_event **eventp)
{
	struct evtlog_host_event *event = &merge->event;
	struct lane *lane;
	int error;

	if (merge->given) {
		uint32_t number = lane_number(merge, merge->winner);

		error = advance(merge, number);
		if (error)
			return error;
		merge->winner = replay(merge, number);
	}
	merge->given = merge->winner != TURN_NEVER;
	if (!merge->given)
		return 0;
	if (merge->winner >> merge->lane_bits == late_ns(merge))
		begin_epoch(merge);
	lane = &merge->lanes[lane_number(merge, merge->winner)];
	event->time_ns = merge->epoch_ns + (int64_t)(merge->winner >> merge->lane_bits);
	event->bound_ns = evtlog_host_cursor_bound(&lane->cursor, lane->event->time_ns);
	event->file = lane->file;
	event->event = lane->event;
	if (lane->event->kind == EVTLOG_EVENT_GAP)
		event->from_ns = evtlog_clocksync_time(merge->hosts, lane->file,
						       lane->event->from_ns);
	if (merge->lane_count > LANES_MANY)
		fetch_next(merge);
	*eventp = event;
	return 1;
}

uint64_t evtlog_host_merge_position(const struct evtlog_host_merge *merge)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < merge->lane_count; i++)
		bytes += evtlog_stream_position(merge->lanes[i].stream);
	return bytes;
}
