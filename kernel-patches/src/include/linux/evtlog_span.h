/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles of sockets and TCP/IP, and of VFS and block: spans, which are times within a function,
 * and values, which are numbers without a time.
 *
 * The lists of both are in <linux/evtlog_profile.h>, for readers of the numbers in records.
 *
 * Each of the two groups has a static key.  While it is off, a hook is a NOP.  Probes could time
 * these functions, too ("evtlog probe add --timer"), but not at boot and without lengths, and at
 * twice the cost: 127 instructions per call instead of 55 (tests/profile/cost.test).
 */
#ifndef _LINUX_EVTLOG_SPAN_H
#define _LINUX_EVTLOG_SPAN_H

#include <linux/compiler.h>
#include <linux/evtlog_profile.h>
#include <linux/jump_label.h>
#include <linux/types.h>

/* enum evtlog_net_span - spans of sockets and TCP/IP */
enum evtlog_net_span {
#define X(NAME, name)	EVTLOG_NET_##NAME,
	EVTLOG_NET_SPANS(X)
#undef X
};

/* enum evtlog_block_span - spans of VFS and block */
enum evtlog_block_span {
#define X(NAME, name)	EVTLOG_BLOCK_##NAME,
	EVTLOG_BLOCK_SPANS(X)
#undef X
};

/* enum evtlog_value - values of both groups */
enum evtlog_value {
#define X(NAME, name)	EVTLOG_VALUE_##NAME,
	EVTLOG_VALUES_OF(X)
#undef X
	EVTLOG_VALUES,
};

#ifdef CONFIG_EVTLOG_PROFILE
/* On while profiles that include the group are kept. */
DECLARE_STATIC_KEY_FALSE(evtlog_profile_net_key);
DECLARE_STATIC_KEY_FALSE(evtlog_profile_block_key);

#define evtlog_group_on(group)	static_branch_unlikely(&evtlog_profile_##group##_key)
#else
#define evtlog_group_on(group)	false
#endif

/* Any context but NMI.  An inner span is not entered twice; an outer span is not left twice. */
#define EVTLOG_SPAN_ENTER(group, name)					\
void __evtlog_##name(unsigned int number);				\
static __always_inline unsigned int evtlog_##name(unsigned int number)	\
{									\
	if (evtlog_group_on(group))					\
		__evtlog_##name(number);				\
	return number;							\
}
#define EVTLOG_SPAN_EXIT(group, name)					\
void __evtlog_##name(unsigned int number);				\
static __always_inline void evtlog_##name(const unsigned int *number)	\
{									\
	if (evtlog_group_on(group))					\
		__evtlog_##name(*number);				\
}

EVTLOG_SPAN_ENTER(net, net_enter)
EVTLOG_SPAN_EXIT(net, net_exit)
EVTLOG_SPAN_ENTER(net, net_enter_inner)
EVTLOG_SPAN_EXIT(net, net_exit_outer)
EVTLOG_SPAN_ENTER(block, block_enter)
EVTLOG_SPAN_EXIT(block, block_exit)
void __evtlog_value(unsigned int value, size_t amount);

#define EVTLOG_SPAN(enter, exit, number)				\
	const unsigned int evtlog_span_					\
		__attribute__((__cleanup__(evtlog_##exit), __unused__)) = evtlog_##enter(number)

/*
 * evtlog_net_span(), evtlog_block_span() - a span, from this declaration to the end of its block
 *
 * The span ends however the block is left: a function with many returns needs one line.
 */
#define evtlog_net_span(NAME)	EVTLOG_SPAN(net_enter, net_exit, EVTLOG_NET_##NAME)
#define evtlog_block_span(NAME)	EVTLOG_SPAN(block_enter, block_exit, EVTLOG_BLOCK_##NAME)

/*
 * evtlog_net_span_outer(), evtlog_net_span_inner() - one span for two functions
 *
 * The outer function may call the inner one, with no other span in between, and does no significant
 * work after that call.  The span that the outer function began then ends with the inner function.
 */
#define evtlog_net_span_outer(NAME)	EVTLOG_SPAN(net_enter, net_exit_outer, EVTLOG_NET_##NAME)
#define evtlog_net_span_inner(NAME)	EVTLOG_SPAN(net_enter_inner, net_exit, EVTLOG_NET_##NAME)

/* evtlog_net_value(), evtlog_block_value() - a value of the current task and CPU */
#define evtlog_net_value(NAME, amount)					\
	do {								\
		if (evtlog_group_on(net))				\
			__evtlog_value(EVTLOG_VALUE_##NAME, amount);	\
	} while (0)
/* A bio without data, which only flushes, is not counted. */
#define evtlog_block_value(NAME, amount)				\
	do {								\
		if (evtlog_group_on(block) && (amount))			\
			__evtlog_value(EVTLOG_VALUE_##NAME, amount);	\
	} while (0)

/* @bytes: the return value of a socket function.  Errors are not counted. */
static __always_inline int evtlog_net_received(int bytes)
{
	if (bytes >= 0)
		evtlog_net_value(SOCK_RECEIVED, bytes);
	return bytes;
}

static __always_inline void evtlog_net_sent(int bytes)
{
	if (evtlog_group_on(net) && bytes >= 0)
		__evtlog_value(EVTLOG_VALUE_SOCK_SENT, bytes);
}

#endif /* _LINUX_EVTLOG_SPAN_H */
