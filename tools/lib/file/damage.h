/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of places where a file is not what it should be.
 *
 * It does not look for damage itself.
 */
#ifndef EVTLOG_LIB_FILE_DAMAGE_H
#define EVTLOG_LIB_FILE_DAMAGE_H

#include <evtlog/evtlog.h>

/* More are counted only: a hostile file must not fill memory. */
#define DAMAGE_LISTED_MAX	65536

/* @unlisted: of each CPU, how many have no place in the list; for @cpus of them */
struct damage_list {
	struct evtlog_damage *at;
	size_t listed;
	size_t capacity;
	uint64_t count;
	uint64_t *unlisted;
	size_t cpus;
};

/* Memory that is short costs the place in the list, not the count. */
void damage_add(struct damage_list *list, const struct evtlog_damage *damage);
/* How many are a CPU's, of those from the @first on, and of those without a place in the list. */
uint64_t damage_count_of_cpu(const struct damage_list *list, size_t first, uint32_t cpu);

/* Those without a place in the list are no CPU's from now on. */
void damage_forget_unlisted(struct damage_list *list);

void damage_free(struct damage_list *list);

#endif /* EVTLOG_LIB_FILE_DAMAGE_H */
