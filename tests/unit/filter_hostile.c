// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Texts that are no filter are refused: each error contains its column and its cause. First come
 * texts that are wrong in one place, with the expected error; then random texts of parts of the
 * language and other bytes, which are refused or run.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "filter/filter.h"
#include "limits.h"
#include "random.h"

static struct limits limits = { .seconds = 5 };
static char text[8192];

static const struct evtlog_filter_field fields[] = {
	{ "len", 0, 4, false, 0 }, { "ret", 1, 4, true, 0 }, { "port", 2, 2, false, 0 },
	{ "big", 3, 8, false, 0 }, { "name", 4, 8, false, 5 },
};
#define FIELDS	(sizeof(fields) / sizeof(fields[0]))

static const char *const errors[][2] = {
	{ "", "column 1: expected a name, ! or (, found the end" },
	{ "len==", "column 6: expected a number, found the end" },
	{ "len=1", "column 4: did you mean ==?" },
	{ "tree=1", "column 5: did you mean ==?" },
	{ "comm=\"a\"", "column 5: did you mean ==?" },
	{ "len&1=1", "column 6: did you mean ==?" },
	{ "port in={1}", "column 8: did you mean ==?" },
	{ "tree==99999", "column 7: no process or marked tree has this pid" },
	{ "len==10.0.0.256", "column 6: this is not an IPv4 address" },
	{ "len==10.0.0", "column 6: this is not an IPv4 address" },
	{ "len==10.0.0.1.", "column 6: this is not an IPv4 address" },
	{ "len==10..0.1", "column 6: this is not an IPv4 address" },
	{ "len==0010.0.0.1", "column 6: this is not an IPv4 address" },
	{ "port==10.0.0.1", "column 7: expected a number of 16 bits, not negative" },
	{ "name", "column 5: expected ==, != or ~, found the end" },
	{ "name==1", "column 7: expected a text in quotes, found 1" },
	{ "len==\"1\"", "column 7: expected a number, found 1" },
	{ "name==\"0123456789012345678901234567890123456789012345678901234567890123\"",
	  "column 8: this text may have at most 63 characters" },
	{ "lne==1", "column 1: expected a field of this event, or cpu, pid, tgid, prio, comm, cgroup, tree, trees, found lne" },
	{ "len==1 &&", "column 10: expected a name, ! or (, found the end" },
	{ "len==1 ret==2", "column 8: expected &&, || or the end, found ret" },
	{ "len 1", "column 5: expected a comparison, in, &&, || or the end, found 1" },
	{ "(len==1", "column 8: expected &&, || or ), found the end" },
	{ "len==1)", "column 7: expected &&, || or the end, found )" },
	{ "!len==1", "column 8: a comparison after ! needs parentheses: !(pid==1)" },
	{ "len&1==1", "column 6: a mask that is compared needs parentheses: (flags&0xff)==2" },
	{ "len==-1", "column 7: expected a number of 32 bits, not negative" },
	{ "port==65536", "column 7: expected a number of 16 bits, not negative" },
	{ "ret==2147483648", "column 6: expected a number of 32 bits, signed" },
	{ "ret==-2147483649", "column 7: expected a number of 32 bits, signed" },
	{ "ret==0x100000000", "column 6: expected a number of 32 bits, signed" },
	{ "big==18446744073709551616", "column 6: this number has more than 64 bits" },
	{ "len==08", "column 6: this is not an octal number" },
	{ "len==0x", "column 6: expected a hexadecimal digit" },
	{ "len==12a", "column 6: this is not a number" },
	{ "port in 1", "column 9: expected {, found 1" },
	{ "port in {}", "column 10: expected a number, found }" },
	{ "port in {1,}", "column 12: expected a number, found }" },
	{ "port in {1 2}", "column 12: expected a comma or }, found 2" },
	{ "port in {9-1}", "column 13: the range before this ends before it begins" },
	{ "comm==nfsd", "column 7: expected a text in quotes, found nfsd" },
	{ "comm==\"nfsd", "column 7: this text has no closing quote" },
	{ "comm<\"nfsd\"", "column 5: expected ==, != or ~, found <" },
	{ "comm==\"sixteen-letters!\"", "column 8: this text may have at most 15 characters" },
	{ "comm~\"a*b\"", "column 7: * is allowed only at the end of a text" },
	{ "tree<1", "column 5: expected == or !=, found <" },
	{ "cgroup in {1}", "column 8: expected == or !=, found in" },
	{ "len==1 \x01", "column 8: this character is not allowed here" },
	{ "((len)&1)&1", "column 10: expected a comparison, in, &&, || or the end, found &" },
};

void fail(const char *format, ...)
{
	va_list arguments;

	printf("FAIL: ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\ntext: %s\nSEED=%llu\n", text, (unsigned long long)limits.seed);
	exit(1);
}

struct evtlog_filter_task evtlog_filter_current;

u64 evtlog_filter_task_value(unsigned int special)
{
	return special;
}

const char *evtlog_filter_task_comm(void)
{
	return "a-task";
}

bool evtlog_filter_task_in_tree(u32 pid)
{
	return pid == 1;
}

bool evtlog_filter_task_in_cgroup(u64 number)
{
	return number == 1;
}

static bool are_global = true;

bool evtlog_filter_pids_are_global(void)
{
	return are_global;
}

bool evtlog_filter_tree_is_there(u32 pid)
{
	return pid == 1;
}

/* In a copy of exact size, so that ASan detects reads after the end */
static struct evtlog_filter *compile(const char *from, char *error)
{
	char *copy = strdup(from);
	struct evtlog_filter *filter;

