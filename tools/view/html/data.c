// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds the data of an export: answers of the server, bins, slices.
 *
 * Calls the server's functions directly, without HTTP.
 */
#include <errno.h>
#include <endian.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "draw/ruler.h"
#include "export.h"
#include "view/http/server.h"
#include "view/session/session.h"

#define MAGIC		"EVTO"
#define VERSION		1
/* Bins of a lane at the finest level; more if there are no slices, which have finer times. */
#define BINS_MAX	16384u
#define BINS_ALONE_MAX	65536u
/* Bins of all lanes at that level */
#define BINS_ALL_MAX	(UINT64_C(1) << 20)
#define LEVEL_MAX	50
#define NAMES_AT_ONCE	500
#define BOUND_PIECES	64
/* Limits of arrows and packets in the file */
#define ARROWS		"5000"
#define PACKETS		"5000"

/*
 * @json, @binary: the output so far
 * @separator: goes in front of the next key of @json
 */
struct making {
	struct session *session;
	const struct export_options *opts;
	struct export_events events;
	FILE *json;
	FILE *binary;
	const char *separator;
};

static void put_key(struct making *making, const char *key)
{
	fprintf(making->json, "%s\"%s\": ", making->separator, key);
	making->separator = ",\n";
}

/* @bytes may be NULL if @length is 0, which fwrite() does not allow. */
static void put_bytes(FILE *out, const void *bytes, size_t length)
{
	if (length)
		fwrite(bytes, 1, length, out);
}

/* ---- Answers of the server ---- */

/* @query: keys and values in turn, ended by NULL */
static int ask(struct making *making, unsigned int (*answer)(struct request *request),
	       const char *const *query)
{
	struct request request = {
		.session = making->session,
		.query = query,
		.socket = -1,
	};
	unsigned int status = answer(&request);
	int error = 0;

	if (status == MHD_HTTP_OK)
		put_bytes(making->json, request.bytes, request.length);
	else
		error = -EIO;
	if (request.owned)
		free(request.bytes);
	return error;
}

/* Names of the host's tasks that occur in bins or slices; an answer has at most NAMES_AT_ONCE. */
static int put_names_of(struct making *making, uint32_t host)
{
	const bool *seen = making->events.seen[host];
	size_t ids = evtlog_index_task_count(making->session->hosts[host].index), id = 0;
	const char *separator = "";
	int error = 0;

	fputs("[", making->json);
	while (id < ids && !error) {
		char number[16], *list;
		const char *query[] = { "host", number, "ids", NULL, NULL };
		unsigned int count = 0;
		size_t length;
		FILE *out = open_memstream(&list, &length);

		if (!out)
			return -ENOMEM;
		for (; id < ids && count < NAMES_AT_ONCE; id++)
			if (seen[id])
				fprintf(out, "%s%zu", count++ ? "," : "", id);
		if (fclose(out))
			error = -ENOMEM;
		snprintf(number, sizeof(number), "%" PRIu32, host);
		query[3] = list;
		if (!error && count) {
			fputs(separator, making->json);
			separator = ",\n";
			error = ask(making, answer_names, query);
		}
		free(list);
	}
	fputs("]", making->json);
	return error;
}

static int put_names(struct making *making)
{
	int error = 0;

	put_key(making, "names");
	fputs("[", making->json);
	for (uint32_t i = 0; i < making->session->host_count && !error; i++) {
		fputs(i ? ",\n" : "", making->json);
		error = put_names_of(making, i);
	}
	fputs("]", making->json);
	return error;
}

/* The file next to the log may have any content. */
static void put_marks(struct making *making)
{
	struct request request = { .session = making->session, .socket = -1 };
	bool good = answer_notes(&request) == MHD_HTTP_OK &&
		    json_check_object(request.bytes, request.length);

	put_key(making, "marks");
	if (good)
		put_bytes(making->json, request.bytes, request.length);
	else
		fputs("{\"marks\": []}", making->json);
	if (request.owned)
		free(request.bytes);
}

