// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * library - checks libevtlog's readings of profiles: of this thread, of others with ptrace's
 * rights, of all. A CPU's ticks span its begin to the reading, while tasks migrate. Run as root
 * with profiles on; they are stopped at the end. Exits with 1 if a claim was wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <evtlog/log.h>
#include <evtlog/profiles.h>

#include "claims.h"
#include "program.h"
#include "profile-path.h"

#define CALLS		1000
#define READINGS	40
#define HOPPERS		6
/* So many that reading a CPU takes long while tasks leave it */
#define SLEEPERS	150

static void own(void)
{
	struct evtlog_profile *before, *after, *diff;
	const struct evtlog_profile_path *path;
	char name[32];

	snprintf(name, sizeof(name), "user>syscall:%d", SYS_getppid);
	claim(!evtlog_profile_self(&before), "self is read", 0);
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	claim(!evtlog_profile_self(&after), "self is read again", 0);
	claim(!evtlog_profile_diff(after, before, &diff), "difference", 0);
	path = find_path(diff, 0, name);
	claim(path && path->count == CALLS, "getppid() in the difference", path ? (long)path->count : -1);
	claim(evtlog_profile_about(diff)->ticks_hz > 1000000, "ticks a second",
	      evtlog_profile_about(diff)->ticks_hz);
	claim(evtlog_profile_entry_at(diff, 0)->pid == (uint32_t)getpid() &&
	      !evtlog_profile_entry_at(diff, 1), "one entry, this thread's", getpid());
	evtlog_profile_free(before);
	evtlog_profile_free(after);
	evtlog_profile_free(diff);
}

/* The child's name looks like a line of a profile. */
static pid_t start_child(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_NAME, "\n  user 9 9 9 9");
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	pause();
	_exit(0);
}

static void others(pid_t child)
{
	struct evtlog_profile *profile;
	const struct evtlog_profile_path *user;
	int pids[2] = { child, getpid() }, error;

	error = evtlog_profile_others(pids, 2, &profile);
	claim(!error, "others are read", error);
	if (error)
		return;
	claim(evtlog_profile_about(profile)->entries == 2, "both",
	      evtlog_profile_about(profile)->entries);
	for (size_t i = 0; i < 2; i++) {
		const struct evtlog_profile_entry *entry = evtlog_profile_entry_at(profile, i);

		if (!entry || entry->pid != (uint32_t)child)
			continue;
		user = find_path(profile, i, "user");
		claim(!strcmp(entry->comm, "\n  user 9 9 9 9"), "a name with a newline", 0);
		claim(user && user->count != 9, "is no line", user ? (long)user->count : -1);
	}
	evtlog_profile_free(profile);
	error = evtlog_profile_others((int[]){ 4000000 }, 1, &profile);
	claim(error == -ESRCH, "a process that is not there", error);
}

static pid_t of_root;

static void as_nobody(void)
{
	struct evtlog_profile *profile;
	int error;

	become_nobody();
	error = evtlog_profile_others((int[]){ of_root }, 1, &profile);
	claim(error == -EPERM, "a user asks for root's process", error);
	error = evtlog_profile_all(&profile);
	claim(error == -EACCES || error == -EPERM, "a user asks for all", error);
	error = evtlog_profile_self(&profile);
	claim(!error, "a user asks for itself", error);
}

static void hop(void)
{
	for (unsigned int i = 0;; i++) {
		stay_on(i & 1);
		if (!(i % 16))
			usleep(100);
	}
}

static uint64_t sum(const struct evtlog_profile *profile, size_t entry)
{
	const struct evtlog_profile_path *path;
	uint64_t ticks = 0;

	for (size_t i = 0; (path = evtlog_profile_path_at(profile, entry, i)); i++)
		ticks += path->exclusive;
	return ticks;
}

static struct evtlog_profile *reload(const struct evtlog_profile *profile,
				     enum evtlog_profile_form form, size_t *bytes)
{
	struct evtlog_profile *again = NULL;
	struct evtlog_error why;
	char path[32];
	int fd = memfd_create("profile", 0), error;

	error = evtlog_profile_write(profile, form, fd);
	*bytes = lseek(fd, 0, SEEK_END);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	lseek(fd, 0, SEEK_SET);
	if (!error)
		error = evtlog_profile_load(path, &again, &why);
	claim(!error, "written and loaded", error);
	close(fd);
	return again;
}

static void all(void)
{
	struct evtlog_profile *profile = NULL, *again;
	const struct evtlog_profile_entry *entry;
	long apart = 0, cpus = 0;
	pid_t hoppers[HOPPERS + SLEEPERS];
	size_t text, binary;
	int error = 0;

	for (int i = 0; i < HOPPERS + SLEEPERS; i++) {
		hoppers[i] = fork();
		if (!hoppers[i] && i < HOPPERS)
			hop();
		else if (!hoppers[i])
			pause();
	}
	for (int i = 0; i < READINGS && !error; i++) {
		evtlog_profile_free(profile);
		error = evtlog_profile_all(&profile);
		for (size_t k = 0; !error && (entry = evtlog_profile_entry_at(profile, k)); k++) {
			if (entry->cpu < 0)
				continue;
			cpus++;
			apart += sum(profile, k) != entry->end - entry->begin;
		}
	}
	for (int i = 0; i < HOPPERS + SLEEPERS; i++) {
		kill(hoppers[i], SIGKILL);
		waitpid(hoppers[i], NULL, 0);
	}
	claim(!error, "all are read", error);
	claim(cpus == 2 * READINGS, "CPUs while tasks go from one to the other", cpus);
	claim(!apart, "of these do not add up", apart);
	again = reload(profile, EVTLOG_PROFILE_TEXT, &text);
	evtlog_profile_free(again);
	again = reload(profile, EVTLOG_PROFILE_BINARY, &binary);
	evtlog_profile_free(again);
	printf("%zu bytes of text, %zu of binary\n", text, binary);
	claim(binary * 3 < text * 2, "binary is less than two thirds of text", binary * 100 / text);
	error = evtlog_profile_compensate(profile);
	claim(!error && evtlog_profile_about(profile)->removed > 0, "compensated ticks",
	      evtlog_profile_about(profile)->removed);
	printf("%llu sums would be below 0\n",
	       (unsigned long long)evtlog_profile_about(profile)->clamped);
	evtlog_profile_free(profile);
}

static void stopped(void)
{
	struct evtlog_profile *profile;
	int fd = open("/proc/evtlog/profile/control", O_WRONLY), error;

	if (write(fd, "0", 1) != 1)
		wrong++;
	close(fd);
	error = evtlog_profile_self(&profile);
	claim(error == -ENODATA, "self when profiles are not kept", error);
	error = evtlog_profile_all(&profile);
	claim(!error, "all as they were then", error);
	if (!error)
		evtlog_profile_free(profile);
}

int main(void)
{
	of_root = start_child();
	own();
	usleep(200000);
	others(of_root);
	in_child(as_nobody);
	all();
	kill(of_root, SIGKILL);
	waitpid(of_root, NULL, 0);
	stopped();
	printf("%d claims wrong of the library\n", wrong);
	return wrong > 0;
}
