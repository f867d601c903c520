// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adds and deletes rules over the stream of events, and waits for matches, for evtlog buffer.
 *
 * The kernel interprets rules, and reports their errors.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/error.h"
#include "control/control.h"
#include "control/watches.h"
#include "named.h"
#include "workload.h"

#define ORDER_BYTES	4096

static int order(const char *text, const char *name)
{
	int error = control_write(CONTROL_WATCHES, text);

	if (error)
		control_say_refused(CONTROL_WATCHES, name, error);
	return error ? EXIT_FAILED : EXIT_OK;
}

int rules_add(const char *name, char **words, uint32_t period_ms)
{
	char text[ORDER_BYTES];
	size_t used;

	if (period_ms) {
		snprintf(text, sizeof(text), "period %" PRIu32, period_ms);
		if (order(text, "--interval") != EXIT_OK)
			return EXIT_FAILED;
	}
	used = snprintf(text, sizeof(text), "+%s", name);
	for (; *words && used < sizeof(text); words++)
		used += snprintf(text + used, sizeof(text) - used, " %s", *words);
	if (used < sizeof(text))
		return order(text, name);
	pr_err("%s: the rule is too long: at most 511 characters", name);
	return EXIT_FAILED;
}

/* @name: NULL: any */
bool rules_has(const char *name)
{
	struct control_watches watches;
	bool found = false;

	if (control_watches_read(&watches))
		return false;
	for (size_t i = 0; i < watches.count; i++)
		found |= !name || !strcmp(watches.at[i].name, name);
	control_watches_free(&watches);
	return found;
}

int rules_delete(const char *name)
{
	char text[72];

	snprintf(text, sizeof(text), "-%.64s", name);
	return order(text, name);
}

static bool is_among(char **names, const char *name)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* Prints at most @left matches of these rules. Returns their number. */
static uint64_t print_lines(char *text, char **names, bool as_json, uint64_t left)
{
	uint64_t printed = 0;
	char *line, *rest;

	for (line = strtok_r(text, "\n", &rest); line && printed < left;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct control_match match;
		uint64_t missed;

		if (sscanf(line, "missed %" SCNu64, &missed) == 1)
			pr_warn("%" PRIu64 " matches were lost: they came faster than this evtlog reads them", missed);
		else if (control_match_parse(&match, line))
			pr_warn("this evtlog cannot read a match: use the evtlog of this kernel");
		else if (is_among(names, match.watch)) {
			match_print(&match, as_json);
			printed++;
		}
	}
	return printed;
}

/* A rule that does not exist never matches. */
static int check_names(char **names)
{
	int result = EXIT_OK;

	if (!*names && !rules_has(NULL)) {
		pr_err("there are no rules; add one with evtlog buffer when");
		result = EXIT_FAILED;
	}
	for (; *names; names++) {
		if (rules_has(*names))
			continue;
		pr_err("%s: there is no such rule; see evtlog buffer list", *names);
		result = EXIT_FAILED;
	}
	return result;
}

int rules_wait(char **names, uint64_t count, uint32_t timeout_ms, bool as_json)
{
	int fd = open(CONTROL_DIRECTORY "/" CONTROL_MATCHES, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int64_t until = now_ms() + timeout_ms;
	uint64_t left = count;
	static char text[CONTROL_MATCH_BYTES + 1];
	int result;

	if (fd < 0) {
		control_say_failed(CONTROL_MATCHES, -errno);
		return EXIT_FAILED;
	}
	result = check_names(names);
	workload_signals();
	while (result == EXIT_OK && left) {
		int64_t wait = timeout_ms ? until - now_ms() : -1;
		ssize_t bytes;

		if (workload_interrupted() || (timeout_ms && wait <= 0)) {
			pr_err("no match%s", workload_interrupted() ? "" : " in time");
			result = EXIT_FAILED;
		} else if (workload_wait_fd(fd, wait)) {
			bytes = read(fd, text, CONTROL_MATCH_BYTES);
			if (bytes > 0) {
				text[bytes] = '\0';
				left -= print_lines(text, names, as_json, left);
			} else if (errno != EAGAIN && errno != EINTR) {
				control_say_failed(CONTROL_MATCHES, -errno);
				result = EXIT_FAILED;
			}
		}
	}
	close(fd);
	return result;
}
