// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows the critical path of a task backwards.
 *
 * A task that was blocked depends on what woke it: a task, or an interrupt, and this on a packet
 * and its sender.  The path leaves the blocked task there, and comes back to it when it reaches the
 * time at which the task was blocked: what happened before did not delay it.
 */
#include <errno.h>
#include <stdlib.h>

#include "critical.h"
#include "input/open-log.h"
#include "lib/base/array.h"

/* Steps without time */
#define STUCK_MAX	1000

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
	int result = piece_put(walk, &piece, walk->blocked[walk->blocked_count - 1].since);

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
	result = piece_put(walk, &piece, slice->begin);
	if (result)
		return result < 0 ? result : 0;
	if (!slice->has_wait) {
		walk->actor = ACTOR_UNKNOWN;
		return 0;
	}
	piece = piece_of(walk, PIECE_READY);
	result = piece_put(walk, &piece, why_wait_ready_at(&slice->wait));
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
	result = piece_put(walk, &piece, found->sent.time_ns);
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
	result = piece_put(walk, &piece, has_packet ? found.received.time_ns : wake.since);
	if (result)
		return result < 0 ? result : 0;
	if (has_packet)
		return step_packet(walk, &found);
	/* The task waited for a device or a timer. */
	piece = piece_of(walk, PIECE_BLOCKED);
	piece.ran = (struct ran) { wake.kind, walk->utid, wake.number, wake.name, 0 };
	piece.utid = walk->waits.log == walk->log ? walk->waits.utid : UTID_UNKNOWN;
	piece.cpu = CPU_UNKNOWN;
	result = piece_put(walk, &piece, walk->blocked[walk->blocked_count - 1].since);
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
	const struct piece *a = *(const struct piece *const *)x;
	const struct piece *b = *(const struct piece *const *)y;
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
	pieces_end(critical);
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
