// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with the call paths of a span: of all tasks on some CPUs together, of one task, or of
 * all threads of a process.
 *
 * The call paths of all tasks have no waits, because waits use no CPU time.
 */
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <stdlib.h>

#include "analysis/callpaths/callpaths.h"
#include "lane-events.h"
#include "print/names.h"
#include "tasks.h"
#include "view/http/server.h"

#define BUSIEST_MAX	100
#define EVENTS_BEFORE_MAX	1000000

/* A task, and its CPU time. */
struct busy {
	uint32_t host, pid;
	int64_t first_ns;
	uint64_t ns;
};

/*
 * @paths:	by host; NULL if none of its CPUs is requested
 * @task:	the task, or any thread of the process
 */
struct asked {
	struct request *request;
	struct callpath_span span;
	struct callpaths **paths;
	uint32_t *lanes;
	size_t lane_count;
	bool one_task, one_process;
	struct wanted_lane task;
	struct process process;
	struct callpath_tree sum;
	struct busy busiest[BUSIEST_MAX];
	size_t busy_count;
	struct thread_times threads;
	uint64_t lost_ns;
};

/* Argument of root_of() */
struct host_asked {
	struct session *session;
	uint32_t host;
	bool has_edges;
};

/* True if the log has both edges of user mode.  Without them, time in user mode is unknown. */
static bool has_edges(const struct session *session, uint32_t host)
{
	struct evtlog_index *index = session->hosts[host].index;
	const struct evtlog_file *file = evtlog_index_file(index);
	const struct evtlog_index_cpu *cpu;

	if (evtlog_recorded(file, EVTLOG_USER_EXIT) == EVTLOG_RECORDED_OFF ||
	    evtlog_recorded(file, EVTLOG_USER_ENTER) == EVTLOG_RECORDED_OFF)
		return false;
	for (unsigned int slot = 0; (cpu = evtlog_index_cpu(index, slot)); slot++)
		if (cpu->counts[EVTLOG_KIND_USER])
			return true;
	return false;
}

static enum callpath_state root_of(void *arg, uint32_t pid, const struct evtlog_event *event)
{
	const struct host_asked *asked = arg;
	uint32_t id = session_task_at(asked->session, asked->host, pid, event->time_ns);
	const struct evtlog_index_task *task = session_task(asked->session, asked->host, id);

	if (task && task->kernel_thread)
		return CALLPATH_KERNEL;
	return asked->has_edges ? CALLPATH_USER : CALLPATH_UNKNOWN;
}

/* The begin of the task's last slice before the span, or @begin_ns if that is earlier. */
static int64_t stay_of(struct asked *asked, uint32_t id, int64_t begin_ns)
{
	struct session *session = asked->request->session;
	const struct evtlog_index_task *task = session_task(session, asked->task.host, id);
	struct slice slice;

	if (session_time(session, asked->task.host, task->last_ns) < asked->span.from_ns ||
	    session_slice(session, asked->task.host, id, asked->span.from_ns, false, &slice) <= 0)
		return begin_ns;
	return slice.begin_ns < begin_ns ? slice.begin_ns : begin_ns;
}

/*
 * Where to begin reading.  For a task or a process: at its last slices before the span, so that
 * waits at the begin of the span are known.  If there are too many events before the span: at
 * its begin.
 */
static int64_t read_from(struct asked *asked)
{
	struct session *session = asked->request->session;
	int64_t from_ns = asked->span.from_ns, begin_ns = from_ns;
	struct process process;
	uint64_t events = 0;

	if (asked->one_task)
		begin_ns = stay_of(asked, asked->task.task, begin_ns);
	else if (asked->one_process)
		for (uint32_t id = 1; process_of(session, asked->task.host, id, &process); id++)
			if (process_equal(&process, &asked->process))
				begin_ns = stay_of(asked, id, begin_ns);
	for (size_t i = 0; i < asked->lane_count && begin_ns < from_ns; i++)
		events += session_count(session, asked->lanes[i], begin_ns, from_ns);
	return events > EVENTS_BEFORE_MAX ? from_ns : begin_ns;
}

/* What a gap hides is unknown from its begin on. */
static int take_gaps(struct asked *asked, struct tracks *tracks, int64_t until_ns)
{
	struct track *track;
	int64_t from_ns;
	int error = 0;

	while (!error && (track = tracks_gap(tracks, until_ns, &from_ns)))
		error = callpaths_take_gap(asked->paths[track->host], track->event, from_ns);
	return error;
}

static int read_events(struct asked *asked)
{
	struct session *session = asked->request->session;
	struct tracks tracks;
	struct track *track;
	uint32_t seen = 0;
	int result;

	result = tracks_open(&tracks, session, asked->lanes, asked->lane_count,
			     read_from(asked));
	while (!result && (result = tracks_next(&tracks, &track)) > 0) {
		if (!(++seen & 0xfff) && request_given_up(asked->request)) {
			result = -ECANCELED;
			break;
		}
		result = take_gaps(asked, &tracks, track->time_ns);
		if (!result)
			result = callpaths_take(asked->paths[track->host], track->event,
						track->time_ns);
		/* The first event after the span has the state before it. */
		if (track->time_ns >= asked->span.to_ns) {
			track->event = NULL;
			tracks.last = NULL;
		}
	}
	tracks_close(&tracks);
	return result < 0 ? result : 0;
}

