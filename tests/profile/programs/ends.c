// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ends - three regions, and an end other than exit(), see main()
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/region.h>

static void region(int count)
{
	for (int i = 0; i < count; i++) {
		evtlog_region_begin("region");
		evtlog_region_end("region");
	}
}

/* libevtlog calls this function. In another thread it is slow: main() ends at the same time. */
static atomic_bool is_slow, has_begun;

int mkostemps64(char *path, int suffix, int flags)
{
	const struct timespec some = { .tv_nsec = 300000000 };
	int (*next)(char *, int, int) = (__typeof__(next))dlsym(RTLD_NEXT, "mkostemps64");
	int fd = next(path, suffix, flags);

	if (is_slow && gettid() != getpid()) {
		has_begun = true;
		nanosleep(&some, NULL);
	}
	return fd;
}

static void wait_for_thread(void)
{
	const struct timespec some = { .tv_nsec = 1000000 };

	is_slow = true;
	while (!has_begun)
		nanosleep(&some, NULL);
}

/* Another thread writes the file; a busy host can delay it. */
static void wait_for_file(void)
{
	const struct timespec some = { .tv_nsec = 300000000 };
	char path[4096];

	snprintf(path, sizeof(path), "%s.%d", getenv("EVTLOG_PROFILE_FILE"), (int)getpid());
	for (int i = 0; i < 50 && access(path, F_OK); i++)
		nanosleep(&some, NULL);
	/* The next file has all regions. */
	nanosleep(&some, NULL);
}

int main(int argc, char **argv)
{
	char *arguments[] = { "sh", "-c", "exit 7", NULL };
	char *environment[] = { "SEVEN=7", NULL };
	pid_t pid;
	int status;

	region(3);
	if (!strcmp(argv[1], "_exit"))
		_exit(7);
	if (!strcmp(argv[1], "execv"))
		execv("/bin/sh", arguments);
	if (!strcmp(argv[1], "execvp"))
		execvp("sh", arguments);
	if (!strcmp(argv[1], "execl"))
		execl("/bin/sh", "sh", "-c", "exit $1", "sh", "7", (char *)NULL);
	if (!strcmp(argv[1], "execle"))
		execle("/bin/sh", "sh", "-c", "exit $SEVEN", (char *)NULL, environment);
	if (!strcmp(argv[1], "execlp"))
		execlp("sh", "sh", "-c", "exit 7", (char *)NULL);
	if (!strcmp(argv[1], "failed")) {
		execv("/nowhere", arguments);
		region(2);
		return 7;
	}
	if (!strcmp(argv[1], "during")) {
		wait_for_thread();
		return 7;
	}
	if (!strcmp(argv[1], "vfork")) {
		pid = vfork();
		if (!pid) {
			execv("/bin/sh", arguments);
			_exit(1);
		}
		waitpid(pid, &status, 0);
		return WEXITSTATUS(status);
	}
	if (!strcmp(argv[1], "killed")) {
		wait_for_file();
		raise(SIGKILL);
	}
	return 1;
}
