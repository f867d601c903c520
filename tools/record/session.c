// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prepares a run (events, buffers, logger), starts and stops it, waits for its file, and
 * restores the settings.
 *
 * The caller decides what happens between start and stop.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "control/buffers.h"
#include "session.h"
#include "workload.h"

/* How long to wait for the file */
#define FILE_WITHIN_S	60

static int set_number(struct control_session *session, const char *name, unsigned int now,
		      unsigned int wanted)
{
	char text[16], undo[16];
	int error;

	if (!wanted || wanted == now)
		return 0;
	snprintf(text, sizeof(text), "%u", wanted);
	snprintf(undo, sizeof(undo), "%u", now);
	error = control_session_order(session, name, text, undo, NULL);
	if (error == -EBUSY)
		pr_err(CONTROL_DIRECTORY "/%s: buffers are in use: stop the logger first, or do not change them",
		       name);
	else if (error == -EINVAL)
		pr_err(CONTROL_DIRECTORY "/%s: the kernel does not accept %u", name, wanted);
	else if (error)
		control_say_failed(name, error);
	return error;
}

int recording_take_buffers(struct recording_options *options, const char *text)
{
	const char *buffers = NULL, *kb = NULL;
	char copy[24];
	int error;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", text) >= sizeof(copy))
		return -EINVAL;
	control_buffers_size(copy, &buffers, &kb);
	error = buffers ? number_parse_u32(&options->buffers, buffers, 2, 1u << 20) : 0;
	if (!error && kb)
		error = number_parse_u32(&options->buffer_kb, kb, 4, 1u << 20);
	return error;
}

static int set_geometry(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	const struct control_status *before = &recording->before;
	bool changes = (options->buffers && options->buffers != before->buffers) ||
		       (options->buffer_kb && options->buffer_kb != before->buffer_kb);
	int error;

	if (!changes)
		return 0;
	if (control_waiting(before)) {
		pr_err("%u buffers of run %" PRIu64 " are still in the kernel and would be lost: start logd to save them first",
		       control_waiting(before), before->run);
		return -EBUSY;
	}
	error = set_number(&recording->session, "buffers", before->buffers, options->buffers);
	if (!error)
		error = set_number(&recording->session, "buffer_kb", before->buffer_kb,
				   options->buffer_kb);
	return error;
}

static int set_events(struct recording *recording)
{
	char *text, *before;
	int error;

	if (!recording->options->events) {
		control_say_events_off(false);
		return 0;
	}
	text = control_events(recording->options->events);
	before = control_events_now();
	error = text && before ? control_session_order(&recording->session, "events", text, before,
						       NULL) : -ENOMEM;
	free(text);
	free(before);
	if (error == -EINVAL)
		control_say_events_unknown(recording->options->events);
	else if (error)
		control_say_failed("events", error);
	else
		control_say_events_off(true);
	return error;
}

static int set_filters(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	int error = 0;

	for (unsigned int i = 0; !error && i < options->filter_count; i++)
		error = control_filter_set(&recording->session, options->filters[i].type,
					   options->filters[i].condition);
	return error;
}

