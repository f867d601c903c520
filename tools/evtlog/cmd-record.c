// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog record: one run around one command.
 *
 * Stage: beside the data's way.  Starts a logger of its own where none is
 * announced; leaves events and buffers as they were.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "control.h"
#include "logger.h"
#include "own_logger.h"
#include "say.h"
#include "workload.h"

static const char help_text[] =
	"Usage: evtlog record [OPTION...] [--] [COMMAND [ARG...]]\n"
	"Record a run while COMMAND runs, or until Ctrl-C if there is none.\n"
	"\n"
	"  -o, --output=FILE      the run's file (must not exist)\n"
	"  -d, --directory=DIR    put the file there, as HOST-RUN.evl (default: here)\n"
	"  -e, --events=LIST      what to log; see evtlog start --help\n"
	"  -b, --buffers=N        buffers per CPU\n"
	"  -k, --buffer-kb=N      size of each in KiB\n"
	"  -s, --set=KEY=VALUE    a setting for logd; see logd.conf(5)\n"
	"  -t, --timeout=SECONDS  how long to wait for the file at the end (default 60)\n"
	"      --logd=PROGRAM     logd to run\n"
	"      --help             print this and exit\n"
	"\n"
	"If a logger is announced it is used, and decides where the file goes; else a\n"
	"logd runs just for this. Events and buffers are set back afterwards.\n"
	"Ctrl-C ends COMMAND and the recording, which is kept.\n"
	"\n"
	"Exit status: COMMAND's if it is not 0 (128 + N if signal N ended it); else\n"
	"0 done, 1 failed, 2 misuse, 4 done, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog record -- make -j4\n"
	"  evtlog record -o build.evl -e sched,irq -- make -j4\n"
	"  evtlog record -b 8 -k 4096\n";

struct record_options {
	const char *output;
	const char *directory;
	const char *events;
	const char *logd;
	const char *settings[OWN_LOGGER_SETTINGS_MAX + 1];
	unsigned int setting_count;
	unsigned int buffers;
	unsigned int buffer_kb;
	unsigned int timeout_s;
	char **command;
};

/*
 * @directory:	where the file will be
 * @own:	our own logger; its pid is 0 if another is announced
 * @saved_events: NULL = as they were
 * @before:	the status at the beginning, for the geometry
 */
struct recording {
	const struct record_options *options;
	struct logger_directory directory;
	struct own_logger own;
	char *saved_events;
	struct control_status before;
	struct control_status after;
	struct logger_file file;
};

static int set_number(const char *name, unsigned int now, unsigned int wanted)
{
	char text[16];
	int error;

	if (!wanted || wanted == now)
		return 0;
	snprintf(text, sizeof(text), "%u", wanted);
	error = control_write(name, text);
	if (error == -EBUSY)
		say(CONTROL_DIRECTORY "/%s: buffers are in use: stop the logger first, or leave them as they are",
		    name);
	else if (error == -EINVAL)
		say(CONTROL_DIRECTORY "/%s: the kernel does not accept %u", name, wanted);
	else if (error)
		control_say_failed(name, error);
	return error;
}

static int set_geometry(const struct recording *recording)
{
	const struct record_options *options = recording->options;
	const struct control_status *before = &recording->before;
	bool changes = (options->buffers && options->buffers != before->buffers) ||
		       (options->buffer_kb && options->buffer_kb != before->buffer_kb);
	int error;

	if (!changes)
		return 0;
	if (control_waiting(before)) {
		say("%u buffers of run %" PRIu64 " are still in the kernel and would be lost: let logd fetch them first",
		    control_waiting(before), before->run);
		return -EBUSY;
	}
	error = set_number("buffers", before->buffers, options->buffers);
	if (!error)
		error = set_number("buffer_kb", before->buffer_kb, options->buffer_kb);
	return error;
}

static void restore_geometry(const struct recording *recording)
{
	const struct control_status *before = &recording->before;
	struct control_status now;

	if (control_status(&now))
		return;
	set_number("buffers", now.buffers, before->buffers);
	set_number("buffer_kb", now.buffer_kb, before->buffer_kb);
	control_status_free(&now);
}

static int set_events(struct recording *recording)
{
	char *text;
	int error;

	if (!recording->options->events)
		return 0;
	recording->saved_events = control_events_now();
	text = control_events(recording->options->events);
	error = recording->saved_events && text ? control_write("events", text) : -ENOMEM;
	free(text);
	if (error == -EINVAL)
		say("--events %s: not all are types of events; " CONTROL_DIRECTORY "/events lists them",
		    recording->options->events);
	else if (error)
		control_say_failed("events", error);
	return error;
}

