// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with arrows between lanes: wake-ups, migrations, packets.
 *
 * Reads all events of the lanes in a span, but none if there are too many.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "lane-events.h"
#include "view/http/server.h"

#define READ_MAX	200000
#define ARROWS_MAX	5000
/* Size of the hash tables of tasks and of sent packets; a power of two */
#define SLOTS		65536

/* Where a task was woken, and where it left a CPU. */
struct task_trace {
	uint32_t host;
	uint32_t pid;
	bool used;
	bool woken;
	bool left;
	uint32_t woken_lane;
	uint32_t left_lane;
	int64_t woken_ns;
	int64_t left_ns;
};

/* A sent packet, with the fields that sender and receiver record. */
struct packet {
	bool used;
	uint32_t from;
	uint32_t to;
	uint32_t head;
	uint32_t id_seq;
	uint32_t host;
	uint32_t lane;
	uint64_t netns;
	int64_t time_ns;
	uint64_t bound_ns;
};

enum arrow_kind {
	ARROW_WAKE,
	ARROW_MIGRATE,
	ARROW_PACKET,
	ARROW_KINDS
};

static const char *const kind_names[ARROW_KINDS + 1] = {
	[ARROW_WAKE] = "wake",
	[ARROW_MIGRATE] = "migrate",
	[ARROW_PACKET] = "packet",
};

/* @kinds: requested kinds, as bits; @limit counts only these */
struct arrows {
	struct request *request;
	unsigned int kinds;
	struct json *json;
	struct tracks tracks;
	struct task_trace *tasks;
	struct packet *packets;
	uint64_t limit;
	bool more;
	bool too_many;
};

static bool is_wanted(const struct arrows *arrows, enum arrow_kind kind)
{
	return arrows->kinds & 1u << kind;
}

static struct task_trace *trace_of(struct arrows *arrows, uint32_t host, uint32_t pid)
{
	uint32_t at = (host * 2654435761u ^ pid * 40503u) & (SLOTS - 1);

	for (uint32_t tries = 0; tries < SLOTS; tries++, at = (at + 1) & (SLOTS - 1)) {
		struct task_trace *trace = &arrows->tasks[at];

		if (!trace->used) {
			*trace = (struct task_trace) {
				.host = host, .pid = pid, .used = true,
			};
			return trace;
		}
		if (trace->host == host && trace->pid == pid)
			return trace;
	}
	return NULL;
}

static void end_json(struct json *json, const char *key, uint32_t lane, int64_t time_ns)
{
	json_object(json, key);
	json_u64(json, "lane", lane);
	answer_s64(json, "t", time_ns);
	json_end(json);
}

static void arrow_json(struct arrows *arrows, enum arrow_kind kind, const char *text,
		       uint32_t from_lane, int64_t from_ns, const struct track *to,
		       uint64_t bound_ns)
{
	struct json *json = arrows->json;

	arrows->more = !arrows->limit;
	if (arrows->more)
		return;
	arrows->limit--;
	json_object(json, NULL);
	json_string(json, "kind", kind_names[kind]);
	end_json(json, "from", from_lane, from_ns);
	end_json(json, "to", to->lane, to->time_ns);
	json_string(json, "text", text);
	answer_bound(json, "bound_ns", bound_ns);
	json_end(json);
}

/* "name-pid", as in the text of events */
static void task_text(struct arrows *arrows, const struct track *track, uint32_t pid,
		      char *text, size_t capacity)
{
	struct session *session = arrows->request->session;
	uint32_t id = session_task_at(session, track->host, pid, track->event->time_ns);
	const char *comm = session_task_name(session, track->host, id, track->event->time_ns);

	snprintf(text, capacity, "%.*s-%u", EVTLOG_COMM_LEN, comm && comm[0] ? comm : "?", pid);
}

