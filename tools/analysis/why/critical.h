/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The critical path of a task: what it waited for, piece by piece, over all hosts.
 *
 * It is followed backwards from a moment of a task.  Time in which a task was blocked is replaced
 * by what the task that woke it did in this time:
 *
 *	client  runs ──────┐                                              ┌── runs
 *	                   └ sends a packet              softirq, wakes it ┘
 *	server               └ softirq, wakes ── ready ── runs, sends ──┘
 *
 *	critical.c		follows the path
 *	critical-piece.c	adds its pieces
 *	critical-part.c		parts of logs in memory, the next one whenever the path leaves one
 *	critical-packets.c	the packet that an interrupt received, and its sender
 *	critical-print.c	output as text and JSON
 *
 * The pieces follow each other without gaps, so that their lengths add up to the time of the path.
 */
#ifndef EVTLOG_ANALYSIS_WHY_CRITICAL_H
#define EVTLOG_ANALYSIS_WHY_CRITICAL_H

#include "lib/base/key-table.h"
#include "path/packets.h"
#include "path/records.h"
#include "why.h"

/* ---- critical-part.c ---- */

/* @has_wait: @wait is known */
struct part_slice {
	int64_t begin;
	int64_t end;
	bool has_wait;
	struct why_wait wait;
};

/*
 * The rows of a log that end from @from to @to, sorted; limited in number.
 * @slices:	by thread and begin
 * @nested:	by CPU and begin
 */
struct part {
	bool loaded;
	int64_t from;
	int64_t to;
	struct part_slice *slices;
	size_t slice_count;
	size_t slice_capacity;
	struct why_nested *nested;
	size_t nested_count;
	size_t nested_capacity;
	struct threads threads;
};

/* Makes @part contain the time @at of a log.  Returns 0 or -errno. */
int part_reach(struct part *part, struct query_logs *logs, size_t log, int64_t at);
void part_free(struct part *part);

/*
 * The slice in which a thread runs at @at: it begins at @at or before, or only before, if
 * @strictly.  NULL: not known.
 */
const struct part_slice *part_slice(const struct part *part, int64_t utid, int64_t at,
				    bool strictly);

/* The thread with a pid that runs on a CPU at @at; NULL: not known */
const struct part_slice *part_runs(const struct part *part, uint32_t pid, int64_t cpu, int64_t at);

/* Finds the interrupt that contains @wake->time on @wake->cpu.  Returns false if there is none. */
bool part_context(const struct part *part, struct why_wake *wake);

/* ---- critical-packets.c ---- */

/*
 * Packets from @from to @to, by the clocks of all logs.
 * @error_ns:	of each log's times
 * @recorded:	by log: it has records of packets
 */
struct critical_packets {
	struct packets packets;
	uint64_t *error_ns;
	bool *recorded;
	bool loaded;
	int64_t from;
	int64_t to;
};

/* @sent, @received: its first visits at the sender's and at the receiver's host */
struct critical_packet {
	const struct path_packet *packet;
	struct path_visit sent;
	struct path_visit received;
};

int critical_packets_init(struct critical_packets *packets, const struct query_logs *logs);
void critical_packets_free(struct critical_packets *packets);

/*
 * Finds the last packet that a CPU received from @from to @to, if its sender is known.  Returns 1;
 * 0: none; -errno.
 */
int critical_packets_find(struct critical_packets *packets, const struct query_logs *logs,
			  size_t log, int64_t cpu, int64_t from, int64_t to,
			  struct critical_packet *found);

/* ---- critical.c ---- */

enum piece_kind {
	PIECE_RUN,	/* the task runs */
	PIECE_READY,	/* it is ready, and waits for a CPU */
	PIECE_BLOCKED,	/* it is blocked until an interrupt that no packet explains */
	PIECE_IRQ,	/* an interrupt or softirq, until it wakes a task or sends a packet */
	PIECE_PACKET,	/* a packet is under way */
	PIECE_UNKNOWN,	/* the log does not show what the path depends on */
	PIECE_KINDS
};

extern const char *const piece_kind_names[];

/* How a piece leads to the next, later one */
enum piece_link {
	LINK_MOMENT,	/* it is the last one */
	LINK_GOES_ON,	/* the task, or the interrupt, goes on */
	LINK_BLOCKS,	/* the task is blocked then */
	LINK_WAKES,
	LINK_CREATES,
	LINK_SENDS,
	LINK_ARRIVES
};

extern const char *const piece_link_names[];

/*
 * @log:	of its host; of a packet that of the receiver, and @sender that of the sender
 * @error_ns:	error of @begin and @end on the timeline, plus or minus; UINT64_MAX: unknown
 * @length_error_ns: the same of its length: 0 if one clock measures both ends
 * @cut:	it began before the task was blocked that waits for it, or before the path
 * @utid, @pid, @name: the task, UTID_UNKNOWN if unknown; of an interrupt the one it interrupts
 * @ran:	the interrupt, of PIECE_IRQ, and of PIECE_BLOCKED that ends with it
 * @key, @ambiguous: of a packet
 * @why:	of PIECE_READY: number of its explanation in @explained, plus 1
 */
struct piece {
	enum piece_kind kind;
	enum piece_link link;
	size_t log;
	size_t sender;
	int64_t begin;
	int64_t end;
	uint64_t error_ns;
	uint64_t length_error_ns;
	bool cut;
	bool ambiguous;
	int64_t cpu;
	int64_t utid;
	int64_t pid;
	int64_t name;
	struct ran ran;
	struct path_key key;
	size_t why;
};

/* The sum of pieces of one kind, of one task or interrupt; @piece has only what they share */
struct piece_sum {
	struct piece piece;
	int64_t ns;
	uint64_t count;
};

/* Limits of the pieces that are kept, and of those that are explained */
#define PIECES_MAX	20000
#define EXPLAINED_MAX	5

/*
 * The path from @begin to @end.
 * @pieces:	the latest first; @more: earlier ones that are only in @sums
 * @sums:	the longest first; @by_who finds them
 * @explained:	of the longest times ready: what had the CPU
 */
struct critical {
	struct query_logs *logs;
	struct why_wait wait;
	int64_t begin;
	int64_t end;
	struct piece *pieces;
	size_t count;
	size_t capacity;
	uint64_t more;
	struct piece_sum *sums;
	size_t sum_count;
	size_t sum_capacity;
	struct key_table by_who;
	struct why *explained;
	size_t explained_count;
};

/*
 * critical_follow() - follow the path that ends at @moment
 * @wait:	of the task; it runs at @moment, at the end of this wait or later
 * @begin:	begin of the path; INT64_MIN: begin of the wait
 *
 * Return: 0 or -errno.  Call critical_free() in both cases.
 */
int critical_follow(struct critical *critical, struct query_logs *logs, const struct why_wait *wait,
		    int64_t begin, int64_t moment);
void critical_free(struct critical *critical);

/* True if events were lost on the hosts on which the path is unknown */
bool critical_is_lossy(const struct critical *critical);

/* ---- critical-piece.c, for critical.c ---- */

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

/*
 * Adds a piece that begins at @begin, by the clock of its begin, and moves the path there.  Returns
 * 1 if the path came back to a blocked task; 0; -ENOMEM.
 */
int piece_put(struct walk *walk, struct piece *piece, int64_t begin);

/* Sorts the sums, after all pieces. */
void pieces_end(struct critical *critical);

/* ---- critical-print.c ---- */

void critical_print(const struct critical *critical);
void critical_json(const struct critical *critical);

#endif /* EVTLOG_ANALYSIS_WHY_CRITICAL_H */
