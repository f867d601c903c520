// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the events of an export: a list of events, and the slices of each CPU.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "lib/base/array.h"
#include "view/api/lane-events.h"

/* @total: number of slices of all lanes */
struct reading {
	struct export_events *events;
	struct session *session;
	const struct export_options *opts;
	size_t total;
	struct json json;
	FILE *out;
};

static void drop_slices(struct export_events *events, const struct session *session)
{
	for (uint32_t i = 0; events->lanes && i < session->lane_count; i++)
		free(events->lanes[i].slices);
	free(events->lanes);
	events->lanes = NULL;
}

void export_events_free(struct export_events *events, const struct session *session)
{
	drop_slices(events, session);
	for (uint32_t i = 0; events->seen && i < session->host_count; i++)
		free(events->seen[i]);
	free(events->seen);
	free(events->events);
	memset(events, 0, sizeof(*events));
}

/* Adds a slice, or extends the previous one if it is equal and no task left in between. */
static int add_slice(struct reading *reading, uint32_t lane, struct export_slice slice)
{
	struct export_lane *of;
	struct export_slice *last;

	if (!reading->events->lanes)
		return 0;
	of = &reading->events->lanes[lane];
	last = of->count ? &of->slices[of->count - 1] : NULL;
	if (last && last->task == slice.task && last->context == slice.context &&
	    last->number == slice.number && !slice.left)
		return 0;
	if (++reading->total > EXPORT_SLICES_MAX) {
		drop_slices(reading->events, reading->session);
		return 0;
	}
	if (array_reserve(&of->slices, &of->capacity, of->count, sizeof(*last)))
		return -ENOMEM;
	of->slices[of->count++] = slice;
	return 0;
}

/*
 * Adds the slice that ends at the track's event, because an event contains the CPU's state
 * before it.  The slice begins at the previous event or at the span's begin.
 */
static int add_before(struct reading *reading, const struct track *track, int64_t since_ns,
		      uint8_t left)
{
	const struct evtlog_event *event = track->event;
	int64_t from_ns = reading->opts->from_ns;
	struct export_slice slice = {
		.time_ns = since_ns < from_ns ? from_ns : since_ns,
		.context = event->context,
		.number = event->context_number > UINT16_MAX ? UINT16_MAX : event->context_number,
		.left = left,
	};

	slice.task = session_task_at(reading->session, track->host, event->pid,
				     event->time_ns);
	if (event->pid == EVTLOG_PID_UNKNOWN &&
	    !reading->session->hosts[track->host].no_switches)
		slice.context = EXPORT_NOT_KNOWN;
	else if (event->pid == EVTLOG_PID_UNKNOWN && slice.context == EVTLOG_IN_TASK)
		slice.context = EXPORT_OUTSIDE;
	if (slice.task != EVTLOG_TASK_UNKNOWN)
		reading->events->seen[track->host][slice.task] = true;
	return add_slice(reading, track->lane, slice);
}

/* Adds a slice without a task; @context is the reason. */
static int add_empty(struct reading *reading, uint32_t lane, int64_t since_ns, uint8_t context)
{
	int64_t from_ns = reading->opts->from_ns;

	return add_slice(reading, lane, (struct export_slice) {
		.time_ns = since_ns < from_ns ? from_ns : since_ns,
		.task = EVTLOG_TASK_UNKNOWN,
		.context = context,
	});
}

/*
 * State of a lane while reading.
 * @left:	letter of the last switch, if the slice after it is not yet added
 */
struct lane_state {
	int64_t since_ns;
	uint8_t left;
	bool begun;
};

static uint8_t letter_of(const struct track *track)
{
	const struct evtlog_event *event = track->event;

	if (event->kind != EVTLOG_EVENT_RECORD || event->known != EVTLOG_SCHED_SWITCH ||
	    !event->words)
		return 0;
	return evtlog_state_letter(track->reader->file, evtlog_switch_state(event->words));
}

/* Adds the slices up to the event, limited to the span. */
static int take_time(struct reading *reading, const struct track *track,
		     struct lane_state *state)
{
	int64_t from_ns = reading->opts->from_ns, until_ns = track->time_ns;
	const struct evtlog_event *event = track->event;
	bool gap = event->kind == EVTLOG_EVENT_GAP;
	uint8_t letter = letter_of(track);
	int error = 0;

