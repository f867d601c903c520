// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * others - checks readings of other tasks: with ptrace's rights, in a pid namespace, through
 * another program's descriptor, of tasks that end. Run as root with profiles on. Exits with 1 if a
 * claim was wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claims.h"

static const char *others = "/proc/evtlog/profile/others";
static char text[4 << 20];

/* Returns the number of bytes read for these pids, or -errno. */
static long ask(const char *pids)
{
	int fd = open(others, O_RDWR | O_CLOEXEC);
	size_t length = 0;
	ssize_t got;

	if (fd < 0 || write(fd, pids, strlen(pids)) < 0) {
		got = -errno;
		close(fd);
		return got;
	}
	while ((got = read(fd, text + length, sizeof(text) - 1 - length)) > 0)
		length += got;
	text[length] = '\0';
	close(fd);
	return got < 0 ? -errno : (long)length;
}

static long ask_one(pid_t pid)
{
	char pids[16];

	snprintf(pids, sizeof(pids), "%d", pid);
	return ask(pids);
}

static int tasks_in_text(pid_t tgid)
{
	int count = 0, pid, group;

	for (char *at = text; (at = strstr(at, "task ")); at++)
		count += sscanf(at, "task %d %d", &pid, &group) == 2 && (!tgid || group == tgid);
	return count;
}

static void *sleeper(void *unused)
{
	pause();
	return NULL;
}

static void start_sleepers(int threads)
{
	pthread_t thread;

	while (threads--)
		pthread_create(&thread, NULL, sleeper, NULL);
}

static pid_t start_child(int threads)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	start_sleepers(threads);
	pause();
	_exit(0);
}

static pid_t of_root;

static void as_nobody(void)
{
	char pids[64];
	pid_t child;

	become_nobody();
	claim(ask_one(of_root) == -EPERM, "a user asks for root's process", ask_one(of_root));
	claim(ask_one(1) == -EPERM, "a user asks for init", ask_one(1));
	child = start_child(3);
	usleep(100000);
	claim(ask_one(child) > 0 && tasks_in_text(child) == 4, "a user asks for its child of 4 threads",
	      tasks_in_text(child));
	snprintf(pids, sizeof(pids), "%d,%d\n", child, of_root);
	claim(ask(pids) == -EPERM, "both: refused as a whole", 0);
	snprintf(pids, sizeof(pids), "%d %d", child, getpid());
	claim(ask(pids) > 0 && tasks_in_text(0) == 5, "its child and itself", tasks_in_text(0));
	claim(ask("12x") == -EINVAL && ask("0") == -EINVAL && ask("-1") == -EINVAL,
	      "what is no number", 0);
	claim(open("/proc/evtlog/profile/all", O_RDONLY) < 0, "a user opens all", 0);
	claim(open("/proc/evtlog/profile/control", O_RDONLY) < 0, "a user opens control", 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	claim(ask_one(child) == -ESRCH, "a process that has ended", 0);
}

/* A list that was accepted is checked again when it is read. */
static void loses_rights(void)
{
	char pids[16], byte[256];
	int fd = open(others, O_RDWR | O_CLOEXEC);
	ssize_t got;

	snprintf(pids, sizeof(pids), "%d", of_root);
	claim(write(fd, pids, strlen(pids)) > 0, "root asks for root's process", 0);
	become_nobody();
	got = read(fd, byte, sizeof(byte) - 1);
	claim(got >= 0, "reads as a user", got);
	byte[got > 0 ? got : 0] = '\0';
	claim(!strstr(byte, "task "), "nothing of root's process", got);
}

static void through_descriptor(void)
{
	char byte[256];
	int fd = open(others, O_RDWR), status;
	pid_t pid = fork();

	if (!pid)
		_exit(!(write(fd, "1", 1) < 0 && errno == EACCES &&
			read(fd, byte, sizeof(byte)) < 0 && errno == EACCES));
	waitpid(pid, &status, 0);
	claim(!status, "another program's descriptor", status);
}

static void in_container(void)
{
	int status;
	pid_t pid;

	become_nobody();
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID))
		_exit(4);
	pid = fork();
	if (!pid) {
		if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("proc", "/tmp/proc", "proc", 0, NULL))
			_exit(5);
		others = "/tmp/proc/evtlog/profile/others";
		claim(ask_one(of_root) == -ESRCH, "container: root's process", ask_one(of_root));
		claim(ask("1") > 0 && tasks_in_text(0) == 1 && tasks_in_text(1) == 1,
		      "container: its first process, by its own number", tasks_in_text(1));
		claim(open("/tmp/proc/evtlog/profile/all", O_RDONLY) < 0, "container: all", 0);
		others = "/proc/evtlog/profile/others";
		claim(ask_one(of_root) == -ESRCH, "container, the host's proc: root's process", 0);
		_exit(!!wrong);
	}
	waitpid(pid, &status, 0);
	wrong += !!status;
}

