/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters as BPF programs */
#ifndef EVTLOG_MODULE_PROGRAM_H
#define EVTLOG_MODULE_PROGRAM_H

#include <linux/types.h>

struct bpf_prog;
struct evtlog_filter;
struct program;

/*
 * struct program_fields - where a program finds the fields of an event
 * @load:	emits the load of a slot's lower @width bytes to R0; the upper ones become 0
 * @what:	passed to @load
 * @least:	the second argument must be at least this
 */
struct program_fields {
	void (*load)(struct program *p, const void *what, unsigned int slot, unsigned int width);
	const void *what;
	u32 least;
};

void program_load_argument(struct program *p, unsigned int argument, unsigned int width);
void program_load_memory(struct program *p, unsigned int argument, s32 offset,
			 unsigned int width);
void program_load_constant(struct program *p, s32 value);
void program_load_trees(struct program *p, unsigned int argument);
void program_shift_right(struct program *p, unsigned int bits);
void program_swap(struct program *p, unsigned int width);

struct bpf_prog *program_make(const struct evtlog_filter *filter,
			      const struct program_fields *fields);

#endif /* EVTLOG_MODULE_PROGRAM_H */