/* ---- Summing up ---- */

static uint64_t cpu_ns(const struct callpath_tree *tree)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < tree->count; i++)
		if (!callpath_is_wait(&tree->at[i]))
			ns += tree->at[i].exclusive;
	return ns;
}

/* Inserts the task in the sorted list.  If the list is full, drops the least busy one. */
static void add_busy(struct asked *asked, const struct busy *busy)
{
	size_t at = asked->busy_count < BUSIEST_MAX ? asked->busy_count++ : BUSIEST_MAX;

	while (at && asked->busiest[at - 1].ns < busy->ns) {
		if (at < BUSIEST_MAX)
			asked->busiest[at] = asked->busiest[at - 1];
		at--;
	}
	if (at < BUSIEST_MAX)
		asked->busiest[at] = *busy;
}

static uint32_t task_id(struct asked *asked, uint32_t host, const struct callpath_task *task)
{
	struct session *session = asked->request->session;

	return session_task_at(session, host, task->pid,
			       session_raw(session, host, task->first_ns));
}

static bool is_meant(struct asked *asked, uint32_t host, const struct callpath_task *task)
{
	struct session *session = asked->request->session;
	const struct evtlog_index_task *meant;
	struct process process;

	if (host != asked->task.host || !task->pid)
		return false;
	if (asked->one_process)
		return process_of(session, host, task_id(asked, host, task), &process) &&
		       process_equal(&process, &asked->process);
	meant = session_task(session, host, asked->task.task);
	return meant && meant->pid == task->pid &&
	       task->first_ns <= session_time(session, host, meant->last_ns) &&
	       task->last_ns >= session_time(session, host, meant->first_ns);
}

static int add_host(struct asked *asked, uint32_t host)
{
	struct callpaths *paths = asked->paths[host];
	int error = callpaths_end(paths);

	asked->lost_ns += callpaths_lost(paths);
	for (size_t i = 0; i < callpaths_count(paths) && !error; i++) {
		const struct callpath_task *task = callpaths_at(paths, i);
		struct busy busy = { host, task->pid, task->first_ns, cpu_ns(&task->tree) };

		if ((!asked->one_task && !asked->one_process) || is_meant(asked, host, task))
			error = callpath_tree_add(&asked->sum, &task->tree);
		if (!busy.ns || !task->pid)
			continue;
		add_busy(asked, &busy);
		if (!error)
			error = thread_times_add(&asked->threads, asked->request->session, host,
						 task_id(asked, host, task), busy.ns);
	}
	return error;
}

/* ---- The answer ---- */

/* Softirqs have the names of the first host. */
static void path_name(char *name, size_t room, const struct session *session,
		      const struct callpath *path)
{
	const char *known = NULL;

	switch (path->class) {
	case CALLPATH_STATE:
		snprintf(name, room, "%s", callpath_state_name(path->number));
		return;
	case CALLPATH_SYSCALL:
		known = syscall_name(path->number);
		break;
	case CALLPATH_COMPAT:
		known = syscall_name_32(path->number);
		break;
	case CALLPATH_SOFTIRQ:
		known = evtlog_softirq_name(evtlog_index_file(session->hosts[0].index),
					    path->number);
		break;
	case CALLPATH_EXCEPTION:
		known = evtlog_exception_name(path->number);
		break;
	}
	if (known)
		snprintf(name, room, "%s", known);
	else
		snprintf(name, room, "%u", path->number);
}

/* An array for each path: parent, class, name, count, inclusive, exclusive, largest. */
static void tree_json(struct json *json, const struct asked *asked)
{
	const struct callpath_tree *tree = &asked->sum;
	char name[64];

	json_array(json, "paths");
	for (uint32_t i = 0; i < tree->count; i++) {
		const struct callpath *path = &tree->at[i];
		const char *class = callpath_class_name(path->class);

		json_array(json, NULL);
		if (path->parent == CALLPATH_ROOT)
			json_null(json, NULL);
		else
			json_u64(json, NULL, path->parent);
		path_name(name, sizeof(name), asked->request->session, path);
		json_string(json, NULL, class ? class : callpath_is_wait(path) ? "wait" : "state");
		json_string(json, NULL, name);
		answer_u64(json, NULL, path->count);
		answer_u64(json, NULL, path->inclusive);
		answer_u64(json, NULL, path->exclusive);
		answer_u64(json, NULL, path->largest);
		json_end(json);
	}
	json_end(json);
}

static void busiest_json(struct json *json, const struct asked *asked)
{
	struct session *session = asked->request->session;

	json_array(json, "tasks");
	for (size_t i = 0; i < asked->busy_count; i++) {
		const struct busy *busy = &asked->busiest[i];

		json_object(json, NULL);
		task_json(json, "task", session, busy->host, busy->pid,
			  session_raw(session, busy->host, busy->first_ns));
		json_u64(json, "host", busy->host);
		answer_u64(json, "cpu_ns", busy->ns);
		json_end(json);
	}
	json_end(json);
}

