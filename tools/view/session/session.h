/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logs that are shown: hosts, their CPUs as lanes, a common timeline, and indexes.
 *
 * Independent of HTTP.
 *
 * Times are ns since the earliest begin of any host, on the common timeline; they may be negative
 * or after the end.  "raw" times are a host's own, as in its events.
 * Any thread may call these functions after session_open() has returned.
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

/* Numbers from here on are strings in JSON. */
#define SESSION_EXACT_NS	(INT64_C(1) << 53)

/*
 * Options of the user.
 * @command:	name for error messages
 * @hosts:	hosts to show; the clocks are related with all hosts
 * @cpus:	by CPU number; NULL: all
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

/* Identity of a file, to detect changes. */
struct session_file {
	uint64_t device;
	uint64_t inode;
	int64_t size;
	struct timespec written;
	struct timespec changed;
};

/*
 * @file:	index in logs.files
 * @lock:	protects the index, which only one thread may use at a time
 * @readers:	idle readers
 * @about:	the log's file when its index was opened; protected by @lock
 * @logger:	task id; EVTLOG_TASK_UNKNOWN if it is not in the log
 * @complete:	the log has no faults, except perhaps that switches were not recorded
 * @no_switches: sched_switch was not recorded
 * @tree_pid:	root of the tree if the log is of one tree; 0: the log is of all tasks
 * @fault:	description of the log's faults for users; NULL if none
 * @jitter:	interruptions, if samples are next to the log; else NULL
 * @counters:	counters over time, see counters.h
 * @colours:	of tasks, see task-colours.c; NULL before the first request; protected by @lock
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
 * @stopping:	long work has to end
 * @paths:	paths of packets, see paths.h; NULL before the first request; set under
 *		@paths_lock, then constant
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
 * on stderr.  Returns an exit status, after a message on failure.
 */
int session_open(struct session **sessionp, char **paths, size_t count,
		 const struct session_options *options);
/*
 * The exit status of a command: EXIT_EVENTS_LOST if the logs lack something, EXIT_FAILED if no
 * log has a readable event, else EXIT_OK.  Warns of lost events; session_open() has printed the
 * other faults.
 */
int session_verdict(const struct session *session);

void session_close(struct session *session);

/* ---- Time ---- */

/* Sets base_ns and length_ns: from the first begin to the last end of all logs that have CPUs. */
void session_span_set(struct session *session);

int64_t session_time(const struct session *session, uint32_t host, uint64_t raw_ns);
/* The smallest raw time that is not before @time_ns. */
uint64_t session_raw(const struct session *session, uint32_t host, int64_t time_ns);
/* Error of session_time(): the true time is within plus or minus this; UINT64_MAX if unknown. */
uint64_t session_bound(const struct session *session, uint32_t host, uint64_t raw_ns);
/* CLOCK_REALTIME of the reference host. */
int64_t session_real(const struct session *session, int64_t time_ns);

/* ---- Data in the indexes ---- */

/* Bin i is [@edges[i], @edges[i + 1]); @edges has @count + 1 of them.  0 or -errno. */
int session_bins(struct session *session, uint32_t lane, const int64_t *edges, size_t count,
		 bool refine, struct evtlog_bin *bins);
int session_task_bins(struct session *session, uint32_t host, uint32_t task,
		      const int64_t *edges, size_t count, bool refine,
		      struct evtlog_bin *bins);

/* A task's slice: from its switch in to the next switch on the CPU. */
struct slice {
	uint32_t lane;
	int64_t begin_ns;
	int64_t end_ns;
};

/*
 * Finds the first slice of a task that begins at or after @time_ns, or if not @after the last that
 * begins before it, on the CPUs that are shown.  1; 0 if none; -errno.
 */
int session_slice(struct session *session, uint32_t host, uint32_t task, int64_t time_ns,
		  bool after, struct slice *slice);

/* NULL if there is no such task; owned by the session. */
const struct evtlog_index_task *session_task(const struct session *session, uint32_t host,
					     uint32_t id);
uint32_t session_task_at(struct session *session, uint32_t host, uint32_t pid,
			 uint64_t raw_ns);

/*
 * Names of a task in their order, as in "bash > sleep", not NUL-terminated.  If there are more than
 * SESSION_LABEL_NAMES, the first ones.  Returns the length.
 */
#define SESSION_LABEL_NAMES	4
#define SESSION_LABEL_BYTES	((SESSION_LABEL_NAMES + 1) * (EVTLOG_COMM_LEN + 3))
size_t session_task_label(const struct session *session, uint32_t host, uint32_t id,
			  char text[SESSION_LABEL_BYTES]);

/* Name of a task at a time, EVTLOG_COMM_LEN bytes; NULL if there is no such task. */
const char *session_task_name(const struct session *session, uint32_t host, uint32_t id,
			      uint64_t raw_ns);
const struct evtlog_index_cpu *session_cpu(const struct session *session, uint32_t lane);

/* Kinds of events on a lane, as bits. */
unsigned int session_kinds(const struct session *session, uint32_t lane);

/* Upper bound of the number of events in [@from_ns, @to_ns). */
uint64_t session_count(struct session *session, uint32_t lane, int64_t from_ns,
		       int64_t to_ns);