static int take_switch(struct arrows *arrows, const struct track *track)
{
	const struct evtlog_event *event = track->event;
	uint32_t next = evtlog_record_pid(event->words);
	struct task_trace *trace;
	bool wake, migrate;
	char text[64];

	if (event->pid && event->pid != EVTLOG_PID_UNKNOWN) {
		trace = trace_of(arrows, track->host, event->pid);
		if (!trace)
			return -ENOMEM;
		trace->left = true;
		trace->left_lane = track->lane;
		trace->left_ns = track->time_ns;
	}
	if (!next)
		return 0;
	trace = trace_of(arrows, track->host, next);
	if (!trace)
		return -ENOMEM;
	wake = trace->woken && is_wanted(arrows, ARROW_WAKE);
	migrate = trace->left && trace->left_lane != track->lane &&
		  is_wanted(arrows, ARROW_MIGRATE);
	/* Look up the name only if there is an arrow: it is slow. */
	if (wake || migrate)
		task_text(arrows, track, next, text, sizeof(text));
	if (wake)
		arrow_json(arrows, ARROW_WAKE, text, trace->woken_lane, trace->woken_ns, track,
			   UINT64_MAX);
	if (migrate)
		arrow_json(arrows, ARROW_MIGRATE, text, trace->left_lane, trace->left_ns, track,
			   UINT64_MAX);
	trace->woken = trace->left = false;
	return 0;
}

static int take_waking(struct arrows *arrows, const struct track *track)
{
	struct task_trace *trace;

	trace = trace_of(arrows, track->host, evtlog_record_pid(track->event->words));
	if (!trace)
		return -ENOMEM;
	if (trace->woken)
		return 0;
	trace->woken = true;
	trace->woken_lane = track->lane;
	trace->woken_ns = track->time_ns;
	return 0;
}

/* The key is type, code, id, seq and both addresses, which are the same at both ends. */
static struct packet *packet_of(struct arrows *arrows, uint32_t from, uint32_t to,
				uint32_t head, uint32_t id_seq, bool add)
{
	uint32_t at = (from * 2654435761u ^ to * 40503u ^ id_seq * 2246822519u ^ head) &
		      (SLOTS - 1);

	for (uint32_t tries = 0; tries < SLOTS; tries++, at = (at + 1) & (SLOTS - 1)) {
		struct packet *packet = &arrows->packets[at];

		if (!packet->used && !add)
			return NULL;
		if (!packet->used || (packet->from == from && packet->to == to &&
				      packet->head == head && packet->id_seq == id_seq))
			return packet;
	}
	return NULL;
}

static int take_icmp(struct arrows *arrows, const struct track *track)
{
	const struct evtlog_event *event = track->event;
	const uint64_t *words = event->words;
	uint32_t head = evtlog_data(words, 0, 16), id_seq = words[1];
	uint32_t peer = words[1] >> 32, local = words[2];
	bool sent = event->known == EVTLOG_ICMP_TX;
	uint64_t netns = words[sent ? 3 : 4];
	uint64_t bound_ns = session_bound(arrows->request->session, track->host,
					  event->time_ns);
	struct packet *packet;
	uint64_t sum_ns;
	char text[96];

	packet = packet_of(arrows, sent ? local : peer, sent ? peer : local, head, id_seq,
			   sent);
	if (!packet)
		return sent ? -ENOMEM : 0;
	if (sent) {
		*packet = (struct packet) {
			.used = true,
			.from = local,
			.to = peer,
			.head = head,
			.id_seq = id_seq,
			.host = track->host,
			.lane = track->lane,
			.netns = netns,
			.time_ns = track->time_ns,
			.bound_ns = bound_ns,
		};
		return 0;
	}
	if (packet->lane == UINT32_MAX)
		return 0;
	/* Outside the initial network namespace, two hosts may have the same address. */
	if (packet->host != track->host && (packet->netns || netns))
		return 0;
	if (__builtin_add_overflow(packet->bound_ns, bound_ns, &sum_ns))
		sum_ns = UINT64_MAX;
	snprintf(text, sizeof(text), "ICMP type %u id %u seq %u", head & 0xff,
		 __builtin_bswap16(id_seq), __builtin_bswap16(id_seq >> 16));
	arrow_json(arrows, ARROW_PACKET, text, packet->lane, packet->time_ns, track, sum_ns);
	/* The entry stays in the hash table, so that entries after it are found. */
	packet->lane = UINT32_MAX;
	return 0;
}

