/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far the path of a probe's argument was followed: walk.c follows it for resolve.c, which uses the result.
 */
#ifndef EVTLOG_PROBE_WALK_H
#define EVTLOG_PROBE_WALK_H

#include "probe/probe.h"

/*
 * struct walk - how far an argument's path was followed
 * @btf, @type:	of the place that was reached; NULL: not known
 * @in_memory:	the place is at the last value + @offset; else it is the value itself
 * @in_registers: the place is a structure in registers, or a part of one, @offset bytes after its begin
 * @is_big_endian: it is a number in network order
 * @is_data:	it is the address of a packet's data
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
