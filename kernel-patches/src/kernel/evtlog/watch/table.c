// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches: /proc/evtlog/watches, where rules are added and deleted.
 *
 * An order is "+NAME RULE", "-NAME", "-*", or "period MS".  parse.c has the grammar of a rule.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/cpu.h>
#include <linux/math64.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "clock.h"
#include "feature.h"
#include "named/named.h"
#include "proc.h"
#include "run.h"
#include "watch/source.h"
#include "watch/watch.h"

#define PERIOD_MS_MAX	1000

/* Held during each order; the rules' lock nests inside it. */
static DEFINE_MUTEX(order_lock);
static char last_error[WATCH_ERROR_LEN];

#define refuse(code, ...)	evtlog_refuse(last_error, sizeof(last_error), code, __VA_ARGS__)

static struct watch_rule *find(const char *name)
{
	struct watch_rule *rule;

	list_for_each_entry(rule, &watch_rules, list) {
		if (!strcmp(rule->name, name))
			return rule;
	}
	return NULL;
}

static unsigned int count_rules(void)
{
	struct watch_rule *rule;
	unsigned int count = 0;

	list_for_each_entry(rule, &watch_rules, list)
		count++;
	return count;
}

static int check_buffer(const struct watch_rule *rule)
{
	struct evtlog_named *n;
	int error = 0;

	if (!*rule->buffer)
		return 0;
	evtlog_named_lock();
	n = evtlog_named_find(rule->buffer);
	if (!n || n->has_ended)
		error = refuse(-ENOENT, "named buffer %s does not exist or has ended; add it first", rule->buffer);
	else if (rule->action == WATCH_KEEP && !n->overwrites)
		error = refuse(-EINVAL, "keep: buffer %s does not overwrite old records; add it with mode=overwrite",
			       rule->buffer);
	evtlog_named_unlock();
	return error;
}

static int check(const struct watch_rule *rule)
{
	if (!evtlog_run_name_is_valid(rule->name))
		return refuse(-EINVAL, "\"%.32s\" is not a valid watch name: use a letter, then letters, digits and ._-, at most 31 characters",
			      rule->name);
	if (find(rule->name))
		return refuse(-EEXIST, "watch %s exists already; delete it first, or choose another name", rule->name);
	if (count_rules() == WATCH_RULES_MAX)
		return refuse(-ENOSPC, "there are %d watches already, the maximum; delete one first", WATCH_RULES_MAX);
	if (!evtlog_ticks_hz())
		return refuse(-EOPNOTSUPP, "watches need the rate of the tick counter, which this kernel does not know");
	return 0;
}

static void want(struct watch_source *source, const struct watch_side *side)
{
	if (side->fields.type)
		source->wanted |= BIT_ULL(side->fields.type);
	if (side->fields.type == EVTLOG_EVENT)
		source->wanted |= BIT_ULL(EVTLOG_EVENT_FORMAT);
}

/* Recomputed, because the types of another rule may not be wanted any more. */
static void want_all(struct watch_source *source)
{
	struct watch_rule *rule;

	source->wanted = 0;
	list_for_each_entry(rule, &watch_rules, list) {
		if (rule->source != source)
			continue;
		want(source, &rule->a);
		want(source, &rule->b);
	}
}

static int enter(struct watch_rule *rule)
{
	rule->source = watch_source_get(rule->buffer, rule->needs_global);
	if (!rule->source)
		return refuse(-ENOMEM, "not enough memory");
	rule->since = evtlog_ticks64();
	rule->min_ticks = mul_u64_u64_div_u64(rule->min_ns, evtlog_ticks_hz(), NSEC_PER_SEC);
	rule->max_ticks = mul_u64_u64_div_u64(rule->max_ns, evtlog_ticks_hz(), NSEC_PER_SEC);
	list_add_tail(&rule->list, &watch_rules);
	want_all(rule->source);
	return 0;
}

