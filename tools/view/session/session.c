// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the logs of a session, and answers requests from their indexes.
 *
 * Reads no events: functions that do get a file from reader.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/check/cpu-clocks-print.h"
#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "lib/base/array.h"
#include "paths.h"
#include "counters.h"
#include "session.h"

/* ---- Opening ---- */

static void show_progress(void *arg, uint64_t done_bytes, uint64_t all_bytes)
{
	struct progress *progress = arg;

	progress->total = all_bytes;
	progress_update(progress, done_bytes);
}

static int open_index(struct session_host *host, const struct session_options *options)
{
	struct progress progress;
	struct evtlog_index_options index_options = {
		.directory = options->index_directory,
		.in_memory = options->in_memory,
		.progress = show_progress,
		.progress_arg = &progress,
	};
	const struct evtlog_index_origin *origin;
	struct evtlog_error error = { 0 };
	int result;

	progress_begin(&progress, host->path, 0);
	result = evtlog_index_open(host->path, &index_options, &host->index, &error);
	progress_end(&progress);
	if (!result) {
		origin = evtlog_index_origin(host->index);
		if (origin->reason[0] && !origin->path && !options->in_memory)
			pr_info("%s: index not saved: %s", host->path, origin->reason);
		else if (origin->reason[0] && options->index_directory)
			pr_info("%s: index is %s: %s", host->path, origin->path,
			       origin->reason);
		return EXIT_OK;
	}
	host->index = NULL;
	if (error.reason[0])
		pr_err("%s: %s", host->path, error.reason);
	else
		pr_err("%s: index: %s", host->path, strerror(-result));
	return EXIT_FAILED;
}

/* ---- Checking whether logs have changed ---- */

static bool is_same_run(const struct evtlog_file *a, const struct evtlog_file *b)
{
	return evtlog_run(a) == evtlog_run(b) &&
	       !memcmp(evtlog_boot_id(a), evtlog_boot_id(b), 16);
}

static int look_at(const char *path, struct session_file *file)
{
	struct stat about;

	if (stat(path, &about))
		return -errno;
	*file = (struct session_file) {
		.device = about.st_dev,
		.inode = about.st_ino,
		.size = about.st_size,
		.written = about.st_mtim,
		.changed = about.st_ctim,
	};
	return 0;
}

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* A user can set back st_mtim, but not st_ctim.  If only st_ctim differs, compare the runs. */
static bool is_changed(struct session_host *host)
{
	struct evtlog_file *file;
	struct session_file now;
	bool same;

	if (look_at(host->path, &now) || now.device != host->about.device ||
	    now.inode != host->about.inode || now.size != host->about.size ||
	    !is_same_time(now.written, host->about.written))
		return true;
	if (is_same_time(now.changed, host->about.changed))
		return false;
	if (evtlog_open(host->path, &file, NULL))
		return true;
	same = is_same_run(file, evtlog_index_file(host->index));
	evtlog_close(file);
	if (same)
		host->about = now;
	return !same;
}

const char *session_changed(struct session *session)
{
	for (uint32_t i = 0; i < session->host_count; i++) {
		struct session_host *host = &session->hosts[i];
		bool changed;

		pthread_mutex_lock(&host->lock);
		changed = is_changed(host);
		pthread_mutex_unlock(&host->lock);
		if (changed)
			return host->path;
	}
	return NULL;
}

/* ---- Opening hosts ---- */

