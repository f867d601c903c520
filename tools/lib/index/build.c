// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Builds an index: threads read CPUs and write their chunks to the file; tasks are written last.
 *
 * Stage: between a log and its index file.  Memory is one buffer and one chunk per thread, and the
 * tasks.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "lib/base/array.h"
#include "lib/base/io.h"
#include "lib/file/file.h"
#include "lib/stream/stream.h"

#define THREADS_MAX		64
/* Bytes of buffers between two calls of progress(). */
#define PROGRESS_BYTES		(4u << 20)
/*
 * Events between checkpoints.  A reader of a window reads half of them in vain, on average.  To
 * limit the index, a checkpoint has at most 1 / CHECKPOINT_SHARE of the bytes of its events.
 */
#define CHECKPOINT_EVENTS	500000
#define CHECKPOINT_SHARE	16

/*
 * @next_job:	the checkpoints, if requested, then CPUs
 * @lock:	protects all members that follow it
 * @offset:	of the next chunk in @fd
 * @error:	first error
 * @base_damages: number of listed damages before buffers are read
 */
struct building {
	const char *log;
	const struct evtlog_index_options *options;
	int fd;
	unsigned int cpu_count;
	unsigned int threads;
	uint64_t all_bytes;
	struct evtlog_index_cpu *cpus;
	struct index_made *chunks;
	atomic_uint next_job;
	atomic_int error;
	pthread_mutex_t lock;
	uint64_t offset;
	size_t base_damages;
	uint64_t damages;
	bool is_based;
	bool is_cut;
	uint64_t done_bytes;
	uint64_t reported_bytes;
	struct index_news_list news;
	struct index_pids totals;
	struct index_checkpoints checkpoints;
};

struct worker {
	struct building *building;
	struct evtlog_file *file;
	struct index_lane_builder *lane;
	struct index_news_list news;
	unsigned int slot;
	pthread_t thread;
};

static uint64_t reserve(struct building *building, size_t length)
{
	uint64_t offset;

	pthread_mutex_lock(&building->lock);
	offset = building->offset;
	building->offset += length;
	pthread_mutex_unlock(&building->lock);
	return offset;
}

static int take_chunk(void *arg, const struct index_chunk *chunk, const void *bytes,
		      size_t length)
{
	struct worker *worker = arg;
	struct building *building = worker->building;
	struct index_made *chunks = &building->chunks[worker->slot];
	uint64_t offset;

	if (array_reserve(&chunks->at, &chunks->capacity, chunks->count, sizeof(*chunks->at)))
		return -ENOMEM;
	offset = reserve(building, length);
	chunks->at[chunks->count] = *chunk;
	chunks->at[chunks->count++].offset = offset;
	return io_write_at(building->fd, bytes, length, offset);
}

static void report_progress(struct building *building, uint64_t bytes)
{
	const struct evtlog_index_options *options = building->options;

	if (!options->progress)
		return;
	pthread_mutex_lock(&building->lock);
	building->done_bytes += bytes;
	if (building->done_bytes - building->reported_bytes >= PROGRESS_BYTES) {
		building->reported_bytes = building->done_bytes;
		options->progress(options->progress_arg, building->done_bytes,
				  building->all_bytes);
	}
	pthread_mutex_unlock(&building->lock);
}

/* Called after the first event of a buffer. */
static int note_start(struct worker *worker, const struct evtlog_stream *stream)
{
	struct index_made *chunks = &worker->building->chunks[worker->slot];
	struct context_stack contexts;
	struct index_start *start;

	if (!stream_places(stream, &contexts))
		return 0;
	if (array_reserve(&chunks->starts, &chunks->start_capacity, chunks->start_count,
			  sizeof(*start)))
		return -ENOMEM;
	start = &chunks->starts[chunks->start_count++];
	memset(start, 0, sizeof(*start));
	start->slot = worker->slot;
	start->block = stream_block(stream);
	start->depth = contexts.depth;
	for (unsigned int i = 0; i < contexts.depth; i++) {
		start->kind[i] = contexts.at[i + 1].kind;
		start->number[i] = contexts.at[i + 1].number;
	}
	return 0;
}

/*
 * Called after all buffers of a CPU were read.  Its worker may have found the damage here, or
 * earlier when it made the checkpoints.
 */
