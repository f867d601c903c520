// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the scene of a picture, and draws it into a file for evtlog view --png.
 *
 * Each lane has its bins, colours and losses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "common/utf8.h"
#include "draw/canvas.h"
#include "layout.h"
#include "lib/base/array.h"
#include "picture.h"
#include "view/session/session.h"

/* ---- Runs of a lane: bins of one slice, from its switch in to its switch out ---- */

/* view/page/draw/runs.js does the same. */

/*
 * State while going through the bins of a lane; zero, except @lane, at the begin.
 * @run: the unfinished run; its name is NULL if none
 * @open: the previous bin was part of @run
 * @busy: no idle time since the previous run
 * @edge: bin of the last switch
 */
struct picture_runs {
	struct picture_lane *lane;
	struct picture_run run;
	bool open;
	bool busy;
	size_t edge;
};

static int close_run(struct picture_runs *runs, size_t end)
{
	struct picture_lane *lane = runs->lane;

	if (!runs->run.name)
		return 0;
	if (array_reserve(&lane->runs, &lane->run_capacity, lane->run_count, sizeof(*lane->runs)))
		return -ENOMEM;
	runs->run.end = end;
	lane->runs[lane->run_count++] = runs->run;
	runs->run.name = NULL;
	return 0;
}

/* Takes the next bin of the lane.  0 or -ENOMEM. */
static int picture_runs_take(struct picture_runs *runs, size_t i, const char *name)
{
	const struct evtlog_bin *bin = &runs->lane->bins[i];
	bool switched = bin->kinds & 1u << EVTLOG_KIND_SWITCH;
	bool same = runs->run.name && bin->task == runs->run.task && bin->task_share;
	/* Only interrupts: the slice may continue after them. */
	bool within = runs->run.name && !bin->task && bin->busy;
	int error = 0;

	if (runs->open)
		runs->run.to = i;
	if (switched)
		runs->edge = i;
	if (switched || bin->lost || !(same || within))
		error = close_run(runs, i);
	runs->open = runs->run.name && same;
	if (!bin->busy || bin->lost)
		runs->busy = false;
	if (runs->run.name || !name || bin->task_share <= VIEW_LANE_RUN)
		return error;
	runs->run = (struct picture_run) {
		.from = i, .to = i + 1, .edge = runs->edge, .name = name, .task = bin->task,
		.colour = runs->lane->colours[i], .joined = runs->busy,
	};
	runs->open = runs->busy = true;
	return error;
}

/* Call after the last of @bins.  0 or -ENOMEM. */
static int picture_runs_end(struct picture_runs *runs, size_t bins)
{
	if (runs->open)
		runs->run.to = bins;
	return close_run(runs, bins);
}

/* ---- The scene ---- */

/* @edges: of @bins bins, which are fewer than the columns if a column is shorter than 1 ns */
struct making {
	struct session *session;
	struct picture_scene *scene;
	struct picture_tasks *tasks;
	int64_t *edges;
	size_t bins;
};

static void free_scene(struct picture_scene *scene)
{
	for (size_t i = 0; i < scene->lane_count; i++) {
		struct picture_lane *lane = &scene->lanes[i];

		free(lane->bins);
		free(lane->colours);
		free(lane->runs);
		free(lane->losses);
		free(lane->marks);
		picture_tracks_free(&lane->tracks);
	}
	free(scene->lanes);
	for (size_t i = 0; i < scene->host_count; i++) {
		picture_tracks_free(&scene->hosts[i].tracks);
		free(scene->hosts[i].name);
		free(scene->hosts[i].note);
	}
	picture_events_free(scene);
	picture_paths_free(scene);
	picture_tasks_free(scene->names);
	free(scene->hosts);
	free(scene->tasks);
	free(scene->title);
	free(scene->subtitle);
	free(scene->caption);
	memset(scene, 0, sizeof(*scene));
}

static int make_edges(struct making *making)
{
	struct picture_scene *scene = making->scene;
	uint64_t span_ns = scene->to_ns - scene->from_ns;

	making->bins = span_ns < scene->columns ? span_ns : scene->columns;
	making->edges = calloc(making->bins + 1, sizeof(*making->edges));
	if (!making->edges)
		return -ENOMEM;
	for (size_t i = 0; i <= making->bins; i++)
		making->edges[i] = scene->from_ns +
				   (uint64_t)((unsigned __int128)span_ns * i / making->bins);
	return 0;
}

/* ---- Losses ---- */

/* Adds up the losses in the bins of @loss, from the lane's log. */
static int count_loss(struct making *making, const struct session_lane *at,
		      struct evtlog_stream *stream, struct picture_loss *loss)
{
	uint64_t from_ns = session_raw(making->session, at->host, making->edges[loss->from]);
	uint64_t to_ns = session_raw(making->session, at->host, making->edges[loss->to]);
	const struct evtlog_event *event;
	int result = evtlog_stream_seek(stream, from_ns);

