/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The place that a walk along an argument's path has reached: set by walk.c, used by resolve.c.
 */
#ifndef EVTLOG_PROBE_WALK_H
#define EVTLOG_PROBE_WALK_H

#include "probe/probe.h"

/*
 * struct walk - the place that was reached on the path of an argument
 * @btf, @type: type of the place; NULL if unknown
 * @in_memory:	True: the place is in memory, at the last value + @offset.  False: the value itself
 * @in_registers: True: the place is a structure in registers, or its part after @offset bytes
 * @is_big_endian: True: the place is a number in network byte order
 * @is_data:	True: the place is the pointer to a packet's data
 */
struct walk {
	struct evtlog_probe *p;
	struct evtlog_probe_arg *arg;
	struct evtlog_probe_error *error;
	const struct btf *btf;
	const struct btf_type *type;
	bool in_memory;
	bool in_registers;
	bool is_big_endian;
	bool is_data;
	u32 offset;
	u32 bitfield;
	u32 shift;
};

/* walk.c */
int evtlog_probe_walk(struct walk *w, const char *path, size_t len);
int evtlog_probe_walk_base(struct walk *w, const char *name, size_t len);
int evtlog_probe_add_load(struct walk *w, u32 offset);
int evtlog_probe_leave_registers(struct walk *w);
bool evtlog_probe_is_packet(const struct walk *w, bool is_pointer);

#endif /* EVTLOG_PROBE_WALK_H */
