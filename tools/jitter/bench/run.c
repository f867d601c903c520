// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter run: measures the interruptions of a program in user mode, with the kernel's log
 * and, to measure the cost of logging, without.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "input/event-filter.h"
#include "jitter/dataset.h"
#include "jitter/subcommands.h"
#include "record/workload.h"
#include "run.h"

#define COMMAND		"jitter run"
#define US		UINT64_C(1000)
#define S		UINT64_C(1000000000)
/* A work quantum must be long compared with reading the clock. */
#define WORK_MIN_NS	(10 * US)

/*
 * The events needed to attribute each instant: the running task with its name, and each interrupt
 * and exception. Others, such as wake-ups, are off, since each record costs the program time.
 */
#define EVENTS	"user exception sched_switch sched_process task_rename softirq irq_handler " \
		"local_timer reschedule call_function irq_work vector"

enum { THRESHOLD = 256, QUANTUM, NO_BASELINE, RT, CPU, DURATION, METHOD, BUFFERS };

/* @quantum_ns: 0: --quantum is not given */
struct arguments {
	struct run_options options;
	uint64_t quantum_ns;
};

static int parse_time(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *ns)
{
	return !filter_time(ns, text) && *ns >= min_ns && *ns <= max_ns ? 0 : -EINVAL;
}

static int parse_method(const char *text, enum evtlog_samples_method *method)
{
	int word = options_word(dataset_methods, text);

	if (word < 0)
		return word;
	*method = word;
	return 0;
}

static int take_option(void *context, int option, char *value)
{
	struct arguments *arguments = context;
	struct run_options *options = &arguments->options;

	switch (option) {
	case 'o':
		options->directory = value;
		return 0;
	case CPU:
		options->cpus = value;
		return 0;
	case DURATION:
		return parse_time(value, 1000 * US, 86400 * S, &options->bench.duration_ns);
	case THRESHOLD:
		return parse_time(value, 1, S, &options->bench.threshold_ns);
	case METHOD:
		return parse_method(value, &options->bench.method);
	case QUANTUM:
		return parse_time(value, US, 10 * S, &arguments->quantum_ns);
	case NO_BASELINE:
		options->baseline = false;
		return 0;
	case RT:
		return number_parse_u32(&options->bench.rt_priority, value, 1, 99);
	case BUFFERS:
		return recording_take_buffers(&options->recording, value);
	case 'j':
		options->json = true;
		return 0;
	}
	return -EINVAL;
}

static int check_lengths(struct arguments *arguments)
{
	struct bench_options *bench = &arguments->options.bench;

	if (arguments->quantum_ns && bench->method == EVTLOG_SAMPLES_LOOP)
		return misuse(COMMAND, "--quantum needs --method fwq or ftq");
	if (bench->method == EVTLOG_SAMPLES_WORK && arguments->quantum_ns &&
	    arguments->quantum_ns < WORK_MIN_NS)
		return misuse(COMMAND, "--quantum: --method fwq needs at least 10us");
	if (bench->method != EVTLOG_SAMPLES_LOOP)
		bench->length_ns = arguments->quantum_ns ? arguments->quantum_ns : 1000 * US;
	if (bench->length_ns > bench->duration_ns)
		return misuse(COMMAND, "--duration is shorter than one sample");
	return 0;
}