static void note_lacks(struct worker *worker, bool is_cut)
{
	struct building *building = worker->building;
	struct evtlog_summary summary;

	evtlog_summarize(worker->file, &summary);
	pthread_mutex_lock(&building->lock);
	building->damages += damage_count_of_cpu(&worker->file->damages, building->base_damages,
						 evtlog_cpu_number(worker->file, worker->slot));
	building->is_cut |= is_cut || summary.cpus_in_run > building->cpu_count;
	pthread_mutex_unlock(&building->lock);
}

static int read_cpu(struct worker *worker)
{
	struct building *building = worker->building;
	struct evtlog_index_cpu *cpu = &building->cpus[worker->slot];
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	uint64_t reported = 0;
	bool is_cut = false;
	int result;

	cpu->cpu = evtlog_cpu_number(worker->file, worker->slot);
	result = evtlog_stream_new(worker->file, worker->slot, &stream);
	if (result)
		return result;
	index_lane_start(worker->lane, cpu,
			 evtlog_recorded(worker->file, EVTLOG_SCHED_SWITCH) == EVTLOG_RECORDED_OFF);
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		result = index_lane_event(worker->lane, event);
		if (!result)
			result = index_news_add(&worker->news, event);
		if (!result && (event->kind == EVTLOG_EVENT_BUFFER ||
				event->kind == EVTLOG_EVENT_GAP))
			result = note_start(worker, stream);
		if (result)
			break;
		if (event->kind == EVTLOG_EVENT_RECORD)
			continue;
		is_cut |= event->kind == EVTLOG_EVENT_END && event->rest_missing;
		report_progress(building, evtlog_stream_position(stream) - reported);
		reported = evtlog_stream_position(stream);
		if (atomic_load(&building->error))
			break;
	}
	report_progress(building, evtlog_stream_position(stream) - reported);
	evtlog_stream_free(stream);
	if (!result)
		note_lacks(worker, is_cut);
	return result ? result : index_lane_end(worker->lane);
}

static int take_checkpoint(void *arg, uint64_t *offset, const void *bytes, size_t length)
{
	struct worker *worker = arg;

	*offset = reserve(worker->building, length);
	return io_write_at(worker->building->fd, bytes, length, *offset);
}

static int report_checkpoint(void *arg, uint64_t bytes)
{
	struct worker *worker = arg;

	report_progress(worker->building, bytes);
	return atomic_load(&worker->building->error);
}

static int make_checkpoints(struct worker *worker)
{
	static const struct index_checkpoints_step step = { CHECKPOINT_EVENTS, CHECKPOINT_SHARE };

	return index_checkpoints_make(worker->file, &step, &worker->building->checkpoints,
				      take_checkpoint, report_checkpoint, worker);
}

static int add_news(struct index_news_list *to, const struct index_news_list *from)
{
	if (!from->count)
		return 0;
	if (array_reserve_more(&to->at, &to->capacity, to->count, from->count, sizeof(*to->at)))
		return -ENOMEM;
	memcpy(to->at + to->count, from->at, from->count * sizeof(*to->at));
	to->count += from->count;
	return 0;
}

/* The same in the files of all workers. */
static void note_base(struct worker *worker)
{
	struct building *building = worker->building;
	const struct evtlog_damage *damage;
	uint64_t damages = evtlog_damage_count(worker->file);
	size_t i;

	for (i = 0; (damage = evtlog_damage(worker->file, i)); i++)
		damages -= damage->kind == EVTLOG_DAMAGE_INDEX;
	damage_forget_unlisted(&worker->file->damages);
	pthread_mutex_lock(&building->lock);
	if (!building->is_based) {
		building->damages += damages;
		building->base_damages = i;
		building->is_based = true;
	}
	pthread_mutex_unlock(&building->lock);
}

static int work(struct worker *worker)
{
	struct building *building = worker->building;
	int error;

	/* Limits the total of all threads. */
	worker->news.limit = INDEX_NEWS_MAX / building->threads;
	error = evtlog_open(building->log, &worker->file, NULL);
	if (error)
		return error;
	note_base(worker);
	/* The log may have been replaced since it was opened. */
	if (evtlog_cpu_count(worker->file) != building->cpu_count)
		error = -ESTALE;
	if (!error) {
		worker->lane = index_lane_new(take_chunk, worker);
		error = worker->lane ? 0 : -ENOMEM;
	}
	while (!error && !atomic_load(&building->error)) {
		unsigned int job = atomic_fetch_add(&building->next_job, 1);

		if (building->options->checkpoints && !job--) {
			error = make_checkpoints(worker);
			continue;
		}
		worker->slot = job;
		if (worker->slot >= building->cpu_count)
			break;
		error = read_cpu(worker);
	}
	if (!error) {
		pthread_mutex_lock(&building->lock);
		error = add_news(&building->news, &worker->news);
		if (!error)
			error = index_pids_merge(&building->totals,
						 index_lane_totals(worker->lane));
		pthread_mutex_unlock(&building->lock);
	}
	index_lane_free(worker->lane);
	free(worker->news.at);
	evtlog_close(worker->file);
	return error;
}

