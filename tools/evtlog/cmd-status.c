// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog status: shows the present state of the kernel and of the logger.
 *
 * Files are shown by evtlog info.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <evtlog/abi.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/buffers.h"
#include "control/control.h"
#include "record/logger.h"

#define COLUMNS	80

/* What is found outside of the kernel's status. */
struct surroundings {
	struct logger_directory directory;
	bool directory_is_known;
	struct logger_file file;
	char *events;
};

static void look_around(const struct control_status *status, struct surroundings *around)
{
	memset(around, 0, sizeof(*around));
	around->events = control_events_now();
	if (!status->logger || logger_directory_open(&around->directory, status->logger))
		return;
	around->directory_is_known = true;
	if (status->run)
		logger_find_file(&around->directory, status, &around->file);
	logger_directory_close(&around->directory);
}

static void print_events(struct json *json, const char *text)
{
	if (!text) {
		json_null(json, "events");
		return;
	}
	json_object(json, "events");
	while (*text) {
		size_t length = strcspn(text, " ");
		char name[64];

		if (length > 1 && length < sizeof(name)) {
			memcpy(name, text + 1, length - 1);
			name[length - 1] = '\0';
			json_bool(json, name, *text == '+');
		}
		text += length + !!text[length];
	}
	json_end(json);
}

static void print_remote_json(struct json *json, const struct control_remote *remote,
			      const struct control_boost *boost)
{
	if (!remote->causes) {
		json_null(json, "remote");
		return;
	}
	json_object(json, "remote");
	json_string(json, "keys", remote->keys);
	json_u64(json, "obeyed", remote->obeyed);
	json_u64(json, "replied", remote->replied);
	json_object(json, "refused");
	for (unsigned int i = 0; i < remote->causes; i++)
		json_u64(json, remote->refused[i].cause, remote->refused[i].count);
	json_end(json);
	json_object(json, "boost");
	json_u64(json, "request", boost->active);
	json_u64(json, "tasks", boost->tasks);
	json_u64(json, "boosted", boost->boosted);
	json_u64(json, "restored", boost->restored);
	json_u64(json, "left", boost->left);
	json_u64(json, "skipped", boost->skipped);
	json_end(json);
	json_end(json);
}

static void print_sampler_json(struct json *json, const struct control_sampler *sampler)
{
	if (!sampler->interval[0]) {
		json_null(json, "sampler");
		return;
	}
	json_object(json, "sampler");
	json_string(json, "interval", sampler->interval);
	json_string(json, "tree", sampler->tree);
	json_u64(json, "passes", sampler->passes);
	json_u64(json, "missed", sampler->missed);
	json_u64(json, "lost", sampler->lost);
	json_u64(json, "tasks", sampler->tasks);
	json_end(json);
}

static void print_form_json(struct json *json, const struct control_status *status)
{
	const char *at = status->unsupported;
	struct utsname name;
	char type[64];
	int length;

	json_string(json, "form", status->form[0] ? status->form : "kernel");
	json_string(json, "release", uname(&name) ? NULL : name.release);
	json_array(json, "unsupported");
	for (; sscanf(at, "%63s%n", type, &length) == 1; at += length)
		json_string(json, NULL, type);
	json_end(json);
}

