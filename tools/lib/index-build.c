// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Builds an index: threads read CPUs, their chunks go to the file, tasks come last.
 *
 * Stage: between a log and its index's file.  Memory is a buffer and a chunk for each
 * thread, and the tasks.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "file.h"
#include "index.h"

#define THREADS_MAX		64
/* Bytes of buffers between two calls of progress(). */
#define PROGRESS_BYTES		(4u << 20)

struct cpu_chunks {
	struct index_chunk *at;
	size_t count;
	size_t room;
};

/*
 * @lock:	of all that follows it
 * @offset:	where the next chunk goes in @fd
 * @error:	the first that came up
 */
struct building {
	const char *log;
	const struct evtlog_index_options *options;
	int fd;
	unsigned int cpu_count;
	uint64_t all_bytes;
	struct evtlog_index_cpu *cpus;
	struct cpu_chunks *chunks;
	atomic_uint next_slot;
	atomic_int error;
	pthread_mutex_t lock;
	uint64_t offset;
	uint64_t done_bytes;
	uint64_t told_bytes;
	struct index_news_list news;
	struct index_pids totals;
};

struct worker {
	struct building *building;
	struct evtlog_file *file;
	struct index_lane_builder *lane;
	struct index_news_list news;
	unsigned int slot;
	pthread_t thread;
};

static int write_all(int fd, const void *from, size_t length, uint64_t offset)
{
	const char *at = from;

	while (length) {
		ssize_t put = pwrite(fd, at, length, offset);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? -errno : -ENOSPC;
		at += put;
		length -= put;
		offset += put;
	}
	return 0;
}

static int take_chunk(void *arg, const struct index_chunk *chunk, const void *bytes,
		      size_t length)
{
	struct worker *worker = arg;
	struct building *building = worker->building;
	struct cpu_chunks *chunks = &building->chunks[worker->slot];
	uint64_t offset;

	if (chunks->count == chunks->room) {
		size_t room = chunks->room ? 2 * chunks->room : 4;
		struct index_chunk *at = reallocarray(chunks->at, room, sizeof(*at));

		if (!at)
			return -ENOMEM;
		chunks->at = at;
		chunks->room = room;
	}
	pthread_mutex_lock(&building->lock);
	offset = building->offset;
	building->offset += length;
	pthread_mutex_unlock(&building->lock);
	chunks->at[chunks->count] = *chunk;
	chunks->at[chunks->count++].offset = offset;
	return write_all(building->fd, bytes, length, offset);
}

static void tell(struct building *building, uint64_t bytes)
{
	const struct evtlog_index_options *options = building->options;

	if (!options->progress)
		return;
	pthread_mutex_lock(&building->lock);
	building->done_bytes += bytes;
	if (building->done_bytes - building->told_bytes >= PROGRESS_BYTES) {
		building->told_bytes = building->done_bytes;
		options->progress(options->progress_arg, building->done_bytes,
				  building->all_bytes);
	}
	pthread_mutex_unlock(&building->lock);
}

static bool is_news(const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_TASK:
	case EVTLOG_SCHED_PROCESS_FORK:
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_TASK_RENAME:
		return true;
	default:
		return event->kind != EVTLOG_EVENT_RECORD;
	}
}

static int read_cpu(struct worker *worker)
{
	struct building *building = worker->building;
	struct evtlog_index_cpu *cpu = &building->cpus[worker->slot];
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	uint64_t told = 0;
	int result;

	cpu->cpu = evtlog_cpu_number(worker->file, worker->slot);
	result = evtlog_stream_new(worker->file, worker->slot, &stream);
	if (result)
		return result;
	index_lane_start(worker->lane, cpu);
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		result = index_lane_event(worker->lane, event);
		if (!result && is_news(event))
			result = index_news_add(&worker->news, event);
		if (result)
			break;
		if (event->kind == EVTLOG_EVENT_RECORD)
			continue;
		tell(building, evtlog_stream_position(stream) - told);
		told = evtlog_stream_position(stream);
		if (atomic_load(&building->error))
			break;
	}
	tell(building, evtlog_stream_position(stream) - told);
	evtlog_stream_free(stream);
	return result ? result : index_lane_end(worker->lane);
}

static int add_news(struct index_news_list *to, const struct index_news_list *from)
{
	struct index_news *at;

	if (!from->count)
		return 0;
	at = reallocarray(to->at, to->count + from->count, sizeof(*at));
	if (!at)
		return -ENOMEM;
	memcpy(at + to->count, from->at, from->count * sizeof(*at));
	to->at = at;
	to->count += from->count;
	to->room = to->count;
	return 0;
}

