// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the parameters of a request, and begins its answer.
 */
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "request.h"

#define JSON_TYPE	"application/json"
/* Small enough that adding to a time does not overflow */
#define TIME_MAX	(INT64_C(1) << 62)

/* ---- Answers ---- */

static void discard(struct request *request)
{
	if (request->out)
		fclose(request->out);
	request->out = NULL;
	if (request->owned)
		free(request->bytes);
	request->bytes = NULL;
	request->length = 0;
}

static int open_out(struct request *request)
{
	discard(request);
	request->owned = true;
	request->type = JSON_TYPE;
	request->out = open_memstream(&request->bytes, &request->length);
	return request->out ? 0 : -ENOMEM;
}

static int close_out(struct request *request)
{
	int failed = ferror(request->out);

	failed |= fclose(request->out);
	request->out = NULL;
	return failed ? -ENOMEM : 0;
}

unsigned int request_error(struct request *request, unsigned int status,
			   const char *format, ...)
{
	char text[256];
	struct json json;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (open_out(request))
		return status;
	json_start(&json, request->out, true);
	json_object(&json, NULL);
	json_string(&json, "error", text);
	json_end(&json);
	if (close_out(request))
		discard(request);
	return status;
}

unsigned int request_failed(struct request *request, int error)
{
	if (error == -EINVAL || error == -ENOENT)
		return request_error(request, MHD_HTTP_BAD_REQUEST,
				     "a value is missing or invalid");
	if (error == -ECANCELED)
		return request_error(request, MHD_HTTP_SERVICE_UNAVAILABLE,
				     "the request was cancelled");
	return request_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "%s; try again",
			     strerror(-error));
}

int request_begin(struct request *request, struct json *json)
{
	int error = open_out(request);

	if (error)
		return error;
	json_start(json, request->out, true);
	json_object(json, NULL);
	return 0;
}

unsigned int request_end(struct request *request, struct json *json)
{
	json_end(json);
	return close_out(request) ? request_failed(request, -ENOMEM) : MHD_HTTP_OK;
}

void answer_u64(struct json *json, const char *key, uint64_t value)
{
	char text[24];

	if (value < SESSION_EXACT_NS) {
		json_u64(json, key, value);
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64, value);
	json_string(json, key, text);
}

void answer_s64(struct json *json, const char *key, int64_t value)
{
	if (value > -SESSION_EXACT_NS && value < SESSION_EXACT_NS)
		json_s64(json, key, value);
	else
		answer_ns_text(json, key, value);
}

void answer_ns_text(struct json *json, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	json_string(json, key, text);
}

void answer_bound(struct json *json, const char *key, uint64_t bound_ns)
{
	if (bound_ns == UINT64_MAX)
		json_null(json, key);
	else
		answer_u64(json, key, bound_ns);
}

/* ---- Parameters ---- */

const char *request_text(struct request *request, const char *key)
{
	const char *const *query = request->query;

	if (!request->connection) {
		while (*query && strcmp(query[0], key))
			query += 2;
		return *query ? query[1] : NULL;
	}
	return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, key);
}

const char *request_header(struct request *request, const char *key)
{
	return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, key);
}

/*
 * Reads an integer; a fraction is cut off.  0; -ENOENT: not given, @value is
 * unchanged; -EINVAL.
 */
static int request_s64(struct request *request, const char *key, int64_t *value)
{
	const char *text = request_text(request, key);
	long long number;
	char *end;

	if (!text)
		return -ENOENT;
	if (text[*text == '-'] < '0' || text[*text == '-'] > '9')
		return -EINVAL;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	if (errno || *end)
		return -EINVAL;
	*value = number;
	return 0;
}

int request_time(struct request *request, const char *key, int64_t *time_ns)
{
	int error = request_s64(request, key, time_ns);

	if (!error && *time_ns > TIME_MAX)
		*time_ns = TIME_MAX;
	if (!error && *time_ns < -TIME_MAX)
		*time_ns = -TIME_MAX;
	return error;
}