static void print_json(const struct control_status *status, const struct surroundings *around)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "state", status->is_recording ? "recording" : "stopped");
	if (status->supports_arming)
		json_bool(&json, "armed", status->is_armed);
	else
		json_null(&json, "armed");
	json_u64(&json, "run", status->run);
	json_string(&json, "run_name", status->run_name[0] ? status->run_name : NULL);
	if (status->tree_pid)
		json_u64(&json, "tree", status->tree_pid);
	json_u64(&json, "logger", status->logger);
	json_string(&json, "directory",
		    around->directory_is_known ? around->directory.path : NULL);
	json_string(&json, "file", around->file.path[0] ? around->file.path : NULL);
	json_u64(&json, "buffers", status->buffers);
	json_u64(&json, "buffer_kb", status->buffer_kb);
	json_u64(&json, "ticks_hz", status->ticks_hz);
	json_string(&json, "boot_id", status->boot_id);
	json_u64(&json, "lost", control_lost(status));
	print_form_json(&json, status);
	json_array(&json, "cpus");
	for (unsigned int i = 0; i < status->cpu_count; i++) {
		const struct control_cpu *cpu = &status->cpus[i];

		json_object(&json, NULL);
		json_u64(&json, "cpu", cpu->cpu);
		json_bool(&json, "online", cpu->is_online);
		json_u64(&json, "buffers", cpu->buffers);
		json_u64(&json, "waiting", cpu->waiting);
		json_u64(&json, "bytes", cpu->bytes);
		json_u64(&json, "lost_full", cpu->lost_full);
		json_u64(&json, "lost_nmi", cpu->lost_nmi);
		json_u64(&json, "lost_nested", cpu->lost_nested);
		json_u64(&json, "lost_large", cpu->lost_large);
		json_end(&json);
	}
	json_end(&json);
	print_remote_json(&json, &status->remote, &status->boost);
	print_sampler_json(&json, &status->sampler);
	print_events(&json, around->events);
	json_end(&json);
}

/* Prints words after a title, in lines that fit a terminal. */
static void print_words(const char *title, const char *text)
{
	int column = printf("%-10s", title), length;
	char word[64];

	for (; sscanf(text, "%63s%n", word, &length) == 1; text += length) {
		if (column + 1 + (int)strlen(word) > COLUMNS)
			column = printf("\n%-10s", "") - 1;
		column += printf(" %s", word);
	}
	putchar('\n');
}

enum kind { ON, OFF, NAMED };

/* Types of a kind, in lines that fit a terminal. */
static void print_types(const char *title, const char *text, const struct control_buffers *buffers,
			enum kind kind)
{
	struct control_event event;
	int column = 0;

	while (control_events_next(&text, &event)) {
		if (kind != (event.is_on ? ON : control_event_is_named(buffers, &event) ? NAMED : OFF))
			continue;
		if (!column)
			column = printf("%-10s", title);
		else if (column + 1 + (int)event.length > COLUMNS)
			column = printf("\n%-10s", "") - 1;
		column += printf(" %.*s", (int)event.length, event.name);
	}
	if (column)
		putchar('\n');
}

static void print_events_text(const char *text)
{
	struct control_buffers buffers = { 0 };
	struct control_events_counts counts;

	if (control_buffers_read(&buffers))
		buffers = (struct control_buffers) { 0 };
	control_events_count(text, &buffers, &counts);
	printf("events     %u of %u on%s%s\n", counts.on, counts.known,
	       counts.is_chosen ? ", from an earlier -e" : "",
	       counts.missing ? "; evtlog start -e all records all" : "");
	print_types("on", text, &buffers, ON);
	print_types("off", text, &buffers, OFF);
	print_types("named", text, &buffers, NAMED);
	control_buffers_free(&buffers);
}

/* Nothing while nobody uses it. */
static void print_remote(const struct control_remote *remote)
{
	const char *before = "; refused:";

	if (!remote->keys[0] && !remote->obeyed)
		return;
	printf("remote     %s%s, %" PRIu64 " obeyed", remote->keys[0] ? "keys " : "no key",
	       remote->keys, remote->obeyed);
	for (unsigned int i = 0; i < remote->causes; i++) {
		/* Every answer to a command of this host: nothing is wrong with those. */
		if (!remote->refused[i].count || !strcmp(remote->refused[i].cause, "reply"))
			continue;
		printf("%s %" PRIu64 " %s", before, remote->refused[i].count,
		       remote->refused[i].cause);
		before = ",";
	}
	printf("\n");
}

static void print_boost(const struct control_boost *boost)
{
	if (boost->skipped)
		printf("skipped    %" PRIu64 " with a limit of real-time CPU time, since boot\n",
		       boost->skipped);
	if (boost->active)
		printf("boost      request %" PRIu32 ": %u %s, now\n", boost->active,
		       boost->tasks, boost->tasks == 1 ? "task" : "tasks");
	if (boost->boosted)
		printf("boosts     %" PRIu64 " %s since boot; %" PRIu64
		       " given back their policy, %" PRIu64 " ended or took another\n",
		       boost->boosted, boost->boosted == 1 ? "task" : "tasks",
		       boost->restored, boost->left);
}

