/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logs that are looked at: hosts, their CPUs as lanes, one timeline, and indexes.
 *
 * It knows nothing of HTTP.
 *
 * Times are ns since the earliest begin of any host, on the timeline of all hosts, and
 * may be negative or behind the end; "raw" is a host's own time as events have it.
 * All functions may be called by any thread once session_open() is through.
 */
#ifndef EVTLOG_VIEW_SESSION_SESSION_H
#define EVTLOG_VIEW_SESSION_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <evtlog/evtlog.h>
#include <evtlog/index.h>
#include <evtlog/jitter.h>

#include "common/json.h"
#include "input/event-filter.h"
#include "input/host-filter.h"
#include "input/log-set.h"

/* Greater numbers are strings in JSON. */
#define SESSION_EXACT_NS	(INT64_C(1) << 53)

/*
 * What the user wants to see.
 * @command:	for messages
 * @hosts:	all are related, these are shown
 * @cpus:	by number; NULL: all
 */
struct session_options {
	const char *command;
	struct choice hosts;
	const bool *cpus;
	bool assume_ntp;
	bool in_memory;
	const char *index_directory;
};

/* A CPU of a host. */
struct session_lane {
	uint32_t host;
	uint32_t slot;
	uint32_t cpu;
};

/* Whether it is still the same file, with the same in it. */
struct session_file {
	uint64_t device;
	uint64_t inode;
	int64_t size;
	struct timespec written;
	struct timespec changed;
};

/*
 * @file:	in the cluster
 * @lock:	of the index, which one thread may use at a time
 * @readers:	files that nobody reads just now
 * @about:	the log's file when its index was opened; under @lock
 * @logger:	EVTLOG_TASK_UNKNOWN if it is not in the log
 * @complete:	nothing is wrong with the log, but perhaps that switches were not recorded
 * @no_switches: sched_switch was not recorded
 * @tree_pid:	of whose tree alone the log is; 0: of all tasks
 * @fault:	what is wrong with the log, for people; NULL: nothing is
 * @jitter:	of the samples beside the log; NULL: there are none
 * @counters:	of its events over time, see counters.h
 * @colours:	of tasks, see task-colours.c; NULL: nobody wanted one yet; under @lock
 */
struct session_host {
	const char *name;
	const char *path;
	size_t file;
	uint32_t first_lane;
	uint32_t lane_count;
	uint32_t logger;
	struct session_file about;
	bool complete;
	bool no_switches;
	uint32_t tree_pid;
	char *fault;
	struct jitter_cache *jitter;
	struct host_counters *counters;
	uint8_t *colours;
	pthread_mutex_t lock;
	struct evtlog_index *index;
	struct session_reader *readers;
};

/*
 * @length_ns:	from the begin of the first host to the end of the last
 * @stopping:	long work is to end
 * @paths:	of packets, see paths.h; NULL: not asked for yet; under @paths_lock, then constant
 */
struct session {
	struct logs logs;
	struct session_host *hosts;
	uint32_t host_count;
	struct session_lane *lanes;
	uint32_t lane_count;
	size_t lane_capacity;
	int64_t base_ns;
	int64_t length_ns;
	atomic_bool stopping;
	pthread_mutex_t paths_lock;
	struct session_paths *paths;
};

/*
 * Opens @paths, relates their clocks, and opens or builds their indexes, with progress
 * on stderr.  Returns an exit status, after saying what is wrong.
 */
int session_open(struct session **sessionp, char **paths, size_t count,
		 const struct session_options *options);
/*
 * The exit status of a command: EXIT_EVENTS_LOST if the logs lack something, EXIT_FAILED if no log has an
 * event that can be read, else EXIT_OK.  Warns of lost events; session_open() has printed the rest.
 */
int session_verdict(const struct session *session);

void session_close(struct session *session);

/* ---- Time ---- */

/* Sets base_ns and length_ns: from the first begin to the last end of what has CPUs. */
void session_span_set(struct session *session);

int64_t session_time(const struct session *session, uint32_t host, uint64_t raw_ns);
/* The smallest raw time that is not before @time_ns. */
uint64_t session_raw(const struct session *session, uint32_t host, int64_t time_ns);
/* session_time() is right within plus or minus this; UINT64_MAX: nobody knows. */
uint64_t session_bound(const struct session *session, uint32_t host, uint64_t raw_ns);
/* CLOCK_REALTIME of the reference. */
int64_t session_real(const struct session *session, int64_t time_ns);

/* ---- What the indexes hold ---- */

/* Bin i is [@edges[i], @edges[i + 1]); @edges has @count + 1 of them.  0 or -errno. */
int session_bins(struct session *session, uint32_t lane, const int64_t *edges, size_t count,
		 bool refine, struct evtlog_bin *bins);