/* Checks the conditions for a measurement. Returns an exit status. */
static int check_kernel(struct control_status *status)
{
	char *events;
	bool knows;
	int error;

	if (control_status_or_say(status))
		return EXIT_FAILED;
	if (status->is_recording) {
		pr_err("run %" PRIu64 " is already being recorded; end it with evtlog stop", status->run);
		return EXIT_FAILED;
	}
	if (!status->ticks_trusted) {
		pr_err("the tick counter (TSC): the kernel does not trust it on this machine; see dmesg | grep -i tsc");
		return EXIT_FAILED;
	}
	/* Changes nothing, but fails without the necessary rights. */
	error = control_write("events", "\n");
	if (error) {
		control_say_failed("events", error);
		return EXIT_FAILED;
	}
	events = control_events_now();
	knows = events && strstr(events, "user_exit") && strstr(events, "exception_entry");
	free(events);
	if (!knows) {
		pr_err(CONTROL_DIRECTORY "/events: this kernel has no user_exit event: boot a newer one");
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* Keeps this thread, and a logger of its own, away from the measured CPUs. */
static void keep_off(struct run_options *options, const struct cpus *cpus, bool own_logger,
		     char *setting, size_t bytes)
{
	static const char key[] = "cpus=";

	if (!CPU_COUNT(&cpus->others))
		return;
	sched_setaffinity(0, sizeof(cpus->others), &cpus->others);
	if (!own_logger)
		return;
	memcpy(setting, key, sizeof(key));
	cpus_print(&cpus->others, setting + strlen(key), bytes - strlen(key));
	options->recording.settings[options->recording.setting_count++] = setting;
}

static int measure(const struct run_options *options, const struct cpus *cpus,
		   const struct control_status *status, struct run_result *result)
{
	int done = EXIT_OK;

	if (options->baseline)
		done = phase_run_unlogged(options, cpus, status, result);
	if (done == EXIT_OK && result->interrupted) {
		pr_err("interrupted before the phase with logging");
		done = EXIT_FAILED;
	}
	if (done == EXIT_OK)
		done = phase_run_logged(options, cpus, status, result);
	if (result->logged.count || result->unlogged.count)
		run_show(options, result);
	free(result->logged.cpus);
	free(result->unlogged.cpus);
	return done;
}

/*
 * Two measurements at the same time would disturb each other. The lock is held until this process
 * and the process that restores the settings have ended.
 */
static bool is_alone(void)
{
	static const char path[] = CONTROL_DIRECTORY "/enable";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		control_say_failed("enable", -errno);
		return false;
	}
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return true;
	if (errno == EWOULDBLOCK)
		pr_err("another evtlog jitter run is measuring: wait until it ends");
	else
		pr_err("%s: %s", path, strerror(errno));
	close(fd);
	return false;
}

static int benchmark(struct run_options *options, const struct control_status *status)
{
	struct run_result result = { 0 };
	char setting[CPUS_LIST_BYTES], logd[PATH_MAX];
	struct cpus cpus;
	bool made;
	int done;

	if (!status->logger && own_logger_find(logd))
		return EXIT_FAILED;
	done = cpus_choose(&cpus, options->cpus);
	if (done != EXIT_OK)
		return done;
	done = EXIT_FAILED;
	if (output_dir_make(options->directory, status->run + 1, result.directory, &made))
		goto free_cpus;
	workload_signals();
	if (!status->logger)
		options->recording.directory = result.directory;
	keep_off(options, &cpus, !status->logger, setting, sizeof(setting));
	done = measure(options, &cpus, status, &result);
	/* rmdir() fails if the directory is not empty. */
	if (done == EXIT_FAILED && made)
		rmdir(result.directory);
free_cpus:
	cpus_free(&cpus);
	return done;
}

/* The caller frees the result. NULL if out of memory. */
static char *join(int argc, char **argv)
{
	char *line;
	size_t bytes;
	FILE *to = open_memstream(&line, &bytes);

	if (!to)
		return NULL;
	fputs("evtlog jitter", to);
	for (int i = 0; i < argc; i++)
		fprintf(to, " %s", argv[i]);
	return fclose(to) ? NULL : line;
}

static int run_measured(struct run_options *options)
{
	struct control_status status;
	int result = check_kernel(&status);

	if (result == EXIT_OK && !is_alone())
		result = EXIT_FAILED;
	if (result == EXIT_OK)
		result = benchmark(options, &status);
	control_status_free(&status);
	return finish(result);
}

static const struct option_desc table[] = {
	{ 'o', "output", "DIR", "write the log and the samples to DIR, which must be new or empty "
	  "(default ./jitter-HOST-RUN)", .kind = VALUE_DIRECTORY },
	{ CPU, "cpu", "LIST", "measure these CPUs: 0-3,5 (default all CPUs that the command may "
	  "use)", .kind = VALUE_CPUS },
	{ DURATION, "duration", "TIME", "measure for TIME in each of the two phases (default 10s)",
	  .kind = VALUE_TEXT, .valid = "a time from 1ms to 86400s" },
	{ THRESHOLD, "threshold", "TIME", "keep samples with more noise than TIME (default 1us)",
	  .kind = VALUE_TEXT, .valid = "a time from 1ns to 1s" },
	{ METHOD, "method", "METHOD", "use METHOD: detour (default) reads the counter in a loop; "
	  "fwq measures the time of a fixed work quantum; ftq counts the work in a fixed time "
	  "quantum",
	  .kind = VALUE_WORD, .words = dataset_methods },
	{ QUANTUM, "quantum", "TIME", "use quanta of length TIME for fwq and ftq (default 1ms)",
	  .kind = VALUE_TEXT, .valid = "a time from 1us to 10s" },
	{ NO_BASELINE, "no-baseline", .help = "skip the phase without logging" },
	{ RT, "rt", "PRIORITY", "run the threads under SCHED_FIFO with this priority",
	  .kind = VALUE_TEXT, .valid = "a number from 1 to 99" },
	RECORDING_BUFFERS(BUFFERS),
	{ 'j', "json", .help = "print the result as JSON" },
	{ }
};

static const struct options options = {
	.command = COMMAND,
	.usage = "[OPTION...]",
	.about = "Measure the interruptions of a program in user mode on each CPU, first "
		 "without logging, then while the kernel logs their causes. HOST-RUN.evl, "
		 "logged.samples and unlogged.samples are written to DIR. A time is a number with "
		 "a unit: ns, us, ms, s, m or h; without a unit, seconds. Events and buffers are "
		 "restored afterwards. Ctrl-C ends the measurement early and keeps the samples.",
	.table = table,
	.notes =
	"Exit status: 0 done, 1 failed, 2 misuse, 4 done, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog jitter run -o quiet --duration 60s && evtlog jitter report quiet\n"
	"  evtlog jitter run --cpu 2-3 --threshold 500ns\n"
	"  evtlog jitter run --method ftq --quantum 500us\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.options = {
			.bench = { .duration_ns = 10 * S, .threshold_ns = US },
			.recording = { .events = EVENTS },
			.baseline = true,
		},
	};
	/* Before getopt_long() reorders the arguments. */
	char *command = join(argc, argv);
	int result = options_take(&options, argc, argv, &arguments);

	if (result != OPTIONS_TAKEN)
		goto free_command;
	result = optind < argc ? misuse(COMMAND, "%s: not an option", argv[optind]) :
		 check_lengths(&arguments);
	if (result)
		goto free_command;
	arguments.options.command = command ? command : "";
	result = run_measured(&arguments.options);
free_command:
	free(command);
	return result;
}

const struct evtlog_command jitter_run = {
	.name = "run",
	.summary = "measure interruptions and record their causes",
	.run = run,
};
