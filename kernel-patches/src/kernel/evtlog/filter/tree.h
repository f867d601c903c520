/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A compiled filter, for the files of this folder: nodes in an array, checked when it was made.
 *
 * "&&" and "||" are nodes with any number of children.  The depth is the depth of the parentheses
 * in the text, so a walk may recurse.  Ranges of sets are sorted, disjoint and not adjacent.
 */
#ifndef EVTLOG_FILTER_TREE_H
#define EVTLOG_FILTER_TREE_H

#include "filter/filter.h"

#define FILTER_COMM_LEN	16
#define FILTER_NONE	0xffff

enum filter_kind {
	FILTER_ALL,	/* true if all children are true; stops at the first false one */
	FILTER_ANY,
	FILTER_NOT,
	FILTER_COMPARE,	/* (value & mask) compare number */
	FILTER_SET,	/* (value & mask) in ranges */
	FILTER_COMM,	/* the first comm_bytes of the task's comm are equal */
	FILTER_TREE,	/* the task, or one of its ancestors, has the pid "number" */
	FILTER_CGROUP,	/* the task's cgroup, or one above it, has this number */
};

enum filter_compare {
	FILTER_EQ, FILTER_NE, FILTER_LT, FILTER_LE, FILTER_GT, FILTER_GE,
};

/* Where a value is: in a slot, or a property of the task. */
enum filter_special {
	FILTER_SLOT, FILTER_CPU, FILTER_PID, FILTER_TGID, FILTER_PRIO, FILTER_TREES,
};

/*
 * @special, @slot, @width, @is_signed: the value; a masked value is unsigned
 * @is_masked:	True: compare only the bits of @mask
 * @number:	extended to 64 bits like the value, so that both compare as u64 or s64
 */
struct filter_node {
	u8 kind;
	u8 compare;
	u8 special;
	u8 width;
	bool is_signed;
	bool is_masked;
	u8 comm_bytes;
	u16 slot;
	u16 child;	/* first child; FILTER_NONE: a leaf */
	u16 next;	/* next child of the same parent */
	u16 first_range;
	u16 nr_ranges;
	u64 mask;
	u64 number;
	char comm[FILTER_COMM_LEN];
};

struct filter_range {
	u64 low, high;
};

struct evtlog_filter {
	u16 root;
	u16 nr_nodes;
	u16 nr_ranges;
	u16 nr_texts;
	struct evtlog_filter_text texts[EVTLOG_FILTER_TEXTS_MAX];
	struct filter_node nodes[EVTLOG_FILTER_NODES_MAX];
	struct filter_range ranges[EVTLOG_FILTER_ITEMS_MAX];
};

/* lex.c */
enum filter_token {
	TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING,
	TOKEN_EQ, TOKEN_NE, TOKEN_LT, TOKEN_LE, TOKEN_GT, TOKEN_GE, TOKEN_LIKE,
	TOKEN_AND, TOKEN_OR, TOKEN_NOT, TOKEN_MASK, TOKEN_MINUS,
	TOKEN_OPEN, TOKEN_CLOSE, TOKEN_OPEN_SET, TOKEN_CLOSE_SET, TOKEN_COMMA,
	TOKEN_BAD,
};

/*
 * @at:		remaining text, after the current token
 * @start, @length: the token; a string without its quotes
 * @fault:	for TOKEN_BAD: the error
 */
struct filter_lexer {
	const char *text;
	const char *at;
	const char *start;
	const char *fault;
	unsigned int length;
	enum filter_token token;
	bool is_hex;
	u64 number;
};

void filter_lex(struct filter_lexer *lexer);

/* match.c: one order for signed or unsigned numbers */
static inline bool filter_less(u64 a, u64 b, bool is_signed)
{
	return is_signed ? (s64)a < (s64)b : a < b;
}

static inline u64 filter_extend(u64 value, unsigned int width, bool is_signed)
{
	unsigned int shift = 64 - 8 * width;

	return is_signed ? (u64)((s64)(value << shift) >> shift) : value << shift >> shift;
}

/* match.c */
u64 filter_slots_used(const struct evtlog_filter *filter);

#endif /* EVTLOG_FILTER_TREE_H */