int session_task_bins(struct session *session, uint32_t host, uint32_t task,
		      const int64_t *edges, size_t count, bool refine,
		      struct evtlog_bin *bins);

/* A task's stay on a CPU, from its switch in to the next. */
struct slice {
	uint32_t lane;
	int64_t begin_ns;
	int64_t end_ns;
};

/*
 * The first slice of a task that does not begin before @time_ns, or the last that does, on the
 * CPUs that are shown.  1; 0: there is none; -errno.
 */
int session_slice(struct session *session, uint32_t host, uint32_t task, int64_t time_ns,
		  bool after, struct slice *slice);

/* NULL if there is no such task; stays the session's. */
const struct evtlog_index_task *session_task(const struct session *session, uint32_t host,
					     uint32_t id);
uint32_t session_task_at(struct session *session, uint32_t host, uint32_t pid,
			 uint64_t raw_ns);

/*
 * Its names in their order, as in "bash > sleep", without a 0 at the end; of more than
 * SESSION_LABEL_NAMES the first ones.  Returns the length.
 */
#define SESSION_LABEL_NAMES	4
#define SESSION_LABEL_BYTES	((SESSION_LABEL_NAMES + 1) * (EVTLOG_COMM_LEN + 3))
size_t session_task_label(const struct session *session, uint32_t host, uint32_t id,
			  char text[SESSION_LABEL_BYTES]);

/* EVTLOG_COMM_LEN bytes: what it was called then; NULL: there is no such task. */
const char *session_task_name(const struct session *session, uint32_t host, uint32_t id,
			      uint64_t raw_ns);
const struct evtlog_index_cpu *session_cpu(const struct session *session, uint32_t lane);

/* Which kinds of events a lane has, as bits. */
unsigned int session_kinds(const struct session *session, uint32_t lane);

/* At most so many events in [@from_ns, @to_ns). */
uint64_t session_count(struct session *session, uint32_t lane, int64_t from_ns,
		       int64_t to_ns);

/* ---- What the logs hold ---- */

/*
 * A file of its own, so that whoever reads need not wait for others.
 * @names:	for session_name()
 */
struct session_reader {
	struct session_reader *next;
	uint32_t host;
	struct evtlog_file *file;
	struct evtlog_tasks *names;
};

/* 0 or -errno; give it back with session_reader_put(). */
int session_reader_get(struct session *session, uint32_t host,
		       struct session_reader **readerp);
void session_reader_put(struct session *session, struct session_reader *reader);
/* All that were given back; for session_close(). */
void session_readers_free(struct session_host *host);

/* The first log that is not what its index was made of any more; NULL: all still are. */
const char *session_changed(struct session *session);

/* Has @reader->names know what @pid is called at @raw_ns. */
int session_name(struct session *session, struct session_reader *reader, uint32_t pid,
		 uint64_t raw_ns);

/* ---- How far a host's clock may be wrong over a span ---- */

/* The greatest of the bounds looked up all over the span; UINT64_MAX: nobody knows. */
uint64_t worst_bound(const struct session *session, uint32_t host, int64_t from_ns,
		     int64_t to_ns);

/* ---- In words: what a CPU was in, and why a task left it ---- */

#define CONTEXT_NAME_BYTES	64

/* "task", "softirq", "irq", "vector" */
const char *context_kind(enum evtlog_context context);

/* "TIMER", "virtio0-input.0", ...; "" if there is none.  0 or -ENOMEM. */
int context_name(const struct evtlog_file *file, enum evtlog_context context, uint32_t number,
		 char name[CONTEXT_NAME_BYTES]);

/* By the letter of the task's state: "preempted", "sleeping", ...; NULL unknown. */
const char *left_name(char letter);

/* ---- Which colour of a palette a task has: one in all views of its log ---- */

/*
 * The page is told it with a task's name, pictures and exports ask here.
 *
 * The tasks of a host are taken by their CPU time.  As many as there are colours get one each;
 * every further one gets that which its neighbours, those that ran next to it on a CPU, have
 * least.  It depends on the host's log alone, not on what of it is looked at.
 */

/*
 * task_colour() - which one of a palette a task has
 * @palette: as the page's PALETTES are ordered
 *
 * The host's are chosen when the first is wanted.  Should there be no memory for that, a
 * colour comes of the pid.
 */
unsigned int task_colour(struct session *session, uint32_t host, unsigned int palette,
			 uint32_t id);

/* "colours": of each palette */
void task_colours_json(struct json *json, struct session *session, uint32_t host, uint32_t id);

/* What a host has of them, for session_close(). */
void task_colours_free(struct session_host *host);

/* ---- The interruptions of a log that has samples beside it ---- */

/* They are found when they are first asked for; any thread may ask. */

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

#endif /* EVTLOG_VIEW_SESSION_SESSION_H */