	if (result)
		return result;
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		if (event->kind == EVTLOG_EVENT_GAP) {
			if (event->from_ns >= to_ns)
				break;
			if (event->time_ns <= from_ns)
				continue;
			loss->records += event->lost;
			loss->buffers += event->lost_buffers;
		} else if (event->time_ns >= to_ns) {
			break;
		}
	}
	return result < 0 ? result : 0;
}

static int add_loss(struct picture_lane *lane, size_t from, size_t to)
{
	if (array_reserve(&lane->losses, &lane->loss_capacity, lane->loss_count,
			  sizeof(*lane->losses)))
		return -ENOMEM;
	lane->losses[lane->loss_count++] = (struct picture_loss) { .from = from, .to = to };
	return 0;
}

/* Finds the losses of a lane, in bins; spread() converts them to columns. */
static int find_losses(struct making *making, const struct session_lane *at,
		       struct picture_lane *lane)
{
	struct session_reader *reader;
	struct evtlog_stream *stream;
	int error = 0;

	for (size_t i = 0; i < making->bins && !error; i++) {
		size_t from = i;

		while (i < making->bins && lane->bins[i].lost)
			i++;
		if (i > from)
			error = add_loss(lane, from, i);
	}
	if (error || !lane->loss_count)
		return error;
	error = session_reader_get(making->session, at->host, &reader);
	if (error)
		return error;
	error = evtlog_stream_new(reader->file, at->slot, &stream);
	if (error)
		goto put_reader;
	for (size_t i = 0; i < lane->loss_count && !error; i++) {
		struct picture_loss *loss = &lane->losses[i];

		error = count_loss(making, at, stream, loss);
		lane->lost += loss->records;
	}
	evtlog_stream_free(stream);
put_reader:
	session_reader_put(making->session, reader);
	return error;
}

/* ---- Lanes ---- */

static int find_colours(struct making *making, uint32_t host, struct picture_lane *lane)
{
	struct picture_runs runs = { .lane = lane };

	for (size_t i = 0; i < making->bins; i++) {
		const struct evtlog_bin *bin = &lane->bins[i];
		uint64_t width_ns = making->edges[i + 1] - making->edges[i];
		const char *name;
		int error;

		error = picture_tasks_see(making->tasks, host, bin->task,
					  width_ns * bin->task_share / 255,
					  &lane->colours[i], &name);
		if (!error)
			error = picture_runs_take(&runs, i, name);
		if (error)
			return error;
	}
	return picture_runs_end(&runs, making->bins);
}

static size_t first_column(const struct making *making, size_t bin)
{
	return (bin * making->scene->columns + making->bins - 1) / making->bins;
}

/* A slice has the name of its begin, which may be before the picture. */
static int name_runs(struct making *making, uint32_t number, struct picture_lane *lane)
{
	uint32_t host = making->session->lanes[number].host;
	int error = 0;

	for (size_t i = 0; i < lane->run_count && !error; i++) {
		struct picture_run *run = &lane->runs[i];
		int64_t middle_ns = making->edges[run->from + (run->to - run->from + 1) / 2];
		const struct evtlog_index_name *names;
		struct slice slice;

		if (evtlog_index_task_names(making->session->hosts[host].index, run->task,
					    &names) < 2)
			continue;
		error = session_slice(making->session, host, run->task, middle_ns, false, &slice);
		if (error > 0 && slice.lane == number)
			error = picture_tasks_called(making->tasks, host, run->task,
						     session_raw(making->session, host,
								 slice.begin_ns), &run->name);
		else if (error > 0)
			error = 0;
	}
	return error;
}

/* Spreads the bins over the columns, which are as many or more.  In place, from the right. */
static void spread(const struct making *making, struct picture_lane *lane)
{
	size_t columns = making->scene->columns, bins = making->bins;

	if (bins == columns)
		return;
	for (size_t i = columns; i-- > 0;) {
		lane->bins[i] = lane->bins[i * bins / columns];
		lane->colours[i] = lane->colours[i * bins / columns];
	}
	for (size_t i = 0; i < lane->loss_count; i++) {
		lane->losses[i].from = first_column(making, lane->losses[i].from);
		lane->losses[i].to = first_column(making, lane->losses[i].to);
	}
	for (size_t i = 0; i < lane->run_count; i++) {
		lane->runs[i].from = first_column(making, lane->runs[i].from);
		lane->runs[i].to = first_column(making, lane->runs[i].to);
		lane->runs[i].edge = first_column(making, lane->runs[i].edge);
		lane->runs[i].end = first_column(making, lane->runs[i].end);
	}
}