static int take(struct arrows *arrows, const struct track *track)
{
	switch (evtlog_kind_of(track->event->known)) {
	case EVTLOG_KIND_SWITCH:
		return take_switch(arrows, track);
	case EVTLOG_KIND_WAKING:
		return take_waking(arrows, track);
	case EVTLOG_KIND_ICMP:
		return is_wanted(arrows, ARROW_PACKET) ? take_icmp(arrows, track) : 0;
	default:
		return 0;
	}
}

static int read_arrows(struct arrows *arrows, const uint32_t *lanes, size_t count,
		       int64_t from_ns, int64_t to_ns)
{
	struct tracks *tracks = &arrows->tracks;
	struct track *track;
	uint32_t seen = 0;
	int result;

	result = tracks_open(tracks, arrows->request->session, lanes, count, from_ns);
	while (!result && !arrows->more && (result = tracks_next(tracks, &track)) > 0) {
		result = 0;
		if (track->time_ns >= to_ns)
			break;
		if (!(++seen & 0xfff) && request_given_up(arrows->request))
			return -ECANCELED;
		if (track->time_ns < from_ns)
			continue;
		/* After a gap, the state of tasks is unknown. */
		if (track->event->kind == EVTLOG_EVENT_GAP)
			memset(arrows->tasks, 0, SLOTS * sizeof(*arrows->tasks));
		else if (track->event->kind == EVTLOG_EVENT_RECORD)
			result = take(arrows, track);
	}
	return result < 0 ? result : 0;
}

static uint64_t count_events(struct session *session, const uint32_t *lanes, size_t count,
			     int64_t from_ns, int64_t to_ns)
{
	uint64_t events = 0;

	for (size_t i = 0; i < count; i++)
		events += session_count(session, lanes[i], from_ns, to_ns);
	return events;
}

static int arrows_json(struct arrows *arrows, const uint32_t *lanes, size_t count,
		       int64_t from_ns, int64_t to_ns)
{
	uint64_t events = count_events(arrows->request->session, lanes, count, from_ns, to_ns);
	int error;

	if (events > READ_MAX) {
		answer_u64(arrows->json, "too_many", events);
		return 0;
	}
	arrows->tasks = calloc(SLOTS, sizeof(*arrows->tasks));
	arrows->packets = calloc(SLOTS, sizeof(*arrows->packets));
	if (!arrows->tasks || !arrows->packets)
		return -ENOMEM;
	json_array(arrows->json, "arrows");
	error = read_arrows(arrows, lanes, count, from_ns, to_ns);
	json_end(arrows->json);
	json_bool(arrows->json, "more", arrows->more);
	return error;
}

unsigned int answer_arrows(struct request *request)
{
	const char *kinds = request_text(request, "kinds");
	struct arrows arrows = {
		.request = request, .limit = 500, .kinds = kinds ? 0 : (1u << ARROW_KINDS) - 1,
	};
	uint32_t *lanes;
	int64_t from_ns, to_ns;
	struct json json;
	size_t count;
	int error;

	if (request_time(request, "from", &from_ns) || request_time(request, "to", &to_ns) ||
	    to_ns < from_ns || (kinds && options_words(kind_names, kinds, &arrows.kinds)) ||
	    request_u64(request, "limit", ARROWS_MAX, &arrows.limit) == -EINVAL)
		return request_failed(request, -EINVAL);
	error = request_cpus(request, "lanes", &lanes, &count);
	if (!error)
		error = request_begin(request, &json);
	arrows.json = &json;
	if (!error)
		error = arrows_json(&arrows, lanes, count, from_ns, to_ns);
	tracks_close(&arrows.tracks);
	free(arrows.tasks);
	free(arrows.packets);
	free(lanes);
	if (error == -E2BIG)
		return request_error(request, MHD_HTTP_BAD_REQUEST, "at most %u lanes",
				     TRACKS_MAX);
	return error ? request_failed(request, error) : request_end(request, &json);
}