static int put_answers(struct making *making)
{
	const struct session *session = making->session;
	char from[24], to[24], lanes[24];
	const char *const none[] = { NULL };
	const char *const span[] = { "from", from, "to", to, "lanes", lanes, "limit", ARROWS,
				     NULL };
	const char *const ways[] = { "from", from, "to", to, "limit", PACKETS, "bins", "4096",
				     NULL };
	int error;

	snprintf(from, sizeof(from), "%" PRIu64, making->opts->from_ns);
	snprintf(to, sizeof(to), "%" PRIu64, making->opts->to_ns);
	snprintf(lanes, sizeof(lanes), "0-%" PRIu32, session->lane_count - 1);
	put_key(making, "log");
	error = ask(making, answer_log, none);
	if (!error) {
		put_key(making, "arrows");
		error = ask(making, answer_arrows, span);
	}
	if (!error) {
		put_key(making, "paths");
		error = ask(making, answer_paths, ways);
	}
	if (!error) {
		put_key(making, "summary");
		error = ask(making, answer_summary, span);
	}
	if (!error)
		put_marks(making);
	return error;
}

/* ---- Bins ---- */

static unsigned int finest_level(const struct making *making)
{
	uint64_t span_ns = making->opts->to_ns - making->opts->from_ns;
	uint64_t max = making->events.lanes ? BINS_MAX : BINS_ALONE_MAX;
	uint32_t lanes = making->session->lane_count;
	unsigned int level = 0;

	if (max > BINS_ALL_MAX / (lanes ? lanes : 1))
		max = BINS_ALL_MAX / lanes;
	while (level < LEVEL_MAX && (span_ns >> level) + 2 > max)
		level++;
	return level;
}

/* For a bin that the span cuts: makes its shares relative to the whole bin, and marks it. */
static void scale_bin(struct evtlog_bin *bin, uint64_t part_ns, unsigned int level)
{
	uint8_t *shares[] = { &bin->task_share, &bin->busy, &bin->irq, &bin->softirq, &bin->lost };

	if (part_ns == UINT64_C(1) << level)
		return;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		if (*shares[i]) {
			unsigned int share = ((unsigned __int128)*shares[i] * part_ns) >> level;

			*shares[i] = share ? share : 1;
		}
	bin->flags |= EVTLOG_BIN_OUTSIDE;
}

static int put_lane_bins(struct making *making, uint32_t lane, const int64_t *edges,
			 size_t count, unsigned int level, struct evtlog_bin *bins)
{
	uint32_t host = making->session->lanes[lane].host;
	size_t ids = evtlog_index_task_count(making->session->hosts[host].index);
	int error = session_bins(making->session, lane, edges, count, true, bins);

	for (size_t i = 0; i < count && !error; i++) {
		if (bins[i].task < ids)
			making->events.seen[host][bins[i].task] = true;
		scale_bin(&bins[i], edges[i + 1] - edges[i], level);
	}
	if (!error)
		put_bytes(making->binary, bins, count * sizeof(*bins));
	return error;
}

static int put_level(struct making *making, unsigned int level)
{
	uint64_t from_ns = making->opts->from_ns, to_ns = making->opts->to_ns;
	uint64_t first = from_ns >> level;
	size_t count = ((to_ns - 1) >> level) - first + 1;
	int64_t *edges = calloc(count + 1, sizeof(*edges));
	struct evtlog_bin *bins = calloc(count, sizeof(*bins));
	int error = edges && bins ? 0 : -ENOMEM;

	for (size_t i = 0; i <= count && !error; i++) {
		uint64_t edge = (first + i) << level;

		edges[i] = edge < from_ns ? from_ns : edge > to_ns ? to_ns : edge;
	}
	fprintf(making->json, "{\"level\": %u, \"first\": %" PRIu64 ", \"bins\": %zu, \"offset\": %ld}",
		level, first, count, ftell(making->binary));
	for (uint32_t lane = 0; lane < making->session->lane_count && !error; lane++)
		error = put_lane_bins(making, lane, edges, count, level, bins);
	free(bins);
	free(edges);
	return error;
}

/* From the finest level to the one at which a tile covers the whole run. */
static int put_levels(struct making *making)
{
	unsigned int level = finest_level(making);
	bool last = false;
	int error = 0;

	put_key(making, "levels");
	fputs("[", making->json);
	for (const char *separator = ""; !last && !error; separator = ",\n", level++) {
		fputs(separator, making->json);
		error = put_level(making, level);
		last = (making->session->length_ns >> level) < 256 || level == LEVEL_MAX;
	}
	fputs("]", making->json);
	return error;
}

