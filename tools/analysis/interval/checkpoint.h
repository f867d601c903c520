/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a log where an interval ends, so that reading can go on from there.
 *
 * Stage: beside host.c.  What runs and waits is known from all that was before: who has kept that
 * of some times need not read the log from its start for what is behind them.  Times of CPUs
 * (struct usage) are not kept: behind a checkpoint only the other counters hold.
 */
#ifndef EVTLOG_ANALYSIS_INTERVAL_CHECKPOINT_H
#define EVTLOG_ANALYSIS_INTERVAL_CHECKPOINT_H

#include "interval.h"

/*
 * @time_ns:	all events before it were taken, by the log's time
 * @host, @queues: their plain values
 * @cpus, @queue_cpus, @tasks: copies
 */
struct interval_checkpoint {
	uint64_t time_ns;
	struct interval_host host;
	struct interval_cpu *cpus;
	struct runqueue_cpu *queue_cpus;
	struct runqueue_task *tasks;
};

/*
 * interval_checkpoint_save() - keeps what is known behind an interval that interval_host_read()
 * has read, and not the last
 *
 * Return: 0; -ENOMEM; -EOPNOTSUPP: samples are the source, of which nothing is kept.
 */
int interval_checkpoint_save(struct interval_checkpoint *checkpoint,
			     const struct interval_host *host);
void interval_checkpoint_free(struct interval_checkpoint *checkpoint);

/* How much memory one of @host takes now. */
size_t interval_checkpoint_bytes(const struct interval_host *host);

/*
 * interval_checkpoint_restore() - goes to a checkpoint of the same log
 * @host: as of interval_host_init(), of the same CPUs
 *
 * Return: 0: the next interval begins at the checkpoint's time; -ENOMEM; -errno of read().
 */
int interval_checkpoint_restore(const struct interval_checkpoint *checkpoint,
				struct interval_host *host);

#endif /* EVTLOG_ANALYSIS_INTERVAL_CHECKPOINT_H */
