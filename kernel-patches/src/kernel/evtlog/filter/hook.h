/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks of static events that can have a filter, and the filter's stub. */
#ifndef EVTLOG_FILTER_HOOK_H
#define EVTLOG_FILTER_HOOK_H

#include <linux/errno.h>

#include "event/table.h"
#include "filter/filter.h"

struct evtlog_code;
struct seq_file;
struct static_call_key;

/* Where a hook has a field: in a register, or in memory at an offset from the register. */
#define FILTER_IN_REGISTER	(-1)
/* In a register, in the bits above the type of EVTLOG_TAG(). */
#define FILTER_IN_TAG		(-2)
/* No register: @reg is the value, from -128 to 127. */
#define FILTER_CONSTANT		(-3)
/* In a module: the trees of a task, whose address is in the register */
#define FILTER_TREES_OF		(-4)

struct filter_source {
	u8 reg;
	s32 member;
};

/**
 * struct filter_hook - a hook that can have a filter
 * @type:	type of its records
 * @irqs_on:	True: interrupts may be on
 * @saves_all:	True: the hook changes no register: __evtlog_saves_all
 * @returns:	True: the hook returns an error, -ECANCELED for a rejected record
 * @key, @trampoline, @function: static call of its sites
 * @in_tree:	function for accepted records in a run of one tree; NULL: @function
 * @tree_text:	filter for such a run, as a format of the tree's bit; NULL: all records are accepted
 * @fields:	fields that a filter may name; a field's slot is its index
 * @sources:	source of each field; NULL: use @load
 * @nr_fields:	number of fields, at most 15: the size of the slots must fit in a signed byte
 * @load:	fills all slots from the hook's first two arguments: (a, b, slots).  False: the hook
 *		is called, because it records nothing.  Not with @saves_all
 */
struct filter_hook {
	u8 type;
	bool irqs_on;
	bool saves_all;
	bool returns;
	struct static_call_key *key;
	void *trampoline;
	void *function;
	void *in_tree;
	const char *tree_text;
	const struct evtlog_filter_field *fields;
	const struct filter_source *sources;
	unsigned int nr_fields;
	const void *load;
};

/* hooks.c */
extern const struct filter_hook filter_hooks[];
extern const unsigned int filter_nr_hooks;

/* stub.c */
void *filter_stub_new(const struct filter_hook *hook, void *function,
		      const struct evtlog_filter *filter, u64 __percpu *rejected);

/* Fields of a registered event that a filter can name: the first ones */
#define FILTER_PAYLOAD_FIELDS_MAX	64

/*
 * struct filter_layout - these fields
 * @text:	text of the format; then the names, each NUL-terminated
 * @offset:	offsets in the payload
 * @swapped:	a bit for each field in network byte order
 */
struct filter_layout {
	char text[EVTLOG_EVENT_TEXT_MAX + 1];
	struct evtlog_filter_field fields[FILTER_PAYLOAD_FIELDS_MAX];
	u16 offset[FILTER_PAYLOAD_FIELDS_MAX];
	u64 swapped;
	unsigned int nr;
};

/* function.c */
int filter_emit_within(struct evtlog_code *c, const struct evtlog_filter *filter,
		       struct evtlog_filter_stub *stub, u32 after);
void *filter_payload_function(const struct filter_layout *layout,
			      const struct evtlog_filter *filter);

/* registered.c: events that modules register */
int filter_registered_change(const char *name, const char *text, char *error, size_t size);
void filter_registered_show(struct seq_file *m);
void filter_registered_exit(void);

/* events.c */
int filter_events_set_tree(u32 bit, pid_t pid);
void filter_events_exit(void);

/* routed.c: filters before the hooks of built-in events for a named buffer */
#if defined(EVTLOG_FILTER_HAS_CODE) && defined(CONFIG_MODULES)
int evtlog_filter_routed_check(u64 types, const char *text, char *error, size_t size);
int evtlog_filter_routed_stubs(u64 types, const char *text, u64 __percpu *rejected, void **stubs);
#else
/* The fields of events are unknown. */
static inline int evtlog_filter_routed_check(u64 types, const char *text, char *error, size_t size)
{
	return 0;
}

static inline int evtlog_filter_routed_stubs(u64 types, const char *text, u64 __percpu *rejected,
					     void **stubs)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* EVTLOG_FILTER_HOOK_H */