/* Finds the faults that `evtlog stat` reports.  Lost events do not count as a fault. */
static int find_fault(struct session_host *host, struct evtlog_file *of_log_set)
{
	const struct evtlog_file *file = evtlog_index_file(host->index);
	const struct evtlog_index_lacks *lacks = evtlog_index_lacks(host->index);
	const char *before = "";
	size_t length;
	char *clocks;
	FILE *out;

	clocks = cpu_clocks_warning(of_log_set, CPU_CLOCKS_EVENTS / 4);
	/* evtlog_recorded() needs a stream to have been created, as cpu_clocks_warning() did. */
	host->no_switches = evtlog_recorded(of_log_set, EVTLOG_SCHED_SWITCH) == EVTLOG_RECORDED_OFF;
	host->tree_pid = evtlog_tree_pid(file);
	host->complete = !lacks->damages && !lacks->cut && !clocks && evtlog_cpu_count(file);
	if (!lacks->damages && !lacks->cut && !host->no_switches && evtlog_cpu_count(file)) {
		host->fault = clocks;
		return 0;
	}
	out = open_memstream(&host->fault, &length);
	if (!out) {
		free(clocks);
		return -ENOMEM;
	}
	if (clocks)
		fprintf(out, "%s; ", clocks);
	free(clocks);
	if (host->no_switches) {
		fprintf(out, "%ssched_switch was not recorded: which tasks ran, and how busy CPUs were, is unknown",
			before);
		before = "; ";
	}
	if (lacks->damages) {
		fprintf(out, "%s%" PRIu64 " place%s damaged or missing ('evtlog check' lists them)",
			before, lacks->damages, lacks->damages == 1 ? " is" : "s are");
		before = "; ";
	}
	if (lacks->cut) {
		fprintf(out, "%sthe end of the run is missing: the host or logger stopped, or it is still recording",
			before);
		before = "; ";
	}
	if (!evtlog_cpu_count(file))
		fprintf(out, "%sit has no events of a CPU", before);
	return fclose(out) ? -ENOMEM : 0;
}

static bool is_wanted(const struct log_set_file *file, const struct choice *choice)
{
	const char *name = evtlog_meta(file->file, "host");

	return host_filter_fits(choice, file->name) || (name && host_filter_fits(choice, name));
}

static int add_host(struct session *session, size_t file,
		    const struct session_options *options)
{
	struct session_host *host = &session->hosts[session->host_count];
	int status, error;

	host->name = session->logs.files[file].name;
	host->path = session->logs.files[file].path;
	host->file = file;
	host->first_lane = session->lane_count;
	host->logger = EVTLOG_TASK_UNKNOWN;
	error = look_at(host->path, &host->about);
	if (error) {
		pr_err("%s: %s", host->path, strerror(-error));
		return EXIT_FAILED;
	}
	status = open_index(host, options);
	if (status != EXIT_OK)
		return status;
	pthread_mutex_init(&host->lock, NULL);
	session->host_count++;
	if (!is_same_run(session->logs.files[file].file,
			 evtlog_index_file(host->index))) {
		pr_err("%s: replaced while it was opened: try again", host->path);
		return EXIT_FAILED;
	}
	host->counters = session_counters_new();
	if (!host->counters || find_fault(host, session->logs.files[file].file) ||
	    jitter_cache_new(host->path, &host->jitter)) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	if (host->fault)
		pr_err("%s: %s", host->path, host->fault);
	for (size_t id = 0; id < evtlog_index_task_count(host->index); id++)
		if (evtlog_index_task(host->index, id)->logger)
			host->logger = id;
	for (unsigned int slot = 0; evtlog_index_cpu(host->index, slot); slot++) {
		uint32_t cpu = evtlog_index_cpu(host->index, slot)->cpu;

		if (options->cpus && (cpu >= EVTLOG_CPU_LIMIT || !options->cpus[cpu]))
			continue;
		if (array_reserve(&session->lanes, &session->lane_capacity, session->lane_count,
				  sizeof(*session->lanes))) {
			pr_err("%s", strerror(ENOMEM));
			return EXIT_FAILED;
		}
		session->lanes[session->lane_count++] = (struct session_lane) {
			.host = session->host_count - 1,
			.slot = slot,
			.cpu = cpu,
		};
		host->lane_count++;
	}
	return EXIT_OK;
}

/* Prints an error message with the existing CPUs.  Returns EXIT_MISUSE. */
static int refuse_cpus(const struct session *session, const char *command)
{
	bool *cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(*cpus));
	const struct evtlog_index_cpu *cpu;
	char text[200] = "unknown";

	for (size_t i = 0; cpus && i < session->host_count; i++)
		for (unsigned int slot = 0;
		     (cpu = evtlog_index_cpu(session->hosts[i].index, slot)); slot++)
			if (cpu->cpu < EVTLOG_CPU_LIMIT)
				cpus[cpu->cpu] = true;
	if (cpus)
		filter_cpus_text(cpus, text, sizeof(text));
	free(cpus);
	return misuse(command, "--cpu: no host has such a CPU; there are CPUs %s", text);
}

