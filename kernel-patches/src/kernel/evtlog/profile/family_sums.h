/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of many tasks by call path: the tree of a family's ended tasks.
 */
#ifndef EVTLOG_PROFILE_FAMILY_SUMS_H
#define EVTLOG_PROFILE_FAMILY_SUMS_H

#include "callpath/slots.h"
#include "callpath/value.h"

struct evtlog_profile;
struct seq_file;

/* Further paths are added to @paths[0], EVTLOG_PROFILE_REST. */
#define EVTLOG_PROFILE_FAMILY_PATHS	2048
#define EVTLOG_PROFILE_FAMILY_HASH	(2 * EVTLOG_PROFILE_FAMILY_PATHS)

/**
 * struct evtlog_profile_family_path - a call path of all ended tasks
 * @key:	as of struct evtlog_profile_node, by the index of the parent here
 * @sums:	theirs
 */
struct evtlog_profile_family_path {
	u32 key;
	struct evtlog_profile_sums sums;
};

/**
 * struct evtlog_profile_family_sums - paths, those before which are their parents
 * @nr:		how many
 * @index:	of a path by hash of its key, plus 1; 0: none
 * @values:	theirs
 * @paths:	0 is that of all that found no place
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
