// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the registered events of a picture, as view/page/draw/registered.js does.
 */
#include <errno.h>
#include <stdlib.h>

#include "common/utf8.h"
#include "draw/colours.h"
#include "layout.h"
#include "lib/base/array.h"
#include "view/api/lane-events.h"
#include "view/session/session.h"

/* More marks would cover each other. */
#define MARKS_MAX	20000

/* For each lane of the session, the lane of the scene. */
static struct picture_lane **lanes_of(const struct session *session, struct picture_scene *scene)
{
	struct picture_lane **lanes = calloc(session->lane_count + 1, sizeof(struct picture_lane *));
	size_t host = 0;

	for (uint32_t i = 0; lanes && i < session->host_count; i++) {
		const struct session_host *of = &session->hosts[i];

		for (uint32_t k = 0; k < of->lane_count; k++)
			lanes[of->first_lane + k] = &scene->hosts[host].lanes[k];
		host += of->lane_count > 0;
	}
	return lanes;
}

static int take_names(struct picture_scene *scene, const struct registered *registered)
{
	scene->events = calloc(registered->name_count + 1, sizeof(*scene->events));
	if (!scene->events)
		return -ENOMEM;
	for (size_t i = 0; i < registered->name_count; i++) {
		const struct registered_name *name = &registered->names[i];

		scene->events[i] = (struct picture_event) {
			.name = utf8_clean(name->text, SIZE_MAX),
			.colours = { view_event_colour(name->id, false),
				     view_event_colour(name->id, true) },
		};
		if (!scene->events[i].name)
			return -ENOMEM;
		scene->event_count++;
	}
	return 0;
}

static size_t column_of(const struct picture_scene *scene, int64_t time_ns)
{
	return (unsigned __int128)(time_ns - scene->from_ns) * scene->columns /
	       (scene->to_ns - scene->from_ns);
}

static int take_marks(const struct session *session, struct picture_scene *scene,
		      const struct registered *registered)
{
	struct picture_lane **lanes = lanes_of(session, scene);
	int error = lanes ? 0 : -ENOMEM;

	for (size_t i = 0; i < registered->mark_count && !error; i++) {
		const struct registered_mark *mark = &registered->marks[i];
		struct picture_lane *lane = lanes[mark->lane];

		error = array_reserve(&lane->marks, &lane->mark_capacity, lane->mark_count,
				      sizeof(*lane->marks));
		if (!error)
			lane->marks[lane->mark_count++] = (struct picture_mark) {
				column_of(scene, mark->time_ns), mark->name,
			};
	}
	for (uint32_t i = 0; i < session->lane_count && !error; i++)
		for (size_t k = 0; k < scene->columns; k++)
			lanes[i]->bins[k].kinds &= ~(1u << EVTLOG_KIND_PUT);
	free(lanes);
	return error;
}

int picture_events_find(struct session *session, struct picture_scene *scene)
{
	uint32_t *lanes = calloc(session->lane_count + 1, sizeof(*lanes));
	struct registered registered = { 0 };
	int error = lanes ? 0 : -ENOMEM;

	for (uint32_t i = 0; !error && i < session->lane_count; i++)
		lanes[i] = i;
	if (!error && session->lane_count <= TRACKS_MAX)
		error = registered_read(&registered, session, NULL, lanes, session->lane_count,
					scene->from_ns, scene->to_ns, 0, MARKS_MAX);
	if (!error && registered.mark_count && !registered.more) {
		error = take_names(scene, &registered);
		if (!error)
			error = take_marks(session, scene, &registered);
	}
	registered_free(&registered);
	free(lanes);
	return error;
}

void picture_events_free(struct picture_scene *scene)
{
	for (size_t i = 0; i < scene->event_count; i++)
		free(scene->events[i].name);
	free(scene->events);
}