/* ---- Slices ---- */

static void put_slices(struct making *making)
{
	const struct export_events *events = &making->events;

	put_key(making, "slices");
	if (!events->lanes) {
		fputs("null", making->json);
		return;
	}
	fputs("[", making->json);
	for (uint32_t i = 0; i < making->session->lane_count; i++) {
		const struct export_lane *lane = &events->lanes[i];

		fprintf(making->json, "%s{\"count\": %zu, \"offset\": %ld}", i ? ", " : "",
			lane->count, ftell(making->binary));
		put_bytes(making->binary, lane->slices, lane->count * sizeof(*lane->slices));
	}
	fputs("]", making->json);
}

/* Names of the contexts that occur in slices, by context and number; each name once. */
static int put_contexts_of(struct making *making, uint32_t host)
{
	const struct session_host *of = &making->session->hosts[host];
	const struct evtlog_file *file = making->session->logs.files[of->file].file;
	struct json json;

	json_start(&json, making->json, true);
	json_object(&json, NULL);
	for (enum evtlog_context context = EVTLOG_IN_SOFTIRQ;
	     context <= EVTLOG_IN_VECTOR; context++) {
		bool *is_written = calloc(UINT16_MAX + 1, sizeof(*is_written));
		char key[16];

		if (!is_written)
			return -ENOMEM;
		snprintf(key, sizeof(key), "%d", context);
		json_object(&json, key);
		for (uint32_t i = 0; making->events.lanes && i < of->lane_count; i++) {
			const struct export_lane *lane;

			lane = &making->events.lanes[of->first_lane + i];
			for (size_t k = 0; k < lane->count; k++) {
				uint16_t number = lane->slices[k].number;
				char name[CONTEXT_NAME_BYTES];

				if (lane->slices[k].context != context || is_written[number])
					continue;
				is_written[number] = true;
				snprintf(key, sizeof(key), "%u", number);
				if (!context_name(file, context, number, name) && name[0])
					json_string(&json, key, name);
			}
		}
		json_end(&json);
		free(is_written);
	}
	json_end(&json);
	return 0;
}

/* Names of softirqs and interrupts, by host. */
static int put_contexts(struct making *making)
{
	put_key(making, "contexts");
	fputs("[", making->json);
	for (uint32_t i = 0; i < making->session->host_count; i++) {
		fputs(i ? ",\n" : "", making->json);
		if (put_contexts_of(making, i))
			return -ENOMEM;
	}
	fputs("]", making->json);
	return 0;
}

static void put_left(struct making *making)
{
	const char *separator = "";

	put_key(making, "left");
	fputs("{", making->json);
	for (char letter = '!'; letter < 0x7f; letter++)
		if (left_name(letter)) {
			fprintf(making->json, "%s\"%c\": \"%s\"", separator, letter,
				left_name(letter));
			separator = ", ";
		}
	fputs("}", making->json);
}

static int put_counters(struct making *making)
{
	int error = 0;

	put_key(making, "counters");
	fputs("[", making->json);
	for (uint32_t i = 0; i < making->session->host_count && !error; i++) {
		fputs(i ? ",\n" : "", making->json);
		error = export_counters(making->session, making->opts, i, making->json);
	}
	fputs("]", making->json);
	return error;
}

/* ---- The whole data ---- */

static void put_events(struct making *making)
{
	put_key(making, "events");
	put_bytes(making->json, making->events.events, making->events.events_length);
	put_key(making, "events_to");
	fprintf(making->json, "%" PRId64, making->events.events_to_ns);
}

/* Clock error of a host in each piece of the span. */
static void put_bounds_of(struct making *making, uint32_t host)
{
	int64_t from_ns = making->opts->from_ns;
	int64_t span_ns = making->opts->to_ns - making->opts->from_ns;

	fputs("[", making->json);
	for (int64_t i = 0; i < BOUND_PIECES; i++) {
		int64_t begin_ns = from_ns + (__int128)span_ns * i / BOUND_PIECES;
		int64_t end_ns = from_ns + (__int128)span_ns * (i + 1) / BOUND_PIECES;
		uint64_t bound = worst_bound(making->session, host, begin_ns, end_ns);

		fputs(i ? ", " : "", making->json);
		if (bound == UINT64_MAX)
			fputs("null", making->json);
		else
			fprintf(making->json, "%" PRIu64, bound);
	}
	fputs("]", making->json);
}

