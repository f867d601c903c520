/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random filters as trees that compute their own result, and the machine whose state they test.
 *
 * The result comes from the tree from which the text is printed, with 128-bit numbers. The model
 * shares nothing with the kernel's parser, interpreter and machine code.
 */
#ifndef UNIT_FILTER_MODEL_H
#define UNIT_FILTER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/filter.h"
#include "random.h"

#define MODEL_FIELDS	12
/* Slots of the text's number, and of the results of its comparisons with the filter's texts */
#define MODEL_TEXT	11
#define MODEL_TEXTS	12
#define MODEL_ANCESTORS	4

/* Replaces a CPU's area and its task; the code finds it by %gs. */
struct model_task {
	int32_t tgid, prio, pad[40], pid;
	uint32_t trees;
	char comm[16];
	u64 ancestors[MODEL_ANCESTORS];	/* the task itself first */
	u64 cgroups[MODEL_ANCESTORS];
};
struct model_cpu {
	u64 pad[2];
	struct model_task *current;
	uint32_t cpu;
	struct model_task task;
};

extern struct model_cpu model_cpu;
/* The text in the text field */
extern const char *model_text;
extern const struct evtlog_filter_field model_fields[MODEL_FIELDS];

/* Is @number one of the MODEL_ANCESTORS numbers? */
bool model_is_among(const u64 *numbers, u64 number);

struct model_node;

/* Makes a filter of at most about @tests tests. Release with model_free(). */
struct model_node *model_filter(struct random *r, unsigned int tests);
void model_free(struct model_node *node);
/* Prints at most @size characters including the NUL. Returns false if the text is longer. */
bool model_print(struct random *r, const struct model_node *node, char *text, size_t size);
bool model_matches(const struct model_node *node, const u64 *slots);
/* Compares the filter's texts as a caller does. Returns false if they belong to another field. */
bool model_compare_texts(struct evtlog_filter *filter, u64 *slots);
/* Makes slots and a task, often near the numbers in filters. */
void model_record(struct random *r, u64 *slots);

#endif /* UNIT_FILTER_MODEL_H */