/* ---- Data in the logs ---- */

/*
 * A separately opened log file, so that threads can read without waiting for each other.
 * @names:	names of pids, for session_name()
 */
struct session_reader {
	struct session_reader *next;
	uint32_t host;
	struct evtlog_file *file;
	struct evtlog_tasks *names;
};

/* 0 or -errno; return the reader with session_reader_put(). */
int session_reader_get(struct session *session, uint32_t host,
		       struct session_reader **readerp);
void session_reader_put(struct session *session, struct session_reader *reader);
/* Frees all idle readers; for session_close(). */
void session_readers_free(struct session_host *host);

/* Path of the first log that has changed since its index was opened; NULL if none. */
const char *session_changed(struct session *session);

/* Updates @reader->names with the name of @pid at @raw_ns.  0 or -errno. */
int session_name(struct session *session, struct session_reader *reader, uint32_t pid,
		 uint64_t raw_ns);

/* ---- Clock error over a span ---- */

/* The largest clock error at times spread over the span; UINT64_MAX if unknown. */
uint64_t worst_bound(const struct session *session, uint32_t host, int64_t from_ns,
		     int64_t to_ns);

/* ---- Names of contexts, and of states in which tasks leave a CPU ---- */

#define CONTEXT_NAME_BYTES	64

/* "task", "softirq", "irq", "vector" */
const char *context_kind(enum evtlog_context context);

/* "TIMER", "virtio0-input.0", ...; "" if unknown.  0 or -ENOMEM. */
int context_name(const struct evtlog_file *file, enum evtlog_context context, uint32_t number,
		 char name[CONTEXT_NAME_BYTES]);

/* Name for the letter of a task's state: "preempted", "sleeping", ...; NULL if unknown. */
const char *left_name(char letter);

/* ---- Colours of tasks, the same in all views of a log ---- */

/*
 * The page receives the colours with a task's name; pictures and exports call task_colour().
 *
 * Each host's tasks are sorted by CPU time.  The first tasks get different colours.  When all
 * colours are used, each further task gets the colour that is rarest among its neighbours: the
 * tasks that ran just before or after it on a CPU.  The colours depend only on the host's log,
 * not on the part that is shown.
 */

/*
 * task_colour() - number of a task's colour in a palette
 * @palette: index in the page's PALETTES
 *
 * The first call chooses the colours of all tasks of the host.  If there is no memory for this, the
 * colour depends on the pid.
 */
unsigned int task_colour(struct session *session, uint32_t host, unsigned int palette,
			 uint32_t id);

/* Writes "colours": the task's colour in each palette. */
void task_colours_json(struct json *json, struct session *session, uint32_t host, uint32_t id);

/* Frees a host's colours; for session_close(). */
void task_colours_free(struct session_host *host);

/* ---- Interruptions of a log that has samples next to it ---- */

/* They are found on the first request.  Any thread may call these functions. */

struct jitter_cache;

/* *@cachep is NULL if there are no samples next to the log @path.  0 or -ENOMEM. */
int jitter_cache_new(const char *path, struct jitter_cache **cachep);
void jitter_cache_free(struct jitter_cache *cache);

/*
 * The first call reads the log; other threads wait for this.  @why: filled in on failure.
 * Return: 0; -errno as of evtlog_samples_open(), evtlog_open() and evtlog_jitter_new().
 */
int jitter_cache_ask(struct jitter_cache *cache, const struct evtlog_jitter **jitterp,
		     struct evtlog_error *why);

struct jitter_data;
struct jitter_plot;
struct jitter_show;

/*
 * Gets the chart of @data.  It is made again if @key, of all that its numbers depend on, differs
 * from the last one; after 0, others wait until jitter_cache_put().  Returns 0 or -ENOMEM.
 */
int jitter_cache_get(struct jitter_cache *cache, const char *key, const struct jitter_data *data,
		     const struct jitter_show *show, const struct jitter_plot **plotp);
void jitter_cache_put(struct jitter_cache *cache);

/* ---- options.c: options of all commands that show logs by their indexes ---- */

enum { SESSION_HOSTS = 0x2000, SESSION_INDEX_DIR, SESSION_ASSUME_NTP };

/* --host, --cpu, --from, --to, --index-dir, --assume-ntp */
extern const struct option_desc session_option_table[];

/*
 * Applies one option of session_option_table.
 * @filter:	receives the times and the CPUs, to which @options points
 * 0; -EINVAL, also for other options; -ENOMEM; EXIT_MISUSE, after a message.
 */
int session_option(struct session_options *options, struct filter *filter,
		   int option, const char *text);

/*
 * Lists the named files and the files in named directories.  Refuses standard input, which has no
 * index.  @done: a participle for the message, such as "viewed".
 * EXIT_OK, and the caller frees @paths with paths_free(); else an exit status, after a message.
 */
int session_paths(const char *command, const char *done, char **args, int count,
		  char ***paths, size_t *paths_count);

/* EXIT_OK if the span overlaps the run; else EXIT_MISUSE, after a message. */
int session_check_span(const struct session *session, const char *command, uint64_t from_ns,
		       uint64_t to_ns);

#endif /* EVTLOG_VIEW_SESSION_SESSION_H */
