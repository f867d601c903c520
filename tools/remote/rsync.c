// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one rsync for each host, into a directory for each host.
 *
 * Stage: between the hosts' directories and ours.  It does not read the files.  Incomplete files
 * stay in the directory, and the next attempt continues them.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.h"
#include "gather.h"
#include "lib/base/array.h"
#include "lib/base/io.h"

#define ARGUMENTS_MAX	32

/* Precedes file names in rsync's output. */
#define NAME_MARK	"evtlog-file "

/* Returns @pattern with %h replaced, malloc()ed; NULL if out of memory. */
static char *path_of(const char *pattern, const char *host)
{
	size_t bytes;
	char *path;
	FILE *to = open_memstream(&path, &bytes);

	if (!to)
		return NULL;
	for (; *pattern; pattern++) {
		if (*pattern != '%' || (pattern[1] != 'h' && pattern[1] != '%')) {
			fputc(*pattern, to);
			continue;
		}
		if (*++pattern == 'h')
			fputs(host, to);
		else
			fputc('%', to);
	}
	if (fclose(to)) {
		free(path);
		return NULL;
	}
	return path;
}

void transfer_free(struct transfer *transfer)
{
	for (size_t i = 0; i < transfer->file_count; i++)
		free(transfer->files[i]);
	free(transfer->files);
	free(transfer->stage);
	free(transfer->why);
}

/* ---- The child ---- */

/* Arguments of rsync, each malloc()ed. */
struct arguments {
	char *list[ARGUMENTS_MAX];
	unsigned int count;
	bool is_short;
};

static void add(struct arguments *arguments, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct arguments *arguments, const char *format, ...)
{
	char **to = &arguments->list[arguments->count];
	va_list args;

	if (arguments->count + 1 == ARGUMENTS_MAX) {
		arguments->is_short = true;
		return;
	}
	va_start(args, format);
	if (vasprintf(to, format, args) < 0) {
		*to = NULL;
		arguments->is_short = true;
	} else {
		arguments->count++;
	}
	va_end(args);
}

/* Selects logd's files, by run and host.  Whether a file is of the run is checked later. */
static void add_filter(struct arguments *arguments, const struct transfer_plan *plan,
		       const char *host)
{
	const char *of = plan->host_in_name ? host : "*";

	add(arguments, "--exclude=.*");
	if (plan->run) {
		add(arguments, "--include=%s-%s.evl", of, plan->run);
		add(arguments, "--include=%s-%s.[0-9]*.evl", of, plan->run);
	} else {
		add(arguments, "--include=%s-*.evl", of);
	}
	add(arguments, "--exclude=*");
}

/*
 * Writes files in place, to keep what was copied before an interruption.  Files that are already
 * in @to, with the same size and time, are not copied again.
 */
static void add_all(struct arguments *arguments, const struct transfer_plan *plan,
		    const struct transfer *transfer, const char *from)
{
	add(arguments, "rsync");
	add(arguments, "--dirs");
	add(arguments, "--times");
	add(arguments, "--inplace");
	add(arguments, "--no-whole-file");
	add(arguments, "--timeout=%u", plan->timeout_s);
	add(arguments, "--compare-dest=%s", plan->to);
	add(arguments, "--stats");
	add(arguments, "--no-human-readable");
	add(arguments, "-ii");
	add(arguments, "--out-format=" NAME_MARK "%%i %%n");
	if (!plan->is_shared)
		add(arguments, "--rsh=%s", plan->rsh);
	add_filter(arguments, plan, transfer->host);
	add(arguments, "--");
	if (plan->is_shared)
		add(arguments, "%s/", from);
	else
		add(arguments, "%s:%s/", transfer->host, from);
	add(arguments, "%s/", transfer->stage);
}

static _Noreturn void run_rsync(const struct transfer_plan *plan, const struct transfer *transfer,
				pid_t parent)
{
	struct arguments arguments = { .count = 0 };
	char *from = path_of(plan->from, transfer->host);
	int null = open("/dev/null", O_RDWR);

	/* Without this, rsync would continue after we end, and conflict with the next gather. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != parent)
		_exit(126);
	if (!from || null < 0 || dup2(null, 0) < 0 || dup2(transfer->output, 1) < 0 ||
	    dup2(transfer->errors, 2) < 0)
		_exit(126);
	add_all(&arguments, plan, transfer, from);
	if (arguments.is_short)
		_exit(126);
	arguments.list[arguments.count] = NULL;
	/* The output of rsync is parsed below. */
	setenv("LC_ALL", "C", 1);
	umask(077);
	execvp("rsync", arguments.list);
	fprintf(stderr, "rsync: %s\n", strerror(errno));
	_exit(127);
}

/* ---- The parent ---- */