	expect(copy);
	filter = evtlog_filter_compile(copy, fields, FIELDS, error, EVTLOG_FILTER_ERROR_MAX);
	free(copy);
	return filter;
}

static void try_errors(void)
{
	char error[EVTLOG_FILTER_ERROR_MAX];

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		strcpy(text, errors[i][0]);
		expect(!compile(text, error));
		if (strcmp(error, errors[i][1]))
			fail("'%s', not '%s'", error, errors[i][1]);
	}
}

static void try_pids(void)
{
	static const char *const with[] = { "pid==1", "len&1 && tgid!=1", "current.pid==1", "!(tree==1)" };
	static const char *const without[] = { "len==1", "comm==\"a-task\"", "trees&1", "cgroup==1" };
	char error[EVTLOG_FILTER_ERROR_MAX];
	struct evtlog_filter *filter;

	for (size_t i = 0; i < 4; i++) {
		are_global = false;
		strcpy(text, with[i]);
		expect(!compile(text, error));
		expect(strstr(error, "pids of the first pid namespace"));
		are_global = true;
		filter = compile(text, error);
		expect(filter);
		evtlog_filter_free(filter);
		are_global = false;
		strcpy(text, without[i]);
		filter = compile(text, error);
		expect(filter);
		evtlog_filter_free(filter);
	}
	are_global = true;
}

/* At each bound, and one more */
static void try_bound(const char *before, const char *repeated, unsigned int times,
		      const char *after, bool is_good)
{
	char error[EVTLOG_FILTER_ERROR_MAX];
	struct evtlog_filter *filter;

	strcpy(text, before);
	for (unsigned int i = 0; i < times; i++)
		strcat(text, repeated);
	strcat(text, after);
	filter = compile(text, error);
	if (!!filter != is_good)
		fail("%u times '%s': %s", times, repeated, error);
	evtlog_filter_free(filter);
}

static void try_bounds(void)
{
	try_bound("len", " ", EVTLOG_FILTER_TEXT_MAX - 3, "", true);
	try_bound("len", " ", EVTLOG_FILTER_TEXT_MAX - 2, "", false);
	try_bound("", "!", EVTLOG_FILTER_DEPTH_MAX, "len", true);
	try_bound("", "!", EVTLOG_FILTER_DEPTH_MAX + 1, "len", false);
	/* Each "&&" is a node, too. */
	try_bound("", "len&&", EVTLOG_FILTER_NODES_MAX - 2, "ret", true);
	try_bound("", "len&&", EVTLOG_FILTER_NODES_MAX - 1, "ret", false);
	try_bound("port in {", "1,", EVTLOG_FILTER_ITEMS_MAX - 1, "2}", true);
	try_bound("port in {", "1,", EVTLOG_FILTER_ITEMS_MAX, "2}", false);
}

static const char *const parts[] = {
	"len", "ret", "port", "big", "cpu", "pid", "current.pid", "comm", "tree", "cgroup", "in",
	"==", "!=", "<", "<=", ">", ">=", "~", "&", "&&", "||", "!", "-", "(", ")", "{", "}", ",",
	"\"", "\"nfs*\"", "\"a\"", "0", "1", "0x10", "017", "65535", "18446744073709551615", " ",
	"len==1", "port in {1,2-5}", "(len&3)==1", "->", ".", "$", "\t", "\x80", "=", "|",
};

static void make_text(struct random *r)
{
	unsigned int nr = 1 + random_below(r, random_one_in(r, 20) ? 400 : 12);
	size_t length = 0;

	for (unsigned int i = 0; i < nr; i++) {
		const char *part = parts[random_below(r, sizeof(parts) / sizeof(parts[0]))];

		if (random_one_in(r, 30)) {
			text[length++] = (char)(1 + random_below(r, 255));
			continue;
		}
		memcpy(text + length, part, strlen(part));
		length += strlen(part);
	}
	text[length] = '\0';
}

static void use(struct random *r, const struct evtlog_filter *filter)
{
	struct evtlog_filter_stub stub = {
		.base = 7, .scratch = { 0, 11 }, .task = &evtlog_filter_current,
	};
	u64 slots[4] = { random_next(r), random_next(r), random_next(r), random_next(r) };
	int size = evtlog_filter_emit(filter, &stub, NULL, 0);
	unsigned char *code;

	(void)evtlog_filter_run(filter, slots);
	expect(size >= 0);
	/* Also with too little memory: nothing is written after the end. */
	if (random_one_in(r, 2))
		size = (int)random_below(r, (uint32_t)size + 1);
	code = malloc((size_t)size + 1);
	expect(code);
	(void)evtlog_filter_emit(filter, &stub, code, (size_t)size);
	free(code);
}

int main(int argc, char **argv)
{
	uint64_t tried = 0, good = 0;
	struct random r;

	limits_parse(&limits, argc, argv);
	r.state = limits.seed;
	try_errors();
	try_pids();
	try_bounds();
	for (; limits.seconds > 0 ? limits_elapsed() < limits.seconds : tried < limits.ops; tried++) {
		char error[EVTLOG_FILTER_ERROR_MAX];
		struct evtlog_filter *filter;
		unsigned int column = 0;

		make_text(&r);
		filter = compile(text, error);
		if (filter) {
			expect(!*error);
			use(&r, filter);
			evtlog_filter_free(filter);
			good++;
			continue;
		}
		if (sscanf(error, "column %u: ", &column) != 1 || !column ||
		    column > strlen(text) + 1)
			fail("'%s' has no column of the text", error);
	}
	printf("texts %llu, filters among them %llu\n", (unsigned long long)tried,
	       (unsigned long long)good);
	return 0;
}
