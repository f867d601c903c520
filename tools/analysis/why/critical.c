// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows the critical path of a task backwards.
 *
 * A task that was blocked depends on what woke it: a task, or an interrupt, and this on a packet and
 * its sender.  The path leaves the blocked task there, and comes back to it when it reaches the time
 * at which the task was blocked: what happened before did not delay it.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "critical.h"
#include "input/open-log.h"
#include "lib/base/array.h"

#define STUCK_MAX	1000

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

/*
 * A task that is blocked since @since, and that waits for what is followed.  The first one is the
 * begin of the path, without a task.
 */
struct blocked {
	size_t log;
	int64_t utid;
	int64_t since;
};

enum actor { ACTOR_TASK, ACTOR_IRQ, ACTOR_UNKNOWN, ACTOR_END };

/*
 * @actor:	what is followed: the task @utid, or what runs on @cpu in an interrupt
 * @at:		up to this time, by the clock of @log
 * @time:	end of the next piece, by the clock of @clock.  It is less than @at if a packet
 *		arrived before it was sent, as far as the clocks show
 * @stuck:	steps in which @time did not change
 * @strictly:	the slice of the task ends at @at
 * @link:	how the next piece leads to the last one
 * @waits:	task that was blocked last
 * @blocked:	tasks to come back to, each blocked later than those before it
 */
struct walk {
	struct critical *critical;
	struct part *parts;
	struct critical_packets packets;
	enum actor actor;
	size_t log;
	int64_t utid;
	int64_t cpu;
	int64_t at;
	int64_t time;
	size_t clock;
	unsigned int stuck;
	bool strictly;
	enum piece_link link;
	struct blocked waits;
	struct blocked *blocked;
	size_t blocked_count;
	size_t blocked_capacity;
};

/* ---- Pieces ---- */

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

/*
 * Adds a piece that begins at @begin, by the clock of its begin, and moves the path there.  Returns
 * 1 if the path came back to a blocked task; 0; -ENOMEM.
 */
static int put(struct walk *walk, struct piece *piece, int64_t begin)
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

/* ---- Steps ---- */

static struct piece piece_of(const struct walk *walk, enum piece_kind kind)
{
	return (struct piece) {
		.kind = kind, .cpu = walk->cpu, .utid = walk->utid, .name = TEXT_UNKNOWN,
		.ran = { .number = -1, .name = TEXT_UNKNOWN },
	};
}

/* What the path depends on is not known before: goes on with the task that was blocked. */
static int step_unknown(struct walk *walk)
{
	struct piece piece = piece_of(walk, PIECE_UNKNOWN);
	int result = put(walk, &piece, walk->blocked[walk->blocked_count - 1].since);

	return result < 0 ? result : 0;
}

/* The path leaves a task that is blocked since @since, to come back then. */
static int leave(struct walk *walk, int64_t since)
{
	walk->waits = (struct blocked) { walk->log, walk->utid, since };
	if (since <= walk->blocked[walk->blocked_count - 1].since)
		return 0;
	if (array_reserve(&walk->blocked, &walk->blocked_capacity, walk->blocked_count,
			  sizeof(*walk->blocked)))
		return -ENOMEM;
	walk->blocked[walk->blocked_count++] = walk->waits;
	return 0;
}

static void go_to_task(struct walk *walk, int64_t utid, enum piece_link link)
{
	walk->actor = utid > UTID_IDLE ? ACTOR_TASK : ACTOR_UNKNOWN;
	walk->utid = utid;
	walk->strictly = false;
	walk->link = link;
}

/* How the wait of a task ended: goes on with what woke it, or with the same task. */
static int leave_wait(struct walk *walk, const struct why_wait *wait)
{
	bool was_blocked = wait->state != TEXT_UNKNOWN;
	int error = 0;

	if (!was_blocked && !wait->woken) {
		walk->strictly = true;
		return 0;
	}
	if (was_blocked)
		error = leave(walk, wait->since);
	if (!wait->woken) {
		walk->actor = ACTOR_UNKNOWN;
	} else if (!was_blocked) {
		go_to_task(walk, wait->waker, LINK_CREATES);
	} else if (wait->in_irq && wait->waker_cpu != CPU_UNKNOWN) {
		walk->actor = ACTOR_IRQ;
		walk->utid = wait->waker;
		walk->cpu = wait->waker_cpu;
		walk->link = LINK_WAKES;
	} else {
		go_to_task(walk, wait->in_irq ? UTID_UNKNOWN : wait->waker, LINK_WAKES);
	}
	return error;
}

