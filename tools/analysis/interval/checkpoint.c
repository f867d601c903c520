// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Saves the state of a log at the end of an interval, and continues from there.
 *
 * Called by view/session/counters-log.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "lib/base/array.h"

static void *copy_of(const void *from, size_t count, size_t size)
{
	void *to = calloc(count + 1, size);

	if (to)
		memcpy(to, from, count * size);
	return to;
}

int interval_checkpoint_save(struct interval_checkpoint *checkpoint,
			     const struct interval_host *host)
{
	const struct runqueues *queues = &host->queues;

	memset(checkpoint, 0, sizeof(*checkpoint));
	if (host->source->has_passes)
		return -EOPNOTSUPP;
	checkpoint->time_ns = host->from_ns;
	checkpoint->host = *host;
	checkpoint->cpus = copy_of(host->cpus, queues->cpu_count, sizeof(*host->cpus));
	checkpoint->queue_cpus = copy_of(queues->cpus, queues->cpu_count, sizeof(*queues->cpus));
	checkpoint->tasks = copy_of(queues->tasks, queues->task_count, sizeof(*queues->tasks));
	if (checkpoint->cpus && checkpoint->queue_cpus && checkpoint->tasks)
		return 0;
	interval_checkpoint_free(checkpoint);
	return -ENOMEM;
}

void interval_checkpoint_free(struct interval_checkpoint *checkpoint)
{
	free(checkpoint->cpus);
	free(checkpoint->queue_cpus);
	free(checkpoint->tasks);
	memset(checkpoint, 0, sizeof(*checkpoint));
}

size_t interval_checkpoint_bytes(const struct interval_host *host)
{
	return sizeof(struct interval_checkpoint) +
	       host->queues.cpu_count * (sizeof(*host->cpus) + sizeof(*host->queues.cpus)) +
	       host->queues.task_count * sizeof(*host->queues.tasks);
}

/* ---- Restore ---- */

static int restore_queues(const struct interval_checkpoint *checkpoint, struct runqueues *queues)
{
	const struct runqueues *kept = &checkpoint->host.queues;

	if (array_reserve_more(&queues->tasks, &queues->task_capacity, 0, kept->task_count,
			       sizeof(*queues->tasks)))
		return -ENOMEM;
	memcpy(queues->tasks, checkpoint->tasks, kept->task_count * sizeof(*queues->tasks));
	queues->task_count = kept->task_count;
	/* Each pid has one task. */
	for (uint32_t i = 1; i < kept->task_count; i++)
		queues->by_pid[queues->tasks[i].pid] = i;
	memcpy(queues->cpus, checkpoint->queue_cpus, kept->cpu_count * sizeof(*queues->cpus));
	queues->losses = kept->losses;
	queues->lossy = kept->lossy;
	queues->doubtful = kept->doubtful;
	return 0;
}

/*
 * Each CPU starts with a buffer that began earlier. Its events before @time_ns were already taken:
 * skips them. A buffer that begins at @time_ns, and a gap before it, are then read as usual.
 */
static int skip_to(struct interval_host *host, uint64_t time_ns)
{
	int error;

	iterator_end(&host->iterator);
	error = iterator_of_log(&host->iterator, host->file, time_ns - 1, NULL);
	do {
		if (!error)
			error = interval_host_advance(host);
	} while (!error && host->next && host->next->time_ns < time_ns);
	host->begun = true;
	return error;
}

int interval_checkpoint_restore(const struct interval_checkpoint *checkpoint,
				struct interval_host *host)
{
	const struct interval_host *kept = &checkpoint->host;
	int error = restore_queues(checkpoint, &host->queues);

	if (error)
		return error;
	memcpy(host->cpus, checkpoint->cpus, host->queues.cpu_count * sizeof(*host->cpus));
	host->level = kept->level;
	host->doubt = kept->doubt;
	host->snapshot_ns = kept->snapshot_ns;
	host->from_ns = kept->from_ns;
	return skip_to(host, checkpoint->time_ns);
}