static void print_sampler(const struct control_sampler *sampler)
{
	if (sampler->interval[0])
		printf("sampler    interval %s, tree %s; %" PRIu64 " passes since boot, %" PRIu64
		       " missed\n", sampler->interval, sampler->tree, sampler->passes,
		       sampler->missed);
}

static void print_form(const struct control_status *status)
{
	struct utsname name;

	printf("form       %s, in kernel %s\n", status->form, uname(&name) ? "?" : name.release);
	if (status->unsupported[0])
		print_words("impossible", status->unsupported);
}

static void print_text(const struct control_status *status, const struct surroundings *around)
{
	printf("state      %s%s\n", status->is_recording ? "recording" : "stopped",
	       status->is_armed ? ", armed" : status->supports_arming ? ", not armed" : "");
	if (status->run)
		printf("run        %" PRIu64 "%s%s\n", status->run,
		       status->run_name[0] ? ", " : "", status->run_name);
	else
		printf("run        none since boot\n");
	if (status->tree_pid >> EVTLOG_PID_BITS)
		printf("tree       of cgroups\n");
	else if (status->tree_pid)
		printf("tree       of pid %u\n", status->tree_pid);
	if (!status->logger)
		printf("logger     none: start logd\n");
	else if (around->directory_is_known)
		printf("logger     pid %d, writes to %s\n", status->logger,
		       around->directory.path);
	else
		printf("logger     pid %d\n", status->logger);
	if (around->file.path[0])
		printf("file       %s\n", around->file.path);
	if (status->form[0])
		print_form(status);
	printf("buffers    %u x %u KiB per CPU\n", status->buffers, status->buffer_kb);
	if (around->events)
		print_events_text(around->events);
	print_remote(&status->remote);
	print_boost(&status->boost);
	print_sampler(&status->sampler);
	if (!status->cpu_count)
		return;
	printf("\n%5s  %-7s %12s %8s %14s %10s %9s %12s %11s\n", "CPU", "state", "handed over",
	       "waiting", "bytes", "lost: full", "lost: NMI", "lost: nested", "lost: large");
	for (unsigned int i = 0; i < status->cpu_count; i++) {
		const struct control_cpu *cpu = &status->cpus[i];

		printf("%5u  %-7s %12" PRIu64 " %8u %14" PRIu64 " %10" PRIu64 " %9" PRIu64
		       " %12" PRIu64 " %11" PRIu64 "\n",
		       cpu->cpu, cpu->is_online ? "online" : "offline", cpu->buffers,
		       cpu->waiting, cpu->bytes, cpu->lost_full, cpu->lost_nmi,
		       cpu->lost_nested, cpu->lost_large);
	}
}

static int take_option(void *context, int option, char *value)
{
	bool *as_json = context;

	*as_json = true;
	return 0;
}

static const struct option_desc table[] = {
	{ 'j', "json", .help = "print the result as JSON" },
	{ }
};

static const struct options options = {
	.command = "status",
	.usage = "[OPTION...]",
	.about = "Print whether the kernel records or is armed, the logger, which types of "
		 "events are on and off, and how many events were lost. Counts are of the "
		 "present run, or of the last run.",
	.table = table,
	.notes =
	"Exit status: 0 done, 1 failed or a kernel without evtlog, 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog status\n"
	"  evtlog status --json | jq .lost\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct control_status status;
	struct surroundings around;
	bool as_json = false;
	int result = options_take_only(&options, argc, argv, &as_json);

	if (result != OPTIONS_TAKEN)
		return result;
	if (control_status_or_say(&status))
		return EXIT_FAILED;
	look_around(&status, &around);
	if (as_json)
		print_json(&status, &around);
	else
		print_text(&status, &around);
	free(around.events);
	control_status_free(&status);
	return finish(EXIT_OK);
}

const struct evtlog_command command_status = {
	.name = "status",
	.summary = "show the state of the kernel and of logd",
	.run = run,
};
