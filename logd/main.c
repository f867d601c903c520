// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * logd: writes the kernel's buffers to one file per run.
 *
 * Stage: between /proc/evtlog and the run files.  This file defines the order of setup, the
 * actions for signals, and when to sleep.  It sleeps in sigsuspend() until the kernel signals a
 * full buffer.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock-ping.h"
#include "common/say.h"
#include "config.h"
#include "control/stream.h"
#include "daemon.h"
#include "logfile/drain.h"
#include "logfile/runs.h"
#include "options.h"
#include "proc.h"

/* Number of passes before signals are checked, if the kernel always has full buffers. */
#define PASSES_AT_ONCE	64

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_MISUSE = 2 };

/*
 * @wait_mask:	signal mask during sleep; at other times, all signals used here are blocked
 * @retry_s:	next pause after a failure, doubled up to the configured one
 * @target:	run after which --once ends; 0 if none
 * @over:	last run that had ended before this logger was announced
 * @parent:	the process that started logd
 */
struct logger {
	struct options options;
	struct config config;
	struct kernel kernel;
	struct streams streams;
	struct runs *runs;
	struct sync sync;
	sigset_t wait_mask;
	unsigned int retry_s;
	uint64_t target;
	uint64_t over;
	pid_t parent;
	bool is_settled;
};

static volatile sig_atomic_t got_io, got_hup, got_term, got_alarm, got_child;

static void on_signal(int number)
{
	switch (number) {
	case SIGIO:
		got_io = 1;
		break;
	case SIGHUP:
		got_hup = 1;
		break;
	case SIGALRM:
		got_alarm = 1;
		break;
	case SIGCHLD:
		got_child = 1;
		break;
	default:
		got_term = 1;
	}
}

static void signals_open(sigset_t *wait_mask)
{
	static const int ours[] = { SIGIO, SIGHUP, SIGALRM, SIGCHLD, SIGTERM, SIGINT };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		sigaddset(&blocked, ours[i]);
	sigprocmask(SIG_BLOCK, &blocked, wait_mask);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		sigdelset(wait_mask, ours[i]);
		sigaction(ours[i], &action, NULL);
	}
	/* A write beyond a limit returns an error instead. */
	action.sa_handler = SIG_IGN;
	sigaction(SIGXFSZ, &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
}

