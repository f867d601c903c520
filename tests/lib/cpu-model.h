/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU's time so simple that it is plainly right: who was where at every ns, and what
 * happened.
 *
 * It is made by evtlog_stream_next() alone.
 */
#ifndef TESTS_LIB_CPU_MODEL_H
#define TESTS_LIB_CPU_MODEL_H

#include <evtlog/index.h>

enum state { IDLE, TASK, SOFTIRQ, IRQ, LOST, STATES };

/* From @from_ns to @until_ns the CPU was in @state. */
struct segment {
	uint64_t from_ns;
	uint64_t until_ns;
	enum state state;
	uint32_t pid;
};

struct happening {
	uint64_t time_ns;
	enum evtlog_kind kind;
	uint32_t pid;		/* that ran before */
	uint32_t about;
};

/* All of a CPU. */
struct model {
	struct segment *segments;
	size_t segment_count;
	struct happening *happenings;
	size_t happening_count;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* All of a CPU, of the file's @slot; model_free() it. */
void model_read(struct evtlog_file *file, unsigned int slot, struct model *model);
void model_free(struct model *model);

/* All CPUs' that were read last: so that who ran in a segment is one task. */
void models_split(struct model *models, unsigned int cpus);

/* How long it was in [@from, @to). */
uint64_t segment_overlap(const struct segment *segment, uint64_t from, uint64_t to);

/* The first segment that is not over by @from, the first happening that is not before it. */
size_t model_segment(const struct model *model, uint64_t from);
size_t model_happening(const struct model *model, uint64_t from);

#endif /* TESTS_LIB_CPU_MODEL_H */
