// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with the output of `evtlog stat --json` for a span, and migrations between CPUs.
 *
 * Reads the logs with separately opened files.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stat/stat.h"
#include "tasks.h"
#include "view/http/server.h"

/* With more CPUs there is no matrix of migrations. */
#define MATRIX_MAX	256

/* Argument of callbacks of struct stat */
struct asking {
	struct request *request;
	struct session_host *host;
};

static int ask_bins(void *arg, unsigned int slot, const uint64_t *edges, size_t count,
		    struct evtlog_bin *bins)
{
	struct session_host *host = ((struct asking *)arg)->host;
	int error;

	pthread_mutex_lock(&host->lock);
	error = evtlog_index_bins(host->index, slot, edges, count, false, bins);
	pthread_mutex_unlock(&host->lock);
	return error;
}

static bool given_up(void *arg)
{
	return request_given_up(((struct asking *)arg)->request);
}

static void matrix_json(struct json *json, const struct stat *stat)
{
	json_object(json, "matrix");
	json_array(json, "cpus");
	for (unsigned int i = 0; i < stat->cpu_count; i++)
		if (stat->cpus[i].wanted)
			json_u64(json, NULL, stat->cpus[i].cpu);
	json_end(json);
	json_array(json, "migrations");
	for (unsigned int from = 0; from < stat->cpu_count; from++) {
		if (!stat->cpus[from].wanted)
			continue;
		json_array(json, NULL);
		for (unsigned int to = 0; to < stat->cpu_count; to++)
			if (stat->cpus[to].wanted)
				answer_u64(json, NULL,
					   stat->migrations[from * stat->cpu_count + to]);
		json_end(json);
	}
	json_end(json);
	json_array(json, "switches");
	for (unsigned int i = 0; i < stat->cpu_count; i++)
		if (stat->cpus[i].wanted)
			answer_u64(json, NULL, stat->cpus[i].switches);
	json_end(json);
	json_end(json);
}

/* Writes the output of `evtlog stat --json`. */
static int stat_text_json(struct json *json, struct stat *stat)
{
	size_t length = 0;
	char *text = NULL;
	FILE *out;
	int failed;

	if (stat_tasks_sort(stat, SORT_RUN))
		return -ENOMEM;
	out = open_memstream(&text, &length);
	if (!out)
		return -ENOMEM;
	stat_json(stat, 0, out);
	failed = ferror(out);
	failed |= fclose(out);
	while (!failed && length && text[length - 1] == '\n')
		length--;
	if (!failed)
		json_raw(json, "stat", text, length);
	free(text);
	return failed ? -ENOMEM : 0;
}

/* CPU and time of the longest occurrence of each interrupt, in the order of struct stat. */
static void longest_json(struct json *json, const struct session *session, uint32_t host,
			 const struct stat *stat)
{
	json_array(json, "longest");
	for (unsigned int i = 0; i < STAT_INTERRUPTS; i++) {
		const struct stat_count *by_cpu = stat_interrupt_at(stat, i);
		const struct stat_count sum = stat_count_sum(stat, by_cpu);
		unsigned int slot = 0;

		if (!sum.count && !sum.time_ns)
			continue;
		if (!sum.whole) {
			json_null(json, NULL);
			continue;
		}
		while (!by_cpu[slot].whole || by_cpu[slot].max_from_ns != sum.max_from_ns ||
		       by_cpu[slot].max_ns != sum.max_ns)
			slot++;
		json_object(json, NULL);
		json_u64(json, "cpu", stat->cpus[slot].cpu);
		answer_s64(json, "begin", session_time(session, host, sum.max_from_ns));
		answer_s64(json, "end", session_time(session, host, sum.max_to_ns));
		json_end(json);
	}
	json_end(json);
}

/* Converts the span to the values of --from and --to. */
static void filter_span(struct stat *stat, const struct session *session, uint32_t host,
			int64_t from_ns, int64_t to_ns)
{
	uint64_t begin_ns = evtlog_begin_ns(stat->file);
	uint64_t from_raw = session_raw(session, host, from_ns);
	uint64_t to_raw = session_raw(session, host, to_ns);

	stat->filter.from_ns = from_raw > begin_ns ? from_raw - begin_ns : 0;
	stat->filter.to_ns = to_raw > begin_ns ? to_raw - begin_ns : 0;
}

/* Writes modes of the requested lanes of a host. */
static int host_modes(struct request *request, struct json *json, uint32_t number,
		      const bool *cpus, int64_t from_ns, int64_t to_ns)
{
	const struct session_host *host = &request->session->hosts[number];
	uint32_t *lanes = calloc(host->lane_count + 1, sizeof(*lanes));
	size_t count = 0;
	int error;

	if (!lanes)
		return -ENOMEM;
	for (uint32_t i = 0; i < host->lane_count; i++) {
		uint32_t lane = host->first_lane + i;

		if (!cpus || cpus[request->session->lanes[lane].cpu])
			lanes[count++] = lane;
	}
	error = modes_json(request, json, lanes, count, from_ns, to_ns);
	free(lanes);
	return error;
}

