// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers how many tasks of a host are runnable: mean and most of each bin, and what is known.
 *
 * The numbers are session/runnable.c's.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>

#include "view/http/server.h"
#include "view/session/runnable.h"

#define DIGITS	6

/* A letter for each bin. */
static const char letters[] = {
	[RUNNABLE_OUTSIDE] = 'o',
	[RUNNABLE_UNKNOWN] = 'u',
	[RUNNABLE_LEAST] = 'l',
	[RUNNABLE_KNOWN] = 'k',
};

static bool has_number(const struct runnable_bin *bin)
{
	return bin->state == RUNNABLE_LEAST || bin->state == RUNNABLE_KNOWN;
}

static void bins_json(struct json *json, const struct runnable_bin *bins, size_t count)
{
	char states[RUNNABLE_BINS_MAX + 1];

	json_array(json, "mean");
	for (size_t i = 0; i < count; i++)
		if (has_number(&bins[i]))
			json_double(json, NULL, bins[i].mean, DIGITS);
		else
			json_null(json, NULL);
	json_end(json);
	json_array(json, "most");
	for (size_t i = 0; i < count; i++)
		if (has_number(&bins[i]))
			json_u64(json, NULL, bins[i].most);
		else
			json_null(json, NULL);
	json_end(json);
	for (size_t i = 0; i < count; i++)
		states[i] = letters[bins[i].state];
	states[count] = '\0';
	json_string(json, "states", states);
}

static bool given_up(void *context)
{
	return request_given_up(context);
}

unsigned int answer_runnable(struct request *request)
{
	uint64_t host = 0, level, first, count;
	struct runnable_bin *bins;
	struct json json;
	int error;

	if (request_u64(request, "host", request->session->host_count - 1, &host) == -EINVAL ||
	    request_u64(request, "level", RUNNABLE_LEVEL_MAX, &level) ||
	    request_u64(request, "first", UINT64_C(1) << 62, &first) ||
	    request_u64(request, "count", RUNNABLE_BINS_MAX, &count))
		return request_failed(request, -EINVAL);
	bins = calloc(count + 1, sizeof(*bins));
	if (!bins)
		return request_failed(request, -ENOMEM);
	error = session_runnable(request->session, host, level, first, count, given_up, request,
				 bins);
	if (!error)
		error = request_begin(request, &json);
	if (!error) {
		json_u64(&json, "level", level);
		answer_u64(&json, "first", first);
		bins_json(&json, bins, count);
	}
	free(bins);
	if (error == -EOPNOTSUPP)
		return request_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
				     "it is of a global named buffer, which does not tell what each CPU did");
	return error ? request_failed(request, error) : request_end(request, &json);
}