static void put_bounds(struct making *making)
{
	put_key(making, "bounds");
	fputs("[", making->json);
	for (uint32_t i = 0; i < making->session->host_count; i++) {
		fputs(i ? ",\n" : "", making->json);
		put_bounds_of(making, i);
	}
	fputs("]", making->json);
}

/* Messages about the file, which the page shows.  They contain no text from the log. */
static void put_notices(struct making *making)
{
	const struct export_options *opts = making->opts;
	char from[RULER_LABEL_BYTES], to[RULER_LABEL_BYTES], cut[RULER_LABEL_BYTES];

	ruler_time(opts->from_ns, from);
	if (!opts->from_ns)
		strcpy(from, "the start");
	ruler_time(opts->to_ns, to);
	if (opts->to_ns == (uint64_t)making->session->length_ns)
		strcpy(to, "the end");
	ruler_time(making->events.events_to_ns, cut);
	put_key(making, "notices");
	fprintf(making->json, "[\"Exported part: %s to %s of the run, on %" PRIu32 " CPU%s.\"",
		from, to, making->session->lane_count, making->session->lane_count == 1 ? "" : "s");
	if (making->events.more)
		fprintf(making->json, ",\n\"The list of events ends after %" PRIu64 " events, at %s.\"",
			making->events.event_count, cut);
	if (!making->events.lanes)
		fprintf(making->json, ",\n\"Too many slices for the file: zoomed in, times are approximate.\"");
	fputs("]", making->json);
}

static int make_all(struct making *making)
{
	int error = export_events_read(&making->events, making->session, making->opts);

	if (error)
		return error;
	put_key(making, "from");
	fprintf(making->json, "%" PRIu64, making->opts->from_ns);
	put_key(making, "to");
	fprintf(making->json, "%" PRIu64, making->opts->to_ns);
	put_notices(making);
	error = put_levels(making);
	if (!error)
		error = put_counters(making);
	if (!error) {
		put_slices(making);
		put_left(making);
		put_bounds(making);
		put_events(making);
		error = put_contexts(making);
	}
	/* After bins and slices, which determine the tasks that have to be named. */
	if (!error)
		error = put_names(making);
	if (!error)
		error = put_answers(making);
	return error;
}

static int join(const char *json, size_t json_length, const char *binary,
		size_t binary_length, char **bytesp, size_t *lengthp)
{
	size_t filled = (json_length + 7) & ~(size_t)7;
	uint32_t numbers[3] = { htole32(VERSION), htole32(json_length), 0 };
	char *bytes = calloc(1, 16 + filled + binary_length + 1);

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, MAGIC, 4);
	memcpy(bytes + 4, numbers, sizeof(numbers));
	memcpy(bytes + 16, json, json_length);
	memcpy(bytes + 16 + filled, binary, binary_length);
	*bytesp = bytes;
	*lengthp = 16 + filled + binary_length;
	return 0;
}

int export_data(struct session *session, const struct export_options *opts,
		char **bytesp, size_t *lengthp, struct left_out *left_out)
{
	struct making making = { .session = session, .opts = opts, .separator = "{" };
	char *json = NULL, *binary = NULL;
	size_t json_length, binary_length;
	int error = -ENOMEM;

	making.json = open_memstream(&json, &json_length);
	making.binary = open_memstream(&binary, &binary_length);
	if (making.json && making.binary)
		error = make_all(&making);
	if (making.json) {
		fputs("}\n", making.json);
		if (fclose(making.json) && !error)
			error = -ENOMEM;
	}
	if (making.binary && fclose(making.binary) && !error)
		error = -ENOMEM;
	if (!error)
		error = join(json, json_length, binary, binary_length, bytesp, lengthp);
	free(json);
	free(binary);
	*left_out = making.events.left_out;
	export_events_free(&making.events, session);
	return error;
}
