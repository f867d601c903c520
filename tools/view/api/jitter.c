// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with the interruptions of a program: a table, a chart, and the list for a bar.
 *
 * jitter/plot makes the chart and draws it, as for pictures.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "jitter/plot/plot.h"
#include "view/http/server.h"
#include "view/session/session.h"

#define LIST_MAX	500
#define PARTS_MAX	200
#define NUMBER_MAX	1e20
/* Digits after the decimal point */
#define LENGTH_DIGITS	3
#define PEAK_DIGITS	9

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

/* Reads a decimal number.  0; -ENOENT: not given; -EINVAL. */
static int request_decimal(struct request *request, const char *key, double *value)
{
	const char *text = request_text(request, key);

	return text ? number_parse_decimal(value, text, 0, NUMBER_MAX) : -ENOENT;
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
	uint64_t linear = 0;
	int error;

	error = request_set(asked->request, "sources", asked->data.source_count,
			    &asked->sources);
	if (!error)
		error = choose_threads(asked);
	if (error)
		return error;
	if (request_decimal(asked->request, "from", &choice->from) == -EINVAL ||
	    request_decimal(asked->request, "to", &choice->to) == -EINVAL ||
	    request_u64(asked->request, "linear", 1, &linear) == -EINVAL)
		return -EINVAL;
	if (choice->to > 0 && choice->to <= choice->from)
		return -EINVAL;
	choice->sources = asked->sources;
	choice->threads = asked->threads;
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
	json_length(json, "max_ns", asked, source->max_ticks);
	json_length(json, "total_ns", asked, source->total_ticks);
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
	json_length(json, "threshold_ns", asked, thread->threshold_ticks);
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
}

/* ---- The chart ---- */

/* Counts are exact, and densities have as many digits. */
static void json_value(struct json *json, const char *key, double value)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%.9g", value);

	if (isfinite(value))
		json_raw(json, key, text, length);
	else
		json_null(json, key);
}

static void json_curve(struct json *json, const struct chart *chart,
		       const struct chart_curve *curve)
{
	char colour[8];

	snprintf(colour, sizeof(colour), "#%06" PRIx32, curve->colour);
	json_object(json, NULL);
	json_string(json, "name", curve->name);
	json_string(json, "about", curve->about);
	json_string(json, "colour", colour);
	json_array(json, "values");
	for (unsigned int i = 0; i < chart->bins; i++)
		json_value(json, NULL, curve->values[i]);
	json_end(json);
	json_end(json);
}

static void json_peaks(struct json *json, const struct jitter_spectrum *spectrum)
{
	json_double(json, "resolution_hz", spectrum->resolution_hz, PEAK_DIGITS);
	json_array(json, "peaks");
	for (size_t i = 0; i < spectrum->peak_count; i++) {
		const struct jitter_peak *peak = &spectrum->peaks[i];

		json_object(json, NULL);
		json_double(json, "hz", peak->hz, PEAK_DIGITS);
		json_double(json, "power", peak->power, LENGTH_DIGITS);
		json_double(json, "regularity", peak->regularity, PEAK_DIGITS);
		json_u64(json, "source", peak->source);
		json_u64(json, "multiples", peak->multiples);
		json_end(json);
	}
	json_end(json);
}

/* The picture as SVG, and the place of the plot on it. */
static int json_picture(struct json *json, const struct chart *chart, const struct draw_paper *paper)
{
	struct chart_place place;
	char *svg = NULL;
	size_t length;
	FILE *out = open_memstream(&svg, &length);
	int error = out ? chart_draw(chart, paper, out, &place) : -ENOMEM;

	if (out && fclose(out))
		error = -ENOMEM;
	if (!error) {
		json_bytes(json, "svg", svg, length);
		json_u64(json, "width", paper->width);
		json_u64(json, "height", paper->height);
		json_u64(json, "x", place.x);
		json_u64(json, "y", place.y);
		json_u64(json, "columns", place.columns);
		json_u64(json, "rows", place.rows);
		json_value(json, "least", chart->least);
		json_value(json, "top", place.top);
	}
	free(svg);
	return error;
}

/* Reads a side of the picture in pixels; if it is not given, @side is unchanged. */
static int request_side(struct request *request, const char *key, unsigned int *side)
{
	uint64_t pixels = *side;

	if (request_u64(request, key, DRAW_SIDE_MAX, &pixels) == -EINVAL || pixels < CHART_PLOT_MIN)
		return -EINVAL;
	*side = pixels;
	return 0;
}

/* All that the numbers of a chart depend on.  free() it; NULL: no memory. */
static char *chart_key(const struct asked *asked, const struct jitter_show *show)
{
	const char *sources = request_text(asked->request, "sources");
	const char *cpus = request_text(asked->request, "cpus");
	char *key;

	return asprintf(&key, "%d %u %d %.17g %.17g %s %s", show->view, show->paper.width,
			show->choice.linear, show->choice.from, show->choice.to,
			sources ? sources : "all", cpus ? cpus : "all") < 0 ? NULL : key;
}

static int answer_chart(struct asked *asked, struct json *json, enum jitter_view view)
{
	struct jitter_cache *cache = asked->request->session->hosts[asked->host].jitter;
	struct jitter_show show = {
		.view = view, .choice = asked->choice,
		.paper = { .format = DRAW_SVG, .width = CHART_WIDTH, .height = CHART_HEIGHT },
	};
	const struct jitter_plot *plot;
	uint64_t light = 0;
	char *key;
	int error;

	if (request_side(asked->request, "width", &show.paper.width) ||
	    request_side(asked->request, "height", &show.paper.height) ||
	    request_u64(asked->request, "light", 1, &light) == -EINVAL)
		return -EINVAL;
	show.paper.light = light;
	key = chart_key(asked, &show);
	error = key ? jitter_cache_get(cache, key, &asked->data, &show, &plot) : -ENOMEM;
	free(key);
	if (error)
		return error;
	json_array(json, "edges");
	for (unsigned int i = 0; i <= plot->chart.bins; i++)
		json_double(json, NULL, plot->chart.edges[i], LENGTH_DIGITS);
	json_end(json);
	json_array(json, "curves");
	for (size_t i = 0; i < plot->chart.curve_count; i++)
		json_curve(json, &plot->chart, &plot->curves[i]);
	json_end(json);
	if (plot->spectrum)
		json_peaks(json, plot->spectrum);
	error = json_picture(json, &plot->chart, &show.paper);
	jitter_cache_put(cache);
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
	json_length(json, "crossing_ns", asked, sample->crossing_ticks);
	json_length(json, "residual_ns", asked, evtlog_jitter_residual(sample));
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
	for (int view = 0; view < JITTER_VIEWS; view++)
		if (!strcmp(kind, jitter_view_names[view]))
			return answer_chart(asked, json, view);
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
