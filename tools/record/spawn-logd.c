// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts and ends a logd for one run.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "control/control.h"
#include "lib/base/io.h"
#include "logger.h"
#include "session.h"
#include "workload.h"

/* If a large run was left open, logd first reads it, which may take long. */
#define READY_WITHIN_MS	30000
#define LOOK_EVERY_MS	10

static bool find_program(char *program, size_t bytes)
{
	/* In this program's directory, as installed, and as built. */
	static const char *const places[] = { "logd", "../sbin/logd", "../logd/logd" };
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (length > 0) {
		self[length] = '\0';
		slash = strrchr(self, '/');
		slash[1] = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			if (snprintf(program, bytes, "%s%s", self, places[i]) < (int)bytes &&
			    access(program, X_OK) == 0)
				return true;
		}
	}
	snprintf(program, bytes, "/usr/sbin/logd");
	return access(program, X_OK) == 0;
}

static _Noreturn void be_logd(const char *program, const char *directory,
			      const char *const *settings, pid_t parent)
{
	const char *argv[10 + 2 * (OWN_LOGGER_SETTINGS_MAX + OWN_LOGGER_NOTES_MAX)];
	int argc = 0;

	argv[argc++] = "logd";
	argv[argc++] = "--once";
	argv[argc++] = "--stop-at-exit";
	argv[argc++] = "--quiet";
	argv[argc++] = "--config=/dev/null";
	argv[argc++] = "--directory";
	argv[argc++] = directory;
	for (; *settings; settings++) {
		argv[argc++] = "--set";
		argv[argc++] = *settings;
	}
	argv[argc] = NULL;

	/* Ctrl-C must end the command, but not the logger, which then has to save the rest. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent || chdir("/") < 0)
		_exit(1);
	workload_restore_mask();
	execv(program, (char *const *)argv);
	pr_err("%s: %s", program, strerror(errno));
	_exit(1);
}

/* logd changes to its directory when its setup is complete. */
static bool is_ready(const struct own_logger *logger, const char *directory)
{
	struct logger_directory where;
	struct control_status status;
	struct stat wanted, found;
	bool ready;

	if (control_status(&status))
		return false;
	control_status_free(&status);
	if (status.logger != logger->pid || logger_directory_open(&where, logger->pid))
		return false;
	ready = !fstat(where.fd, &found) && !stat(directory, &wanted) &&
		found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino;
	logger_directory_close(&where);
	return ready;
}

static int wait_until_ready(struct own_logger *logger, const char *directory)
{
	const struct timespec pause = { .tv_nsec = LOOK_EVERY_MS * 1000000L };

	for (int waited_ms = 0; waited_ms < READY_WITHIN_MS; waited_ms += LOOK_EVERY_MS) {
		if (is_ready(logger, directory))
			return 0;
		/* logd has printed the error. */
		if (!own_logger_is_alive(logger))
			return -ECHILD;
		if (workload_interrupted())
			return -EINTR;
		nanosleep(&pause, NULL);
	}
	pr_err("logd (pid %d): not ready after %d s", logger->pid, READY_WITHIN_MS / 1000);
	return -ETIME;
}

int own_logger_find(const char *program, char *found)
{
	int error;

	if (!program) {
		if (find_program(found, PATH_MAX))
			return 0;
		pr_err("logd: not found; install it, or name it with --logd");
		return -ENOENT;
	}
	/* A relative path must be resolved before logd changes its directory. */
	if (realpath(program, found) && access(found, X_OK) == 0)
		return 0;
	error = -errno;
	pr_err("%s: %s", program, strerror(-error));
	return error;
}

int own_logger_start(struct own_logger *logger, const char *program, const char *directory,
		     const char *const *settings)
{
	char found[PATH_MAX];
	pid_t self = getpid();
	int error;

	error = own_logger_find(program, found);
	if (error)
		return error;
	logger->pid = fork();
	if (logger->pid < 0) {
		error = -errno;
		logger->pid = 0;
		pr_err("fork: %s", strerror(-error));
		return error;
	}
	if (logger->pid == 0)
		be_logd(found, directory, settings, self);
	error = wait_until_ready(logger, directory);
	if (error)
		own_logger_stop(logger);
	return error;
}

bool own_logger_is_alive(struct own_logger *logger)
{
	if (logger->pid && waitpid(logger->pid, NULL, WNOHANG) == logger->pid)
		logger->pid = 0;
	return logger->pid;
}

void own_logger_stop(struct own_logger *logger)
{
	if (!logger->pid)
		return;
	kill(logger->pid, SIGTERM);
	io_wait(logger->pid, NULL);
	logger->pid = 0;
}
