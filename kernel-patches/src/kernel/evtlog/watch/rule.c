// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches: finds the records that match a rule.
 *
 * Records come in time order, over all CPUs.  An A waits until a B with the same keys ends it, or
 * its time is over.  A B ends all As that wait for it.  "then" matches with the earliest A that is
 * old enough, so once for each B.  "without" matches with each A whose time is over.
 *
 * If there are too many As, the oldest are forgotten and counted.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "watch/watch.h"

/*
 * struct watch_pending - an A that waits
 * @words:	has an additional word, because fields are read eight bytes at a time
 */
struct watch_pending {
	struct list_head list;
	struct hlist_node hash;
	struct watch_record rec;
	u64 key[WATCH_KEYS_MAX];
	u64 words[WATCH_WORDS_MAX + 1];
};

/**
 * watch_rule_new() - allocate a rule
 *
 * Return: the rule, for watch_rule_free(); NULL: no memory.
 */
struct watch_rule *watch_rule_new(void)
{
	struct watch_rule *rule = kvzalloc(sizeof(*rule), GFP_KERNEL);
	unsigned int i;

	if (!rule)
		return NULL;
	rule->pool = kvcalloc(WATCH_PENDING_MAX, sizeof(*rule->pool), GFP_KERNEL);
	if (!rule->pool) {
		kvfree(rule);
		return NULL;
	}
	INIT_LIST_HEAD(&rule->idle);
	INIT_LIST_HEAD(&rule->waiting);
	hash_init(rule->by_key);
	for (i = 0; i < WATCH_PENDING_MAX; i++)
		list_add_tail(&rule->pool[i].list, &rule->idle);
	return rule;
}

/**
 * watch_rule_free() - free a rule
 * @rule:	not used any more
 */
void watch_rule_free(struct watch_rule *rule)
{
	evtlog_filter_free(rule->a.filter);
	evtlog_filter_free(rule->b.filter);
	kvfree(rule->pool);
	kvfree(rule);
}

static void put_back(struct watch_rule *rule, struct watch_pending *a)
{
	hash_del(&a->hash);
	list_move_tail(&a->list, &rule->idle);
}

static struct watch_pending *oldest(struct watch_rule *rule)
{
	return list_first_entry_or_null(&rule->waiting, struct watch_pending, list);
}

static u32 hash_of(const struct watch_rule *rule, const u64 *key)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < rule->nr_keys; i++)
		sum = sum * GOLDEN_RATIO_64 + key[i];
	return hash_64(sum, 32);
}

static bool find_key(const struct watch_rule *rule, const struct watch_side *side,
		     const struct watch_record *rec, u64 *key)
{
	unsigned int i;

	for (i = 0; i < rule->nr_keys; i++) {
		if (!watch_field_value(&side->fields.field[side->key[i]], rec, &key[i]))
			return false;
	}
	return true;
}

static bool has_key(const struct watch_rule *rule, const struct watch_pending *a, const u64 *key)
{
	return !memcmp(a->key, key, rule->nr_keys * sizeof(*key));
}

/* The record waits for a B. */
static void take_a(struct watch_rule *rule, const struct watch_record *rec)
{
	struct watch_pending *a;
	u64 key[WATCH_KEYS_MAX];

	if (!find_key(rule, &rule->a, rec, key))
		return;
	if (list_empty(&rule->idle)) {
		put_back(rule, oldest(rule));
		rule->forgotten++;
	}
	a = list_first_entry(&rule->idle, struct watch_pending, list);
	a->rec = *rec;
	a->rec.nr_words = min_t(unsigned int, rec->nr_words, WATCH_WORDS_MAX);
	a->rec.words = a->words;
	memcpy(a->words, rec->words, 8 * a->rec.nr_words);
	memcpy(a->key, key, sizeof(key));
	list_move_tail(&a->list, &rule->waiting);
	hash_add(rule->by_key, &a->hash, hash_of(rule, key));
}

static void found(struct watch_rule *rule, const struct watch_record *a,
		  const struct watch_record *b, u64 at)
{
	rule->matches++;
	watch_match_add(rule, a, b, at);
}

/* The record ends the As that wait for it.  A bucket has the latest A first. */
static void take_b(struct watch_rule *rule, const struct watch_record *rec)
{
	struct watch_pending *a, *earliest = NULL;
	struct hlist_node *next;
	u64 key[WATCH_KEYS_MAX];
	u32 hash;

	if (!find_key(rule, &rule->b, rec, key))
		return;
	hash = hash_of(rule, key);
	hash_for_each_possible(rule->by_key, a, hash, hash) {
		if (has_key(rule, a, key) && rec->ticks - a->rec.ticks >= rule->min_ticks)
			earliest = a;
	}
	if (earliest && rule->join == WATCH_THEN)
		found(rule, &earliest->rec, rec, rec->ticks);
	hash_for_each_possible_safe(rule->by_key, a, next, hash, hash) {
		if (has_key(rule, a, key))
			put_back(rule, a);
	}
}

/**
 * watch_rule_pass() - all records before a time are known
 * @now:	in ticks
 */
void watch_rule_pass(struct watch_rule *rule, u64 now)
{
	struct watch_pending *a;

	while (!rule->done && (a = oldest(rule)) && now > a->rec.ticks + rule->max_ticks) {
		if (rule->join == WATCH_WITHOUT)
			found(rule, &a->rec, NULL, a->rec.ticks + rule->max_ticks);
		put_back(rule, a);
	}
}

/**
 * watch_rule_take() - check a record
 * @rec:	not before the last one
 */
void watch_rule_take(struct watch_rule *rule, const struct watch_record *rec)
{
	if (rule->done || rec->ticks < rule->since)
		return;
	if (rule->join == WATCH_ALONE) {
		if (watch_side_takes(&rule->a, rec))
			found(rule, rec, NULL, rec->ticks);
		return;
	}
	watch_rule_pass(rule, rec->ticks);
	/* A record that is both B and A first ends waiting As, and then waits. */
	if (watch_side_takes(&rule->b, rec))
		take_b(rule, rec);
	if (watch_side_takes(&rule->a, rec))
		take_a(rule, rec);
}

/**
 * watch_rule_forget() - records are missing, so for each waiting A it is unknown whether a B came
 */
void watch_rule_forget(struct watch_rule *rule)
{
	struct watch_pending *a;

	while ((a = oldest(rule))) {
		put_back(rule, a);
		rule->forgotten++;
	}
}

static void learn(struct watch_fields *fields, const char *text, unsigned int bytes,
		  unsigned int id)
{
	if (fields->type == EVTLOG_EVENT && strlen(fields->text) == bytes &&
	    !memcmp(fields->text, text, bytes))
		fields->id = id;
}

/**
 * watch_rule_learn() - an event was registered, perhaps again
 * @rec:	an EVENT_FORMAT, complete
 *
 * An event with the same name but other fields is not the rule's event.
 */
void watch_rule_learn(struct watch_rule *rule, const struct watch_record *rec)
{
	unsigned int id = rec->words[0] >> EVTLOG_DATA_SHIFT & EVTLOG_EVENT_ID_MAX;
	unsigned int bytes = evtlog_event_bytes(rec->words[0]);

	learn(&rule->a.fields, (const char *)(rec->words + 1), bytes, id);
	learn(&rule->b.fields, (const char *)(rec->words + 1), bytes, id);
}