	if (gap)
		until_ns = session_time(reading->session, track->host, event->from_ns);
	if (state->begun && until_ns > from_ns && until_ns > state->since_ns) {
		error = add_before(reading, track, state->since_ns, state->left);
		state->left = 0;
	}
	if (!error && gap && track->time_ns > from_ns)
		error = add_empty(reading, track->lane, until_ns, EXPORT_NOT_KNOWN);
	if (!error && event->kind == EVTLOG_EVENT_END)
		error = add_empty(reading, track->lane, track->time_ns, EXPORT_OUTSIDE);
	state->begun = true;
	state->since_ns = track->time_ns;
	if (letter)
		state->left = letter;
	return error;
}

/* True after the span.  A span up to the end of all logs includes events at the end. */
static bool is_behind(const struct reading *reading, int64_t time_ns)
{
	int64_t to_ns = reading->opts->to_ns;

	return to_ns == reading->session->length_ns ? time_ns > to_ns : time_ns >= to_ns;
}

static int list_event(struct reading *reading, struct tracks *tracks,
		      const struct track *track)
{
	struct export_events *events = reading->events;
	int error;

	if (track->event->kind != EVTLOG_EVENT_RECORD || track->time_ns < (int64_t)reading->opts->from_ns ||
	    is_behind(reading, track->time_ns))
		return 0;
	if (events->event_count >= reading->opts->events) {
		if (!events->more)
			events->events_to_ns = track->time_ns;
		events->more = true;
		left_out_count(&events->left_out, track->event);
		return 0;
	}
	error = track_event_json(tracks, track, &reading->json, NULL);
	events->event_count++;
	return error;
}

static int read_all(struct reading *reading, struct tracks *tracks,
		    struct lane_state *states)
{
	struct track *track;
	int result;

	while ((result = tracks_next(tracks, &track)) > 0) {
		int error = take_time(reading, track, &states[track->lane]);

		if (!error)
			error = list_event(reading, tracks, track);
		if (error)
			return error;
		/* This first event after the span has the state before it: stop reading here. */
		if (is_behind(reading, track->time_ns)) {
			track->event = NULL;
			tracks->last = NULL;
		}
	}
	return result;
}

int export_events_read(struct export_events *events, struct session *session,
		       const struct export_options *opts)
{
	struct reading reading = { .events = events, .session = session, .opts = opts };
	uint32_t *lanes = calloc(session->lane_count + 1, sizeof(*lanes));
	struct lane_state *states = calloc(session->lane_count + 1, sizeof(*states));
	struct tracks tracks = { 0 };
	int error = -ENOMEM;

	memset(events, 0, sizeof(*events));
	events->events_to_ns = opts->to_ns;
	events->lanes = calloc(session->lane_count + 1, sizeof(*events->lanes));
	events->seen = calloc(session->host_count + 1, sizeof(*events->seen));
	reading.out = open_memstream(&events->events, &events->events_length);
	if (!lanes || !states || !events->lanes || !events->seen || !reading.out)
		goto out;
	for (uint32_t i = 0; i < session->host_count; i++) {
		size_t ids = evtlog_index_task_count(session->hosts[i].index);

		events->seen[i] = calloc(ids + 1, sizeof(**events->seen));
		if (!events->seen[i])
			goto out;
	}
	for (uint32_t i = 0; i < session->lane_count; i++)
		lanes[i] = i;
	json_start(&reading.json, reading.out, true);
	json_object(&reading.json, NULL);
	json_array(&reading.json, "events");
	error = tracks_open(&tracks, session, lanes, session->lane_count, opts->from_ns);
	if (!error)
		error = read_all(&reading, &tracks, states);
	json_end(&reading.json);
	json_bool(&reading.json, "more", events->more);
	json_end(&reading.json);
	tracks_close(&tracks);
out:
	if (reading.out && fclose(reading.out) && !error)
		error = -ENOMEM;
	free(states);
	free(lanes);
	return error;
}
