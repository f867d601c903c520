// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds remote requests, their tasks, and when each CPU ran one of these tasks.
 *
 * A first pass collects requests and the tasks that they boosted, as a task may run before the
 * record of its boost. A second pass follows what the CPUs run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/remote.h>

#include "common/error.h"
#include "lib/base/array.h"
#include "lib/file/file.h"
#include "requests.h"

/* ---- First pass ---- */

/* Arrival time of the message, from its tick counter value; it is before the record. */
static uint64_t receipt_ns(const struct evtlog_file *file,
			   const struct evtlog_event *event)
{
	uint64_t hz = evtlog_ticks_hz(file), arrival = event->words[2];
	uint64_t begin_ns = evtlog_begin_ns(file), before;

	if (!arrival || arrival > event->ticks || !hz)
		return event->time_ns;
	before = (unsigned __int128)(event->ticks - arrival) * 1000000000 / hz;
	return before > event->time_ns - begin_ns ? begin_ns :
	       event->time_ns - before;
}

static int add_request(struct requests *requests, const struct evtlog_event *event)
{
	const uint64_t *words = event->words;
	struct request *request;

	if (array_reserve(&requests->requests, &requests->capacity, requests->count,
			  sizeof(*request)))
		return -ENOMEM;
	request = &requests->requests[requests->count];
	*request = (struct request) {
		.number = words[1],
		.sender = words[1] >> 32,
		.cpu = event->cpu,
		.group_kind = evtlog_data(words, 8, 4),
		.broadcast = evtlog_data(words, 12, 1),
		.group = words[4],
		.duration_ns = words[5],
		.receipt_ns = receipt_ns(requests->file, event),
		.last = -1,
	};
	memcpy(request->name, &words[6], sizeof(request->name) - 1);
	request->deadline_ns = request->duration_ns ? request->receipt_ns +
			       request->duration_ns : evtlog_end_ns(requests->file);
	request->cpus = calloc(requests->cpu_count + 1, sizeof(*request->cpus));
	if (!request->cpus)
		return -ENOMEM;
	requests->count++;
	return 0;
}

static int add_task(struct requests *requests, const struct evtlog_event *event)
{
	if (array_reserve(&requests->tasks, &requests->task_capacity, requests->task_count,
			  sizeof(*requests->tasks)))
		return -ENOMEM;
	requests->tasks[requests->task_count++] = (struct request_task) {
		.number = event->words[1],
		.pid = evtlog_record_pid(event->words),
	};
	return 0;
}

static int collect_cpu(struct requests *requests, unsigned int slot)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	int result = evtlog_stream_new(requests->file, slot, &stream);

	if (result)
		return result;
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		if (event->known == EVTLOG_REMOTE &&
		    evtlog_data(event->words, 0, 8) == EVTLOG_REMOTE_SCHED)
			result = add_request(requests, event);
		else if (event->known == EVTLOG_REMOTE_BOOST)
			result = add_task(requests, event);
		if (result < 0)
			break;
	}
	evtlog_stream_free(stream);
	return result;
}

