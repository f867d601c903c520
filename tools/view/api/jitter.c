// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with the interruptions of a program: a table, curves, and the list for a bar.
 *
 * The functions in jitter/plot/curves.h compute the numbers.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "jitter/plot/curves.h"
#include "jitter/plot/plot.h"
#include "view/http/server.h"
#include "view/session/session.h"

#define LIST_MAX	500
#define PARTS_MAX	200
#define POINTS		300
#define NS_PER_US	1000
/* Digits after the decimal point */
#define LENGTH_DIGITS	3
#define DENSITY_DIGITS	9

/* A request.  @sources, @threads: arrays in @choice, freed with it */
struct asked {
	struct request *request;
	uint32_t host;
	const struct evtlog_jitter *jitter;
	struct jitter_data data;
	struct jitter_choice choice;
	bool *sources;
	bool *threads;
};

/* ---- Parameters ---- */

/* Reads a decimal number without sign.  0; -ENOENT: not given; -EINVAL. */
static int request_decimal(struct request *request, const char *key, double *value)
{
	const char *text = request_text(request, key);
	size_t whole, length;

	if (!text)
		return -ENOENT;
	whole = strspn(text, "0123456789");
	length = whole;
	if (text[length] == '.')
		length += 1 + strspn(text + length + 1, "0123456789");
	if (!whole || text[length] || length > 40)
		return -EINVAL;
	*value = strtod(text, NULL);
	return 0;
}

/* Reads a set "0-3,7" of numbers below @count; NULL if not given.  0; -EINVAL; -ENOMEM. */
static int request_set(struct request *request, const char *key, size_t count, bool **setp)
{
	const char *text = request_text(request, key);
	bool *set;

	*setp = NULL;
	if (!text)
		return 0;
	set = calloc(count + 1, sizeof(*set));
	if (!set)
		return -ENOMEM;
	while (*text) {
		unsigned long first, last;
		char *end;

		if (*text < '0' || *text > '9')
			goto invalid;
		first = last = strtoul(text, &end, 10);
		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			last = strtoul(end + 1, &end, 10);
		if (last < first || last >= count || (*end && *end != ','))
			goto invalid;
		while (first <= last)
			set[first++] = true;
		text = end + (*end == ',');
	}
	*setp = set;
	return 0;
invalid:
	free(set);
	return -EINVAL;
}

static int choose_threads(struct asked *asked)
{
	bool *cpus;
	int error = request_set(asked->request, "cpus", EVTLOG_CPU_LIMIT, &cpus);

	if (error || !cpus)
		return error;
	asked->threads = calloc(asked->data.thread_count + 1, sizeof(*asked->threads));
	for (size_t i = 0; asked->threads && i < asked->data.thread_count; i++)
		asked->threads[i] = asked->data.threads[i].cpu < EVTLOG_CPU_LIMIT &&
				    cpus[asked->data.threads[i].cpu];
	free(cpus);
	return asked->threads ? 0 : -ENOMEM;
}

static int choose(struct asked *asked)
{
	struct jitter_choice *choice = &asked->choice;
	uint64_t points = POINTS, linear = 0;
	int error;

	error = request_set(asked->request, "sources", asked->data.source_count,
			    &asked->sources);
	if (!error)
		error = choose_threads(asked);
	if (error)
		return error;
	if (request_decimal(asked->request, "from", &choice->from) == -EINVAL ||
	    request_decimal(asked->request, "to", &choice->to) == -EINVAL ||
	    request_decimal(asked->request, "bandwidth", &choice->bandwidth) == -EINVAL ||
	    request_u64(asked->request, "points", JITTER_POINTS_MAX, &points) == -EINVAL ||
	    request_u64(asked->request, "linear", 1, &linear) == -EINVAL)
		return -EINVAL;
	if (choice->to > 0 && choice->to <= choice->from)
		return -EINVAL;
	choice->sources = asked->sources;
	choice->threads = asked->threads;
	choice->points = points;
	choice->linear = linear;
	return 0;
}

/* ---- The table ---- */

static void json_length(struct json *json, const char *key, const struct asked *asked,
			double ticks)
{
	json_double(json, key, ticks * asked->data.ns_per_tick, LENGTH_DIGITS);
}