static void *work_thread(void *arg)
{
	struct worker *worker = arg;
	int error = work(worker), none = 0;

	if (error)
		atomic_compare_exchange_strong(&worker->building->error, &none, error);
	return NULL;
}

static unsigned int thread_count(const struct building *building)
{
	long threads = building->options->threads;

	if (!threads)
		threads = sysconf(_SC_NPROCESSORS_ONLN);
	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	if (threads > (long)building->cpu_count + building->options->checkpoints)
		threads = building->cpu_count + building->options->checkpoints;
	return threads > 1 ? threads : 1;
}

static int read_cpus(struct building *building)
{
	unsigned int count = thread_count(building), started = 0;
	struct worker *workers = calloc(count, sizeof(*workers));

	if (!workers)
		return -ENOMEM;
	building->threads = count;
	for (unsigned int i = 0; i < count; i++)
		workers[i].building = building;
	for (unsigned int i = 1; i < count; i++)
		if (!pthread_create(&workers[i].thread, NULL, work_thread, &workers[i]))
			started++;
		else
			break;
	work_thread(&workers[0]);
	for (unsigned int i = 1; i <= started; i++)
		pthread_join(workers[i].thread, NULL);
	free(workers);
	return atomic_load(&building->error);
}

/* ---- Tasks ---- */

static void add_totals(const struct building *building, struct index_tasks *tasks)
{
	struct evtlog_index_task *task = tasks->tasks;
	struct evtlog_index_task *end = task + tasks->count;

	/* Both are sorted by pid.  The last task of a pid gets the sums of all its tasks. */
	for (uint32_t i = 0; i < building->totals.count; i++) {
		const struct index_pid *pid = &building->totals.at[i];

		while (task < end && task->pid < pid->pid)
			task++;
		while (task + 1 < end && task[1].pid == pid->pid)
			task++;
		if (task == end || task->pid != pid->pid)
			continue;
		task->run_ns = pid->ns;
		task->switches = pid->switches;
		task->first_ns = pid->first_ns;
		task->last_ns = pid->last_ns;
	}
}

static void free_chunks(struct index_made *chunks)
{
	free(chunks->at);
	free(chunks->starts);
}

int index_build(const char *log, struct evtlog_file *file,
		const struct evtlog_index_options *options, int fd,
		struct index_header *header)
{
	struct building building = {
		.log = log,
		.options = options,
		.fd = fd,
		.cpu_count = evtlog_cpu_count(file),
		.all_bytes = file->summary.raw_bytes,
		.offset = sizeof(*header),
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	struct index_tasks tasks = { 0 };
	int error = -ENOMEM;

	if (options->checkpoints)
		building.all_bytes *= 2;
	building.cpus = calloc(building.cpu_count + 1, sizeof(*building.cpus));
	building.chunks = calloc(building.cpu_count + 1, sizeof(*building.chunks));
	if (!building.cpus || !building.chunks || index_pids_init(&building.totals))
		goto out;
	error = read_cpus(&building);
	if (!error)
		error = index_lifetimes_make(&building.news, &building.totals,
					     file_meta_pid(file, "logger_pid"),
					     evtlog_tree_pid(file), &tasks);
	if (error)
		goto out;
	add_totals(&building, &tasks);
	header->flags = building.is_cut || !building.cpu_count ? INDEX_LOG_CUT : 0;
	header->log_damages = building.damages;
	if (options->checkpoints)
		error = index_store_checkpoints(fd, &building.offset, &building.checkpoints, header);
	if (error)
		goto out;
	error = index_store(fd, building.offset, building.cpus, building.chunks,
			    building.cpu_count, &tasks, header);
out:
	index_tasks_free(&tasks);
	for (unsigned int i = 0; building.chunks && i < building.cpu_count; i++)
		free_chunks(&building.chunks[i]);
	index_pids_free(&building.totals);
	free(building.news.at);
	free(building.checkpoints.at);
	free(building.chunks);
	free(building.cpus);
	return error;
}
