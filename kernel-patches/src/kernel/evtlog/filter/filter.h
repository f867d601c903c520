/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters: text such as `cpu==1 && len>1000` becomes a checked tree, and that machine code.
 *
 * Probes and the filters of static events call this.  It knows no event: its
 * caller says by a table what its fields are named, and in which slot each is.
 *
 *	filter = or;			or = and { "||" and };		and = unary { "&&" unary };
 *	unary = "!" unary | "(" or ")" | test;
 *	test = value [compare number | "in" "{" item { "," item } "}"] | comm | group;
 *	group = ("tree" | "cgroup") ("==" | "!=") number;
 *	value = name ["&" number] | "(" value ")";
 *	item = number ["-" number];	compare = "==" | "!=" | "<" | "<=" | ">" | ">=";
 *	comm = ("comm" | "current.comm" | name of a text) ("==" | "!=" | "~") '"' text '"';
 *
 * Numbers are decimal, 0x hexadecimal or 0 octal, with "-" before them or not.  An IPv4 address, such
 * as 10.0.0.1, is a number, too.  A value alone is true unless it is 0.  With "~" the text may end in
 * "*".  An event's field hides the name of the current task's that is the same: that is then
 * current.pid, current.tgid and so on.
 *
 * This folder's lex.c, parse.c, match.c and x86.c are compiled unmodified in user space by
 * tests/unit.
 */
#ifndef EVTLOG_FILTER_FILTER_H
#define EVTLOG_FILTER_FILTER_H

#include <linux/types.h>

#define EVTLOG_FILTER_TEXT_MAX	1024	/* characters */
#define EVTLOG_FILTER_DEPTH_MAX	16	/* parentheses and "!" within each other */
#define EVTLOG_FILTER_NODES_MAX	128	/* tests, and "&&" and "||" that join them */
#define EVTLOG_FILTER_ITEMS_MAX	256	/* of all sets together */
#define EVTLOG_FILTER_SLOTS_MAX	1024
#define EVTLOG_FILTER_ERROR_MAX	128	/* what an error's text needs */
#define EVTLOG_FILTER_TEXTS_MAX	8	/* comparisons with texts */
#define EVTLOG_FILTER_TEXT_LEN	64	/* of one, with a NUL behind it */

/**
 * struct evtlog_filter_field - an argument or field of an event
 * @name:	as the filter's text has it
 * @slot:	which of the 64-bit slots holds it, below EVTLOG_FILTER_SLOTS_MAX
 * @width:	1, 2, 4 or 8: how many of the slot's lower bytes are looked at.  What the others
 *		hold does not matter
 * @is_signed:	compare as such
 * @texts:	it is a text, which the caller compares: the slot that gets the results; else 0
 */
struct evtlog_filter_field {
	const char *name;
	u16 slot;
	u8 width;
	bool is_signed;
	u16 texts;
};

/**
 * struct evtlog_filter_text - what a text field is compared with
 * @slot:	of the field
 * @bytes:	compared of @text: with its NUL, or without it if the field only has to begin with @text
 * @text:	the caller may change it, and @bytes
 *
 * Before a filter is run, bit N of the slot for results is whether the field is its text N.
 */
struct evtlog_filter_text {
	u16 slot;
	u8 bytes;
	char text[EVTLOG_FILTER_TEXT_LEN];
};

struct evtlog_filter;

/* Elsewhere there is evtlog_filter_run() alone. */
#if defined(CONFIG_X86_64) && defined(CONFIG_SMP) && !defined(CONFIG_UML)
#define EVTLOG_FILTER_HAS_CODE
#endif

/**
 * struct evtlog_filter_task - where the code finds what is not in a slot
 * @cpu:	u32 at %gs:@cpu: number of the CPU
 * @current_task: pointer at %gs:@current_task
 * @pid, @tgid, @prio: s32 at these offsets from that pointer
 * @comm:	16 characters at this offset
 * @trees:	u32 at this offset from the task: a bit for each marked tree that it is of; 0: the code
 *		cannot have it
 * @tree:	called in C for `tree==PID`; NULL: the code cannot hold it
 * @cgroup:	for `cgroup==NUMBER`
 */
struct evtlog_filter_task {
	s32 cpu;
	s32 current_task;
	s32 pid, tgid, prio, comm;
	s32 trees;
	bool (*tree)(u32 pid);
	bool (*cgroup)(u64 number);
};

/**
 * struct evtlog_filter_stub - into what the code is put
 * @base:	number of the register with the address of the slots: 0 %rax, 1 %rcx, 2 %rdx,
 *		3 %rbx, 4 %rsp, 5 %rbp, 6 %rsi, 7 %rdi, 8 to 15 %r8 to %r15
 * @base_offset: of slot 0 from it, in bytes
 * @scratch:	two registers that the code may change, none of them @base, %rsp
 * @image:	address at which the code's first byte will run
 * @reject:	address to jump to with a rejected record
 * @key:	evtlog_text_key()
 * @task:	evtlog_filter_current in the kernel; a test's own in user space
 */
struct evtlog_filter_stub {
	u8 base;
	u8 scratch[2];
	s32 base_offset;
	unsigned long image;
	unsigned long reject;
	u32 key;
	const struct evtlog_filter_task *task;
};

struct evtlog_filter *evtlog_filter_compile(const char *text,
					    const struct evtlog_filter_field *fields,
					    unsigned int nr, char *error, size_t size);
void evtlog_filter_free(struct evtlog_filter *filter);
struct evtlog_filter_text *evtlog_filter_texts(struct evtlog_filter *filter, unsigned int *nr);
bool evtlog_filter_run(const struct evtlog_filter *filter, const u64 *slots);
int evtlog_filter_emit(const struct evtlog_filter *filter,
		       const struct evtlog_filter_stub *stub, void *code, size_t size);

/* function.c */
#if defined(EVTLOG_FILTER_HAS_CODE) && defined(CONFIG_MODULES)
void *evtlog_filter_function(const struct evtlog_filter *filter);
void evtlog_filter_function_free(void *function);
#else
static inline void *evtlog_filter_function(const struct evtlog_filter *filter)
{
	return 0;
}

static inline void evtlog_filter_function_free(void *function)
{
}
#endif

/* What evtlog_filter_run() asks for; supplied by task.c, and by the test in user space. */
extern struct evtlog_filter_task evtlog_filter_current;
u64 evtlog_filter_task_value(unsigned int special);
const char *evtlog_filter_task_comm(void);
bool evtlog_filter_task_in_tree(u32 pid);
bool evtlog_filter_task_in_cgroup(u64 number);
bool evtlog_filter_pids_are_global(void);
bool evtlog_filter_tree_is_there(u32 pid);

#endif /* EVTLOG_FILTER_FILTER_H */
