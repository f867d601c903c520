/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random filters as trees that know their own meaning, and the machine they are asked on.
 *
 * The meaning is found from the tree that the text is printed from, in numbers of 128 bits:
 * it shares nothing with the kernel's parser, interpreter and code.
 */
#ifndef UNIT_FILTER_MODEL_H
#define UNIT_FILTER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/filter.h"
#include "random.h"

#define MODEL_FIELDS	12
/* Slots of the text's number and of what the filter's texts are to it */
#define MODEL_TEXT	11
#define MODEL_TEXTS	12
#define MODEL_ANCESTORS	4

/* In the place of a CPU's area and its task; the code finds it by %gs. */
struct model_task {
	int32_t tgid, prio, pad[40], pid;
	uint32_t trees;
	char comm[16];
	u64 ancestors[MODEL_ANCESTORS];	/* itself first */
	u64 cgroups[MODEL_ANCESTORS];
};
struct model_cpu {
	u64 pad[2];
	struct model_task *current;
	uint32_t cpu;
	struct model_task task;
};

extern struct model_cpu model_cpu;
/* The text field's */
extern const char *model_text;
extern const struct evtlog_filter_field model_fields[MODEL_FIELDS];

/* Is @number one of the MODEL_ANCESTORS numbers? */
bool model_is_among(const u64 *numbers, u64 number);

struct model_node;

/* Of at most about @tests tests; model_free() it. */
struct model_node *model_filter(struct random *r, unsigned int tests);
void model_free(struct model_node *node);
/* At most @size characters, the NUL included; false: it is longer. */
bool model_print(struct random *r, const struct model_node *node, char *text, size_t size);
bool model_matches(const struct model_node *node, const u64 *slots);
/* How the one who asks a filter compares its texts; false: they are of another field */
bool model_compare_texts(struct evtlog_filter *filter, u64 *slots);
/* Slots and the task, often near the numbers in filters. */
void model_record(struct random *r, u64 *slots);

#endif /* UNIT_FILTER_MODEL_H */
