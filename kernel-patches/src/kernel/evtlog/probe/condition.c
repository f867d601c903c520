// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe's filter: its arguments are the filter's fields, in the order of their slots.
 *
 * Called by table.c.  stub.c puts its code in place, kprobe.c runs it.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "probe/probe.h"

/**
 * evtlog_probe_compile() - make a probe's filter
 * @p:		resolved; @filter is set if it has a condition
 * @error:	the reason, if it is refused
 *
 * What is known of bytes is where they are, which is no field.
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_compile(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct evtlog_filter_field fields[EVTLOG_PROBE_ARGS_MAX];
	char text[EVTLOG_FILTER_ERROR_MAX];
	unsigned int i, nr = 0;
	struct evtlog_filter *filter;
	char *condition;

	if (!p->condition)
		return 0;
	for (i = 0; i < p->nr_args; i++) {
		if (p->args[i].bytes)
			continue;
		fields[nr++] = (struct evtlog_filter_field){
			.name = p->args[i].label,
			.slot = i,
			.width = sizeof(u64),
			.is_signed = p->args[i].is_signed,
		};
	}
	condition = kstrndup(p->condition, p->condition_len, GFP_KERNEL);
	if (!condition)
		return evtlog_probe_refuse(error, -ENOMEM, "no memory");
	filter = evtlog_filter_compile(condition, fields, nr, text, sizeof(text));
	kfree(condition);
	if (!filter)
		return evtlog_probe_refuse(error, -EINVAL, "filter: %s", text);
	p->filter = filter;
	return 0;
}
