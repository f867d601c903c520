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
	const struct replay *replay = &host->replay;

	memset(checkpoint, 0, sizeof(*checkpoint));
	if (host->source->has_passes)
		return -EOPNOTSUPP;
	checkpoint->time_ns = host->from_ns;
	checkpoint->host = *host;
	checkpoint->cpus = copy_of(host->cpus, replay->cpu_count, sizeof(*host->cpus));
	checkpoint->replay_cpus = copy_of(replay->cpus, replay->cpu_count, sizeof(*replay->cpus));
	checkpoint->tasks = copy_of(replay->tasks, replay->task_count, sizeof(*replay->tasks));
	if (checkpoint->cpus && checkpoint->replay_cpus && checkpoint->tasks)
		return 0;
	interval_checkpoint_free(checkpoint);
	return -ENOMEM;
}

void interval_checkpoint_free(struct interval_checkpoint *checkpoint)
{
	free(checkpoint->cpus);
	free(checkpoint->replay_cpus);
	free(checkpoint->tasks);
	memset(checkpoint, 0, sizeof(*checkpoint));
}

size_t interval_checkpoint_bytes(const struct interval_host *host)
{
	return sizeof(struct interval_checkpoint) +
	       host->replay.cpu_count * (sizeof(*host->cpus) + sizeof(*host->replay.cpus)) +
	       host->replay.task_count * sizeof(*host->replay.tasks);
}

/* ---- Restore ---- */

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
	int error = replay_restore(&host->replay, &(struct replay_checkpoint) {
		.cpus = checkpoint->replay_cpus,
		.tasks = checkpoint->tasks,
		.task_count = kept->replay.task_count,
		.free = kept->replay.free,
	});

	if (error)
		return error;
	memcpy(host->cpus, checkpoint->cpus, host->replay.cpu_count * sizeof(*host->cpus));
	host->level = kept->level;
	host->doubt = kept->doubt;
	host->snapshot_ns = kept->snapshot_ns;
	host->from_ns = kept->from_ns;
	return skip_to(host, checkpoint->time_ns);
}
