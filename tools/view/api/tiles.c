// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with bins of lanes.
 *
 * The bins are from the indexes.  All numbers of an answer are little-endian.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "lane-events.h"
#include "view/http/server.h"

#define TILES_MAX	64
#define TILE_LEVEL_MAX	50
/* Bins of all lanes in an answer */
#define TILE_BINS_MAX	(1u << 20)

/* Head in front of @lanes times @bins of struct evtlog_bin, lane by lane. */
struct tiles_head {
	char magic[4];
	uint32_t version;
	uint32_t lanes;
	uint32_t bins;
	uint32_t level;
	uint32_t reserved;
	double begin_ns;
};

#define TILES_MAGIC	"EVTB"
#define TILES_VERSION	1

#define OVERVIEW_BINS_MAX	4096

_Static_assert(sizeof(struct tiles_head) == 32, "the head as the page reads it");
_Static_assert(sizeof(struct evtlog_bin) == 12, "a bin as the page reads it");

/* Allocates an answer and fills in its head.  Returns the first bin. */
static struct evtlog_bin *new_answer(struct request *request, uint32_t lanes, uint32_t bins)
{
	struct tiles_head head = {
		.magic = TILES_MAGIC,
		.version = TILES_VERSION,
		.lanes = lanes,
		.bins = bins,
	};
	size_t length = sizeof(head) + (size_t)lanes * bins * sizeof(struct evtlog_bin);

	request->bytes = calloc(1, length);
	if (!request->bytes)
		return NULL;
	request->owned = true;
	request->length = length;
	request->type = "application/octet-stream";
	memcpy(request->bytes, &head, sizeof(head));
	return (struct evtlog_bin *)(request->bytes + sizeof(head));
}

/* Edges of bins, limited to a time that is after all logs. */
static int64_t *new_edges(uint64_t first, unsigned int level, size_t bins)
{
	int64_t *edges = calloc(bins + 1, sizeof(*edges));

	for (size_t i = 0; edges && i <= bins; i++) {
		unsigned __int128 edge = (unsigned __int128)first * TILE_BINS + i;

		edge <<= level;
		edges[i] = edge > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)edge;
	}
	return edges;
}

static int fill_lanes(struct request *request, const struct wanted_lane *lanes, size_t count,
		      const int64_t *edges, size_t bins_count, bool refine,
		      struct evtlog_bin *bins)
{
	int error = 0;

	for (size_t i = 0; i < count && !error; i++, bins += bins_count) {
		if (lanes[i].is_task)
			error = session_task_bins(request->session, lanes[i].host,
						  lanes[i].task, edges, bins_count, refine,
						  bins);
		else
			error = session_bins(request->session, lanes[i].lane, edges,
					     bins_count, refine, bins);
		if (!error && refine && request_given_up(request))
			error = -ECANCELED;
	}
	return error;
}

unsigned int answer_tiles(struct request *request)
{
	uint64_t level, first, count, refine = 0;
	struct wanted_lane *lanes = NULL;
	struct evtlog_bin *bins;
	int64_t *edges = NULL;
	size_t lane_count, bins_count;
	double begin_ns;
	uint32_t level32;
	int error;

	if (request_u64(request, "level", TILE_LEVEL_MAX, &level) ||
	    request_u64(request, "first", INT64_MAX, &first) ||
	    request_u64(request, "count", TILES_MAX, &count) || !count ||
	    request_u64(request, "refine", 1, &refine) == -EINVAL)
		return request_failed(request, -EINVAL);
	error = request_lanes(request, "lanes", true, &lanes, &lane_count);
	bins_count = count * TILE_BINS;
	if (!error && lane_count * bins_count > TILE_BINS_MAX) {
		free(lanes);
		return request_error(request, MHD_HTTP_BAD_REQUEST,
				     "at most %u bins: ask for fewer lanes or tiles",
				     TILE_BINS_MAX);
	}
	if (error)
		return request_failed(request, error);
	edges = new_edges(first, level, bins_count);
	bins = edges ? new_answer(request, lane_count, bins_count) : NULL;
	error = bins ? fill_lanes(request, lanes, lane_count, edges, bins_count, refine, bins) :
		-ENOMEM;
	if (!error) {
		begin_ns = edges[0];
		level32 = level;
		memcpy(request->bytes + offsetof(struct tiles_head, level), &level32,
		       sizeof(level32));
		memcpy(request->bytes + offsetof(struct tiles_head, begin_ns), &begin_ns,
		       sizeof(begin_ns));
	}
	free(edges);
	free(lanes);
	return error ? request_failed(request, error) : MHD_HTTP_OK;
}

/* ---- The whole run ---- */

struct sums {
	uint32_t busy;
	uint32_t irq;
	uint32_t softirq;
	uint32_t lost;
	uint32_t lanes;
	uint32_t outside;
	uint16_t kinds;
};

/* The mean share; at least 1 if a share is not 0. */
static uint8_t mean(uint32_t sum, uint32_t lanes)
{
	uint32_t share = lanes ? (sum + lanes / 2) / lanes : 0;

	return share ? share : sum != 0;
}

static int sum_lanes(struct request *request, const int64_t *edges, size_t count,
		     struct evtlog_bin *bins)
{
	struct sums *sums = calloc(count, sizeof(*sums));
	int error = sums ? 0 : -ENOMEM;

	for (uint32_t lane = 0; lane < request->session->lane_count && !error; lane++) {
		error = session_bins(request->session, lane, edges, count, false, bins);
		for (size_t i = 0; !error && i < count; i++) {
			sums[i].busy += bins[i].busy;
			sums[i].irq += bins[i].irq;
			sums[i].softirq += bins[i].softirq;
			sums[i].lost += bins[i].lost;
			sums[i].kinds |= bins[i].kinds;
			sums[i].outside += bins[i].flags & EVTLOG_BIN_OUTSIDE ? 1 : 0;
			sums[i].lanes++;
		}
	}
	for (size_t i = 0; !error && i < count; i++)
		bins[i] = (struct evtlog_bin) {
			.task = EVTLOG_TASK_UNKNOWN,
			.busy = mean(sums[i].busy, sums[i].lanes),
			.irq = mean(sums[i].irq, sums[i].lanes),
			.softirq = mean(sums[i].softirq, sums[i].lanes),
			.lost = mean(sums[i].lost, sums[i].lanes),
			/* In an overview: the share of lanes that are outside. */
			.task_share = mean(255 * sums[i].outside, sums[i].lanes),
			.flags = sums[i].outside ? EVTLOG_BIN_OUTSIDE : 0,
			.kinds = sums[i].kinds,
		};
	free(sums);
	return error;
}

unsigned int answer_overview(struct request *request)
{
	const struct session *session = request->session;
	uint64_t count = 800;
	struct evtlog_bin *bins;
	int64_t *edges;
	double width_ns;
	int error;

	if (request_u64(request, "bins", OVERVIEW_BINS_MAX, &count) == -EINVAL || !count)
		return request_failed(request, -EINVAL);
	edges = calloc(count + 1, sizeof(*edges));
	bins = edges ? new_answer(request, 1, count) : NULL;
	for (size_t i = 0; edges && i <= count; i++)
		edges[i] = (__int128)session->length_ns * i / count;
	error = bins ? sum_lanes(request, edges, count, bins) : -ENOMEM;
	if (!error) {
		width_ns = (double)session->length_ns / count;
		memcpy(request->bytes + offsetof(struct tiles_head, begin_ns), &width_ns,
		       sizeof(width_ns));
	}
	free(edges);
	return error ? request_failed(request, error) : MHD_HTTP_OK;
}