static void json_source(struct json *json, const struct asked *asked,
			const struct evtlog_jitter_source *source)
{
	json_object(json, NULL);
	json_bytes(json, "name", source->name, strnlen(source->name, sizeof(source->name)));
	json_u64(json, "family", source->family);
	json_bool(json, "inferred", source->inferred);
	answer_u64(json, "count", source->count);
	json_length(json, "min_ns", asked, source->min_ticks);
	json_length(json, "max_ns", asked, source->max_ticks);
	json_length(json, "total_ns", asked, source->total_ticks);
	answer_u64(json, "activations", source->activations);
	json_length(json, "period_ns", asked, source->period_ticks);
	json_end(json);
}

/* Writes the lane of a CPU, or null if the CPU is not shown. */
static void json_lane(struct json *json, const struct asked *asked, uint32_t cpu)
{
	const struct session *session = asked->request->session;
	const struct session_host *host = &session->hosts[asked->host];

	for (uint32_t i = 0; i < host->lane_count; i++)
		if (session->lanes[host->first_lane + i].cpu == cpu) {
			json_u64(json, "lane", host->first_lane + i);
			return;
		}
	json_null(json, "lane");
}

static void json_thread(struct json *json, const struct asked *asked,
			const struct evtlog_jitter_thread *thread)
{
	json_object(json, NULL);
	json_u64(json, "cpu", thread->cpu);
	json_lane(json, asked, thread->cpu);
	json_u64(json, "pid", thread->pid);
	json_length(json, "window_ns", asked, thread->end_ticks - thread->begin_ticks);
	json_length(json, "threshold_ns", asked, thread->threshold_ticks);
	json_length(json, "crossing_ns", asked, thread->crossing_ticks);
	json_u64(json, "samples", thread->samples);
	json_u64(json, "interruptions", thread->interruptions);
	answer_u64(json, "lost", thread->lost);
	json_end(json);
}

static void answer_table(struct asked *asked, struct json *json)
{
	const struct evtlog_jitter_summary *summary = evtlog_jitter_summary(asked->jitter);

	json_array(json, "families");
	for (int family = 0; family < EVTLOG_FAMILIES; family++)
		json_string(json, NULL, evtlog_jitter_family_name(family));
	json_end(json);
	json_array(json, "sources");
	for (size_t i = 0; i < asked->data.source_count; i++)
		json_source(json, asked, &asked->data.sources[i]);
	json_end(json);
	json_array(json, "threads");
	for (size_t i = 0; i < asked->data.thread_count; i++)
		json_thread(json, asked, &asked->data.threads[i]);
	json_end(json);
	answer_u64(json, "samples", summary->samples);
	answer_u64(json, "matched", summary->matched);
	answer_u64(json, "excluded", summary->excluded);
	answer_u64(json, "interruptions", summary->interruptions);
	json_length(json, "noise_ns", asked, summary->noise_ticks);
	json_length(json, "window_ns", asked, summary->window_ticks);
	json_length(json, "max_residual_ns", asked, summary->max_residual_ticks);
}

/* ---- Curves ---- */

static void json_doubles(struct json *json, const char *key, const double *values,
			 size_t count, unsigned int digits)
{
	json_array(json, key);
	for (size_t i = 0; i < count; i++)
		json_double(json, NULL, values[i], digits);
	json_end(json);
}

static void json_number_or_null(struct json *json, const char *key, uint32_t number)
{
	if (number == EVTLOG_JITTER_NONE)
		json_null(json, key);
	else
		json_u64(json, key, number);
}

static int answer_histogram(struct asked *asked, struct json *json)
{
	struct jitter_histogram *histogram = malloc(sizeof(*histogram));

	if (!histogram)
		return -ENOMEM;
	jitter_histogram(&asked->data, &asked->choice, histogram);
	json_doubles(json, "edges", histogram->edges, histogram->bins + 1, LENGTH_DIGITS);
	json_object(json, "series");
	for (int series = 0; series < JITTER_SERIES; series++) {
		json_object(json, jitter_series_names[series]);
		json_array(json, "counts");
		for (unsigned int i = 0; i < histogram->bins; i++)
			answer_u64(json, NULL, histogram->counts[series][i]);
		json_end(json);
		answer_u64(json, "below", histogram->below[series]);
		answer_u64(json, "above", histogram->above[series]);
		json_end(json);
	}
	json_end(json);
	free(histogram);
	return 0;
}

