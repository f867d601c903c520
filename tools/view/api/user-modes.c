// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums up user mode, system calls and exceptions of a span.
 *
 * Each task has a mode, which does not change while the task is off the CPU.  Time counts while
 * the task runs, without softirqs and interrupts.  Its mode is unknown before its first edge in
 * the span.
 */
#include <errno.h>
#include <stdlib.h>

#include "lane-events.h"
#include "tasks.h"
#include "view/http/server.h"

/* The mode of a task; each exception has its own. */
enum mode {
	MODE_UNKNOWN,
	MODE_USER,
	MODE_SYSCALL,
	MODE_KERNEL,		/* entered by an interrupt or exception */
	MODE_EXCEPTION,
	MODES = MODE_EXCEPTION + 256
};

#define DEPTH_MAX	4	/* nested exceptions */

/*
 * @round:	if it differs from modes.round, the mode is unknown
 * @outer:	modes outside the nested exceptions
 */
struct state {
	uint32_t round;
	uint16_t mode;
	uint16_t outer[DEPTH_MAX];
	uint8_t depth;
};

struct modes {
	struct request *request;
	struct state *by_pid;
	uint32_t round;		/* incremented at each gap */
	int64_t from_ns;
	int64_t to_ns;
	uint64_t counts[MODES];
	uint64_t times[MODES];
};

static struct state *state_of(struct modes *modes, uint32_t pid)
{
	struct state *state = &modes->by_pid[pid];

	if (state->round != modes->round)
		*state = (struct state) { .round = modes->round };
	return state;
}

static void enter_exception(struct modes *modes, struct state *state, unsigned int vector)
{
	if (state->depth < DEPTH_MAX)
		state->outer[state->depth] = state->mode;
	state->depth += state->depth < DEPTH_MAX;
	state->mode = MODE_EXCEPTION + vector;
	modes->counts[state->mode]++;
}

static void set_mode(struct modes *modes, struct state *state, enum mode mode)
{
	state->depth = 0;
	state->mode = mode;
	modes->counts[mode]++;
}

static void take_record(struct modes *modes, const struct evtlog_event *event)
{
	struct state *state = state_of(modes, event->pid);

	switch (event->known) {
	case EVTLOG_USER_ENTER:
		set_mode(modes, state, MODE_USER);
		break;
	case EVTLOG_USER_EXIT:
		set_mode(modes, state, evtlog_data(event->words, 0, 2) ==
			 EVTLOG_USER_EXIT_OTHER ? MODE_KERNEL : MODE_SYSCALL);
		break;
	case EVTLOG_EXCEPTION_ENTRY:
		enter_exception(modes, state, evtlog_data(event->words, 0, 8));
		break;
	case EVTLOG_EXCEPTION_EXIT:
		state->mode = state->depth ? state->outer[--state->depth] : MODE_UNKNOWN;
		break;
	}
}

/* Adds the time from @since_ns to the event to the task in the event. */
static void take(struct modes *modes, const struct track *track, int64_t *since_ns)
{
	const struct evtlog_event *event = track->event;
	int64_t from_ns = *since_ns > modes->from_ns ? *since_ns : modes->from_ns;
	int64_t to_ns = track->time_ns < modes->to_ns ? track->time_ns : modes->to_ns;
	bool known = event->pid && event->pid < 1u << EVTLOG_PID_BITS;

	*since_ns = track->time_ns;
	if (event->kind == EVTLOG_EVENT_GAP) {
		/* Tasks may have changed their modes in the gap. */
		modes->round++;
		return;
	}
	if (!known)
		return;
	if (event->kind != EVTLOG_EVENT_BEGIN &&
	    event->context == EVTLOG_IN_TASK && to_ns > from_ns)
		modes->times[state_of(modes, event->pid)->mode] += to_ns - from_ns;
	if (event->kind == EVTLOG_EVENT_RECORD && event->words &&
	    track->time_ns >= modes->from_ns && track->time_ns < modes->to_ns)
		take_record(modes, event);
}

static int read_span(struct modes *modes, const uint32_t *lanes, size_t count)
{
	struct session *session = modes->request->session;
	int64_t *since = calloc(session->lane_count + 1, sizeof(*since));
	struct tracks tracks;
	struct track *track;
	uint32_t seen = 0;
	int result;

	if (!since)
		return -ENOMEM;
	for (uint32_t i = 0; i < session->lane_count; i++)
		since[i] = INT64_MAX;
	result = tracks_open(&tracks, session, lanes, count, modes->from_ns);
	while (!result && (result = tracks_next(&tracks, &track)) > 0) {
		result = 0;
		if (!(++seen & 0xfff) && request_given_up(modes->request))
			result = -ECANCELED;
		take(modes, track, &since[track->lane]);
		/* The first event after the span has the state before it. */
		if (track->time_ns >= modes->to_ns) {
			track->event = NULL;
			tracks.last = NULL;
		}
	}
	tracks_close(&tracks);
	free(since);
	return result < 0 ? result : 0;
}

static void mode_json(struct json *json, const struct modes *modes, unsigned int mode)
{
	static const char *const names[] = {
		[MODE_USER] = "user", [MODE_SYSCALL] = "syscall", [MODE_KERNEL] = "kernel",
	};

	if (mode == MODE_UNKNOWN || (!modes->counts[mode] && !modes->times[mode]))
		return;
	json_object(json, NULL);
	json_string(json, "mode", mode < MODE_EXCEPTION ? names[mode] : "exception");
	if (mode >= MODE_EXCEPTION)
		json_u64(json, "vector", mode - MODE_EXCEPTION);
	answer_u64(json, "count", modes->counts[mode]);
	answer_u64(json, "time_ns", modes->times[mode]);
	json_end(json);
}

static bool has_modes(const struct session *session, const uint32_t *lanes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t *counts = session_cpu(session, lanes[i])->counts;

		if (counts[EVTLOG_KIND_USER] || counts[EVTLOG_KIND_EXCEPTION])
			return true;
	}
	return false;
}

int modes_json(struct request *request, struct json *json, const uint32_t *lanes, size_t count,
	       int64_t from_ns, int64_t to_ns)
{
	struct modes *modes;
	int error;

	if (!has_modes(request->session, lanes, count) || count > TRACKS_MAX)
		return 0;
	modes = calloc(1, sizeof(*modes));
	if (!modes)
		return -ENOMEM;
	modes->request = request;
	modes->from_ns = from_ns;
	modes->to_ns = to_ns;
	modes->by_pid = calloc(1u << EVTLOG_PID_BITS, sizeof(*modes->by_pid));
	error = modes->by_pid ? read_span(modes, lanes, count) : -ENOMEM;
	if (!error) {
		json_array(json, "modes");
		for (unsigned int mode = 0; mode < MODES; mode++)
			mode_json(json, modes, mode);
		json_end(json);
	}
	free(modes->by_pid);
	free(modes);
	return error;
}