static void *ends(void *unused)
{
	return NULL;
}

/* Starts a process with threads, one ended, that then executes a setuid program of root. */
static pid_t start_executing(int ready)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid)
		return pid;
	pthread_create(&thread, NULL, ends, NULL);
	pthread_join(thread, NULL);
	start_sleepers(60);
	if (write(ready, "", 1) != 1)
		_exit(1);
	usleep(1000 + rand() % 3000);
	execl("/tmp/secret", "secret", NULL);
	_exit(1);
}

/* A task has the program's name as soon as it has the program's rights. */
static void executes(void)
{
	int ready[2], leaks = 0, readings = 0;
	char byte;

	become_nobody();
	if (pipe(ready))
		_exit(6);
	for (int i = 0; i < 100; i++) {
		pid_t pid = start_executing(ready[1]);

		if (read(ready[0], &byte, 1) != 1)
			_exit(7);
		while (ask_one(pid) > 0) {
			readings += !!strstr(text, "task ");
			leaks += !!strstr(text, "secret");
		}
		waitpid(pid, NULL, 0);
		srand(i);
	}
	claim(readings >= 100, "processes that execute a program of root's are read before", readings);
	claim(!leaks, "and nothing of them is when they have its rights", leaks);
}

/* 300 tasks come and go during readings: no task is shown twice, no task that stays is missing. */
static void many(void)
{
	static char seen[1 << 22];
	pid_t forker = fork(), children[300];
	int i, rounds, twice = 0, missing = 0, pid, group;

	if (!forker) {
		for (;;) {
			pid_t child = fork();

			if (!child)
				_exit(0);
			waitpid(child, NULL, 0);
		}
	}
	for (i = 0; i < 300; i++)
		children[i] = start_child(0);
	for (rounds = 0; rounds < 5; rounds++) {
		FILE *file = fopen("/proc/evtlog/profile/all", "r");
		char line[4096];

		memset(seen, 0, sizeof(seen));
		while (file && fgets(line, sizeof(line), file)) {
			if (sscanf(line, "task %d %d", &pid, &group) != 2 || !pid)
				continue;
			twice += seen[pid]++;
		}
		fclose(file);
		for (i = 0; i < 300; i++)
			missing += !seen[children[i]];
	}
	kill(forker, SIGKILL);
	for (i = 0; i < 300; i++)
		kill(children[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	claim(!twice, "all: no task twice", twice);
	claim(!missing, "all: none is missing of 300, while others come and go", missing);
}

int main(void)
{
	mkdir("/tmp/proc", 0755);
	of_root = start_child(0);
	in_child(as_nobody);
	in_child(loses_rights);
	in_child(through_descriptor);
	in_child(in_container);
	in_child(executes);
	kill(of_root, SIGKILL);
	waitpid(of_root, NULL, 0);
	many();
	printf("%d claims wrong of others\n", wrong);
	return wrong > 0;
}