static int answer_density(struct asked *asked, struct json *json)
{
	struct jitter_densities *densities = malloc(sizeof(*densities));
	double unit = asked->choice.linear ? NS_PER_US : 1;
	int error = densities ? jitter_densities(&asked->data, &asked->choice, densities) :
		    -ENOMEM;

	if (!error) {
		json_doubles(json, "edges", densities->edges, densities->bins + 1,
			     LENGTH_DIGITS);
		json_string(json, "per", asked->choice.linear ? "us" : "decade");
		json_array(json, "curves");
		for (size_t i = 0; i < densities->count; i++) {
			struct jitter_density *curve = &densities->curves[i];

			for (unsigned int bin = 0; bin < densities->bins; bin++)
				curve->values[bin] *= unit;
			json_object(json, NULL);
			json_number_or_null(json, "source", curve->source);
			json_u64(json, "count", curve->count);
			json_double(json, asked->choice.linear ? "bandwidth_us" :
				    "bandwidth_decades", curve->bandwidth / unit, DENSITY_DIGITS);
			json_doubles(json, "values", curve->values, densities->bins,
				     DENSITY_DIGITS);
			json_end(json);
		}
		json_end(json);
	}
	free(densities);
	return error;
}

static int answer_spectrum(struct asked *asked, struct json *json)
{
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	int error = spectrum ? jitter_spectrum(&asked->data, &asked->choice, spectrum) : -ENOMEM;

	if (!error) {
		json_doubles(json, "edges", spectrum->edges, spectrum->bins + 1, LENGTH_DIGITS);
		json_double(json, "resolution_hz", spectrum->resolution_hz, DENSITY_DIGITS);
		json_array(json, "curves");
		for (size_t i = 0; i < spectrum->count; i++) {
			const struct jitter_power *curve = &spectrum->curves[i];

			json_object(json, NULL);
			json_number_or_null(json, "source", curve->source);
			json_u64(json, "count", curve->events);
			json_double(json, "level", curve->level, LENGTH_DIGITS);
			json_doubles(json, "values", curve->values, spectrum->bins,
				     LENGTH_DIGITS);
			json_array(json, "clear");
			for (unsigned int bin = 0; bin < spectrum->bins; bin++)
				if (curve->clear[bin])
					json_u64(json, NULL, bin);
			json_end(json);
			json_end(json);
		}
		json_end(json);
		json_array(json, "peaks");
		for (size_t i = 0; i < spectrum->peak_count; i++) {
			const struct jitter_peak *peak = &spectrum->peaks[i];

			json_object(json, NULL);
			json_double(json, "hz", peak->hz, DENSITY_DIGITS);
			json_double(json, "power", peak->power, LENGTH_DIGITS);
			json_double(json, "regularity", peak->regularity, DENSITY_DIGITS);
			json_number_or_null(json, "source", peak->source);
			json_u64(json, "multiples", peak->multiples);
			json_end(json);
		}
		json_end(json);
	}
	free(spectrum);
	return error;
}

/* ---- The interruptions or samples in a bar ---- */

static int64_t time_of(const struct asked *asked, uint32_t thread, uint64_t ticks)
{
	return session_time(asked->request->session, asked->host,
			    evtlog_jitter_time_ns(asked->jitter, thread, ticks));
}

