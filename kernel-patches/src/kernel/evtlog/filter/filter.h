/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters: a text such as `cpu==1 && len>1000` is compiled to a checked tree, and to machine code.
 *
 * Called for probes and for filters of static events.  Filters do not depend on events: the caller
 * passes a table with the names of an event's fields and their slots.
 *
 *	filter = or;			or = and { "||" and };		and = unary { "&&" unary };
 *	unary = "!" unary | "(" or ")" | test;
 *	test = value [compare number | "in" "{" item { "," item } "}"] | comm | group;
 *	group = ("tree" | "cgroup") ("==" | "!=") number;
 *	value = name ["&" number] | "(" value ")";
 *	item = number ["-" number];	compare = "==" | "!=" | "<" | "<=" | ">" | ">=";
 *	comm = ("comm" | "current.comm" | name of a text) ("==" | "!=" | "~") '"' text '"';
 *
 * Numbers are decimal, 0x hexadecimal or 0 octal, optionally after "-".  An IPv4 address, such as
 * 10.0.0.1, is a number, too.  A value alone is true unless it is 0.  With "~" the text may end in
 * "*".  A field hides the current task's field of the same name, which is still available as
 * current.pid, current.tgid and so on.
 *
 * This folder's lex.c, parse.c, match.c and x86.c are compiled unmodified in user space by
 * tests/unit.
 */
#ifndef EVTLOG_FILTER_FILTER_H
#define EVTLOG_FILTER_FILTER_H

#include <linux/types.h>

#define EVTLOG_FILTER_TEXT_MAX	1024	/* characters */
#define EVTLOG_FILTER_DEPTH_MAX	16	/* nested parentheses and "!" */
#define EVTLOG_FILTER_NODES_MAX	128	/* tests, and "&&" and "||" that join them */
#define EVTLOG_FILTER_ITEMS_MAX	256	/* in all sets together */
#define EVTLOG_FILTER_SLOTS_MAX	1024
#define EVTLOG_FILTER_ERROR_MAX	128	/* for any error text */
#define EVTLOG_FILTER_TEXTS_MAX	8	/* comparisons with texts */
#define EVTLOG_FILTER_TEXT_LEN	64	/* of one text, with its NUL */

/**
 * struct evtlog_filter_field - an argument or field of an event
 * @name:	name in the filter's text
 * @slot:	64-bit slot that contains it, below EVTLOG_FILTER_SLOTS_MAX
 * @width:	1, 2, 4 or 8: number of the slot's lower bytes that are used.  Upper bytes are
 *		ignored
 * @is_signed:	True: compare as a signed number
 * @texts:	for a text, which the caller compares: the slot for the results; else 0
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
 * @slot:	slot of the field
 * @bytes:	bytes of @text to compare: with its NUL, or without it to test for a prefix
 * @text:	the text; the caller may change it, and @bytes
 *
 * Before a filter runs, the caller sets bit N of the slot for results if the field matches text N.
 */
struct evtlog_filter_text {
	u16 slot;
	u8 bytes;
	char text[EVTLOG_FILTER_TEXT_LEN];
};

struct evtlog_filter;

/* Other kernels have only evtlog_filter_run(). */
#if defined(CONFIG_X86_64) && defined(CONFIG_SMP) && !defined(CONFIG_UML)
#define EVTLOG_FILTER_HAS_CODE
#endif

/**
 * struct evtlog_filter_task - where the code finds values that are not in a slot
 * @cpu:	u32 at %gs:@cpu: number of the CPU
 * @current_task: pointer at %gs:@current_task
 * @pid, @tgid, @prio: s32 at these offsets from that pointer
 * @comm:	16 characters at this offset
 * @trees:	u32 at this offset from the task: a bit for each marked tree of the task; 0: not
 *		available to the code
 * @tree:	C function for `tree==PID`; NULL: not possible in the code
 * @cgroup:	C function for `cgroup==NUMBER`
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
 * struct evtlog_filter_stub - the stub that will contain the code
 * @base:	number of the register with the address of the slots: 0 %rax, 1 %rcx, 2 %rdx,
 *		3 %rbx, 4 %rsp, 5 %rbp, 6 %rsi, 7 %rdi, 8 to 15 %r8 to %r15
 * @base_offset: offset of slot 0 from this address, in bytes
 * @scratch:	two registers that the code may change, neither @base nor %rsp
 * @image:	address at which the code's first byte will run
 * @reject:	jump target for a rejected record
 * @key:	evtlog_text_key()
 * @task:	evtlog_filter_current in the kernel; in user space, the test's own
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
#else
static inline void *evtlog_filter_function(const struct evtlog_filter *filter)
{
	return 0;
}
#endif

/* Called by evtlog_filter_run(); defined in task.c, and in the test in user space. */
extern struct evtlog_filter_task evtlog_filter_current;
u64 evtlog_filter_task_value(unsigned int special);
const char *evtlog_filter_task_comm(void);
bool evtlog_filter_task_in_tree(u32 pid);
bool evtlog_filter_task_in_cgroup(u64 number);
bool evtlog_filter_pids_are_global(void);
bool evtlog_filter_tree_is_there(u32 pid);

#endif /* EVTLOG_FILTER_FILTER_H */