int request_u64(struct request *request, const char *key, uint64_t max, uint64_t *value)
{
	int64_t number;
	int error = request_s64(request, key, &number);

	if (error)
		return error;
	if (number < 0 || (uint64_t)number > max)
		return -EINVAL;
	*value = number;
	return 0;
}

static int parse_u32(const char **text, uint32_t *value)
{
	uint64_t number;

	if (number_read(&number, text, UINT32_MAX))
		return -EINVAL;
	*value = number;
	return 0;
}

static int add_lane(struct wanted_lane **lanes, size_t *count, struct wanted_lane lane)
{
	struct wanted_lane *grown;

	if (*count == REQUEST_LANES_MAX)
		return -EINVAL;
	/* Grow at powers of two. */
	if (!(*count & (*count - 1))) {
		grown = reallocarray(*lanes, *count ? 2 * *count : 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		*lanes = grown;
	}
	(*lanes)[(*count)++] = lane;
	return 0;
}

/* Parses "t0.17"; the caller has read the t. */
static int parse_task(const struct session *session, const char **text,
		      struct wanted_lane *lane)
{
	lane->is_task = true;
	if (parse_u32(text, &lane->host) || *(*text)++ != '.' ||
	    parse_u32(text, &lane->task) || lane->host >= session->host_count ||
	    !session_task(session, lane->host, lane->task))
		return -EINVAL;
	return 0;
}

static int parse_lanes(struct request *request, const char *text, bool tasks,
		       struct wanted_lane **lanes, size_t *count)
{
	int error = 0;

	/* An empty list is valid. */
	if (!*text)
		return 0;
	do {
		struct wanted_lane lane = { 0 };
		uint32_t last;

		if (tasks && *text == 't') {
			text++;
			error = parse_task(request->session, &text, &lane);
			if (!error)
				error = add_lane(lanes, count, lane);
			continue;
		}
		error = parse_u32(&text, &lane.lane);
		last = lane.lane;
		if (!error && *text == '-') {
			text++;
			error = parse_u32(&text, &last);
		}
		if (error || last < lane.lane || last >= request->session->lane_count)
			return -EINVAL;
		for (; !error && lane.lane <= last; lane.lane++) {
			lane.host = request->session->lanes[lane.lane].host;
			error = add_lane(lanes, count, lane);
		}
	} while (!error && *text++ == ',');
	return error ? error : text[-1] ? -EINVAL : 0;
}

int request_lanes(struct request *request, const char *key, bool tasks,
		  struct wanted_lane **lanes, size_t *count)
{
	const char *text = request_text(request, key);
	int error;

	*lanes = NULL;
	*count = 0;
	if (!text)
		return -ENOENT;
	error = parse_lanes(request, text, tasks, lanes, count);
	if (error) {
		free(*lanes);
		*lanes = NULL;
		*count = 0;
	}
	return error;
}

int request_cpus(struct request *request, const char *key, uint32_t **lanes, size_t *count)
{
	struct wanted_lane *wanted;
	int error = request_lanes(request, key, false, &wanted, count);

	*lanes = error ? NULL : calloc(*count + 1, sizeof(**lanes));
	for (size_t i = 0; *lanes && i < *count; i++)
		(*lanes)[i] = wanted[i].lane;
	free(wanted);
	return error ? error : *lanes ? 0 : -ENOMEM;
}

int request_lane(struct request *request, const char *key, struct wanted_lane *lane)
{
	struct wanted_lane *lanes;
	size_t count;
	int error = request_lanes(request, key, true, &lanes, &count);

	if (!error && count != 1)
		error = -EINVAL;
	if (!error)
		*lane = lanes[0];
	free(lanes);
	return error;
}

bool request_given_up(struct request *request)
{
	struct pollfd client = { .fd = request->socket, .events = POLLRDHUP };

	if (atomic_load(&request->session->stopping))
		return true;
	return poll(&client, 1, 0) > 0 &&
	       client.revents & (POLLRDHUP | POLLHUP | POLLERR);
}