static int compare_requests(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	if (x->receipt_ns != y->receipt_ns)
		return x->receipt_ns < y->receipt_ns ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int compare_tasks(const void *a, const void *b)
{
	const struct request_task *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Number of tasks, in order, of requests with numbers less than @number */
static size_t tasks_before(const struct requests *requests, uint64_t number)
{
	size_t low = 0, high = requests->task_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (requests->tasks[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Sorts tasks, each once, and requests, and sets the number of tasks of each request. */
static void sort(struct requests *requests)
{
	struct request_task *tasks = requests->tasks;
	size_t kept = 0;

	if (requests->task_count)
		qsort(tasks, requests->task_count, sizeof(*tasks), compare_tasks);
	for (size_t i = 0; i < requests->task_count; i++)
		if (!i || compare_tasks(&tasks[i], &tasks[kept - 1]))
			tasks[kept++] = tasks[i];
	requests->task_count = kept;
	if (requests->count)
		qsort(requests->requests, requests->count,
		      sizeof(*requests->requests), compare_requests);
	for (size_t i = 0; i < requests->count; i++) {
		struct request *request = &requests->requests[i];

		request->tasks = tasks_before(requests, (uint64_t)request->number + 1) -
				 tasks_before(requests, request->number);
		requests->refused += !request->tasks;
	}
}

/* ---- Second pass ---- */

/*
 * @pids:	task that runs on each CPU, by slot
 * @first:	first request that is not over; requests before @next have begun
 */
struct following {
	struct requests *requests;
	uint32_t *pids;
	size_t first;
	size_t next;
};

static bool is_task(const struct requests *requests, uint32_t number, uint32_t pid)
{
	struct request_task wanted = { number, pid };

	return requests->task_count &&
	       bsearch(&wanted, requests->tasks, requests->task_count,
		       sizeof(wanted), compare_tasks);
}

/* Begins requests that were received up to @ns, and finds their tasks that already run. */
static void begin_requests(struct following *following, uint64_t ns)
{
	struct requests *requests = following->requests;

	while (following->next < requests->count &&
	       requests->requests[following->next].receipt_ns <= ns) {
		struct request *request = &requests->requests[following->next++];

		for (unsigned int slot = 0; slot < requests->cpu_count; slot++)
			if (is_task(requests, request->number,
				    following->pids[slot]))
				request->cpus[slot].run = REQUEST_RUNNING;
	}
	while (following->first < following->next &&
	       requests->requests[following->first].deadline_ns < ns)
		following->first++;
}

/* @pid runs on this CPU from @ns on. */
static void note_run(struct following *following, unsigned int slot, uint32_t pid,
		     uint64_t ns)
{
	struct requests *requests = following->requests;

	following->pids[slot] = pid;
	for (size_t i = following->first; i < following->next; i++) {
		struct request *request = &requests->requests[i];
		struct request_cpu *cpu = &request->cpus[slot];

		if (cpu->run != REQUEST_NEVER || ns > request->deadline_ns ||
		    !is_task(requests, request->number, pid))
			continue;
		cpu->run = REQUEST_RAN;
		cpu->ns = ns - request->receipt_ns;
	}
}

/* It is unknown what this CPU ran from @from_ns on. */
static void note_gap(struct following *following, unsigned int slot, uint64_t from_ns)
{
	struct requests *requests = following->requests;

	for (size_t i = 0; i < following->next; i++) {
		struct request *request = &requests->requests[i];

		if (request->cpus[slot].run == REQUEST_NEVER &&
		    from_ns <= request->deadline_ns)
			request->cpus[slot].run = REQUEST_UNKNOWN;
	}
}

static void follow(struct following *following, const struct evtlog_event *event)
{
	unsigned int slot = file_event_slot(following->requests->file, event);

	begin_requests(following, event->time_ns);
	if (event->kind == EVTLOG_EVENT_GAP)
		note_gap(following, slot, event->from_ns);
	if (event->kind != EVTLOG_EVENT_RECORD &&
	    event->begin_pid != EVTLOG_PID_UNKNOWN &&
	    event->begin_pid != following->pids[slot])
		note_run(following, slot, event->begin_pid, event->time_ns);
	else if (event->known == EVTLOG_SCHED_SWITCH)
		note_run(following, slot, evtlog_record_pid(event->words),
			 event->time_ns);
}

static int follow_all(struct following *following)
{
	struct requests *requests = following->requests;
	const struct evtlog_event *event;
	struct evtlog_summary summary;
	struct evtlog_cpu_merge *merge;
	struct progress progress;
	uint16_t events = 0;
	int result = evtlog_cpu_merge_new(requests->file, &merge);

	if (result)
		return result;
	evtlog_summarize(requests->file, &summary);
	progress_begin(&progress, requests->path, summary.raw_bytes);
	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0) {
		follow(following, event);
		if (!++events)
			progress_update(&progress, evtlog_cpu_merge_position(merge));
	}
	progress_end(&progress);
	evtlog_cpu_merge_free(merge);
	return result;
}

static void find_last(struct requests *requests)
{
	for (size_t i = 0; i < requests->count; i++) {
		struct request *request = &requests->requests[i];
		unsigned int ran = 0;
		bool tie = false;
		int last = -1;

		for (unsigned int slot = 0; slot < requests->cpu_count; slot++) {
			const struct request_cpu *cpu = &request->cpus[slot];

			if (cpu->run != REQUEST_RAN && cpu->run != REQUEST_RUNNING)
				continue;
			ran++;
			tie = last >= 0 && (tie ? cpu->ns <= request->cpus[last].ns :
					    cpu->ns == request->cpus[last].ns);
			if (last < 0 || cpu->ns > request->cpus[last].ns)
				last = slot;
		}
		request->tied = tie;
		if (ran < 2 || tie)
			continue;
		request->last = last;
		requests->received_last +=
			evtlog_cpu_number(requests->file, last) == request->cpu;
	}
}

int requests_read(struct requests *requests, struct evtlog_file *file,
		  const char *path)
{
	struct following following = { .requests = requests };
	int result = 0;

	*requests = (struct requests) {
		.file = file,
		.path = path,
		.cpu_count = evtlog_cpu_count(file),
	};
	for (unsigned int slot = 0; slot < requests->cpu_count && !result; slot++)
		result = collect_cpu(requests, slot);
	if (result)
		return result;
	sort(requests);
	following.pids = malloc((requests->cpu_count + 1) * sizeof(*following.pids));
	if (!following.pids)
		return -ENOMEM;
	for (unsigned int slot = 0; slot < requests->cpu_count; slot++)
		following.pids[slot] = EVTLOG_PID_UNKNOWN;
	result = follow_all(&following);
	free(following.pids);
	if (!result)
		find_last(requests);
	return result;
}

void requests_free(struct requests *requests)
{
	for (size_t i = 0; i < requests->count; i++)
		free(requests->requests[i].cpus);
	free(requests->requests);
	free(requests->tasks);
}

/* ---- Times ---- */

static int compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int requests_times(const struct requests *requests, int slot,
		   struct request_times *times)
{
	size_t capacity = requests->count * requests->cpu_count, count = 0;
	uint64_t *all = calloc(capacity + 1, sizeof(*all));

	memset(times, 0, sizeof(*times));
	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < requests->count; i++) {
		const struct request *request = &requests->requests[i];

		for (int k = 0; k < (int)requests->cpu_count; k++) {
			const struct request_cpu *cpu = &request->cpus[k];

			if ((slot >= 0 && k != slot) ||
			    (slot == -2 && k != request->last) ||
			    cpu->run != REQUEST_RAN)
				continue;
			all[count++] = cpu->ns;
		}
	}
	if (count) {
		qsort(all, count, sizeof(*all), compare_ns);
		*times = (struct request_times) {
			.count = count,
			.min = all[0],
			.median = all[(count - 1) / 2],
			/* The smallest time that 99 % do not exceed */
			.p99 = all[(count * 99 + 99) / 100 - 1],
			.max = all[count - 1],
		};
	}
	free(all);
	return 0;
}