static void restore_events(struct recording *recording)
{
	int error;

	if (!recording->saved_events)
		return;
	error = control_write("events", recording->saved_events);
	if (error)
		control_say_failed("events", error);
	free(recording->saved_events);
}

/* @directory: PATH_MAX bytes */
static int choose_directory(const struct record_options *options, char *directory)
{
	char wanted[PATH_MAX];
	char *slash;

	snprintf(wanted, sizeof(wanted), "%s", options->directory ? options->directory : ".");
	if (options->output) {
		if (access(options->output, F_OK) == 0) {
			say("%s: exists; remove it, or choose another name", options->output);
			return -EEXIST;
		}
		snprintf(wanted, sizeof(wanted), "%s", options->output);
		slash = strrchr(wanted, '/');
		if (!slash)
			strcpy(wanted, ".");
		else
			slash[slash == wanted] = '\0';
	}
	if (!realpath(wanted, directory)) {
		int error = -errno;

		say("%s: %s", wanted, strerror(-error));
		return error;
	}
	return 0;
}

static int get_logger(struct recording *recording)
{
	const struct record_options *options = recording->options;
	pid_t logger = recording->before.logger;
	char directory[PATH_MAX];
	int error;

	if (!logger) {
		error = choose_directory(options, directory);
		if (!error)
			error = own_logger_start(&recording->own, options->logd, directory,
						 options->settings);
		if (error)
			return error;
		logger = recording->own.pid;
	} else if (options->output || options->directory || options->setting_count) {
		say("a logger, pid %d, is announced and decides where files go: stop it, or leave out --output, --directory and --set",
		    logger);
		return -EBUSY;
	}
	error = logger_directory_open(&recording->directory, logger);
	if (error) {
		say("logd (pid %d): its directory is not known: %s", logger, strerror(-error));
		own_logger_stop(&recording->own);
	}
	return error;
}

