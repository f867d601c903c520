/* SPDX-License-Identifier: GPL-2.0-only */
/* The one open file that takes buffers from a ring; other files only read the ring. */
#ifndef EVTLOG_CONSUMER_H
#define EVTLOG_CONSUMER_H

#include <linux/mutex.h>
#include <linux/types.h>

struct evtlog_ring;
struct file;

/**
 * struct evtlog_consumer - the open file that takes buffers from a ring
 * @file:	takes buffers; NULL if there is none
 * @lock:	guards @held and the ring's tail.  It is held while a buffer is copied to user
 *		memory, which may block without limit.  Only threads that read the same file take it
 * @held:	@file got a buffer and has not put it back.  If the file is closed, the buffer is
 *		not lost: the next consumer gets it again
 */
struct evtlog_consumer {
	const struct file *file;
	struct mutex lock;
	bool held;
};

bool evtlog_consumer_may(const struct file *file);
int evtlog_consumer_become(struct evtlog_consumer *consumer, const struct file *file);
void evtlog_consumer_release(struct evtlog_consumer *consumer, struct evtlog_ring *r);
int evtlog_consumer_put(struct evtlog_consumer *consumer, struct evtlog_ring *r,
			const struct file *file);
void evtlog_consumer_close(struct evtlog_consumer *consumer, const struct file *file);

#endif /* EVTLOG_CONSUMER_H */
