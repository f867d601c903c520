/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of a CPU's time, so simple that it is clearly right: the state at every ns, and the
 * events. Built from evtlog_stream_next() only.
 */
#ifndef TESTS_LIB_CPU_MODEL_H
#define TESTS_LIB_CPU_MODEL_H

#include <evtlog/index.h>

enum state { IDLE, TASK, SOFTIRQ, IRQ, LOST, STATES };

/* The CPU was in @state from @from_ns to @until_ns. */
struct segment {
	uint64_t from_ns;
	uint64_t until_ns;
	enum state state;
	uint32_t pid;
};

struct happening {
	uint64_t time_ns;
	enum evtlog_kind kind;
	uint32_t pid;		/* of the task that ran before */
	uint32_t about;
};

/* The whole time of a CPU */
struct model {
	struct segment *segments;
	size_t segment_count;
	struct happening *happenings;
	size_t happening_count;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* Reads the CPU at the file's @slot; release with model_free(). */
void model_read(struct evtlog_file *file, unsigned int slot, struct model *model);
void model_free(struct model *model);

/* Splits segments of the CPUs read last at births: one segment, one task. */
void models_split(struct model *models, unsigned int cpus);

/* The ns of the segment in [@from, @to) */
uint64_t segment_overlap(const struct segment *segment, uint64_t from, uint64_t to);

/* The first segment that ends after @from; the first event at or after @from */
size_t model_segment(const struct model *model, uint64_t from);
size_t model_happening(const struct model *model, uint64_t from);

#endif /* TESTS_LIB_CPU_MODEL_H */
