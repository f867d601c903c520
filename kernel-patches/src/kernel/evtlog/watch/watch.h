/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watches: rules that are checked on the stream of records.
 *
 *	rings of runs, or of a named buffer		"A then B within 2ms, same pid do keep 100ms"
 *	  |  source.c: all CPUs to one instant		  |  parse.c, fields.c
 *	  |  cursor.c: each CPU's records, copied	  v
 *	  +-- merged by time ---------------------> rule.c: which A waits for a B
 *							  |  a match
 *	thread.c: wakes readers, starts or stops	  v
 *	a run, ends a flight recorder		<-- log.c: /proc/evtlog/matches
 *
 * The thread exists while there are rules.  In each round it reads the clock, then interrupts each
 * CPU to find how far its ring is written.  An interrupt finds no incomplete record, so all records
 * before that time are there.  Only these are checked, in time order.  The ring's reader is not
 * disturbed: nothing is taken from it.  Buffers that are overwritten before they are read are
 * counted, and records that wait for a B are then forgotten.
 *
 * Locks, in this order, while rings are read: the rules' lock (thread.c), CPU hotplug, the locks of
 * named buffers and of runs.  Only the rules' lock is held during the action for a match.
 */
#ifndef EVTLOG_WATCH_WATCH_H
#define EVTLOG_WATCH_WATCH_H

#include <linux/hashtable.h>

#include "event/table.h"
#include "ring.h"

#define WATCH_RULES_MAX		32
#define WATCH_FIELDS_MAX	48
#define WATCH_KEYS_MAX		4
#define WATCH_PENDING_MAX	1024	/* As of a rule that wait for a B */
#define WATCH_WORDS_MAX		16	/* of a record, that a match shows */
#define WATCH_TEXT_MAX		512	/* of a rule */
#define WATCH_LINE_MAX		1024	/* of a match */
#define WATCH_ERROR_LEN		200
#define WATCH_SPAN_NS_MAX	(60ULL * NSEC_PER_SEC)

struct evtlog_filter;
struct watch_source;

/*
 * struct watch_record - a record for rules
 * @words:	of a longer record, a copy may have only the first WATCH_WORDS_MAX
 * @nr_words:	number of words in @words
 * @ticks:	its time
 * @cpu:	on which it was written
 * @pid:	of the task that ran there; U32_MAX: unknown
 */
struct watch_record {
	const u64 *words;
	unsigned int nr_words;
	u64 ticks;
	u32 cpu;
	u32 pid;
};

/*
 * struct watch_field - position of a field; kinds as in abi.h, and WATCH_CPU and WATCH_PID
 * @at:		first bit, counted from the record's first word
 * @bits:	number of bits
 */
struct watch_field {
	char name[EVTLOG_EVENT_NAME_MAX + 1];
	char kind;
	u16 at;
	u16 bits;
};

#define WATCH_CPU	'C'
#define WATCH_PID	'P'

/*
 * struct watch_fields - the fields of an event
 * @type:	of its records
 * @id:		of an EVENT; 0: it is not registered now
 * @text:	of an EVENT: its format, by which it is recognized
 */
struct watch_fields {
	u8 type;
	unsigned int id;
	unsigned int nr;
	struct watch_field field[WATCH_FIELDS_MAX];
	char text[EVTLOG_EVENT_TEXT_MAX + 1];
};

/*
 * struct watch_side - A or B
 * @used:	a bit for each field that the filter uses
 * @key:	fields that must be equal on both sides
 */
struct watch_side {
	char name[EVTLOG_EVENT_NAME_MAX + 1];
	struct watch_fields fields;
	struct evtlog_filter *filter;
	u64 used;
	u8 key[WATCH_KEYS_MAX];
};

enum watch_join { WATCH_ALONE, WATCH_THEN, WATCH_WITHOUT };
enum watch_action { WATCH_WAKE, WATCH_START, WATCH_STOP, WATCH_KEEP };

/*
 * struct watch_match - a match, until its action is done
 * @buffer:	of the rule
 * @at:		ticks: of B, or when A's time was over
 */
struct watch_match {
	char rule[EVTLOG_RUN_NAME_LEN];
	char buffer[EVTLOG_RUN_NAME_LEN];
	enum watch_action action;
	u64 at;
	char text[WATCH_LINE_MAX];
};

/*
 * struct watch_rule - a rule
 * @buffer:	named buffer whose rings are read; empty: rings of runs
 * @needs_global: it needs fields that only a ring of all CPUs has
 * @min_ticks, @max_ticks: time from A to B
 * @keep_ns, @after_ns: of a flight recorder, times before and after a match
 * @since:	older records are ignored
 * @idle, @waiting: free entries, and As in time order
 * @keep_at:	time when the flight recorder ends; 0: not requested yet
 * @kept:	match for which it ends
 * @kept_serial: number of the flight recorder
 * @done:	the flight recorder has ended: no more matches
 * @untold:	matches that came too fast to be reported one by one
 * @forgotten:	number of As for which it is unknown whether a B came
 */
struct watch_rule {
	struct list_head list;
	char name[EVTLOG_RUN_NAME_LEN];
	char buffer[EVTLOG_RUN_NAME_LEN];
	char text[WATCH_TEXT_MAX];
	bool needs_global;
	struct watch_source *source;
	struct watch_side a, b;
	enum watch_join join;
	enum watch_action action;
	unsigned int nr_keys;
	u64 min_ns, max_ns, min_ticks, max_ticks;
	u64 keep_ns, after_ns;
	u64 since;
	u64 matches, untold, forgotten;
	u64 keep_at;
	struct watch_match kept;
	u64 kept_serial;
	bool done;
	struct watch_pending *pool;
	struct list_head idle, waiting;
	DECLARE_HASHTABLE(by_key, 8);
};

/* fields.c */
int watch_fields_find(struct watch_fields *fields, const char *name);
int watch_field_named(const struct watch_fields *fields, const char *name);
bool watch_field_value(const struct watch_field *field, const struct watch_record *rec,
		       u64 *value);
int watch_side_compile(struct watch_side *side, const char *condition, char *error, size_t size);
bool watch_side_takes(const struct watch_side *side, const struct watch_record *rec);
size_t watch_side_print(const struct watch_side *side, const struct watch_record *rec,
			char *at, size_t room);

/* parse.c */
int watch_rule_parse(struct watch_rule *rule, char *text, char *error, size_t size);

/* rule.c */
struct watch_rule *watch_rule_new(void);
void watch_rule_free(struct watch_rule *rule);
void watch_rule_take(struct watch_rule *rule, const struct watch_record *rec);
void watch_rule_pass(struct watch_rule *rule, u64 now);
void watch_rule_forget(struct watch_rule *rule);
void watch_rule_learn(struct watch_rule *rule, const struct watch_record *rec);

/* log.c */
int watch_log_init(void);
void watch_log_exit(void);
void watch_log_add(const struct watch_match *match, int result);
extern const struct proc_ops watch_log_ops;

/* thread.c */
extern struct list_head watch_rules;
extern struct mutex watch_lock;
void watch_match_add(struct watch_rule *rule, const struct watch_record *a,
		     const struct watch_record *b, u64 at);
int watch_thread_start(void);
void watch_thread_stop(void);
void watch_thread_exit(void);
extern unsigned int watch_period_ms;
extern u64 watch_rounds;

/* table.c */
void evtlog_watch_exit(void);

#endif /* EVTLOG_WATCH_WATCH_H */
