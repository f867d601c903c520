// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The logger of a run: an announced one or our own logd, and the file of the run that it writes.
 *
 * Only header, index and trailer of the file are read; libevtlog reads logs.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

#include <evtlog/file.h>

#include "common/clock.h"
#include "common/error.h"
#include "control/control.h"
#include "lib/base/head.h"
#include "lib/base/io.h"
#include "logfile/run-id.h"
#include "logfile/scan.h"
#include "logger.h"
#include "workload.h"

/* Time between two checks of a file that is being closed. */
#define LOOK_EVERY_MS	20

int logger_directory_open(struct logger_directory *directory, pid_t logger)
{
	static const char removed[] = " (deleted)";
	ssize_t length;
	char link[64];

	directory->logger = logger;
	snprintf(link, sizeof(link), "/proc/%d/cwd", logger);
	length = readlink(link, directory->path, sizeof(directory->path) - 1);
	if (length < 0)
		return -errno;
	directory->path[length] = '\0';
	if (length > (ssize_t)sizeof(removed) &&
	    !strcmp(directory->path + length - (sizeof(removed) - 1), removed))
		return -ENOENT;
	directory->fd = open(link, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return directory->fd < 0 ? -errno : 0;
}

int logger_directory_check(const struct logger_directory *directory)
{
	return faccessat(directory->fd, ".", W_OK | X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

void logger_directory_close(struct logger_directory *directory)
{
	close(directory->fd);
}

/* The directory may have been created again, or another one configured. */
static void look_where_it_is(struct logger_directory *directory)
{
	struct logger_directory now;

	if (logger_directory_open(&now, directory->logger))
		return;
	logger_directory_close(directory);
	*directory = now;
}

static DIR *list(const struct logger_directory *directory)
{
	int fd = openat(directory->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = fd < 0 ? NULL : fdopendir(fd);

	if (!listing && fd >= 0)
		close(fd);
	return listing;
}

static bool read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
	return io_read_at(fd, to, bytes, offset) == (ssize_t)bytes;
}

/* Most files are of another run: only then, all of the header is read. */
static bool is_of_run(int fd, const struct control_status *status)
{
	struct evtlog_file_header header;
	struct run_id wanted, found;

	run_id_of_status(&wanted, status);
	return read_at(fd, &header, sizeof(header), 0) && header.run == wanted.number &&
	       !scan_run_id(fd, &header, &found) && run_id_is_same(&found, &wanted);
}

static void count_index(int fd, const struct evtlog_file_trailer *trailer,
			struct logger_file *file)
{
	uint64_t offset = trailer->index_offset + sizeof(struct evtlog_block_header);

	for (uint64_t i = 0; i < trailer->blocks; i++) {
		struct evtlog_index_entry entry;

		if (!read_at(fd, &entry, sizeof(entry), offset + i * sizeof(entry)))
			return;
		file->buffers++;
		file->lost += entry.lost;
	}
}

static void look_at_end(int fd, struct logger_file *file)
{
	struct evtlog_file_trailer trailer;
	struct stat st;

	if (fstat(fd, &st) < 0 || (uint64_t)st.st_size < sizeof(trailer) ||
	    !read_at(fd, &trailer, sizeof(trailer), st.st_size - sizeof(trailer)) ||
	    head_check_all(&head_of_trailer, &trailer, sizeof(trailer)))
		return;
	file->is_complete = trailer.flags & EVTLOG_TRAILER_COMPLETE;
	count_index(fd, &trailer, file);
}

static bool has_suffix(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcmp(name + length - 4, ".evl");
}

/* Use the newest if a run has several files. */
static bool is_newer(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec > b->st_mtim.tv_sec ||
	       (a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
		a->st_mtim.tv_nsec >= b->st_mtim.tv_nsec);
}

int logger_find_file(const struct logger_directory *directory,
		     const struct control_status *status, struct logger_file *file)
{
	DIR *listing = list(directory);
	struct stat newest = { 0 }, st;
	struct dirent *entry;

	memset(file, 0, sizeof(*file));
	if (!listing)
		return -errno;
	while ((entry = readdir(listing))) {
		int fd;

		if (!has_suffix(entry->d_name) || entry->d_name[0] == '.')
			continue;
		fd = openat(dirfd(listing), entry->d_name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_of_run(fd, status) && fstat(fd, &st) == 0 && is_newer(&st, &newest)) {
			memset(file, 0, sizeof(*file));
			if (snprintf(file->path, sizeof(file->path), "%s/%s", directory->path,
				     entry->d_name) >= (int)sizeof(file->path))
				file->path[0] = '\0';
			look_at_end(fd, file);
			newest = st;
		}
		close(fd);
	}
	closedir(listing);
	return file->path[0] ? 0 : -ENOENT;
}

int logger_wait_complete(struct logger_directory *directory,
			 const struct control_status *status,
		       unsigned int timeout_s, bool (*still_there)(void *context),
		       void *context, struct logger_file *file)
{
	const struct timespec pause = { .tv_nsec = LOOK_EVERY_MS * 1000000L };
	int64_t end = now_ms() + timeout_s * INT64_C(1000);
	bool there = true;

	for (;;) {
		logger_find_file(directory, status, file);
		if (file->is_complete)
			return 0;
		/* Look once more after the logger ended: it may have closed the file before. */
		if (!there)
			return -ESRCH;
		if (now_ms() >= end)
			return -ETIME;
		there = !still_there || still_there(context);
		nanosleep(&pause, NULL);
		look_where_it_is(directory);
	}
}

/* ---- A logd that `evtlog record` runs for one run ---- */

/* If a large run was left open, logd first reads it, which may take long. */
#define READY_WITHIN_MS	30000
#define READY_EVERY_MS	10

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
	const struct timespec pause = { .tv_nsec = READY_EVERY_MS * 1000000L };

	for (int waited_ms = 0; waited_ms < READY_WITHIN_MS; waited_ms += READY_EVERY_MS) {
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

int own_logger_find(char *found)
{
	const char *program = getenv("EVTLOG_LOGD");
	int error;

	if (!program || !*program) {
		if (find_program(found, PATH_MAX))
			return 0;
		pr_err("logd: not found; install it, or name it with EVTLOG_LOGD");
		return -ENOENT;
	}
	/* A relative path must be resolved before logd changes its directory. */
	if (realpath(program, found) && access(found, X_OK) == 0)
		return 0;
	error = -errno;
	pr_err("EVTLOG_LOGD: %s: %s", program, strerror(-error));
	return error;
}

int own_logger_start(struct own_logger *logger, const char *directory,
		     const char *const *settings)
{
	char found[PATH_MAX];
	pid_t self = getpid();
	int error;

	error = own_logger_find(found);
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

/* ---- Names of runs ---- */

bool runname_is_good(const char *name)
{
	if (!isalpha((unsigned char)*name) || strlen(name) >= EVTLOG_RUN_NAME_LEN)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("._-", *name))
			return false;
	return true;
}

void runname_make(char *name)
{
	const char *job = getenv("SLURM_JOB_ID");
	time_t now = time(NULL);
	char second[16];
	struct tm utc;
	int length;

	gmtime_r(&now, &utc);
	strftime(second, sizeof(second), "%Y%m%d-%H%M%S", &utc);
	if (job && *job) {
		length = snprintf(name, EVTLOG_RUN_NAME_LEN, "job%s-%s", job, second);
		if (length < EVTLOG_RUN_NAME_LEN && runname_is_good(name))
			return;
	}
	snprintf(name, EVTLOG_RUN_NAME_LEN, "r%s", second);
}
