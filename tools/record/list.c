// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists named buffers, then rules, for evtlog buffer list.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "control/buffers.h"
#include "control/control.h"
#include "control/watches.h"
#include "named.h"

static void print_rules_json(struct json *json, const struct control_watches *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct control_watch *r = &rules->at[i];

		json_object(json, NULL);
		json_string(json, "name", r->name);
		json_string(json, "state", r->state);
		json_u64(json, "matches", r->matches);
		json_u64(json, "untold", r->unreported);
		json_u64(json, "forgotten", r->forgotten);
		json_u64(json, "missed", r->missed);
		json_u64(json, "lost", r->lost);
		json_u64(json, "records", r->records);
		json_string(json, "rule", r->rule);
		json_end(json);
	}
}

static void print_rules(const struct control_watches *rules)
{
	if (rules->count)
		printf("%-16s %-6s %10s %8s %9s %7s %8s %s\n", "rule", "state", "matches",
		       "untold", "forgotten", "missed", "lost", "when");
	for (size_t i = 0; i < rules->count; i++) {
		const struct control_watch *r = &rules->at[i];

		printf("%-16s %-6s %10" PRIu64 " %8" PRIu64 " %9" PRIu64 " %7" PRIu64 " %8" PRIu64
		       " %s\n", r->name, r->state, r->matches, r->unreported, r->forgotten,
		       r->missed, r->lost, r->rule);
	}
}

static void print_json(const struct control_buffers *buffers, const struct control_watches *rules)
{
	struct json json;

	json_start(&json, stdout, false);
	json_array(&json, NULL);
	for (size_t i = 0; i < buffers->count; i++) {
		const struct control_buffer *b = &buffers->at[i];

		json_object(&json, NULL);
		json_string(&json, "name", b->name);
		json_u64(&json, "run", b->run);
		json_string(&json, "state", b->state);
		json_u64(&json, "buffers", b->buffers);
		json_u64(&json, "kb", b->kb);
		json_u64(&json, "records", b->records);
		json_u64(&json, "rejected", b->rejected);
		json_u64(&json, "lost", b->lost);
		json_u64(&json, "waiting", b->waiting);
		if (b->overwrites)
			json_u64(&json, "overwritten", b->overwritten);
		else
			json_null(&json, "overwritten");
		json_string(&json, "events", strcmp(b->events, "-") ? b->events : NULL);
		json_string(&json, "urgent", strcmp(b->urgent, "-") ? b->urgent : NULL);
		json_bool(&json, "global", b->is_global);
		json_string(&json, "filter", *b->condition ? b->condition : NULL);
		json_end(&json);
	}
	print_rules_json(&json, rules);
	json_end(&json);
}

static void print_buffers(const struct control_buffers *buffers)
{
	if (buffers->count)
		printf("%-16s %-9s %11s %12s %10s %8s %7s %s\n", "name", "state", "size",
		       "records", "rejected", "lost", "waiting", "events");
	for (size_t i = 0; i < buffers->count; i++) {
		const struct control_buffer *b = &buffers->at[i];
		char size[32];

		snprintf(size, sizeof(size), "%" PRIu64 "x%" PRIu64 "K", b->buffers, b->kb);
		printf("%-16s %-9s %11s %12" PRIu64 " %10" PRIu64 " %8" PRIu64 " %7" PRIu64 " %s",
		       b->name, b->state, size, b->records, b->rejected, b->lost, b->waiting,
		       b->events);
		if (b->is_global)
			printf(", global");
		if (strcmp(b->urgent, "-"))
			printf(", urgent %s", b->urgent);
		if (b->overwrites)
			printf(", overwrites, %" PRIu64 " buffers so far", b->overwritten);
		printf("%s%s\n", *b->condition ? " if " : "", b->condition);
	}
}

/* Rules need more rights than buffers, and some kernels have none. */
int named_list(bool as_json)
{
	struct control_watches rules = { 0 };
	struct control_buffers buffers;
	int error = control_buffers_read(&buffers);

	if (error) {
		control_buffer_say_refused("list", error);
		return EXIT_FAILED;
	}
	error = control_watches_read(&rules);
	if (error && error != -ENOENT)
		pr_warn("rules are not listed: " CONTROL_DIRECTORY "/" CONTROL_WATCHES ": %s",
			strerror(-error));
	if (as_json) {
		print_json(&buffers, &rules);
	} else {
		print_buffers(&buffers);
		if (buffers.count && rules.count)
			putchar('\n');
		print_rules(&rules);
	}
	control_watches_free(&rules);
	control_buffers_free(&buffers);
	return EXIT_OK;
}