static int work(struct worker *worker)
{
	struct building *building = worker->building;
	int error = evtlog_open(building->log, &worker->file, NULL);

	if (error)
		return error;
	/* The log may have become another meanwhile. */
	if (evtlog_cpu_count(worker->file) != building->cpu_count)
		error = -ESTALE;
	if (!error) {
		worker->lane = index_lane_new(take_chunk, worker);
		error = worker->lane ? 0 : -ENOMEM;
	}
	while (!error && !atomic_load(&building->error)) {
		worker->slot = atomic_fetch_add(&building->next_slot, 1);
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
	if (threads > (long)building->cpu_count)
		threads = building->cpu_count;
	return threads > 1 ? threads : 1;
}

static int read_cpus(struct building *building)
{
	unsigned int count = thread_count(building), started = 0;
	struct worker *workers = calloc(count, sizeof(*workers));

	if (!workers)
		return -ENOMEM;
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

static uint32_t logger_pid(const struct evtlog_file *file)
{
	const char *text = evtlog_meta(file, "logger_pid");
	unsigned long pid;
	char *end;

	if (!text)
		return 0;
	pid = strtoul(text, &end, 10);
	return end == text || *end || pid >= EVTLOG_PID_UNKNOWN ? 0 : pid;
}

/* ---- The directory ---- */

static int put(uint8_t **at, size_t *used, const void *from, size_t bytes)
{
	uint8_t *grown = realloc(*at, *used + bytes + 1);

	if (!grown)
		return -ENOMEM;
	if (bytes)
		memcpy(grown + *used, from, bytes);
	*at = grown;
	*used += bytes;
	return 0;
}

static void cpu_on_disk(const struct evtlog_index_cpu *from, struct index_cpu *to)
{
	to->cpu = from->cpu;
	to->begin_ns = from->begin_ns;
	to->end_ns = from->end_ns;
	to->events = from->events;
	to->lost = from->lost;
	to->gaps = from->gaps;
	to->gap_ns = from->gap_ns;
	to->idle_ns = from->idle_ns;
	to->busy_ns = from->busy_ns;
	to->irq_ns = from->irq_ns;
	to->softirq_ns = from->softirq_ns;
	to->unknown_ns = from->unknown_ns;
	memcpy(to->counts, from->counts, sizeof(to->counts));
}

static void task_on_disk(const struct evtlog_index_task *from, struct index_task *to)
{
	to->pid = from->pid;
	to->tgid = from->tgid;
	to->flags = from->flags;
	to->logger = from->logger;
	to->first_ns = from->first_ns;
	to->last_ns = from->last_ns;
	to->run_ns = from->run_ns;
	to->switches = from->switches;
	memcpy(to->comm, from->comm, sizeof(to->comm));
}

static int write_directory(struct building *building, const struct index_tasks *tasks,
			   struct index_header *header)
{
	uint8_t *bytes = NULL;
	size_t used = 0, chunks = 0;
	int error = 0;

	for (unsigned int i = 0; i < building->cpu_count && !error; i++) {
		struct index_cpu cpu = {
			.first_chunk = chunks,
			.chunks = building->chunks[i].count,
		};

		cpu_on_disk(&building->cpus[i], &cpu);
		chunks += cpu.chunks;
		error = put(&bytes, &used, &cpu, sizeof(cpu));
	}
	for (unsigned int i = 0; i < building->cpu_count && !error; i++)
		error = put(&bytes, &used, building->chunks[i].at,
			    building->chunks[i].count * sizeof(struct index_chunk));
	for (size_t i = 0; i < tasks->count && !error; i++) {
		struct index_task task = { 0 };

		task_on_disk(&tasks->tasks[i], &task);
		error = put(&bytes, &used, &task, sizeof(task));
	}
	if (!error)
		error = put(&bytes, &used, tasks->lives,
			    tasks->life_count * sizeof(*tasks->lives));
	if (!error)
		error = write_all(building->fd, bytes, used, building->offset);
	header->directory_offset = building->offset;
	header->directory_bytes = used;
	header->cpus = building->cpu_count;
	header->chunks = chunks;
	header->tasks = tasks->count;
	header->lives = tasks->life_count;
	header->directory_crc32 = used ? crc32(0, bytes, used) : 0;
	header->crc32 = 0;
	header->crc32 = crc32(0, (const uint8_t *)header, sizeof(*header));
	free(bytes);
	return error;
}

static void add_totals(const struct building *building, struct index_tasks *tasks)
{
	struct evtlog_index_task *task = tasks->tasks;
	struct evtlog_index_task *end = task + tasks->count;

	/* Both are by pid; of a pid's tasks the last one gets what is not told apart. */
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

	building.cpus = calloc(building.cpu_count + 1, sizeof(*building.cpus));
	building.chunks = calloc(building.cpu_count + 1, sizeof(*building.chunks));
	if (!building.cpus || !building.chunks || index_pids_init(&building.totals))
		goto out;
	error = read_cpus(&building);
	if (!error)
		error = index_lives_make(&building.news, &building.totals,
					 logger_pid(file), &tasks);
	if (error)
		goto out;
	add_totals(&building, &tasks);
	error = write_directory(&building, &tasks, header);
	if (!error)
		error = write_all(fd, header, sizeof(*header), 0);
out:
	free(tasks.tasks);
	free(tasks.lives);
	for (unsigned int i = 0; building.chunks && i < building.cpu_count; i++)
		free(building.chunks[i].at);
	index_pids_free(&building.totals);
	free(building.news.at);
	free(building.chunks);
	free(building.cpus);
	return error;
}
