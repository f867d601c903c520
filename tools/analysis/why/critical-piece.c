// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pieces of the critical path: their errors, their names and their sums.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "critical.h"
#include "lib/base/array.h"

const char *const piece_kind_names[] = {
	[PIECE_RUN] = "run",
	[PIECE_READY] = "ready",
	[PIECE_BLOCKED] = "blocked",
	[PIECE_IRQ] = "interrupt",
	[PIECE_PACKET] = "packet",
	[PIECE_UNKNOWN] = "unknown",
};

const char *const piece_link_names[] = {
	[LINK_MOMENT] = "moment",
	[LINK_GOES_ON] = "goes on",
	[LINK_BLOCKS] = "blocks",
	[LINK_WAKES] = "wakes",
	[LINK_CREATES] = "creates",
	[LINK_SENDS] = "sends",
	[LINK_ARRIVES] = "arrives",
};

static uint64_t error_at(const struct walk *walk, size_t log, int64_t time)
{
	const struct query_logs *logs = walk->critical->logs;

	return logs->set.count == 1 ? 0 :
	       evtlog_clocksync_bound(logs->set.hosts, log, why_raw_time(logs, log, time));
}

/*
 * The error of a length that one clock measures: the error of its rate, and the difference between
 * its mean rate and that of the timeline here.
 */
static uint64_t rate_error(const struct walk *walk, size_t log, int64_t begin, int64_t end)
{
	const struct query_logs *logs = walk->critical->logs;
	const struct evtlog_host_clock *clock;
	double ns, error;

	if (logs->set.count == 1)
		return 0;
	clock = evtlog_clocksync_clock(logs->set.hosts, log);
	if (clock->rate_error_ppb == UINT64_MAX)
		return UINT64_MAX;
	ns = why_raw_time(logs, log, end) - why_raw_time(logs, log, begin);
	error = fabs(end - begin - ns / (1 + clock->rate_ppb / 1e9)) +
		ns / 1e9 * clock->rate_error_ppb;
	return error < INT64_MAX ? ceil(error) : UINT64_MAX;
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

/*
 * The clocks of the logs @clock and @walk->clock measure the two ends of a piece.
 * @begin:	before it was cut, by the clock of @piece->sender.  If another clock shows when the
 *		task was blocked, about at this time, it is doubtful whether the piece is cut
 */
static void put_errors(const struct walk *walk, struct piece *piece, size_t clock, int64_t begin)
{
	const struct blocked *blocked = &walk->blocked[walk->blocked_count - 1];
	uint64_t at_begin = error_at(walk, clock, piece->begin);
	uint64_t at_end = error_at(walk, walk->clock, piece->end);
	uint64_t at_cut = add(error_at(walk, piece->sender, begin),
			      error_at(walk, blocked->log, blocked->since));
	uint64_t distance = begin > blocked->since ? begin - blocked->since :
						     blocked->since - begin;

	piece->error_ns = at_begin > at_end ? at_begin : at_end;
	piece->length_error_ns = add(at_begin, at_end);
	if (piece->sender != blocked->log && distance <= at_cut) {
		piece->error_ns = add(piece->error_ns, at_cut);
		piece->length_error_ns = add(piece->length_error_ns, at_cut);
	} else if (clock == walk->clock) {
		uint64_t rate = rate_error(walk, clock, piece->begin, piece->end);

		if (rate < piece->length_error_ns)
			piece->length_error_ns = rate;
	}
}

/* Sums of packets are by their direction, sums of interrupts by their number. */
static uint64_t who_of(const struct piece *piece)
{
	bool is_irq = piece->kind == PIECE_IRQ;
	const int64_t key[] = {
		piece->kind, piece->log, piece->sender, is_irq ? 0 : piece->utid,
		is_irq ? piece->ran.kind : 0, is_irq ? piece->ran.number : 0,
	};

	return key_table_hash(key, sizeof(key));
}

static int add_sum(struct critical *critical, const struct piece *piece)
{
	uint64_t who = who_of(piece);
	uint32_t number = key_table_find(&critical->by_who, who);

	if (number == KEY_NONE) {
		number = critical->sum_count;
		if (array_reserve(&critical->sums, &critical->sum_capacity, critical->sum_count,
				  sizeof(*critical->sums)) ||
		    key_table_add(&critical->by_who, who, number))
			return -ENOMEM;
		critical->sums[critical->sum_count++] = (struct piece_sum) { .piece = *piece };
	}
	critical->sums[number].ns += piece->end - piece->begin;
	critical->sums[number].count++;
	return 0;
}

static void name_task(const struct walk *walk, struct piece *piece)
{
	const struct threads *threads = &walk->parts[walk->log].threads;
	const struct thread *thread = piece->utid > UTID_IDLE ?
				      why_threads_find(threads, piece->utid) : NULL;

	piece->pid = piece->utid == UTID_IDLE ? 0 : thread ? (int64_t)thread->pid : -1;
	piece->name = thread ? why_threads_name_at(threads, thread, piece->end) : TEXT_UNKNOWN;
	if (thread && piece->name == TEXT_UNKNOWN)
		piece->name = thread->name;
}

/* The path has reached the time at which a task was blocked, or its own begin. */
static void come_back(struct walk *walk)
{
	const struct blocked *blocked = &walk->blocked[--walk->blocked_count];

	walk->actor = walk->blocked_count ? ACTOR_TASK : ACTOR_END;
	walk->log = blocked->log;
	walk->utid = blocked->utid;
	walk->at = walk->time = blocked->since;
	walk->clock = blocked->log;
	walk->strictly = true;
	walk->link = LINK_BLOCKS;
}

int piece_put(struct walk *walk, struct piece *piece, int64_t begin)
{
	const struct blocked *blocked = &walk->blocked[walk->blocked_count - 1];
	struct critical *critical = walk->critical;
	bool returns = begin <= blocked->since;
	size_t clock;
	int error = 0;

	piece->log = walk->log;
	if (piece->kind != PIECE_PACKET)
		piece->sender = walk->log;
	piece->link = walk->link;
	piece->end = walk->time;
	piece->begin = returns ? blocked->since : begin;
	clock = returns ? blocked->log : piece->sender;
	if (piece->begin > walk->time) {
		piece->begin = walk->time;
		clock = walk->clock;
	}
	piece->cut = returns && begin < blocked->since;
	put_errors(walk, piece, clock, begin);
	name_task(walk, piece);
	if (piece->end > piece->begin || piece->kind == PIECE_PACKET) {
		error = add_sum(critical, piece);
		if (!error && critical->count == PIECES_MAX)
			critical->more++;
		else if (!error)
			error = array_reserve(&critical->pieces, &critical->capacity,
					      critical->count, sizeof(*critical->pieces));
		if (!error && !critical->more)
			critical->pieces[critical->count++] = *piece;
		walk->link = LINK_GOES_ON;
	}
	walk->stuck = piece->begin < walk->time ? 0 : walk->stuck + 1;
	walk->time = piece->begin;
	walk->clock = clock;
	walk->at = begin;
	if (!error && returns)
		come_back(walk);
	return error ? error : returns;
}

static int compare_sums(const void *x, const void *y)
{
	const struct piece_sum *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->piece.end < b->piece.end) - (a->piece.end > b->piece.end);
}

void pieces_end(struct critical *critical)
{
	if (critical->sum_count)
		qsort(critical->sums, critical->sum_count, sizeof(*critical->sums), compare_sums);
}
