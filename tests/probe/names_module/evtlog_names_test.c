// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has a function with arguments of known values, which is called so many times as is written to the
 * parameter calls.
 */
#include <linux/module.h>

struct evtlog_names_part {
	u32 before;
	s16 number;
	char text[10];
};

struct evtlog_names {
	u64 id;
	struct evtlog_names *next;
	struct evtlog_names_part part;
	bool is_odd;
};

/* The compiler takes nothing of its body for its callers: it could leave out what that does not read. */
__attribute__((noipa)) int evtlog_names_hit(struct evtlog_names *it, u16 port, long last);

int evtlog_names_hit(struct evtlog_names *it, u16 port, long last)
{
	return it->part.number + port - last;
}

static int set_calls(const char *text, const struct kernel_param *param)
{
	struct evtlog_names second = { .id = 77 };
	unsigned int count, i;
	int error = kstrtouint(text, 0, &count);

	for (i = 0; !error && i < count; i++) {
		struct evtlog_names first = {
			.id = 1000 + i, .next = &second, .is_odd = i & 1,
			.part = { .number = -(int)i, .text = "a text" },
		};

		second.part.number = i * 2;
		evtlog_names_hit(&first, 5000 + i, i * 1000000000L);
	}
	return error;
}

static const struct kernel_param_ops calls_ops = { .set = set_calls };

module_param_cb(calls, &calls_ops, NULL, 0200);

MODULE_DESCRIPTION("A function for a test of evtlog's names in modules");
MODULE_LICENSE("GPL");