static int add_hosts(struct session *session, const struct session_options *options)
{
	struct logs *logs = &session->logs;
	int status = EXIT_OK;

	session->hosts = calloc(logs->count + 1, sizeof(*session->hosts));
	if (!session->hosts) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < logs->count && status == EXIT_OK; i++) {
		size_t file = logs->hosts ? evtlog_clocksync_order(logs->hosts, i) : i;

		if (is_wanted(&logs->files[file], &options->hosts))
			status = add_host(session, file, options);
	}
	if (status != EXIT_OK)
		return status;
	if (!session->host_count)
		return log_set_refuse_hosts(logs, options->command, options->hosts.text);
	if (!session->lane_count && options->cpus)
		return refuse_cpus(session, options->command);
	return EXIT_OK;
}

int session_open(struct session **sessionp, char **paths, size_t count,
		 const struct session_options *options)
{
	struct log_set_options opts = { .options.assume_ntp = options->assume_ntp };
	struct session *session = calloc(1, sizeof(*session));
	int status;

	*sessionp = NULL;
	if (!session) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	pthread_mutex_init(&session->paths_lock, NULL);
	for (size_t i = 0; i < count; i++)
		if (evtlog_is_merged(paths[i])) {
			pr_err("%s: is a merged file, which has no index: name the hosts' files",
			       paths[i]);
			status = EXIT_FAILED;
			goto fail;
		}
	status = log_set_open(&session->logs, paths, count, &opts);
	if (status != EXIT_OK)
		goto fail;
	if (session->logs.count > 1)
		status = log_set_relate(&session->logs, &opts, true);
	if (status != EXIT_OK)
		goto fail;
	session_span_set(session);
	status = add_hosts(session, options);
	if (status != EXIT_OK)
		goto fail;
	*sessionp = session;
	return EXIT_OK;
fail:
	session_close(session);
	return status;
}

int session_verdict(const struct session *session)
{
	int status = EXIT_OK;
	bool has_events = false;

	for (uint32_t i = 0; i < session->host_count; i++) {
		const struct session_host *host = &session->hosts[i];
		const struct evtlog_index_lacks *lacks = evtlog_index_lacks(host->index);
		const struct log_lacks lost = { .lost = lacks->lost };

		has_events |= log_has_events(evtlog_index_file(host->index));
		/* Other faults were printed when the session was opened. */
		if (log_report_lacks(&lost, host->path) != EXIT_OK || lacks->damages || lacks->cut)
			status = EXIT_EVENTS_LOST;
	}
	if (has_events)
		return status;
	return log_refuse(evtlog_index_file(session->hosts[0].index), session->hosts[0].path);
}

void session_close(struct session *session)
{
	if (!session)
		return;
	for (uint32_t i = 0; i < session->host_count; i++) {
		struct session_host *host = &session->hosts[i];

		session_readers_free(host);
		free(host->fault);
		jitter_cache_free(host->jitter);
		session_counters_free(host->counters);
		task_colours_free(host);
		evtlog_index_close(host->index);
		pthread_mutex_destroy(&host->lock);
	}
	session_paths_free(session);
	pthread_mutex_destroy(&session->paths_lock);
	free(session->hosts);
	free(session->lanes);
	log_set_close(&session->logs);
	free(session);
}

/* ---- Data in the indexes ---- */

static uint64_t *raw_edges(const struct session *session, uint32_t host,
			   const int64_t *edges, size_t count)
{
	uint64_t *raw = calloc(count + 1, sizeof(*raw));

	for (size_t i = 0; raw && i <= count; i++) {
		raw[i] = session_raw(session, host, edges[i]);
		if (i && raw[i] < raw[i - 1])
			raw[i] = raw[i - 1];
	}
	return raw;
}

