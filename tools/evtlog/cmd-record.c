// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog record: one run around one command.
 *
 * Starts a logger of its own where none is announced; leaves events and buffers
 * as they were.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "control/control.h"
#include "record/selection.h"
#include "record/session.h"
#include "record/workload.h"

/* @events: of all --events; @command: NULL: there is none */
struct record_options {
	struct recording_options of_run;
	struct selection_options selection;
	char *events;
	char **command;
};

/*
 * Events of a run with samples: the samples, the events that name their tasks, and the pings that
 * relate the clocks of hosts
 */
#define EVENTS_OF_SAMPLES	"sched_process,task_rename,icmp,event"

/* Runs the command; the status to end with, of the command alone. */
static int run_command(struct workload *workload, const char *name)
{
	int status, error;

	error = workload_go(workload);
	if (error) {
		pr_err("%s: %s", name, strerror(-error));
		return error == -ENOENT ? 127 : 126;
	}
	if (workload_wait(workload, &status)) {
		pr_info("%s (pid %d) continues; the recording ends", name, workload->pid);
		return EXIT_OK;
	}
	if (WIFSIGNALED(status)) {
		pr_err("%s: ended by signal %d (%s)", name, WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
		return 128 + WTERMSIG(status);
	}
	if (WEXITSTATUS(status))
		pr_err("%s: exit status %d", name, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

static int run_selected(struct recording *recording, const struct record_options *options,
			struct workload *workload, int *command_status)
{
	char **command = options->command;
	int error = selection_begin(&recording->session, &options->selection,
				    command ? workload->pid : 0);

	if (!error)
		error = recording_start(recording);
	if (!error && selection_check(&options->selection)) {
		recording_drop(recording);
		error = -ENOMEM;
	}
	if (error) {
		if (command)
			workload_cancel(workload);
		return error;
	}
	if (command) {
		*command_status = run_command(workload, command[0]);
	} else {
		pr_info("recording; press Ctrl-C to stop");
		workload_wait_signal();
	}
	return recording_stop(recording);
}

/* What is selected stays, if this succeeds: it is in the file's header, which may be written late. */
static int record_run(struct recording *recording, const struct record_options *options,
		      int *command_status)
{
	char **command = options->command;
	struct workload workload;
	int error;

	if (command) {
		error = workload_prepare(&workload, command);
		if (error) {
			pr_err("%s: %s", command[0], strerror(-error));
			return error;
		}
	}
	return run_selected(recording, options, &workload, command_status);
}

/* Notes the chosen cgroup or job and its number of processes: the kernel does not store them. */
static int note_choice(struct recording_options *of_run, const char *tree, char **choice, char **count)
{
	struct tree_roots roots;
	int error;

	if (!tree || !strchr(tree, ':'))
		return 0;
	error = tree_roots_find(&roots, tree, 0);
	if (error)
		return error;
	if (asprintf(choice, "tree_choice=%s", tree) < 0 ||
	    asprintf(count, "tree_processes=%zu", roots.processes) < 0)
		error = -ENOMEM;
	tree_roots_free(&roots);
	of_run->notes[0] = *choice;
	of_run->notes[1] = *count;
	return error;
}

/* ---- --events ---- */

/* Joins the lists of several --events. */
static int add_events(struct record_options *options, const char *list, size_t length)
{
	char *events;

	if (asprintf(&events, "%s%s%.*s", options->events ? options->events : "",
		     options->events ? "," : "", (int)length, list) < 0)
		return -ENOMEM;
	free(options->events);
	options->events = events;
	return control_events_is_choice(events) ? 0 : -EINVAL;
}

/* Takes a list, or "TYPE if CONDITION". Cuts @value after the type. */
static int take_events(struct record_options *options, char *value)
{
	struct recording_options *of_run = &options->of_run;
	char *condition = strstr(value, " if ");
	size_t length = condition ? (size_t)(condition - value) : strlen(value);
	int error = add_events(options, value, length);

	if (error || !condition)
		return error;
	condition += strlen(" if ");
	if (memchr(value, ',', length))
		return misuse("record", "--events %.*s: a condition is for one type or group; repeat --events for others",
			      (int)length, value);
	if (of_run->filter_count == RECORDING_FILTERS_MAX)
		return misuse("record", "at most %d conditions", RECORDING_FILTERS_MAX);
	if (!condition[strspn(condition, " \t\n")])
		return misuse("record", "--events %s: the condition is empty", value);
	value[length] = '\0';
	of_run->filters[of_run->filter_count++] = (struct recording_filter) { value, condition };
	return 0;
}

/* Adds the type "event", which is the type of samples and of events of probes. Prints errors. */
static int complete_events(struct record_options *options)
{
	int error = 0;

	if (options->selection.interval && !options->events)
		error = add_events(options, EVENTS_OF_SAMPLES, strlen(EVENTS_OF_SAMPLES));
	else if (options->selection.interval || options->of_run.probe_count)
		error = add_events(options, "+event", strlen("+event"));
	if (error)
		pr_err("--events: %s", strerror(-error));
	options->of_run.events = options->events;
	return error;
}

/* The number that follows "\nNAME " in @text */
static uint64_t number_after(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* How many passes the sampler has made, and how many were missed: its file has both. */
struct sampler_passes {
	uint64_t made;
	uint64_t missed;
};

/* Counts since boot; zeros if they cannot be read. */
static void sampler_passes_now(struct sampler_passes *passes)
{
	char *text;

	*passes = (struct sampler_passes) { 0 };
	if (control_read("sampler", &text))
		return;
	passes->made = number_after(text, "\npasses ");
	passes->missed = number_after(text, "\nmissed ");
	free(text);
}

/* Warns, if any were missed since @before. */
static void sampler_passes_say(const struct sampler_passes *before)
{
	struct sampler_passes now;
	uint64_t missed, due;

	sampler_passes_now(&now);
	missed = now.missed - before->missed;
	due = now.made - before->made + missed;
	if (!missed || now.missed < before->missed || now.made < before->made)
		return;
	pr_warn("the sampler missed %" PRIu64 " of %" PRIu64 " passes (%.1f %%), because its CPU was busy or a pass took too long: use a longer --sample, or select fewer tasks with --tree",
		missed, due, 100.0 * missed / due);
}

static int record(const struct record_options *options)
{
	struct sampler_passes passes;
	struct recording recording;
	int result = EXIT_FAILED, command_status = EXIT_OK;

	if (recording_begin(&recording, &options->of_run))
		return EXIT_FAILED;
	sampler_passes_now(&passes);
	if (!record_run(&recording, options, &command_status)) {
		result = recording_collect(&recording);
		if (options->selection.interval)
			sampler_passes_say(&passes);
	}
	recording_end(&recording);
	return command_status ? command_status : result;
}

enum { SAMPLE = 256, TREE, BUFFERS, SET };

static void take_output(struct recording_options *options, const char *path)
{
	struct stat found;
	size_t length = strlen(path);
	bool is_directory = (!stat(path, &found) && S_ISDIR(found.st_mode)) ||
			    (length && path[length - 1] == '/');

	options->directory = is_directory ? path : NULL;
	options->output = is_directory ? NULL : path;
}

static int take_option(void *context, int option, char *value)
{
	struct record_options *all = context;
	struct recording_options *options = &all->of_run;

	switch (option) {
	case 'o':
		take_output(options, value);
		return 0;
	case 'e':
		return take_events(all, value);
	case 'p':
		if (options->probe_count == RECORDING_PROBES_MAX)
			return misuse("record", "at most %d probes", RECORDING_PROBES_MAX);
		options->probes[options->probe_count++] = value;
		return 0;
	case BUFFERS:
		return recording_take_buffers(options, value);
	case SET:
		if (options->setting_count == OWN_LOGGER_SETTINGS_MAX)
			return misuse("record", "--set: given more than %d times",
				      OWN_LOGGER_SETTINGS_MAX);
		options->settings[options->setting_count++] = value;
		return 0;
	case SAMPLE:
		all->selection.interval = value;
		return selection_interval_is_valid(value) ? 0 : -EINVAL;
	case TREE:
		all->selection.tree = value;
		return tree_is_choice(value) ? 0 : -EINVAL;
	}
	return -EINVAL;
}

static const struct option_desc table[] = {
	{ 'o', "output", "FILE", "write the run to FILE, which must not exist; if FILE is a "
	  "directory, to HOST-RUN.evl in it (default the working directory)",
	  .kind = VALUE_FILE },
	{ 'e', "events", "LIST", "record these types of events, see evtlog start --help; 'TYPE if "
	  "CONDITION' records only events of TYPE for which CONDITION is true, see evtlog filter "
	  "--help; can be repeated",
	  .kind = VALUE_TYPE_CHANGES, .valid = "types of events, as evtlog status lists them" },
	{ 'p', "probe", "PROBE", "insert this probe while the run lasts, see evtlog probe --help; "
	  "can be repeated", .kind = VALUE_TEXT },
	RECORDING_BUFFERS(BUFFERS),
	{ SET, "set", "KEY=VALUE", "pass a setting to logd; see logd.conf(5)", .kind = VALUE_TEXT },
	{ SAMPLE, "sample", "INTERVAL", "sample tasks and run queues at INTERVAL: 250Hz, 4ms, "
	  "tick; without -e, record only the samples, events that name tasks, and pings",
	  .kind = VALUE_TEXT, .valid = "250Hz, 4ms, 500us or tick, from 100us to 10s" },
	{ TREE, "tree", "TASKS", "record only TASKS and all tasks that they fork: a PID; self "
	  "(COMMAND); cgroup:PATH or job:ID (a Slurm job), with tasks that enter it later; or all",
	  .kind = VALUE_TEXT, .valid = "a PID, self, cgroup:PATH, job:ID or all" },
	{ }
};

static const struct options taken = {
	.command = "record",
	.usage = "[OPTION...] [--] [COMMAND [ARG...]]",
	.about = "Record a run while COMMAND runs, or until Ctrl-C if there is no COMMAND. If a "
		 "logger is running, it saves the run and chooses the file; else a logd is started "
		 "for this run. Afterwards, events, conditions and buffers are restored and the "
		 "probes are deleted. Ctrl-C ends COMMAND and the recording, and keeps the file.",
	.table = table,
	.notes =
	"Exit status: the status of COMMAND if it is not 0 (128 + N: signal N ended it);\n"
	"else 0 done, 1 failed, 2 misuse, 4 done, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog record -- make -j4\n"
	"  evtlog record -o build.evl -e sched,irq -- make -j4\n"
	"  evtlog record -p 'vfs_read(count) if count>65536' -- make -j4\n"
	"  evtlog record -e 'sched_switch if next_pid==4711' -e softirq\n"
	"  evtlog record --sample 250Hz --tree self -- make -j4\n"
	"  evtlog record --tree job:4711\n",
	.operands = VALUE_COMMAND,
	.stops_at_operand = true,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct record_options options = { 0 };
	int result = options_take(&taken, argc, argv, &options);
	char *choice = NULL, *processes = NULL;

	if (result != OPTIONS_TAKEN)
		goto free_events;
	if (optind < argc)
		options.command = argv + optind;
	options.selection.has_events = !options.selection.interval || options.events;
	if (complete_events(&options) ||
	    note_choice(&options.of_run, options.selection.tree, &choice, &processes))
		result = EXIT_FAILED;
	else
		result = record(&options);
	free(processes);
	free(choice);
	result = finish(result);
free_events:
	free(options.events);
	return result;
}

const struct evtlog_command command_record = {
	.name = "record",
	.group = "Record",
	.summary = "record a run while a program runs",
	.run = run,
};
