// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For random filters and records, the interpreter, the machine code and the module's program give
 * the same result as a naive model, which has the filter from before it was printed as text.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "filter_model.h"
#include "filter_native.h"
#include "filter_program.h"
#include "limits.h"

#define RECORDS	8
#define SLOTS	48

static struct limits limits = { .seconds = 10 };
static char text[EVTLOG_FILTER_TEXT_MAX + 1];
static u64 filters;

void fail(const char *format, ...)
{
	va_list arguments;

	printf("FAIL: ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\nfilter %llu: %s\nSEED=%llu\n", (unsigned long long)filters, text,
	       (unsigned long long)limits.seed);
	exit(1);
}

u64 evtlog_filter_task_value(unsigned int special)
{
	const struct model_task *task = &model_cpu.task;
	u64 garbage = 0xdeadbeef00000000;

	switch (special) {
	case 1:
		return model_cpu.cpu | garbage;
	case 2:
		return (u32)task->pid | garbage;
	case 3:
		return (u32)task->tgid | garbage;
	case 4:
		return (u32)task->prio | garbage;
	case 5:
		return task->trees | garbage;
	}
	fail("no such special value: %u", special);
}

const char *evtlog_filter_task_comm(void)
{
	return model_cpu.task.comm;
}

/* Writes code for filter-code.test: its size, the place that rejects, the bytes. */
static void dump(FILE *to, int size)
{
	long reject;
	const void *code = native_code(&reject);
	u64 head[2] = { (u64)size, (u64)reject };

	fwrite(head, sizeof(head), 1, to);
	fwrite(code, 1, (size_t)size, to);
}

/* Returns the number of accepted records. */
static unsigned int try_filter(struct random *r, struct evtlog_filter *filter,
			       const struct model_node *model, FILE *to)
{
	u64 slots[SLOTS] = { 0 };
	unsigned int accepted = 0, i;
	int size;

	size = native_build(r, filter);
	program_build(filter);
	if (to)
		dump(to, size);
	for (i = 0; i < RECORDS; i++) {
		bool wanted;

		model_record(r, slots);
		if (!model_compare_texts(filter, slots))
			fail("a text is of another field");
		wanted = model_matches(model, slots);
		if (evtlog_filter_run(filter, slots) != wanted)
			fail("record %u: the interpreter is wrong: not %d", i, wanted);
		if (native_run(slots) != wanted)
			fail("record %u: the machine code is wrong: not %d", i, wanted);
		if (program_run(slots) != wanted)
			fail("record %u: the program is wrong: not %d", i, wanted);
		accepted += wanted;
	}
	return accepted;
}

int main(int argc, char **argv)
{
	const char *dump_to = getenv("FILTER_DUMP");
	FILE *to = dump_to ? fopen(dump_to, "wb") : NULL;
	u64 accepted = 0, longer = 0;
	struct random r;

	limits_parse(&limits, argc, argv);
	r.state = limits.seed;
	native_init();
	while (limits.seconds > 0 ? limits_elapsed() < limits.seconds : filters < limits.ops) {
		unsigned int tests = 1 + random_below(&r, random_one_in(&r, 4) ? 24 : 4);
		struct model_node *model = model_filter(&r, tests);
		char error[EVTLOG_FILTER_ERROR_MAX];
		struct evtlog_filter *filter;

		if (!model_print(&r, model, text, sizeof(text))) {
			longer++;
			model_free(model);
			continue;
		}
		filter = evtlog_filter_compile(text, model_fields, MODEL_FIELDS, error,
					       sizeof(error));
		if (!filter && (strstr(error, "nested too deeply") || strstr(error, "too many texts"))) {
			longer++;
			model_free(model);
			continue;
		}
		if (!filter)
			fail("%s", error);
		expect(!*error);
		accepted += try_filter(&r, filter, model, to);
		evtlog_filter_free(filter);
		model_free(model);
		filters++;
	}
	if (to && fclose(to))
		fail("%s: cannot be written", dump_to);
	printf("filters %llu, records %llu, accepted %.1f %%, too long for a filter %llu\n",
	       (unsigned long long)filters, (unsigned long long)(filters * RECORDS),
	       100.0 * (double)accepted / (double)(filters * RECORDS), (unsigned long long)longer);
	return 0;
}
