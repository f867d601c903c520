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

struct damage_list {
	struct evtlog_damage *at;
	size_t listed;
	size_t capacity;
	uint64_t count;
};

/* Memory that is short costs the place in the list, not the count. */
void damage_add(struct damage_list *list, const struct evtlog_damage *damage);
void damage_free(struct damage_list *list);

#endif /* EVTLOG_LIB_FILE_DAMAGE_H */