/* @directory: PATH_MAX bytes */
static int choose_directory(const struct recording_options *options, char *directory)
{
	char wanted[PATH_MAX];
	char *slash;

	snprintf(wanted, sizeof(wanted), "%s", options->directory ? options->directory : ".");
	if (options->output) {
		if (access(options->output, F_OK) == 0) {
			pr_err("%s: exists; remove it, or choose another name", options->output);
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

		pr_err("%s: %s", wanted, strerror(-error));
		return error;
	}
	return 0;
}

static int start_logger(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	const char *settings[OWN_LOGGER_NOTES_MAX + OWN_LOGGER_SETTINGS_MAX + 1];
	unsigned int count = 0;
	char directory[PATH_MAX];
	int error = choose_directory(options, directory);

	for (size_t i = 0; options->notes[i]; i++)
		settings[count++] = options->notes[i];
	for (size_t i = 0; options->settings[i]; i++)
		settings[count++] = options->settings[i];
	settings[count] = NULL;
	return error ? error : own_logger_start(&recording->own, directory, settings);
}

static int get_logger(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	pid_t logger = recording->before.logger;
	int error;

	if (!logger) {
		error = start_logger(recording);
		if (error)
			return error;
		logger = recording->own.pid;
	} else if (options->output || options->directory || options->setting_count) {
		pr_err("the logger with pid %d chooses the file: stop it, or omit --output and --set",
		       logger);
		return -EBUSY;
	}
	error = logger_directory_open(&recording->directory, logger);
	if (error) {
		pr_err("logd (pid %d): its directory is unknown: %s", logger, strerror(-error));
		own_logger_stop(&recording->own);
		return error;
	}
	/* Without this check, the error would appear only at the end of the run. */
	error = recording->own.pid ? 0 : logger_directory_check(&recording->directory);
	if (error) {
		pr_err("logd (pid %d) can't write to %s: %s; give it another directory in logd.conf, or stop it",
		       logger, recording->directory.path, strerror(-error));
		logger_directory_close(&recording->directory);
	}
	return error;
}

static bool logger_is_there(void *context)
{
	struct recording *recording = context;

	if (recording->own.pid)
		return own_logger_is_alive(&recording->own);
	return kill(recording->before.logger, 0) == 0 || errno != ESRCH;
}

/* Renames the file to the requested name, which must not exist. */
static int name_output(struct recording *recording)
{
	const char *output = recording->options->output;
	const char *path = recording->file.path;

	if (!output)
		return 0;
	if (renameat2(AT_FDCWD, path, AT_FDCWD, output, RENAME_NOREPLACE) < 0) {
		/* Some file systems do not support RENAME_NOREPLACE, such as NFS and 9p. */
		if ((errno != EINVAL && errno != ENOSYS) || link(path, output) < 0) {
			pr_err("%s: %s; the run is in %s", output, strerror(errno), path);
			return -errno;
		}
		unlink(path);
	}
	snprintf(recording->file.path, sizeof(recording->file.path), "%s", output);
	return 0;
}

int recording_begin(struct recording *recording, const struct recording_options *options)
{
	int error;

	memset(recording, 0, sizeof(*recording));
	recording->options = options;
	error = control_status_or_say(&recording->before);
	if (error)
		return error;
	if (recording->before.is_recording) {
		pr_err("run %" PRIu64 " is already being recorded; end it with evtlog stop",
		       recording->before.run);
		error = -EBUSY;
		goto free_status;
	}
	workload_signals();
	error = control_session_open(&recording->session);
	if (error)
		goto free_status;
	error = set_geometry(recording);
	if (!error)
		error = set_events(recording);
	if (!error)
		error = set_filters(recording);
	if (!error)
		error = control_probes_insert(&recording->session, &recording->probes, NULL,
					      options->probes, options->probe_count);
	if (!error)
		error = get_logger(recording);
	if (!error)
		return 0;
	control_session_close(&recording->session);
	control_probe_texts_free(&recording->probes);
free_status:
	control_status_free(&recording->before);
	return error;
}

int recording_start(struct recording *recording)
{
	int error = control_session_order(&recording->session, "enable", "1", "0", NULL);

	if (error)
		control_say_order_failed(error);
	recording->is_started = !error;
	return error;
}

int recording_stop(struct recording *recording)
{
	int error = recording->is_started ? control_session_undo(&recording->session) : 0;

	recording->is_started = false;
	/* The run may have ended already: by evtlog stop or a suspend. */
	if (!error || error == -EALREADY)
		return 0;
	control_say_failed("enable", error);
	return error;
}

int recording_collect(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	int error;

	if (control_status_or_say(&recording->after))
		return EXIT_FAILED;
	error = logger_wait_complete(&recording->directory, &recording->after, FILE_WITHIN_S,
				     logger_is_there, recording, &recording->file);
	recording->lost = control_lost(&recording->after);
	control_status_free(&recording->after);
	if (error) {
		bool is_named = !options->output || !recording->file.path[0];

		pr_err("%s: %s%s%s; see logd's messages; restart it to save the rest",
		       recording->file.path[0] ? recording->file.path : recording->directory.path,
		       error == -ETIME ? "not complete in time" : "logd ended before it was complete",
		       is_named ? "" : ", and not renamed to ", is_named ? "" : options->output);
		return EXIT_FAILED;
	}
	error = name_output(recording);
	pr_info("%s: %" PRIu64 " buffers, %" PRIu64 " events lost", recording->file.path,
	       recording->file.buffers, recording->lost);
	if (error)
		return EXIT_FAILED;
	return recording->lost ? EXIT_EVENTS_LOST : EXIT_OK;
}

void recording_drop(struct recording *recording)
{

	if (recording_stop(recording) || !recording->own.pid || control_status(&recording->after))
		return;
	if (!logger_wait_complete(&recording->directory, &recording->after, FILE_WITHIN_S,
				  logger_is_there, recording, &recording->file))
		unlink(recording->file.path);
	control_status_free(&recording->after);
}

void recording_end(struct recording *recording)
{
	own_logger_stop(&recording->own);
	logger_directory_close(&recording->directory);
	control_session_close(&recording->session);
	control_probe_texts_free(&recording->probes);
	control_status_free(&recording->before);
}