static int step_task(struct walk *walk)
{
	const struct part_slice *slice = part_slice(&walk->parts[walk->log], walk->utid, walk->at,
						    walk->strictly);
	struct piece piece;
	int result;

	if (!slice) {
		walk->actor = ACTOR_UNKNOWN;
		return 0;
	}
	walk->cpu = slice->wait.cpu;
	piece = piece_of(walk, PIECE_RUN);
	result = put(walk, &piece, slice->begin);
	if (result)
		return result < 0 ? result : 0;
	if (!slice->has_wait) {
		walk->actor = ACTOR_UNKNOWN;
		return 0;
	}
	piece = piece_of(walk, PIECE_READY);
	result = put(walk, &piece, why_wait_ready_at(&slice->wait));
	if (result)
		return result < 0 ? result : 0;
	return leave_wait(walk, &slice->wait);
}

/* Goes on with the sender of a packet: an interrupt that answered another one, or a task. */
static void go_to_sender(struct walk *walk, const struct path_visit *sent)
{
	const struct part *part = &walk->parts[walk->log];
	struct why_wake sending = { .time = walk->at, .cpu = sent->cpu, .in_irq = true };
	const struct part_slice *slice;

	walk->link = LINK_SENDS;
	walk->cpu = sent->cpu;
	if (part_context(part, &sending) && sending.level) {
		slice = part_runs(part, sent->pid, sent->cpu, walk->at);
		walk->actor = ACTOR_IRQ;
		walk->utid = !sent->pid ? UTID_IDLE : slice ? slice->wait.utid : UTID_UNKNOWN;
		return;
	}
	slice = part_runs(part, sent->pid, sent->cpu, walk->at);
	go_to_task(walk, slice ? slice->wait.utid : UTID_UNKNOWN, LINK_SENDS);
}

static int step_packet(struct walk *walk, const struct critical_packet *found)
{
	struct piece piece = piece_of(walk, PIECE_PACKET);
	int result;

	piece.sender = found->sent.host;
	piece.utid = UTID_UNKNOWN;
	piece.cpu = CPU_UNKNOWN;
	piece.key = found->packet->key;
	piece.ambiguous = found->packet->is_ambiguous;
	walk->link = LINK_ARRIVES;
	result = put(walk, &piece, found->sent.time_ns);
	if (result)
		return result < 0 ? result : 0;
	walk->log = found->sent.host;
	result = part_reach(&walk->parts[walk->log], walk->critical->logs, walk->log, walk->at);
	if (!result)
		go_to_sender(walk, &found->sent);
	return result;
}

static int step_irq(struct walk *walk)
{
	struct why_wake wake = { .time = walk->at, .cpu = walk->cpu, .in_irq = true };
	struct piece piece = piece_of(walk, PIECE_IRQ);
	struct critical_packet found;
	int result, has_packet;

	if (!part_context(&walk->parts[walk->log], &wake) || wake.doubtful) {
		walk->actor = ACTOR_UNKNOWN;
		return 0;
	}
	piece.ran = (struct ran) { wake.kind, walk->utid, wake.number, wake.name, 0 };
	has_packet = critical_packets_find(&walk->packets, walk->critical->logs, walk->log,
					   walk->cpu, wake.since, walk->at, &found);
	if (has_packet < 0)
		return has_packet;
	result = put(walk, &piece, has_packet ? found.received.time_ns : wake.since);
	if (result)
		return result < 0 ? result : 0;
	if (has_packet)
		return step_packet(walk, &found);
	/* The task waited for a device or a timer. */
	piece = piece_of(walk, PIECE_BLOCKED);
	piece.ran = (struct ran) { wake.kind, walk->utid, wake.number, wake.name, 0 };
	piece.utid = walk->waits.log == walk->log ? walk->waits.utid : UTID_UNKNOWN;
	piece.cpu = CPU_UNKNOWN;
	result = put(walk, &piece, walk->blocked[walk->blocked_count - 1].since);
	return result < 0 ? result : 0;
}

static int step(struct walk *walk)
{
	int error = part_reach(&walk->parts[walk->log], walk->critical->logs, walk->log, walk->at);

	if (error)
		return error;
	/* In a damaged log, tasks can wake each other at one time. */
	if (walk->stuck > STUCK_MAX)
		walk->actor = ACTOR_UNKNOWN;
	switch (walk->actor) {
	case ACTOR_TASK:
		return step_task(walk);
	case ACTOR_IRQ:
		return step_irq(walk);
	default:
		return step_unknown(walk);
	}
}

