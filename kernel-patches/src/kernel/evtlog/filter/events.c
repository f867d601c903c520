// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of static events: /proc/evtlog/filters.
 *
 * "TYPE TEXT" or "TYPE if TEXT" sets a filter, "TYPE" alone removes it.  A type may be a group,
 * such as "softirq" in the file events, or an event of a module (registered.c).  The sites of the
 * event's hook then call a stub (stub.c).  Sites of other events do not change: they cost nothing
 * more.  Filters are changed only between runs.  filters_error contains the reason why a text was
 * refused.  Rejected records are counted per CPU, and the count is in the log (counters.c).
 *
 * A run of one tree (run_tree.c) has the filters of run_tree.c, and no others.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "code/text.h"
#include "counters.h"
#include "events.h"
#include "feature.h"
#include "filter/hook.h"
#include "lineage/lineage.h"
#include "proc.h"
#include "publish.h"
#include "run.h"

/* More than there are hooks */
#define HOOKS_MAX	40

/* Guards all variables below, and the hooks' static calls. */
static DEFINE_MUTEX(filters_lock);

/* For each hook; all hooks of a type have the same text; NULL: no filter. */
static char *texts[HOOKS_MAX];
static void *stubs[HOOKS_MAX];
/* For each type: number of rejected records before its filter was set. */
static u64 rejected_before[EVTLOG_TYPE_MAX + 1];
static char last_error[EVTLOG_FILTER_ERROR_MAX];
/* True: the filters are those for runs of one tree. */
static bool are_of_tree;

#define refuse(code, ...)	evtlog_refuse(last_error, sizeof(last_error), code, __VA_ARGS__)

static u64 count_rejected(unsigned int type)
{
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += data_race(per_cpu(evtlog_rejected, cpu).records[type]);
	return sum;
}

/* Returns the hooks of a type, or of a group of types. */
static u64 hooks_named(const char *name)
{
	u64 hooks = 0, types = evtlog_types_named(name, strlen(name)) & evtlog_events_possible();
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		if (types >> filter_hooks[i].type & 1)
			hooks |= BIT_ULL(i);
	}
	return hooks;
}

static void *compile(const struct filter_hook *hook, void *function, const char *text)
{
	struct evtlog_filter *filter = evtlog_filter_compile(text, hook->fields, hook->nr_fields,
							     last_error, sizeof(last_error));
	void *stub;

	if (!filter)
		return ERR_PTR(-EINVAL);
	stub = filter_stub_new(hook, function, filter, NULL);
	evtlog_filter_free(filter);
	return stub;
}

static void free_made(void **made, char **copies)
{
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		evtlog_text_free(made[i]);
		kfree(copies[i]);
	}
}

static int make_stubs(u64 hooks, const char *text, void **made, char **copies)
{
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		void *stub;

		if (!(hooks >> i & 1))
			continue;
		stub = compile(&filter_hooks[i], filter_hooks[i].function, text);
		if (IS_ERR(stub))
			return PTR_ERR(stub);
		made[i] = stub;
		copies[i] = kstrdup(text, GFP_KERNEL);
		if (!copies[i])
			return -ENOMEM;
	}
	return 0;
}

/* Exchanges the new stubs and texts for the old ones, which the caller then frees. */
static void exchange(u64 hooks, void **made, char **copies)
{
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		const struct filter_hook *hook = &filter_hooks[i];
		u64 type = BIT_ULL(hook->type);

		if (!(hooks >> i & 1) || (!made[i] && !stubs[i]))
			continue;
		swap(stubs[i], made[i]);
		swap(texts[i], copies[i]);
		rejected_before[hook->type] = count_rejected(hook->type);
		WRITE_ONCE(evtlog_rejecting, texts[i] ? evtlog_rejecting | type :
							evtlog_rejecting & ~type);
		evtlog_text_set_site(hook->key, hook->trampoline, hook->function, stubs[i]);
	}
	evtlog_text_wait();
}

/* Events for a named buffer have the buffer's filter, and their sites call another function. */
static int refuse_routed(u64 hooks)
{
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		if (!(hooks >> i & 1) || !(evtlog_events_routed() >> filter_hooks[i].type & 1))
			continue;
		return refuse(-EBUSY, "%s goes to a named buffer; give the buffer the filter instead",
			      evtlog_type_name(filter_hooks[i].type));
	}
	return 0;
}

/* An empty @text removes filters. */
static int change(u64 hooks, const char *text)
{
	void *made[HOOKS_MAX] = { };
	char *copies[HOOKS_MAX] = { };
	int error = 0;

	if (*text)
		error = make_stubs(hooks, text, made, copies);
	if (!error)
		error = evtlog_run_change_begin();
	if (!error) {
		if (*text)
			error = refuse_routed(hooks);
		if (!error)
			exchange(hooks, made, copies);
		evtlog_run_change_end();
	}
	free_made(made, copies);
	return error;
}

#if defined(CONFIG_EVTLOG_SAMPLER) || defined(MODULE)
static int make_tree_stubs(u32 bit, void **made, char **copies)
{
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		const struct filter_hook *hook = &filter_hooks[i];
		void *stub;

		if (!hook->tree_text)
			continue;
		copies[i] = kasprintf(GFP_KERNEL, hook->tree_text, bit, bit);
		if (!copies[i])
			return -ENOMEM;
		stub = compile(hook, hook->in_tree ? hook->in_tree : hook->function, copies[i]);
		if (IS_ERR(stub))
			return PTR_ERR(stub);
		made[i] = stub;
	}
	return 0;
}