/* Runs the command; the status to end with, of the command alone. */
static int run_command(struct workload *workload, const char *name)
{
	int status, error;

	error = workload_go(workload);
	if (error) {
		say("%s: %s", name, strerror(-error));
		return error == -ENOENT ? 127 : 126;
	}
	if (workload_wait(workload, &status)) {
		say("%s (pid %d) goes on; the recording ends", name, workload->pid);
		return EXIT_OK;
	}
	if (WIFSIGNALED(status)) {
		say("%s: ended by signal %d (%s)", name, WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
		return 128 + WTERMSIG(status);
	}
	if (WEXITSTATUS(status))
		say("%s: exit status %d", name, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

static int record_run(struct recording *recording, int *command_status)
{
	char **command = recording->options->command;
	struct workload workload;
	int error;

	if (command) {
		error = workload_prepare(&workload, command);
		if (error) {
			say("%s: %s", command[0], strerror(-error));
			return error;
		}
	}
	error = control_write("enable", "1");
	if (error) {
		control_say_failed("enable", error);
		if (command)
			workload_cancel(&workload);
		return error;
	}
	if (command) {
		*command_status = run_command(&workload, command[0]);
	} else {
		say("recording until Ctrl-C");
		workload_wait_signal();
	}
	/* Somebody else may have ended it: evtlog stop, or a suspend. */
	error = control_write("enable", "0");
	if (error && error != -EALREADY) {
		control_say_failed("enable", error);
		return error;
	}
	return 0;
}

static bool logger_is_there(void *context)
{
	struct recording *recording = context;

	if (recording->own.pid)
		return own_logger_is_alive(&recording->own);
	return kill(recording->before.logger, 0) == 0 || errno != ESRCH;
}

/* Gives the file the name that was asked for, which must be free. */
static int name_output(struct recording *recording)
{
	const char *output = recording->options->output;
	const char *path = recording->file.path;

	if (!output)
		return 0;
	if (renameat2(AT_FDCWD, path, AT_FDCWD, output, RENAME_NOREPLACE) < 0) {
		/* Not every file system knows how: say NFS, 9p. */
		if ((errno != EINVAL && errno != ENOSYS) || link(path, output) < 0) {
			say("%s: %s; the run is in %s", output, strerror(errno), path);
			return -errno;
		}
		unlink(path);
	}
	snprintf(recording->file.path, sizeof(recording->file.path), "%s", output);
	return 0;
}

static int collect(struct recording *recording)
{
	const struct record_options *options = recording->options;
	uint64_t lost;
	int error;

	error = control_status(&recording->after);
	if (error) {
		control_say_failed("status", error);
		return EXIT_FAILED;
	}
	error = logger_wait_complete(&recording->directory, &recording->after, options->timeout_s,
				     logger_is_there, recording, &recording->file);
	lost = control_lost(&recording->after);
	control_status_free(&recording->after);
	if (error) {
		say("%s: %s; logd's messages tell why, and what is left in the kernel is fetched when it is started again",
		    recording->file.path[0] ? recording->file.path : recording->directory.path,
		    error == -ETIME ? "not complete in time" : "logd ended before it was complete");
		return EXIT_FAILED;
	}
	error = name_output(recording);
	say("%s: %" PRIu64 " buffers, %" PRIu64 " events lost", recording->file.path,
	    recording->file.buffers, lost);
	if (error)
		return EXIT_FAILED;
	return lost ? EXIT_EVENTS_LOST : EXIT_OK;
}

static int record(const struct record_options *options)
{
	struct recording recording = { .options = options };
	int error, result = EXIT_FAILED, command_status = EXIT_OK;

	error = control_status(&recording.before);
	if (error) {
		control_say_failed("status", error);
		return EXIT_FAILED;
	}
	if (recording.before.is_recording) {
		say("run %" PRIu64 " is being recorded already; evtlog stop ends it",
		    recording.before.run);
		goto free_status;
	}
	workload_signals();
	if (set_geometry(&recording))
		goto restore_geometry;
	if (set_events(&recording))
		goto restore_events;
	if (get_logger(&recording))
		goto restore_events;
	if (!record_run(&recording, &command_status))
		result = collect(&recording);
	own_logger_stop(&recording.own);
	logger_directory_close(&recording.directory);
restore_events:
	restore_events(&recording);
restore_geometry:
	restore_geometry(&recording);
free_status:
	control_status_free(&recording.before);
	return command_status ? command_status : result;
}

static int parse(struct record_options *options, int argc, char **argv)
{
	enum { LOGD = 256, HELP };
	static const struct option long_options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "directory", required_argument, NULL, 'd' },
		{ "events", required_argument, NULL, 'e' },
		{ "buffers", required_argument, NULL, 'b' },
		{ "buffer-kb", required_argument, NULL, 'k' },
		{ "set", required_argument, NULL, 's' },
		{ "timeout", required_argument, NULL, 't' },
		{ "logd", required_argument, NULL, LOGD },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	/* '+': what follows COMMAND is its own. */
	while ((option = getopt_long(argc, argv, "+o:d:e:b:k:s:t:h", long_options, NULL)) != -1) {
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case 'd':
			options->directory = optarg;
			break;
		case 'e':
			options->events = optarg;
			break;
		case 'b':
			if (!control_number(optarg, 2, 1u << 20, &options->buffers))
				return misuse("record", "--buffers %s: not a number from 2",
					      optarg);
			break;
		case 'k':
			if (!control_number(optarg, 4, 1u << 20, &options->buffer_kb))
				return misuse("record", "--buffer-kb %s: not a number from 4",
					      optarg);
			break;
		case 's':
			if (options->setting_count == OWN_LOGGER_SETTINGS_MAX)
				return misuse("record", "more than %d times --set",
					      OWN_LOGGER_SETTINGS_MAX);
			options->settings[options->setting_count++] = optarg;
			break;
		case 't':
			if (!control_number(optarg, 1, 86400, &options->timeout_s))
				return misuse("record", "--timeout %s: not a number from 1 to 86400",
					      optarg);
			break;
		case LOGD:
			options->logd = optarg;
			break;
		case 'h':
		case HELP:
			fputs(help_text, stdout);
			return EXIT_OK;
		default:
			return misuse("record", "wrong usage");
		}
	}
	if (options->output && options->directory)
		return misuse("record", "--output and --directory exclude each other");
	if (optind < argc)
		options->command = argv + optind;
	return -1;
}

static int run(int argc, char **argv)
{
	struct record_options options = { .timeout_s = 60 };
	int result = parse(&options, argc, argv);

	return finish(result >= 0 ? result : record(&options));
}

const struct evtlog_command command_record = {
	.name = "record",
	.summary = "record a run while a command runs",
	.run = run,
};
