// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters over fields, before the hooks of built-in events for a named buffer.
 *
 * Called by named/, which passes the stubs to event/builtin.c for its sites.  For a filter without
 * fields, function.c is sufficient.
 */
#include <linux/err.h>
#include <linux/kernel.h>

#include "event/builtin.h"
#include "events.h"
#include "filter/hook.h"
#include "filter/tree.h"

static const struct filter_hook *hook_of(const struct evtlog_builtin *b)
{
	unsigned int i;

	for (i = 0; i < filter_nr_hooks; i++) {
		if (filter_hooks[i].key == b->key)
			return &filter_hooks[i];
	}
	return NULL;
}

static struct evtlog_filter *compile(const struct evtlog_builtin *b, const char *text, char *error,
				     size_t size)
{
	const struct filter_hook *hook = hook_of(b);
	char why[EVTLOG_FILTER_ERROR_MAX];
	struct evtlog_filter *filter;

	filter = evtlog_filter_compile(text, hook ? hook->fields : NULL, hook ? hook->nr_fields : 0,
				       why, sizeof(why));
	if (!filter)
		snprintf(error, size, "%s: %s", evtlog_type_name(b->type), why);
	return filter;
}

/**
 * evtlog_filter_routed_check() - check a filter for several types
 * @types:	a bit for each type
 * @text:	text of the filter
 * @error:	reason for the first type that it does not fit
 *
 * Context: task context, may sleep.
 * Return: 1 if the filter uses a field of a type, 0 if it uses no field; -EINVAL.
 */
int evtlog_filter_routed_check(u64 types, const char *text, char *error, size_t size)
{
	bool asks = false;
	unsigned int i;

	for (i = 0; i < evtlog_nr_builtins; i++) {
		struct evtlog_filter *filter;

		if (!(types >> evtlog_builtins[i].type & 1))
			continue;
		filter = compile(&evtlog_builtins[i], text, error, size);
		if (!filter)
			return -EINVAL;
		asks |= filter_slots_used(filter) != 0;
		evtlog_filter_free(filter);
	}
	return asks;
}

static void *make(const struct evtlog_builtin *b, const char *text, u64 __percpu *rejected)
{
	const struct filter_hook *hook = hook_of(b);
	char why[EVTLOG_FILTER_ERROR_MAX];
	struct evtlog_filter *filter;
	void *stub;

	filter = hook ? compile(b, text, why, sizeof(why)) : NULL;
	if (!filter)
		return ERR_PTR(-EINVAL);
	stub = filter_stub_new(hook, b->to_route, filter, rejected);
	evtlog_filter_free(filter);
	return stub;
}

/**
 * evtlog_filter_routed_stubs() - make the stubs for the sites of several types
 * @types:	a bit for each type
 * @text:	text for which evtlog_filter_routed_check() returned 1
 * @rejected:	per-CPU: number of rejected records
 * @stubs:	result, by index in evtlog_builtins; for evtlog_text_free(), also on error
 *
 * Context: task context, may sleep.
 * Return: 0 or a negative error.
 */
int evtlog_filter_routed_stubs(u64 types, const char *text, u64 __percpu *rejected, void **stubs)
{
	unsigned int i;

	for (i = 0; i < evtlog_nr_builtins; i++) {
		void *stub;

		if (!(types >> evtlog_builtins[i].type & 1))
			continue;
		stub = make(&evtlog_builtins[i], text, rejected);
		if (IS_ERR(stub))
			return PTR_ERR(stub);
		stubs[i] = stub;
	}
	return 0;
}