/* Removes waits, and their time from the inclusive times of the paths around them. */
static void drop_waits(struct callpath_tree *tree)
{
	for (uint32_t i = tree->count; i--;) {
		struct callpath *path = &tree->at[i];

		if (!callpath_is_wait(path)) {
			path->largest = path->largest_running;
			continue;
		}
		for (uint32_t at = path->parent; at != CALLPATH_ROOT; at = tree->at[at].parent)
			tree->at[at].inclusive -= path->inclusive;
		path->count = path->inclusive = path->exclusive = path->largest = 0;
	}
}

/* ---- Parameters ---- */

static int all_lanes_of(struct asked *asked, uint32_t host)
{
	const struct session_host *of = &asked->request->session->hosts[host];

	asked->lanes = calloc(of->lane_count + 1, sizeof(*asked->lanes));
	for (uint32_t i = 0; asked->lanes && i < of->lane_count; i++)
		asked->lanes[asked->lane_count++] = of->first_lane + i;
	return asked->lanes ? 0 : -ENOMEM;
}

static int choose_lanes(struct asked *asked)
{
	struct session *session = asked->request->session;
	struct wanted_lane *wanted;
	size_t count;
	int error;

	error = request_lane(asked->request, "task", &asked->task);
	asked->one_task = !error;
	if (error == -ENOENT) {
		error = request_lane(asked->request, "process", &asked->task);
		asked->one_process = !error;
	}
	if (error != -ENOENT) {
		if (error || !asked->task.is_task)
			return error ? error : -EINVAL;
		process_of(session, asked->task.host, asked->task.task, &asked->process);
		return all_lanes_of(asked, asked->task.host);
	}
	error = request_lanes(asked->request, "lanes", false, &wanted, &count);
	if (error == -ENOENT) {
		error = 0;
		count = session->lane_count;
	}
	asked->lanes = error ? NULL : calloc(count + 1, sizeof(*asked->lanes));
	if (!error && !asked->lanes)
		error = -ENOMEM;
	for (size_t i = 0; i < count && !error; i++)
		asked->lanes[asked->lane_count++] = wanted ? wanted[i].lane : i;
	free(wanted);
	return error;
}

static int read_all(struct asked *asked)
{
	struct session *session = asked->request->session;
	struct host_asked *hosts = calloc(session->host_count, sizeof(*hosts));
	int error = 0;

	asked->paths = calloc(session->host_count, sizeof(struct callpaths *));
	if (!asked->paths || !hosts)
		error = -ENOMEM;
	for (size_t i = 0; i < asked->lane_count && !error; i++) {
		uint32_t host = session->lanes[asked->lanes[i]].host;
		struct evtlog_index *index = session->hosts[host].index;

		if (asked->paths[host])
			continue;
		hosts[host] = (struct host_asked) { session, host, has_edges(session, host) };
		asked->span.is_of_tree = session->hosts[host].tree_pid;
		asked->span.root = root_of;
		asked->span.arg = &hosts[host];
		error = callpaths_new(&asked->paths[host], evtlog_index_file(index), &asked->span);
	}
	if (!error)
		error = read_events(asked);
	for (uint32_t host = 0; host < session->host_count && !error; host++)
		if (asked->paths[host])
			error = add_host(asked, host);
	free(hosts);
	return error;
}

static void free_asked(struct asked *asked)
{
	for (uint32_t i = 0; asked->paths && i < asked->request->session->host_count; i++)
		callpaths_free(asked->paths[i]);
	free(asked->paths);
	free(asked->lanes);
	callpath_tree_free(&asked->sum);
	thread_times_free(&asked->threads);
	free(asked);
}

unsigned int answer_profile(struct request *request)
{
	struct asked *asked = calloc(1, sizeof(*asked));
	struct json json;
	int error;

	if (!asked)
		return request_failed(request, -ENOMEM);
	asked->request = request;
	if (request_time(request, "from", &asked->span.from_ns) ||
	    request_time(request, "to", &asked->span.to_ns) ||
	    asked->span.to_ns < asked->span.from_ns)
		error = -EINVAL;
	else
		error = choose_lanes(asked);
	if (!error)
		error = read_all(asked);
	if (!error)
		error = thread_times_sum(&asked->threads);
	if (!error)
		error = request_begin(request, &json);
	if (!error) {
		if (!asked->one_task && !asked->one_process)
			drop_waits(&asked->sum);
		tree_json(&json, asked);
		busiest_json(&json, asked);
		processes_json(&json, request->session, &asked->threads);
		answer_u64(&json, "lost_ns", asked->lost_ns);
	}
	free_asked(asked);
	if (error == -E2BIG)
		return request_error(request, MHD_HTTP_BAD_REQUEST, "at most %u lanes",
				     TRACKS_MAX);
	return error ? request_failed(request, error) : request_end(request, &json);
}