int session_bins(struct session *session, uint32_t lane, const int64_t *edges, size_t count,
		 bool refine, struct evtlog_bin *bins)
{
	const struct session_lane *which = &session->lanes[lane];
	struct session_host *host = &session->hosts[which->host];
	uint64_t *raw = raw_edges(session, which->host, edges, count);
	int result;

	if (!raw)
		return -ENOMEM;
	pthread_mutex_lock(&host->lock);
	result = evtlog_index_bins(host->index, which->slot, raw, count, refine, bins);
	pthread_mutex_unlock(&host->lock);
	free(raw);
	return result;
}

int session_task_bins(struct session *session, uint32_t host_number, uint32_t task,
		      const int64_t *edges, size_t count, bool refine,
		      struct evtlog_bin *bins)
{
	struct session_host *host = &session->hosts[host_number];
	uint64_t *raw = raw_edges(session, host_number, edges, count);
	int result;

	if (!raw)
		return -ENOMEM;
	pthread_mutex_lock(&host->lock);
	result = evtlog_index_task_bins(host->index, task, raw, count, refine, bins);
	pthread_mutex_unlock(&host->lock);
	free(raw);
	return result;
}

/* For each slot, whether its CPU is a lane. */
static bool *lane_slots(const struct session *session, const struct session_host *host)
{
	size_t count = 0;
	bool *slots;

	while (evtlog_index_cpu(host->index, count))
		count++;
	slots = calloc(count + 1, sizeof(*slots));
	for (uint32_t i = 0; slots && i < host->lane_count; i++)
		slots[session->lanes[host->first_lane + i].slot] = true;
	return slots;
}

int session_slice(struct session *session, uint32_t host_number, uint32_t task, int64_t time_ns,
		  bool after, struct slice *slice)
{
	struct session_host *host = &session->hosts[host_number];
	uint64_t raw_ns = session_raw(session, host_number, time_ns);
	bool *slots = lane_slots(session, host);
	struct evtlog_slice found;
	uint32_t lane;
	int result;

	if (!slots)
		return -ENOMEM;
	pthread_mutex_lock(&host->lock);
	result = evtlog_index_slice(host->index, task, slots, raw_ns, after, &found);
	pthread_mutex_unlock(&host->lock);
	free(slots);
	if (result <= 0)
		return result;
	lane = host->first_lane;
	while (session->lanes[lane].slot != found.slot)
		lane++;
	*slice = (struct slice) {
		.lane = lane,
		.begin_ns = session_time(session, host_number, found.begin_ns),
		.end_ns = session_time(session, host_number, found.end_ns),
	};
	return 1;
}

const struct evtlog_index_task *session_task(const struct session *session, uint32_t host,
					     uint32_t id)
{
	return evtlog_index_task(session->hosts[host].index, id);
}

uint32_t session_task_at(struct session *session, uint32_t host_number, uint32_t pid,
			 uint64_t raw_ns)
{
	struct session_host *host = &session->hosts[host_number];
	uint32_t id;

	if (pid == EVTLOG_PID_UNKNOWN)
		return EVTLOG_TASK_UNKNOWN;
	pthread_mutex_lock(&host->lock);
	id = evtlog_index_task_at(host->index, pid, raw_ns);
	pthread_mutex_unlock(&host->lock);
	return id;
}

const struct evtlog_index_cpu *session_cpu(const struct session *session, uint32_t lane)
{
	const struct session_lane *which = &session->lanes[lane];

	return evtlog_index_cpu(session->hosts[which->host].index, which->slot);
}

unsigned int session_kinds(const struct session *session, uint32_t lane)
{
	const struct evtlog_index_cpu *cpu = session_cpu(session, lane);
	unsigned int kinds = 0;

	for (unsigned int kind = 0; kind < EVTLOG_KINDS; kind++)
		kinds |= cpu->counts[kind] ? 1u << kind : 0;
	return kinds;
}

uint64_t session_count(struct session *session, uint32_t lane, int64_t from_ns,
		       int64_t to_ns)
{
	const struct session_lane *which = &session->lanes[lane];
	struct session_host *host = &session->hosts[which->host];
	uint64_t from = session_raw(session, which->host, from_ns);
	uint64_t to = session_raw(session, which->host, to_ns);
	uint64_t count;

	pthread_mutex_lock(&host->lock);
	count = evtlog_index_count(host->index, which->slot, from, to);
	pthread_mutex_unlock(&host->lock);
	return count;
}
