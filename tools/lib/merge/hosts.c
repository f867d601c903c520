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

/*
 * A turn: the time of a lane's next event, in a form that sorts as unsigned, above the number of
 * the lane.  Lanes are numbered by host and CPU, so no two turns are equal.
 */
typedef unsigned __int128 u128;

#define TURN_NEVER	(~(u128)0)

/* Data of a lane that is prefetched before its turn; compact in memory. */
struct hint {
	const struct evtlog_stream *stream;
	const void *record;
};

struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	struct evtlog_host_cursor cursor;
	size_t file;
};

/*
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
	u128 *losers;
	u128 winner;
	bool given;
	struct spill spill;
	struct evtlog_host_event event;
};

static u128 make_turn(int64_t time_ns, uint32_t lane)
{
	return (u128)((uint64_t)time_ns ^ (UINT64_C(1) << 63)) << 32 | lane;
}

static struct lane *lane_of(struct evtlog_host_merge *merge, u128 turn)
{
	return &merge->lanes[(uint32_t)turn];
}

/* Reads the lane's next event.  Returns 0 or -errno; *@next is TURN_NEVER at its end. */
static int advance(struct evtlog_host_merge *merge, uint32_t number, u128 *next)
{
	struct lane *lane = &merge->lanes[number];
	int result = evtlog_stream_next(lane->stream, &lane->event);

	*next = TURN_NEVER;
	if (result > 0) {
		*next = make_turn(evtlog_host_cursor_time(&lane->cursor,
							  lane->event->time_ns),
				  number);
		merge->hints[number].record = stream_next_record(lane->stream);
	}
	return result < 0 ? result : 0;
}

/* Compares the lane's new turn with the losers on its path to the root.  Returns the winner. */
static u128 replay(struct evtlog_host_merge *merge, uint32_t number, u128 turn)
{
	for (uint32_t at = (merge->lane_count + number) / 2; at; at /= 2) {
		u128 other = merge->losers[at];
		bool loses = other < turn;

		merge->losers[at] = loses ? turn : other;
		turn = loses ? other : turn;
	}
	return turn;
}

/*
 * Prefetches the lane that is most likely next: the best of those that lost against the winner.
 * This overlaps with the processing of the winner's event.
 */
static void fetch_next(const struct evtlog_host_merge *merge)
{
	uint32_t number = (uint32_t)merge->winner;
	u128 best = TURN_NEVER;

	for (uint32_t at = (merge->lane_count + number) / 2; at; at /= 2)
		if (merge->losers[at] < best)
			best = merge->losers[at];
	if (best == TURN_NEVER)
		return;
	number = (uint32_t)best;
	__builtin_prefetch(&merge->lanes[number], 1);
	__builtin_prefetch((const char *)&merge->lanes[number] + 64, 1);
	stream_prefetch(merge->hints[number].stream, merge->hints[number].record);
}

/* Compares all first turns: builds a whole tree, and keeps only the losers. */
static int build(struct evtlog_host_merge *merge)
{
	uint32_t lanes = merge->lane_count;
	u128 *winners = calloc(2 * (size_t)lanes + 1, sizeof(*winners));
	int error = 0;

	if (!winners)
		return -ENOMEM;
	for (uint32_t i = 0; !error && i < lanes; i++)
		error = advance(merge, i, &winners[lanes + i]);
	for (uint32_t at = lanes; !error && at-- > 1;) {
		u128 a = winners[2 * at], b = winners[2 * at + 1];

		winners[at] = a < b ? a : b;
		merge->losers[at] = a < b ? b : a;
	}
	merge->winner = lanes ? winners[1] : TURN_NEVER;
	free(winners);
	return error;
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
		error = build(merge);
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
	u128 next;
	int error;

	if (merge->given) {
		uint32_t number = (uint32_t)merge->winner;

		error = advance(merge, number, &next);
		if (error)
			return error;
		merge->winner = replay(merge, number, next);
	}
	merge->given = merge->winner != TURN_NEVER;
	if (!merge->given)
		return 0;
	lane = lane_of(merge, merge->winner);
	event->time_ns = (int64_t)((uint64_t)(merge->winner >> 32) ^ (UINT64_C(1) << 63));
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
