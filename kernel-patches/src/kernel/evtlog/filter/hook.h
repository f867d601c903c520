/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hooks of static events that a filter can stand before, and the stub that it is put into.
 */
#ifndef EVTLOG_FILTER_HOOK_H
#define EVTLOG_FILTER_HOOK_H

#include <linux/types.h>

#include "filter/filter.h"

struct static_call_key;

/* Where a hook has a field: in a register, or in what that points to. */
#define FILTER_IN_REGISTER	(-1)

struct filter_source {
	u8 reg;
	s32 member;
};

/**
 * struct filter_hook - one
 * @type:	of its records
 * @irqs_on:	interrupts may be on in it
 * @key, @trampoline, @function: what its sites call
 * @fields:	what a filter may name; a field's slot is its place in the array
 * @sources:	of each
 * @nr_fields:	how many there are
 */
struct filter_hook {
	u8 type;
	bool irqs_on;
	struct static_call_key *key;
	void *trampoline;
	void *function;
	const struct evtlog_filter_field *fields;
	const struct filter_source *sources;
	unsigned int nr_fields;
};

/* hooks.c */
extern const struct filter_hook filter_hooks[];
extern const unsigned int filter_nr_hooks;

/* stub.c */
void *filter_stub_new(const struct filter_hook *hook, const struct evtlog_filter *filter);
void filter_stub_free(void *stub);

#endif /* EVTLOG_FILTER_HOOK_H */
