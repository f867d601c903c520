// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with functions to probe. Writes to its parameters make calls: "calls" of a function with
 * a number; "sums" of one with arguments on the stack, with an error if the arguments are wrong;
 * "copies" of one with addresses of mapped and unmapped memory. Other functions have structures by
 * value. The module also has filters for probes: "evens" accepts even numbers, and "nests" calls a
 * function that may be probed.
 */
#include <linux/evtlog.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

static noinline __noclone int probed_function(int number, const char *text)
{
	barrier_data(text);
	return number;
}

static int calls_set(const char *text, const struct kernel_param *unused)
{
	int calls, i;

	if (kstrtoint(text, 0, &calls))
		return -EINVAL;
	for (i = 0; i < calls; i++)
		probed_function(-i, "evtlog's module");
	return 0;
}

static const struct kernel_param_ops calls_ops = { .set = calls_set };
module_param_cb(calls, &calls_ops, NULL, 0200);

struct three {
	u64 words[3];
};

#define NUMBERS(X)	X(a) X(b) X(c) X(d) X(e) X(f) X(g) X(h) X(i) X(j) X(k) X(l) X(m) X(n) X(o) X(p)
#define PARAMETER(x)	u64 x,
#define ADD(x)		sum = 31 * sum + (x);

/* 16 numbers, of them six in registers, and six words of two structures */
static noinline __noclone u64 many_arguments(NUMBERS(PARAMETER) struct three q, struct three r)
{
	u64 sum = 0;

	/* Prevents the compiler from merging calls. */
	barrier_data(&q);
	NUMBERS(ADD)
	ADD(q.words[0]) ADD(q.words[1]) ADD(q.words[2])
	ADD(r.words[0]) ADD(r.words[1]) ADD(r.words[2])
	return sum;
}

static int sums_set(const char *text, const struct kernel_param *unused)
{
	struct three q = { { 17, 18, 19 } }, r = { { 20, 21, 22 } };
	u64 expected = 0;
	int calls, i;

	if (kstrtoint(text, 0, &calls))
		return -EINVAL;
	for (i = 1; i <= 22; i++)
		expected = 31 * expected + i;
	for (i = 0; i < calls; i++) {
		if (many_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, q, r) !=
		    expected)
			return -EIO;
	}
	return 0;
}

/* Arguments whose size does not define their place; the last is at an odd word of the stack */
struct wide {
	u64 number;
} __aligned(16);

struct packed {
	u8 tag;
	u64 number;
} __packed;

struct empty {
};

struct pair {
	u64 words[2];
};

#define TAKES(name, ...)						\
static noinline __noclone __used u64 takes_##name(u64 number, __VA_ARGS__)	\
{									\
	barrier();							\
	return number;							\
}

TAKES(wide, struct wide value, u64 behind)
TAKES(packed, struct packed value, u64 behind)
TAKES(empty, struct empty value, u64 behind)
TAKES(pair, u64 b, u64 c, u64 d, u64 e, u64 f, u64 on_stack, struct pair value)
TAKES(even_pair, u64 b, u64 c, u64 d, u64 e, u64 f, struct pair value)

static const struct kernel_param_ops sums_ops = { .set = sums_set };
module_param_cb(sums, &sums_ops, NULL, 0200);

#define AREA_BYTES	(2 * PAGE_SIZE)

static noinline __noclone int copied_function(unsigned int which, const void *at)
{
	barrier_data(at);
	return which;
}

/* The memory after the area is unmapped; a task's arguments are in its own memory. */
static int copies_set(const char *text, const struct kernel_param *unused)
{
	u8 *area = vmalloc(AREA_BYTES);
	unsigned int i;

	if (!area)
		return -ENOMEM;
	for (i = 0; i < AREA_BYTES; i++)
		area[i] = 3 * i * i + 7 * i + 1;
	copied_function(0, area);
	copied_function(1, area + 1);
	copied_function(2, area + AREA_BYTES - 12);
	copied_function(3, (void *)current->mm->arg_start);
	copied_function(4, NULL);
	copied_function(5, (void *)(1ULL << 63));
	vfree(area);
	return 0;
}

static const struct kernel_param_ops copies_ops = { .set = copies_set };
module_param_cb(copies, &copies_ops, NULL, 0200);

static bool evens(const u64 *args, unsigned int nr)
{
	return nr == 1 && irqs_disabled() && !(args[0] & 1);
}

static noinline __noclone int nested_function(const int *number)
{
	barrier_data(number);
	return *number;
}

static bool nests(const u64 *args, unsigned int nr)
{
	int number = args[0];

	return nested_function(&number) == number;
}

static int __init start(void)
{
	int error = evtlog_filter_handler_register("evens", evens);

	if (error)
		return error;
	error = evtlog_filter_handler_register("nests", nests);
	if (error)
		evtlog_filter_handler_unregister("evens");
	return error;
}

static void __exit end(void)
{
	evtlog_filter_handler_unregister("nests");
	evtlog_filter_handler_unregister("evens");
}

module_init(start);
module_exit(end);

MODULE_DESCRIPTION("A function that a test of evtlog probes");
MODULE_LICENSE("GPL");