static int make_lane(struct making *making, uint32_t number, struct picture_lane *lane)
{
	const struct session_lane *at = &making->session->lanes[number];
	int error;

	lane->cpu = at->cpu;
	lane->bins = calloc(making->scene->columns, sizeof(*lane->bins));
	lane->colours = calloc(making->scene->columns, sizeof(*lane->colours));
	if (!lane->bins || !lane->colours)
		return -ENOMEM;
	error = session_bins(making->session, number, making->edges, making->bins, true,
			     lane->bins);
	if (!error)
		error = find_colours(making, at->host, lane);
	if (!error)
		error = name_runs(making, number, lane);
	if (!error)
		error = find_losses(making, at, lane);
	if (!error)
		spread(making, lane);
	return error;
}

static int make_host(struct making *making, uint32_t number, const struct picture_options *opts,
		     struct picture_host *host)
{
	const struct session_host *of = &making->session->hosts[number];
	int error = 0;

	host->name = utf8_clean(of->name, SIZE_MAX);
	host->note = picture_host_note(making->session, making->scene, number);
	if (!host->name || !host->note)
		return -ENOMEM;
	host->lanes = &making->scene->lanes[of->first_lane];
	host->lane_count = of->lane_count;
	host->is_of_tree = of->tree_pid;
	for (uint32_t i = 0; i < of->lane_count && !error; i++)
		error = make_lane(making, of->first_lane + i, &host->lanes[i]);
	if (!error && opts->tracks)
		error = picture_tracks_find(making->session, number, opts, making->edges,
					    making->bins, making->scene->columns, host);
	return error;
}

static int make_all(struct making *making, const struct picture_options *opts)
{
	struct picture_scene *scene = making->scene;
	int error = make_edges(making);

	scene->hosts = calloc(making->session->host_count + 1, sizeof(*scene->hosts));
	scene->lanes = calloc(making->session->lane_count + 1, sizeof(*scene->lanes));
	if (!scene->hosts || !scene->lanes)
		error = -ENOMEM;
	else
		scene->lane_count = making->session->lane_count;
	for (uint32_t i = 0; i < making->session->host_count && !error; i++) {
		/* No CPU of this host is selected. */
		if (!making->session->hosts[i].lane_count)
			continue;
		error = make_host(making, i, opts, &scene->hosts[scene->host_count++]);
	}
	if (!error)
		error = picture_events_find(making->session, scene);
	if (!error)
		error = picture_paths_find(making->session, scene);
	if (!error)
		error = picture_tasks_list(making->tasks, scene);
	if (!error)
		error = picture_words(making->session, scene, opts);
	return error;
}

/* 0; -ENOMEM; -errno of read(). */
static int make_scene(struct session *session, const struct picture_options *opts,
		      struct picture_scene *scene)
{
	struct making making = { .session = session, .scene = scene };
	uint64_t length_ns = session->length_ns;
	int error = -ENOMEM;

	memset(scene, 0, sizeof(*scene));
	scene->columns = picture_columns(opts);
	scene->from_ns = opts->from_ns;
	scene->to_ns = opts->to_ns < length_ns ? opts->to_ns : length_ns;
	if (scene->to_ns <= scene->from_ns)
		scene->to_ns = scene->from_ns + 1;
	making.tasks = scene->names = picture_tasks_new(session);
	if (making.tasks)
		error = make_all(&making, opts);
	free(making.edges);
	if (error)
		free_scene(scene);
	return error;
}

/* ---- The picture ---- */

void picture_options_init(struct picture_options *opts)
{
	memset(opts, 0, sizeof(*opts));
	opts->to_ns = UINT64_MAX;
	opts->paper.width = PICTURE_WIDTH;
}

static int draw_into(struct picture_scene *scene, const struct picture_options *opts,
		     const char *path)
{
	struct atomic_file output;
	unsigned int needed;
	int status, error;

	status = atomic_file_open(&output, path);
	if (status != EXIT_OK)
		return status;
	error = picture_draw(scene, opts, output.out, &needed);
	if (error != -E2BIG)
		return atomic_file_close(&output, error);
	atomic_file_discard(&output);
	if (!opts->paper.height || needed > DRAW_SIDE_MAX) {
		pr_err("--png: the lanes need %u pixels of height and the limit is %u: select fewer with --host or --cpu",
		       needed, DRAW_SIDE_MAX);
		return EXIT_FAILED;
	}
	return misuse("view", "--size: the lanes need at least %u pixels: give more, or select fewer lanes with --host or --cpu",
		      needed);
}

int picture_write(struct session *session, const struct picture_options *opts,
		  const char *path)
{
	struct picture_scene scene;
	int status, error;

	status = session_check_span(session, "view", opts->from_ns, opts->to_ns);
	if (status != EXIT_OK)
		return status;
	error = make_scene(session, opts, &scene);
	if (error) {
		pr_err("--png: %s", strerror(-error));
		return EXIT_FAILED;
	}
	status = draw_into(&scene, opts, path);
	free_scene(&scene);
	return status;
}