static int host_json(struct request *request, struct json *json, uint32_t number, bool *cpus,
		     int64_t from_ns, int64_t to_ns)
{
	struct session_host *host = &request->session->hosts[number];
	struct asking asking = { request, host };
	struct stat *stat = calloc(1, sizeof(*stat));
	int error;

	if (!stat)
		return -ENOMEM;
	stat->path = host->path;
	stat->bins = ask_bins;
	stat->bins_arg = &asking;
	stat->given_up = given_up;
	stat->given_up_arg = &asking;
	filter_all(&stat->filter);
	stat->filter.cpus = cpus;
	error = evtlog_open(host->path, &stat->file, NULL);
	if (error) {
		/* -ENOENT and -EINVAL would mean that the request is wrong. */
		if (error == -ENOENT || error == -EINVAL)
			error = -EIO;
		goto out;
	}
	filter_span(stat, request->session, number, from_ns, to_ns);
	error = stat_init(stat);
	if (!error && stat->cpu_count <= MATRIX_MAX) {
		stat->migrations = calloc((size_t)stat->cpu_count * stat->cpu_count + 1,
					  sizeof(*stat->migrations));
		if (!stat->migrations)
			error = -ENOMEM;
	}
	if (!error)
		error = stat_read(stat);
	if (!error) {
		json_object(json, NULL);
		json_string(json, "name", host->name);
		error = stat_text_json(json, stat);
		longest_json(json, request->session, number, stat);
		if (stat->migrations)
			matrix_json(json, stat);
		if (!error)
			error = host_modes(request, json, number, cpus, from_ns, to_ns);
		json_end(json);
	}
	free(stat->migrations);
	stat_free(stat);
	evtlog_close(stat->file);
out:
	free(stat);
	return error;
}

/* The requested CPUs of a host, by number; NULL: all.  free() them. */
static int choose_cpus(const struct session *session, uint32_t host,
		       const struct wanted_lane *lanes, size_t count, bool **cpus, bool *any)
{
	const struct evtlog_index *index = session->hosts[host].index;
	size_t wanted = 0, all = 0;

	*cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(**cpus));
	if (!*cpus)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		bool *cpu;

		if (lanes[i].host != host)
			continue;
		cpu = &(*cpus)[session->lanes[lanes[i].lane].cpu];
		wanted += !*cpu;
		*cpu = true;
	}
	while (evtlog_index_cpu(index, all))
		all++;
	*any = wanted;
	if (wanted == all) {
		free(*cpus);
		*cpus = NULL;
	}
	return 0;
}

static int hosts_json(struct request *request, struct json *json,
		      const struct wanted_lane *lanes, size_t count, int64_t from_ns,
		      int64_t to_ns)
{
	const struct session *session = request->session;
	int error = 0;

	json_array(json, "hosts");
	for (uint32_t host = 0; host < session->host_count && !error; host++) {
		bool *cpus, any;

		error = choose_cpus(session, host, lanes, count, &cpus, &any);
		if (!error && any)
			error = host_json(request, json, host, cpus, from_ns, to_ns);
		free(cpus);
	}
	json_end(json);
	return error;
}

/* All lanes, if the request has none. */
static int all_lanes(const struct session *session, struct wanted_lane **lanes, size_t *count)
{
	*lanes = calloc(session->lane_count + 1, sizeof(**lanes));
	if (!*lanes)
		return -ENOMEM;
	for (uint32_t i = 0; i < session->lane_count; i++)
		(*lanes)[i] = (struct wanted_lane) { .lane = i, .host = session->lanes[i].host };
	*count = session->lane_count;
	return 0;
}

unsigned int answer_summary(struct request *request)
{
	struct wanted_lane *lanes;
	int64_t from_ns, to_ns;
	struct json json;
	size_t count;
	int error;

	if (request_time(request, "from", &from_ns) || request_time(request, "to", &to_ns) ||
	    to_ns < from_ns)
		return request_failed(request, -EINVAL);
	error = request_lanes(request, "lanes", false, &lanes, &count);
	if (error == -ENOENT)
		error = all_lanes(request->session, &lanes, &count);
	if (!error)
		error = request_begin(request, &json);
	if (!error)
		error = hosts_json(request, &json, lanes, count, from_ns, to_ns);
	free(lanes);
	return error ? request_failed(request, error) : request_end(request, &json);
}