/* Lets pending signals set their flags, without sleeping. */
static void look_at_signals(const struct logger *logger)
{
	sigset_t blocked;

	sigprocmask(SIG_SETMASK, &logger->wait_mask, &blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
}

static const char *source_host(void *context)
{
	const struct logger *logger = context;

	return describe_host(&logger->config);
}

static int source_text(void *context, const struct run_id *run, char **text,
		       size_t *bytes)
{
	const struct logger *logger = context;
	/* A program that changes the settings for the next run first waits for this run's file. */
	bool is_prompt = run->number > logger->over && !runs_is_stalled(logger->runs);

	return describe_run(&logger->config, &logger->kernel, logger->streams.count,
			    run, is_prompt, text, bytes);
}

static int files_open(struct logger *logger)
{
	const struct runs_source source = {
		.text = source_text, .host = source_host, .context = logger,
	};
	struct control_status status;
	struct run_id id;
	int error;

	logger->runs = runs_new(&logger->config.files, &source);
	if (!logger->runs)
		return -ENOMEM;
	error = runs_prepare(logger->runs, logger->options.once);
	if (!error)
		error = kernel_read_status(&logger->kernel, &status);
	if (error) {
		runs_free(logger->runs);
		return error;
	}
	run_id_of_status(&id, &status);
	runs_adopt(logger->runs, id.boot_id);
	return 0;
}

static void reload(struct logger *logger)
{
	struct config wanted;
	const char *fixed;

	notify_reloading();
	if (options_config(&logger->options, &wanted)) {
		say_error("continuing with the old configuration");
	} else {
		fixed = config_fixed_change(&logger->config, &wanted);
		if (fixed)
			say_warning("%s: takes effect when logd is restarted", fixed);
		logger->config = wanted;
	}
	runs_reopen(logger->runs);
	say_info("files reopened");
	notify_ready();
}

/* Close files of earlier runs: the kernel has no more buffers of them. */
static void settle(struct logger *logger)
{
	struct control_status status;

	if (logger->is_settled || kernel_read_status(&logger->kernel, &status))
		return;
	runs_settle(logger->runs, status.is_recording ? status.run : 0);
	logger->is_settled = true;
}

/*
 * The kernel also signals the start of a run.  The header and the file may take long: make them
 * now, while the run's buffers are empty.
 */
static void begin(struct logger *logger)
{
	struct control_status status;
	struct run_id id;

	if (runs_is_writing(logger->runs) || kernel_read_status(&logger->kernel, &status))
		return;
	if (!status.is_recording) {
		runs_begin(logger->runs, NULL);
		return;
	}
	streams_map(&logger->streams);
	run_id_of_status(&id, &status);
	runs_begin(logger->runs, &id);
}

static void try_later(struct logger *logger)
{
	if (logger->retry_s > logger->config.files.retry_s)
		logger->retry_s = logger->config.files.retry_s;
	alarm(logger->retry_s);
	logger->retry_s *= 2;
}

/* Returns true if there may be more full buffers. */
static bool drain_some(struct logger *logger)
{
	bool was_stalled = runs_is_stalled(logger->runs);
	enum drain_result result = drain_run(&logger->streams, logger->runs, PASSES_AT_ONCE);

	if (was_stalled != runs_is_stalled(logger->runs))
		notify_status(was_stalled ? "writing again" : "can't write; see the log");
	switch (result) {
	case DRAIN_MORE:
		return true;
	case DRAIN_STALLED:
	case DRAIN_BLOCKED:
		try_later(logger);
		return false;
	case DRAIN_EMPTY:
		break;
	}
	logger->retry_s = 1;
	begin(logger);
	settle(logger);
	return false;
}

static bool is_done(const struct logger *logger)
{
	return logger->target && runs_last_complete(logger->runs) >= logger->target;
}

static void log_until_stopped(struct logger *logger)
{
	bool more = true;

	while (!got_term) {
		if (got_hup) {
			got_hup = 0;
			reload(logger);
			got_alarm = 1;
		}
		if (got_child) {
			got_child = 0;
			sync_look_after(&logger->sync);
		}
		/* After a failure, only the alarm causes the next attempt. */
		if (more || got_alarm || (got_io && !runs_is_stalled(logger->runs))) {
			got_io = 0;
			got_alarm = 0;
			more = drain_some(logger);
		}
		if (is_done(logger))
			return;
		if (more)
			look_at_signals(logger);
		else
			sigsuspend(&logger->wait_mask);
	}
}

/* Send a last burst of echo requests before this run is ended. */
static void sync_at_end(struct logger *logger)
{
	const struct timespec turn = { .tv_nsec = SYNC_BURST_MS * 1000000L / 10 };
	struct control_status status;

	if (!logger->sync.child || kernel_read_status(&logger->kernel, &status) ||
	    !status.is_recording)
		return;
	sync_burst(&logger->sync);
	for (int i = 0; i < 10; i++) {
		nanosleep(&turn, NULL);
		drain_run(&logger->streams, logger->runs, PASSES_AT_ONCE);
	}
}

static int finish(struct logger *logger)
{
	struct control_status status;
	unsigned int passes = 0;
	int error = 0;

	notify_stopping();
	if (!is_done(logger) && logger->config.stop_at_exit) {
		sync_at_end(logger);
		error = kernel_stop_run(&logger->kernel);
		if (error)
			say_error("%s/enable: %s", KERNEL_DIRECTORY, strerror(-error));
	}
	/* A run that continues fills buffers without end: save only those that are full now. */
	if (!kernel_read_status(&logger->kernel, &status) && status.is_recording)
		passes = status.buffers + 1;
	switch (drain_run(&logger->streams, logger->runs, passes)) {
	case DRAIN_STALLED:
		say_error("some buffers could not be written and stay in the kernel: free disk space and restart logd before a new run");
		error = -ENOSPC;
		break;
	case DRAIN_BLOCKED:
		/* The CPU and the cause are already printed. */
		error = -EBUSY;
		break;
	default:
		break;
	}
	if (runs_close(logger->runs))
		error = -EIO;
	return error;
}

/*
 * Chooses the run for --once.  Called before the logger is announced: if a run is started after
 * the announcement, it is this run.
 */
static int choose_target(struct logger *logger)
{
	struct control_status status;
	int error = kernel_read_status(&logger->kernel, &status);

	if (error)
		say_error("%s/status: %s", KERNEL_DIRECTORY, strerror(-error));
	else if (logger->options.once)
		logger->target = status.run + !status.is_recording;
	if (!error)
		logger->over = status.run - status.is_recording;
	return error;
}

static int log_announced(struct logger *logger)
{
	int error;

	privilege_apply(&logger->config);
	error = privilege_drop();
	if (error) {
		say_error("dropping capabilities: %s", strerror(-error));
		return error;
	}
	error = files_open(logger);
	if (error)
		return error;
	error = pid_file_write(logger->config.pid_file);
	if (error) {
		say_error("%s: %s", logger->config.pid_file, strerror(-error));
		goto free_runs;
	}
	background_ready();
	notify_ready();
	say_info("logging to %s", logger->config.files.directory);

	log_until_stopped(logger);
	/* The command that waits for the file was killed: print to its user where the file is. */
	if (logger->options.once && getppid() != logger->parent)
		say_how_much(SAY_NORMAL);
	error = finish(logger);

	pid_file_remove(logger->config.pid_file);
free_runs:
	runs_free(logger->runs);
	return error;
}

static int run(struct logger *logger)
{
	bool has_armed;
	int error;

	/* First, so that the child does not inherit files. */
	sync_start(&logger->sync, &logger->config);
	error = kernel_open(&logger->kernel);
	if (error)
		goto stop_sync;
	error = streams_open(&logger->streams, NULL);
	if (error) {
		kernel_say_open_failed(KERNEL_DIRECTORY "/cpu*", error);
		goto close_streams;
	}
	error = choose_target(logger);
	if (error)
		goto close_streams;
	/* From here on, no other logger can use the files. */
	error = kernel_announce(&logger->kernel);
	if (error)
		goto close_streams;

	has_armed = logger->config.arm && kernel_arm(&logger->kernel);

	error = log_announced(logger);

	if (has_armed)
		kernel_disarm(&logger->kernel);
	kernel_withdraw(&logger->kernel);
close_streams:
	streams_close(&logger->streams);
	kernel_close(&logger->kernel);
stop_sync:
	sync_stop(&logger->sync);
	return error;
}

int main(int argc, char **argv)
{
	static struct logger logger = { .retry_s = 1 };
	int status, error;

	say_as("logd");
	status = options_parse(&logger.options, argc, argv);
	if (status >= 0)
		goto free_options;
	say_how_much(logger.options.how_much);
	status = EXIT_MISUSE;
	if (options_config(&logger.options, &logger.config))
		goto free_options;
	if (logger.options.check_only) {
		config_print(&logger.config, stdout);
		status = fflush(stdout) ? EXIT_FAILED : EXIT_OK;
		goto free_options;
	}
	if (logger.options.daemonise) {
		error = background_enter();
		if (error) {
			say_error("fork: %s", strerror(-error));
			status = EXIT_FAILED;
			goto free_options;
		}
	}
	logger.parent = getppid();
	notify_open();
	signals_open(&logger.wait_mask);
	status = run(&logger) ? EXIT_FAILED : EXIT_OK;
	notify_close();
free_options:
	options_free(&logger.options);
	return status;
}
