/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of many tasks by call path: the tree of a family's ended tasks. */
#ifndef EVTLOG_PROFILE_FAMILY_SUMS_H
#define EVTLOG_PROFILE_FAMILY_SUMS_H

#include "callpath/slots.h"
#include "callpath/value.h"

struct evtlog_profile;
struct seq_file;

/* More paths than this are added to @paths[0], EVTLOG_PROFILE_REST. */
#define EVTLOG_PROFILE_FAMILY_PATHS	2048
#define EVTLOG_PROFILE_FAMILY_HASH	(2 * EVTLOG_PROFILE_FAMILY_PATHS)

/**
 * struct evtlog_profile_family_path - a call path of all ended tasks
 * @key:	as in struct evtlog_profile_node, with the index of the parent in this tree
 * @sums:	sums of all ended tasks
 */
struct evtlog_profile_family_path {
	u32 key;
	struct evtlog_profile_sums sums;
};

/**
 * struct evtlog_profile_family_sums - the tree; a parent precedes its children
 * @nr:		number of paths
 * @index:	hash table by key: index of the path plus 1; 0: none
 * @values:	values of all ended tasks
 * @paths:	the paths; path 0 has the sums of paths that found no room
 */
struct evtlog_profile_family_sums {
	unsigned int nr;
	u16 index[EVTLOG_PROFILE_FAMILY_HASH];
	struct evtlog_profile_values values;
	struct evtlog_profile_family_path paths[EVTLOG_PROFILE_FAMILY_PATHS];
};

struct evtlog_profile_family_sums *evtlog_profile_family_sums_alloc(void);
void evtlog_profile_family_sums_add(struct evtlog_profile_family_sums *sums,
				    struct evtlog_profile *p);
void evtlog_profile_family_sums_copy(struct evtlog_profile_family_sums *to,
				     const struct evtlog_profile_family_sums *from);
void evtlog_profile_family_sums_show(struct seq_file *m,
				     const struct evtlog_profile_family_sums *sums);

#endif /* EVTLOG_PROFILE_FAMILY_SUMS_H */