static int add(char *text)
{
	struct watch_rule *rule;
	const char *name = strsep(&text, " ");
	int error = 0;

	rule = watch_rule_new();
	if (!rule)
		return refuse(-ENOMEM, "not enough memory");
	if (strscpy(rule->name, name, sizeof(rule->name)) < 0)
		error = refuse(-EINVAL, "watch name \"%.32s\" is longer than 31 characters", name);
	if (!error)
		error = check(rule);
	if (!error)
		error = watch_rule_parse(rule, skip_spaces(text ?: ""), last_error,
					 sizeof(last_error));
	if (!error)
		error = check_buffer(rule);
	if (!error && watch_thread_start())
		error = refuse(-ENOMEM, "not enough memory");
	if (!error) {
		mutex_lock(&watch_lock);
		error = enter(rule);
		mutex_unlock(&watch_lock);
	}
	if (error)
		watch_rule_free(rule);
	return error;
}

static void delete(struct watch_rule *rule)
{
	struct watch_source *source = rule->source;

	mutex_lock(&watch_lock);
	list_del(&rule->list);
	want_all(source);
	watch_source_put(source);
	mutex_unlock(&watch_lock);
	watch_rule_free(rule);
}

static int delete_named(const char *name)
{
	struct watch_rule *rule, *next;

	if (!strcmp(name, "*")) {
		list_for_each_entry_safe(rule, next, &watch_rules, list)
			delete(rule);
		return 0;
	}
	rule = find(name);
	if (!rule)
		return refuse(-ENOENT, "watch %.32s does not exist", name);
	delete(rule);
	return 0;
}

static int set_period(const char *text)
{
	unsigned int ms;

	if (kstrtouint(skip_spaces(text), 10, &ms) || !ms || ms > PERIOD_MS_MAX)
		return refuse(-EINVAL, "period \"%.32s\" is not a number of milliseconds from 1 to %d", text, PERIOD_MS_MAX);
	WRITE_ONCE(watch_period_ms, ms);
	return 0;
}

static int order(char *text)
{
	if (*text == '+')
		return add(text + 1);
	if (*text == '-')
		return delete_named(text + 1);
	if (!strncmp(text, "period ", 7))
		return set_period(text + 7);
	return refuse(-EINVAL, "\"%.32s\" is not an order; write +NAME RULE, -NAME or period MS", text);
}

static int watches_write(char *text)
{
	int error;

	mutex_lock(&order_lock);
	*last_error = '\0';
	error = order(text);
	if (list_empty(&watch_rules))
		watch_thread_stop();
	mutex_unlock(&order_lock);
	return error;
}

/* Idle: its named buffer has ended, or does not exist. */
static const char *state_of(const struct watch_rule *rule)
{
	if (rule->done && !rule->keep_at)
		return "done";
	return *rule->buffer && !rule->source->named ? "idle" : "active";
}

static void show(struct seq_file *m, const struct watch_rule *rule)
{
	u64 missed, lost;

	watch_source_sums(rule->source, &missed, &lost);
	seq_printf(m, "watch %s state %s matches %llu untold %llu forgotten %llu missed %llu lost %llu records %llu rule %s\n",
		   rule->name, state_of(rule), rule->matches, rule->untold,
		   rule->forgotten, missed, lost, rule->source->records, rule->text);
}

static int watches_show(struct seq_file *m, void *unused)
{
	struct watch_rule *rule;

	mutex_lock(&order_lock);
	mutex_lock(&watch_lock);
	if (*last_error)
		seq_printf(m, "error %s\n", last_error);
	if (!list_empty(&watch_rules))
		seq_printf(m, "period %u ms rounds %llu\n", watch_period_ms, watch_rounds);
	list_for_each_entry(rule, &watch_rules, list)
		show(m, rule);
	mutex_unlock(&watch_lock);
	mutex_unlock(&order_lock);
	return 0;
}

static const struct evtlog_proc_file files[] = {
	{ "watches", 0600, watches_show, watches_write },
	{ }
};

static int make_matches(struct proc_dir_entry *dir)
{
	return proc_create("matches", 0400, dir, &watch_log_ops) ? 0 : -ENOMEM;
}

static struct evtlog_feature watch __ro_after_init = {
	.name = "watch",
	.files = files,
	.make_folder = make_matches,
};
evtlog_feature(watch);

#ifdef MODULE
/* Deletes all rules; no file is open. */
void evtlog_watch_exit(void)
{
	char all[] = "-*";

	watches_write(all);
	watch_thread_exit();
}
#endif
