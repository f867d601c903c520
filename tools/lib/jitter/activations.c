// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Time of tasks from wake-up to sleep, over all their parts in between.
 *
 * It covers only the time that measured threads saw: elsewhere, a running task takes no time.
 *
 * A task that is woken on one CPU can continue on another, so the parts of all threads are followed
 * in the order of their begins.  Without samples, several tasks can wait on one CPU, and each has
 * its own parts for what runs there: these are kept separate.
 */
#include "internal.h"

/* The current or last activation of a task. */
struct active {
	uint32_t pid;
	uint32_t source;
	bool known;
	uint32_t losses;
	uint64_t ticks;
};

/* @losses: number of losses so far; activations from before the last one are incomplete */
struct actives {
	struct active *at;
	size_t count;
	size_t capacity;
	struct key_table by_pid;
	uint32_t losses;
};

static struct active *get_active(struct actives *actives, uint32_t pid)
{
	uint32_t number = key_table_find(&actives->by_pid, pid);

	if (number != KEY_NONE)
		return &actives->at[number];
	if (array_reserve(&actives->at, &actives->capacity, actives->count, sizeof(*actives->at)) ||
	    key_table_add(&actives->by_pid, pid, actives->count))
		return NULL;
	actives->at[actives->count] = (struct active) { .pid = pid };
	return &actives->at[actives->count++];
}

static void end_activation(struct evtlog_jitter *jitter, const struct actives *actives,
			   struct active *active)
{
	struct evtlog_jitter_source *source = &jitter->sources.at[active->source];

	if (!active->known || active->losses != actives->losses)
		return;
	active->known = false;
	if (active->ticks < source->activation_min)
		source->activation_min = active->ticks;
	if (active->ticks > source->activation_max)
		source->activation_max = active->ticks;
}

static int take_part(struct evtlog_jitter *jitter, struct actives *actives,
		     const struct evtlog_jitter_part *part)
{
	struct evtlog_jitter_source *source = &jitter->sources.at[part->source];
	struct active *active;

	if (source->kind != EVTLOG_SOURCE_TASK)
		return 0;
	active = get_active(actives, part->pid);
	if (!active)
		return -ENOMEM;
	if (part->activation) {
		end_activation(jitter, actives, active);
		source->activations++;
		*active = (struct active) {
			part->pid, part->source, true, actives->losses, 0
		};
	}
	active->ticks += part->own_ticks;
	return 0;
}

/*
 * Position in a thread.
 * @at_ticks:	begin of the part, or of an excluded interruption
 */
struct cursor {
	uint64_t at_ticks;
	const struct evtlog_interruption *interruption;
	const struct evtlog_interruption *behind;
	uint32_t part;
};

/* Sets @at_ticks.  Returns false at the end. */
static bool look(const struct evtlog_jitter *jitter, struct cursor *cursor)
{
	for (; cursor->interruption < cursor->behind; cursor->interruption++) {
		const struct evtlog_interruption *at = cursor->interruption;

		cursor->at_ticks = at->leave_ticks;
		if (at->flags & EVTLOG_JITTER_EXCLUDED)
			return true;
		if (cursor->part < at->parts) {
			cursor->at_ticks =
				jitter->parts[at->first_part + cursor->part].begin_ticks;
			return true;
		}
		cursor->part = 0;
	}
	return false;
}

static int take(struct evtlog_jitter *jitter, struct actives *actives, struct cursor *cursor)
{
	const struct evtlog_interruption *at = cursor->interruption;

	if (at->flags & EVTLOG_JITTER_EXCLUDED) {
		/* The running task may have slept in this time. */
		actives->losses++;
		cursor->interruption++;
		cursor->part = 0;
		return 0;
	}
	return take_part(jitter, actives, &jitter->parts[at->first_part + cursor->part++]);
}

/* Restores the heap, with the earliest position on top. */
static void sift_down(struct cursor *heap, size_t at, size_t count)
{
	struct cursor one = heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < count && heap[child + 1].at_ticks < heap[child].at_ticks)
			child++;
		if (child >= count || heap[child].at_ticks >= one.at_ticks)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = one;
}

static int follow(struct evtlog_jitter *jitter, size_t first, size_t threads,
		  struct cursor *heap)
{
	struct actives actives = { 0 };
	size_t count = 0;
	int error = 0;

	for (size_t i = first; i < first + threads; i++) {
		const struct evtlog_jitter_thread *thread = &jitter->threads[i];

		heap[count] = (struct cursor) {
			.interruption = jitter->interruptions + thread->first_interruption,
			.behind = jitter->interruptions + thread->first_interruption +
				  thread->interruptions,
		};
		count += look(jitter, &heap[count]);
	}
	for (size_t i = count / 2; i--; )
		sift_down(heap, i, count);
	while (count && !error) {
		error = take(jitter, &actives, &heap[0]);
		if (!look(jitter, &heap[0]))
			heap[0] = heap[--count];
		if (count)
			sift_down(heap, 0, count);
	}
	for (size_t k = 0; k < actives.count; k++)
		end_activation(jitter, &actives, &actives.at[k]);
	key_table_free(&actives.by_pid);
	free(actives.at);
	return error;
}

int jitter_activations(struct evtlog_jitter *jitter)
{
	struct cursor *heap = calloc(jitter->track_count + 1, sizeof(*heap));
	int error = heap ? 0 : -ENOMEM;

	for (size_t i = 0; i < jitter->sources.count; i++)
		if (jitter->sources.at[i].kind == EVTLOG_SOURCE_TASK)
			jitter->sources.at[i].activation_min = UINT64_MAX;
	if (!error && jitter->samples_file)
		error = follow(jitter, 0, jitter->track_count, heap);
	for (size_t i = 0; !jitter->samples_file && i < jitter->track_count && !error; i++)
		error = follow(jitter, i, 1, heap);
	for (size_t i = 0; i < jitter->sources.count; i++)
		if (jitter->sources.at[i].activation_min == UINT64_MAX)
			jitter->sources.at[i].activation_min = 0;
	free(heap);
	return error;
}