/* ---- What had the CPU while a task of the path was ready ---- */

static int compare_ready(const void *x, const void *y)
{
	const struct piece *a = *(const struct piece *const *)x, *b = *(const struct piece *const *)y;
	int64_t a_ns = a->end - a->begin, b_ns = b->end - b->begin;

	if (a_ns != b_ns)
		return a_ns < b_ns ? 1 : -1;
	return (a < b) - (a > b);
}

static int explain(struct critical *critical, struct piece *piece)
{
	const struct why_wait wait = {
		.log = piece->log, .utid = piece->utid, .since = piece->begin,
		.ready = piece->end - piece->begin, .state = TEXT_UNKNOWN,
		.ready_state = TEXT_UNKNOWN, .cpu = piece->cpu, .until = INT64_MAX,
		.waker = UTID_UNKNOWN, .waker_cpu = CPU_UNKNOWN, .runs = true,
	};
	int error = why_explain(&critical->explained[critical->explained_count], critical->logs,
				&wait);

	piece->why = ++critical->explained_count;
	return error;
}

static int explain_longest(struct critical *critical)
{
	struct piece **ready = calloc(critical->count + 1, sizeof(*ready));
	size_t count = 0;
	int error = 0;

	critical->explained = calloc(EXPLAINED_MAX, sizeof(*critical->explained));
	if (!ready || !critical->explained) {
		free(ready);
		return -ENOMEM;
	}
	/* A piece that is cut does not begin where the task became ready. */
	for (size_t i = 0; i < critical->count; i++)
		if (critical->pieces[i].kind == PIECE_READY)
			ready[count++] = &critical->pieces[i];
	qsort(ready, count, sizeof(*ready), compare_ready);
	for (size_t i = 0; i < count && i < EXPLAINED_MAX && !error; i++)
		error = explain(critical, ready[i]);
	free(ready);
	return error;
}

static int compare_sums(const void *x, const void *y)
{
	const struct piece_sum *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->piece.end < b->piece.end) - (a->piece.end > b->piece.end);
}

int critical_follow(struct critical *critical, struct query_logs *logs, const struct why_wait *wait,
		    int64_t begin, int64_t moment)
{
	struct walk walk = {
		.critical = critical, .actor = ACTOR_TASK, .log = wait->log, .utid = wait->utid,
		.cpu = CPU_UNKNOWN, .at = moment, .time = moment, .clock = wait->log,
	};
	int error;

	*critical = (struct critical) {
		.logs = logs, .wait = *wait, .end = moment,
		.begin = begin == INT64_MIN ? wait->since : begin,
	};
	walk.parts = calloc(logs->set.count, sizeof(*walk.parts));
	error = walk.parts ? critical_packets_init(&walk.packets, logs) : -ENOMEM;
	if (!error)
		error = array_reserve(&walk.blocked, &walk.blocked_capacity, 0,
				      sizeof(*walk.blocked));
	if (!error)
		walk.blocked[walk.blocked_count++] = (struct blocked) {
			wait->log, UTID_UNKNOWN, critical->begin
		};
	while (!error && walk.actor != ACTOR_END)
		error = step(&walk);
	if (!error)
		error = explain_longest(critical);
	if (critical->sum_count)
		qsort(critical->sums, critical->sum_count, sizeof(*critical->sums), compare_sums);
	for (size_t i = 0; walk.parts && i < logs->set.count; i++)
		part_free(&walk.parts[i]);
	critical_packets_free(&walk.packets);
	free(walk.parts);
	free(walk.blocked);
	return error;
}

bool critical_is_lossy(const struct critical *critical)
{
	for (size_t i = 0; i < critical->sum_count; i++) {
		const struct piece *piece = &critical->sums[i].piece;

		if (piece->kind == PIECE_UNKNOWN &&
		    log_lost(critical->logs->set.files[piece->log].file))
			return true;
	}
	return false;
}

void critical_free(struct critical *critical)
{
	for (size_t i = 0; i < critical->explained_count; i++)
		why_free(&critical->explained[i]);
	free(critical->explained);
	free(critical->pieces);
	free(critical->sums);
	key_table_free(&critical->by_who);
}
