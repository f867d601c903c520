// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flight recorder: waits until events match a rule, then records the time before the match.
 *
 * Until the match, the newest events replace the oldest in the memory of a named buffer, and
 * nothing is written to disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "control/control.h"
#include "control/probes.h"
#include "control/watches.h"
#include "named.h"
#include "workload.h"

#define ORDER_BYTES	4096

/*
 * @name:	of the named buffer and of the watch
 * @matches:	descriptor of the file of matches, open since before the watch was added
 * @session:	undoes the orders
 */
struct flight {
	const struct flight_options *options;
	struct control_probe_texts made;
	char name[32];
	int matches;
	struct control_session session;
};

static int add_buffer(struct flight *flight)
{
	struct control_buffer_wanted wanted = *flight->options->buffer;
	int error;

	wanted.name = flight->name;
	wanted.overwrites = true;
	error = control_buffer_add(&flight->session, &wanted);
	if (error)
		control_buffer_say_refused(wanted.events ? wanted.events : "--when", error);
	return error;
}

static int add_watch(struct flight *flight)
{
	const struct flight_options *options = flight->options;
	char text[ORDER_BYTES], undo[sizeof(flight->name) + 1];
	size_t used;
	int error;

	flight->matches = open(CONTROL_DIRECTORY "/" CONTROL_MATCHES,
			       O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (flight->matches < 0) {
		error = -errno;
		control_say_failed(CONTROL_MATCHES, error);
		return error;
	}
	used = snprintf(text, sizeof(text), "+%s in %s %s%s", flight->name, flight->name,
			options->rule, options->action);
	snprintf(undo, sizeof(undo), "-%s", flight->name);
	error = used < sizeof(text) ? control_session_order(&flight->session, CONTROL_WATCHES, text,
							    undo, NULL) : -E2BIG;
	if (error)
		control_say_refused(CONTROL_WATCHES, "--when", error);
	return error;
}

/* Prints the match that ended the buffer. Returns true if the buffer has all of the time asked for. */
static bool print_match(const struct flight *flight)
{
	static char text[CONTROL_MATCH_BYTES + 1];
	bool is_whole = false;
	ssize_t bytes;
	char *line, *rest;

	while ((bytes = read(flight->matches, text, CONTROL_MATCH_BYTES)) > 0) {
		text[bytes] = '\0';
		for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
			struct control_match match;

			if (control_match_parse(&match, line) || strcmp(match.watch, flight->name))
				continue;
			match_print(&match, flight->options->as_json);
			is_whole = match.is_whole;
		}
	}
	return is_whole;
}

static int record(struct flight *flight)
{
	struct named_result result;
	bool is_whole;

	if (named_record(flight->name, flight->options->output, &result))
		return EXIT_FAILED;
	if (!result.has_ended) {
		pr_err("buffer record: interrupted before a match: nothing is recorded");
		return EXIT_FAILED;
	}
	is_whole = print_match(flight);
	return result.lost || result.was_deleted || !is_whole ? EXIT_EVENTS_LOST : EXIT_OK;
}

int flight_record(const struct flight_options *options)
{
	struct flight flight = { .options = options, .matches = -1 };
	int result = EXIT_FAILED;

	snprintf(flight.name, sizeof(flight.name), "flight.%d", (int)getpid());
	workload_signals();
	if (control_session_open(&flight.session))
		return EXIT_FAILED;
	/* The named buffer is added first, because events go there as long as the watch exists. */
	if (!add_buffer(&flight) &&
	    !control_probes_insert(&flight.session, &flight.made, flight.name, options->probes,
				   options->probe_count) &&
	    !add_watch(&flight))
		result = record(&flight);
	control_session_close(&flight.session);
	control_probe_texts_free(&flight.made);
	if (flight.matches >= 0)
		close(flight.matches);
	return result;
}
