/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hooks of static events that a filter can stand before, and the stub that it is put into.
 */
#ifndef EVTLOG_FILTER_HOOK_H
#define EVTLOG_FILTER_HOOK_H

#include <linux/errno.h>

#include "filter/filter.h"

struct evtlog_code;
struct seq_file;
struct static_call_key;

/* Where a hook has a field: in a register, or in what that points to, at an offset. */
#define FILTER_IN_REGISTER	(-1)
/* In a register, above the type of EVTLOG_TAG(). */
#define FILTER_IN_TAG		(-2)
/* Nowhere: @reg is the value, from -128 to 127. */
#define FILTER_CONSTANT		(-3)

struct filter_source {
	u8 reg;
	s32 member;
};

/**
 * struct filter_hook - one
 * @type:	of its records
 * @irqs_on:	interrupts may be on in it
 * @saves_all:	it changes no register: __evtlog_saves_all
 * @returns:	an error, -ECANCELED if it is rejected
 * @key, @trampoline, @function: what its sites call
 * @in_tree:	what they call in a run of one tree, behind the tree's filter; NULL: @function
 * @tree_text:	that filter, as a format of the tree's bit; NULL: such runs have all of these
 * @fields:	what a filter may name; a field's slot is its place in the array
 * @sources:	of each; NULL: @load
 * @nr_fields:	how many there are, at most FILTER_FIELDS_MAX
 * @load:	fills all slots, from the hook's first two arguments: (a, b, slots).  False: the
 *		hook is called, for it records nothing.  Not with @saves_all
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

/* Their slots' bytes are a signed byte. */
#define FILTER_FIELDS_MAX	15

/* hooks.c */
extern const struct filter_hook filter_hooks[];
extern const unsigned int filter_nr_hooks;

/* function.c */
int filter_emit_within(struct evtlog_code *c, const struct evtlog_filter *filter,
		       struct evtlog_filter_stub *stub, u32 after);

/* stub.c */
void *filter_stub_new(const struct filter_hook *hook, void *function,
		      const struct evtlog_filter *filter, u64 __percpu *rejected);

/* registered.c: events that modules register */
int filter_registered_change(const char *name, const char *text, char *error, size_t size);
void filter_registered_show(struct seq_file *m);

/* events.c */
int filter_events_set_tree(u32 bit, pid_t pid);

/* routed.c: filters before the hooks of built-in events that go to a named buffer */
#if defined(EVTLOG_FILTER_HAS_CODE) && defined(CONFIG_MODULES)
int evtlog_filter_routed_check(u64 types, const char *text, char *error, size_t size);
int evtlog_filter_routed_stubs(u64 types, const char *text, u64 __percpu *rejected, void **stubs);
#else
/* No event's fields are known. */
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