static void json_interruption(struct json *json, const struct asked *asked, uint32_t number)
{
	const struct evtlog_interruption *one = &asked->data.interruptions[number];

	json_object(json, NULL);
	answer_s64(json, "begin", time_of(asked, one->thread, one->leave_ticks));
	answer_s64(json, "end", time_of(asked, one->thread, one->enter_ticks));
	json_length(json, "ns", asked, one->enter_ticks - one->leave_ticks);
	json_u64(json, "parts_in_all", one->parts);
	json_array(json, "parts");
	for (uint32_t i = 0; i < one->parts && i < PARTS_MAX; i++) {
		const struct evtlog_jitter_part *part = &asked->data.parts[one->first_part + i];

		json_object(json, NULL);
		json_u64(json, "source", part->source);
		json_u64(json, "pid", part->pid);
		answer_s64(json, "begin", time_of(asked, one->thread, part->begin_ticks));
		answer_s64(json, "end", time_of(asked, one->thread, part->end_ticks));
		json_length(json, "own_ns", asked, part->own_ticks);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void json_sample(struct json *json, const struct asked *asked, uint32_t number)
{
	const struct evtlog_jitter_sample *sample = &asked->data.samples[number];

	json_object(json, "sample");
	answer_s64(json, "begin", time_of(asked, sample->thread, sample->begin_ticks));
	answer_s64(json, "end", time_of(asked, sample->thread, sample->end_ticks));
	json_length(json, "noise_ns", asked, sample->noise_ticks);
	json_length(json, "kernel_ns", asked, sample->kernel_ticks);
	json_length(json, "crossing_ns", asked, sample->crossing_ticks);
	json_length(json, "residual_ns", asked, evtlog_jitter_residual(sample));
	json_bool(json, "matched", sample->flags & EVTLOG_JITTER_MATCHED);
	json_end(json);
}

static void json_item(struct json *json, const struct asked *asked,
		      enum jitter_series series, const struct jitter_item *item)
{
	const struct jitter_data *data = &asked->data;
	uint32_t first = item->interruption, count = first != EVTLOG_JITTER_NONE, thread;

	thread = first != EVTLOG_JITTER_NONE ? data->interruptions[first].thread :
		 data->samples[item->sample].thread;
	if (series == JITTER_USER && first != EVTLOG_JITTER_NONE)
		count = data->samples[item->sample].interruptions;
	json_object(json, NULL);
	json_double(json, "ns", item->ns, LENGTH_DIGITS);
	json_u64(json, "cpu", data->threads[thread].cpu);
	json_lane(json, asked, data->threads[thread].cpu);
	if (item->sample != EVTLOG_JITTER_NONE)
		json_sample(json, asked, item->sample);
	else
		json_null(json, "sample");
	/* The found part, by its number in the interruption */
	if (item->part != EVTLOG_JITTER_NONE)
		json_u64(json, "part", item->part - data->interruptions[first].first_part);
	else
		json_null(json, "part");
	json_array(json, "interruptions");
	for (uint32_t i = 0; i < count && i < PARTS_MAX; i++)
		json_interruption(json, asked, first + i);
	json_end(json);
	json_end(json);
}

static int answer_list(struct asked *asked, struct json *json)
{
	const char *name = request_text(asked->request, "series");
	struct jitter_item *items;
	uint64_t limit = 50;
	size_t found, count;
	int series;

	for (series = 0; series < JITTER_SERIES; series++)
		if (name && !strcmp(name, jitter_series_names[series]))
			break;
	if (series == JITTER_SERIES ||
	    request_u64(asked->request, "limit", LIST_MAX, &limit) == -EINVAL)
		return -EINVAL;
	if (!(asked->choice.to > 0))
		asked->choice.to = INFINITY;
	items = calloc(limit + 1, sizeof(*items));
	if (!items)
		return -ENOMEM;
	count = jitter_list(&asked->data, &asked->choice, series, limit, items, &found);
	answer_u64(json, "found", found);
	json_array(json, "items");
	for (size_t i = 0; i < count; i++)
		json_item(json, asked, series, &items[i]);
	json_end(json);
	free(items);
	return 0;
}

/* ---- The answer ---- */

static int answer_kind(struct asked *asked, struct json *json)
{
	const char *kind = request_text(asked->request, "kind");

	if (!kind) {
		answer_table(asked, json);
		return 0;
	}
	if (!strcmp(kind, "list"))
		return answer_list(asked, json);
	if (!strcmp(kind, jitter_view_names[JITTER_HISTOGRAM]))
		return answer_histogram(asked, json);
	if (!strcmp(kind, jitter_view_names[JITTER_DENSITY]))
		return answer_density(asked, json);
	if (!strcmp(kind, jitter_view_names[JITTER_SPECTRUM]))
		return answer_spectrum(asked, json);
	return -EINVAL;
}

unsigned int answer_jitter(struct request *request)
{
	struct session *session = request->session;
	struct asked asked = { .request = request };
	struct evtlog_error why;
	struct json json;
	uint64_t host = 0;
	int error;

	if (request_u64(request, "host", session->host_count - 1, &host) == -EINVAL)
		return request_failed(request, -EINVAL);
	if (!session->hosts[host].jitter)
		return request_error(request, MHD_HTTP_NOT_FOUND,
				     "no samples of this log in the same directory: 'evtlog jitter run' records them");
	if (jitter_cache_ask(session->hosts[host].jitter, &asked.jitter, &why))
		return request_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "%s", why.reason);
	asked.host = host;
	jitter_data_of(&asked.data, asked.jitter);
	error = choose(&asked);
	if (!error)
		error = request_begin(request, &json);
	if (!error)
		error = answer_kind(&asked, &json);
	free(asked.sources);
	free(asked.threads);
	return error ? request_failed(request, error) : request_end(request, &json);
}
