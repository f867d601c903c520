/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interruptions of a log that has samples beside it: found when they are first asked
 * for.
 *
 * Stage: between evtlog_jitter_new() and the answers; any thread may ask.
 */
#ifndef EVTLOG_VIEW_SESSION_JITTER_CACHE_H
#define EVTLOG_VIEW_SESSION_JITTER_CACHE_H

#include <evtlog/jitter.h>

struct jitter_cache;

/* *@cachep is NULL if there are no samples beside the log @path.  0 or -ENOMEM. */
int jitter_cache_new(const char *path, struct jitter_cache **cachep);
void jitter_cache_free(struct jitter_cache *cache);

/*
 * Reads the log the first time, and all wait for that.  @why: filled on failure.
 * Return: 0; -errno as of evtlog_samples_open(), evtlog_open() and evtlog_jitter_new().
 */
int jitter_cache_ask(struct jitter_cache *cache, const struct evtlog_jitter **jitterp,
		     struct evtlog_error *why);

#endif /* EVTLOG_VIEW_SESSION_JITTER_CACHE_H */