static u64 hooks_in_tree(void)
{
	u64 hooks = 0;
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++)
		hooks |= filter_hooks[i].tree_text ? BIT_ULL(i) : 0;
	return hooks;
}

static bool have_filter(u64 hooks)
{
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		if (hooks >> i & 1 && texts[i])
			return true;
	}
	return false;
}

/* Between runs.  No hook's function runs while the tree changes: all keys are off or idle. */
static int exchange_tree(u32 bit, pid_t pid, void **made, char **copies)
{
	u64 hooks = hooks_in_tree();
	int error = evtlog_run_change_begin();

	if (error)
		return error;
	if (bit)
		error = refuse_routed(hooks);
	if (!error) {
		evtlog_lineage_set_of_runs(bit);
		WRITE_ONCE(evtlog_run_tree_pid, bit ? pid : 0);
		exchange(hooks, made, copies);
		are_of_tree = bit;
	}
	evtlog_run_change_end();
	return error;
}

/**
 * filter_events_set_tree() - restrict runs to one tree, or end the restriction
 * @bit:	bit of the tree, which the caller holds until it sets another tree; 0: all tasks
 * @pid:	pid of the tree's first root
 *
 * Context: task context, may sleep.
 * Return: 0; -EBUSY: a run is recorded, or a type goes to a named buffer; -EEXIST: a type has a
 * filter; -ENOMEM.
 */
int filter_events_set_tree(u32 bit, pid_t pid)
{
	void *made[HOOKS_MAX] = { };
	char *copies[HOOKS_MAX] = { };
	int error = 0;

	mutex_lock(&filters_lock);
	last_error[0] = '\0';
	if (bit && !are_of_tree && have_filter(hooks_in_tree()))
		error = -EEXIST;
	if (!error && bit)
		error = make_tree_stubs(bit, made, copies);
	if (!error && (bit || are_of_tree))
		error = exchange_tree(bit, pid, made, copies);
	free_made(made, copies);
	mutex_unlock(&filters_lock);
	return error;
}

#endif

/* Returns why a type of events cannot have a filter; NULL: there is no type @name. */
static const char *no_filter(const char *name)
{
	static const u64 tasks = BIT_ULL(EVTLOG_TASK) | BIT_ULL(EVTLOG_SCHED_PROCESS_FORK) |
		BIT_ULL(EVTLOG_SCHED_PROCESS_EXEC) | BIT_ULL(EVTLOG_SCHED_PROCESS_EXIT) |
		BIT_ULL(EVTLOG_TASK_RENAME);
	u64 types = evtlog_types_named(name, strlen(name));

	if (!types)
		return NULL;
	if (!(types & evtlog_events_possible()))
		return "this kernel cannot record it: see /proc/evtlog/events";
	return types & tasks ? "it records the names of tasks, which a log needs" :
			       "events of this type do not support filters";
}

static int filters_write(char *text)
{
	const char *name = strsep(&text, " \t\n");
	u64 hooks = hooks_named(name);
	int error;

	text = text ? skip_spaces(text) : "";
	if (!strncmp(text, "if", 2) && (isspace(text[2]) || text[2] == '('))
		text = skip_spaces(text + 2);
	mutex_lock(&filters_lock);
	last_error[0] = '\0';
	if (hooks && are_of_tree) {
		error = refuse(-EBUSY, "runs record only one tree, by filters of its own; write \"all\" to run_tree first");
	} else if (hooks) {
		error = change(hooks, text);
	} else if (no_filter(name)) {
		error = refuse(-EINVAL, "%.32s cannot have a filter: %s", name, no_filter(name));
	} else {
		error = filter_registered_change(name, text, last_error, sizeof(last_error));
	}
	mutex_unlock(&filters_lock);
	return error;
}

static int filters_show(struct seq_file *m, void *unused)
{
	unsigned int i, shown = EVTLOG_TYPE_MAX + 1;

	mutex_lock(&filters_lock);
	for (i = 0; i < filter_nr_hooks; i++) {
		unsigned int type = filter_hooks[i].type;

		/* Hooks of a type are adjacent. */
		if (!texts[i] || type == shown)
			continue;
		shown = type;
		seq_printf(m, "%s rejected %llu if %s\n", evtlog_type_name(type),
			   count_rejected(type) - rejected_before[type], texts[i]);
	}
	filter_registered_show(m);
	mutex_unlock(&filters_lock);
	return 0;
}

static int error_show(struct seq_file *m, void *unused)
{
	mutex_lock(&filters_lock);
	if (last_error[0])
		seq_printf(m, "%s\n", last_error);
	mutex_unlock(&filters_lock);
	return 0;
}

static const struct evtlog_proc_file files[] = {
	{ "filters", 0600, filters_show, filters_write },
	{ "filters_error", 0600, error_show },
	{ }
};

static struct evtlog_feature filter __ro_after_init = {
	.name = "filter",
	.files = files,
};
evtlog_feature(filter);

#ifdef MODULE
/* Frees all filters; no site calls them any more. */
void filter_events_exit(void)
{
	free_made(stubs, texts);
	filter_registered_exit();
}
#endif