/* The name can be guessed: if others may write to @to, the directory may be theirs. */
static bool is_ours_alone(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

/* If the host cannot be asked, @why is set and there is no pid. */
static int begin(const struct transfer_plan *plan, struct transfer *transfer)
{
	pid_t parent = getpid();
	int error;

	if (asprintf(&transfer->stage, "%s/.gather-%s", plan->to, transfer->host) < 0) {
		transfer->stage = NULL;
		return -ENOMEM;
	}
	if (mkdir(transfer->stage, 0700) < 0 && errno != EEXIST)
		return -errno;
	if (!is_ours_alone(transfer->stage)) {
		if (asprintf(&transfer->why,
			     "%s: not a directory that only you can write to: remove it",
			     transfer->stage) >= 0)
			return 0;
		transfer->why = NULL;
		return -ENOMEM;
	}
	transfer->output = memfd_create("rsync's output", MFD_CLOEXEC);
	if (transfer->output < 0)
		return -errno;
	transfer->errors = memfd_create("rsync's errors", MFD_CLOEXEC);
	if (transfer->errors < 0) {
		error = -errno;
		goto close_output;
	}
	fflush(NULL);
	transfer->pid = fork();
	if (transfer->pid == 0)
		run_rsync(plan, transfer, parent);
	if (transfer->pid > 0)
		return 0;
	error = -errno;
	close(transfer->errors);
close_output:
	close(transfer->output);
	return error;
}

static FILE *reader_of(int fd)
{
	FILE *file;

	lseek(fd, 0, SEEK_SET);
	file = fdopen(fd, "r");
	if (!file)
		close(fd);
	return file;
}

static void note_file(struct transfer *transfer, const char *name)
{
	size_t length = strlen(name);
	char *copy;

	/* Skip "./", which is also listed, and names with a path: they are not logd's. */
	if (length < 5 || strcmp(name + length - 4, ".evl") || strchr(name, '/') || *name == '.')
		return;
	if (array_reserve(&transfer->files, &transfer->file_capacity, transfer->file_count,
			  sizeof(*transfer->files)))
		return;
	copy = strdup(name);
	if (copy)
		transfer->files[transfer->file_count++] = copy;
}

static void read_output(struct transfer *transfer)
{
	FILE *from = reader_of(transfer->output);
	size_t capacity = 0;
	char *line = NULL;
	unsigned long long number;

	while (from && getline(&line, &capacity, from) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, NAME_MARK, strlen(NAME_MARK))) {
			char *name = strchr(line + strlen(NAME_MARK), ' ');

			if (name)
				note_file(transfer, name + strspn(name, " "));
		} else if (sscanf(line, "Literal data: %llu", &number) == 1) {
			transfer->fetched = number;
		} else if (sscanf(line, "Matched data: %llu", &number) == 1) {
			transfer->reused = number;
		}
	}
	free(line);
	if (from)
		fclose(from);
}

/* The first line is the cause, the next lines are consequences. */
static char *read_cause(struct transfer *transfer, int status)
{
	FILE *from = reader_of(transfer->errors);
	size_t capacity = 0;
	char *line = NULL, *cause = NULL;

	while (from && !cause && getline(&line, &capacity, from) >= 0) {
		for (char *c = line; *c; c++)
			if (iscntrl((unsigned char)*c))
				*c = ' ';
		for (size_t n = strlen(line); n && line[n - 1] == ' ';)
			line[--n] = '\0';
		/* Skip warnings by ssh about new hosts. */
		if (*line && strncmp(line, "Warning: ", 9))
			cause = strdup(line);
	}
	free(line);
	if (from)
		fclose(from);
	if (!status) {
		free(cause);
		return NULL;
	}
	if (!cause && asprintf(&cause, "rsync ended with status %d",
			       WIFEXITED(status) ? WEXITSTATUS(status)
						 : 128 + WTERMSIG(status)) < 0)
		cause = NULL;
	return cause ? cause : strdup("out of memory");
}

static void end(struct transfer *transfer, int status)
{
	read_output(transfer);
	transfer->why = read_cause(transfer, status);
	transfer->pid = 0;
}

static struct transfer *wait_for_one(struct transfer *transfers, size_t count)
{
	int status;
	pid_t pid = io_wait(-1, &status);

	for (size_t i = 0; pid > 0 && i < count; i++) {
		if (transfers[i].pid != pid)
			continue;
		end(&transfers[i], status);
		return &transfers[i];
	}
	return NULL;
}

int transfer_all(const struct transfer_plan *plan, const struct hostlist *hosts,
		 struct transfer *transfers,
		 void (*on_end)(struct transfer *transfer, void *context), void *context)
{
	unsigned int running = 0;
	size_t next = 0;
	int error = 0;

	while (next < hosts->count || running) {
		struct transfer *ended;

		if (next < hosts->count && running < plan->jobs) {
			transfers[next].host = hosts->hosts[next];
			error = begin(plan, &transfers[next]);
			if (error) {
				pr_err("%s: %s", plan->to, strerror(-error));
				/* Wait for the running transfers, but start no more. */
				next = hosts->count;
			} else if (transfers[next].why) {
				on_end(&transfers[next++], context);
			} else {
				next++;
				running++;
			}
			continue;
		}
		ended = wait_for_one(transfers, hosts->count);
		if (!ended)
			return -ECHILD;
		running--;
		on_end(ended, context);
	}
	return error;
}
