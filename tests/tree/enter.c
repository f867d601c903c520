// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * enter HOW DIR MS - puts a task into the cgroup DIR, where the task uses MS of CPU time. Prints
 * HOW, the pid, and the CPU time in ns that the task used after it entered.
 *
 * HOW: self: the task moves itself. clone: clone3() creates the task in DIR. moved: another process
 * moves the task while it runs on another CPU. thread: the process moves one of its waiting
 * threads. stoppers: the task does not enter, but moves from CPU 1 to 2 and back until killed. hop:
 * MS threads move themselves from the cgroup DIR/one to DIR/two and back until killed.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

/* Shared by the mover and the task that it moves */
static struct shared {
	atomic_bool runs, is_moved;
} *shared;

static const char *how, *directory;
static uint64_t work_ns;
static pthread_barrier_t barrier;

static uint64_t cpu_ns(void)
{
	return ns_of(CLOCK_THREAD_CPUTIME_ID);
}

/* @entered_ns: the task's CPU time when it entered the cgroup */
static void work(uint64_t entered_ns)
{
	uint64_t now = cpu_ns();
	uint64_t end = now + work_ns;

	while (now < end)
		now = cpu_ns();
	printf("%s %ld %llu\n", how, syscall(SYS_gettid), (unsigned long long)(now - entered_ns));
	fflush(stdout);
}

static void move(pid_t pid, const char *file)
{
	char name[4096], text[16];
	int fd;

	snprintf(name, sizeof(name), "%s/%s", directory, file);
	fd = open(name, O_WRONLY);
	must(fd >= 0, name);
	snprintf(text, sizeof(text), "%d", pid);
	must(write(fd, text, strlen(text)) > 0, name);
	close(fd);
}

static void enter_self(void)
{
	move(getpid(), "cgroup.procs");
	work(cpu_ns());
}

static void enter_by_clone(void)
{
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD,
		.cgroup = open(directory, O_RDONLY | O_DIRECTORY),
	};
	pid_t pid = syscall(SYS_clone3, &args, sizeof(args));

	must(pid >= 0, "clone3");
	if (!pid) {
		work(0);
		_exit(0);
	}
	must(waitpid(pid, NULL, 0) == pid, "waitpid");
}

/* The child spins on CPU 1 until it has been moved. */
static void be_moved(void)
{
	stay_on(1);
	shared->runs = true;
	while (!shared->is_moved)
		;
	work(cpu_ns());
	_exit(0);
}

static void enter_while_running(void)
{
	pid_t pid;

	stay_on(0);
	pid = fork();
	must(pid >= 0, "fork");
	if (!pid)
		be_moved();
	while (!shared->runs)
		;
	move(pid, "cgroup.procs");
	shared->is_moved = true;
	must(waitpid(pid, NULL, 0) == pid, "waitpid");
}

/* Its CPU's stopper thread moves a task that runs. */
static void use_stoppers(void)
{
	int i;

	for (i = 0;; i = !i)
		stay_on(1 + i);
}

static int open_tasks(const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s/tasks", directory, name);
	fd = open(path, O_WRONLY);
	must(fd >= 0, path);
	return fd;
}

static void *hop(void *unused)
{
	int fds[] = { open_tasks("one"), open_tasks("two") }, i;

	for (i = 0;; i = !i)
		must(pwrite(fds[i], "0", 1, 0) == 1, "tasks");
	return NULL;
}

static void hop_all(uint64_t threads)
{
	pthread_t thread;

	while (threads--)
		must(!pthread_create(&thread, NULL, hop, NULL), "pthread_create");
	pause();
}

static void *be_thread(void *tid)
{
	*(pid_t *)tid = syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	work(cpu_ns());
	return NULL;
}

static void enter_as_thread(void)
{
	pthread_t thread;
	pid_t tid;

	must(!pthread_barrier_init(&barrier, NULL, 2), "barrier");
	must(!pthread_create(&thread, NULL, be_thread, &tid), "pthread_create");
	pthread_barrier_wait(&barrier);
	move(tid, "tasks");
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	how = argv[1];
	directory = argv[2];
	work_ns = strtoull(argv[3], NULL, 10) * 1000000;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(shared != MAP_FAILED, "mmap");
	if (!strcmp(how, "self"))
		enter_self();
	else if (!strcmp(how, "clone"))
		enter_by_clone();
	else if (!strcmp(how, "moved"))
		enter_while_running();
	else if (!strcmp(how, "thread"))
		enter_as_thread();
	else if (!strcmp(how, "stoppers"))
		use_stoppers();
	else if (!strcmp(how, "hop"))
		hop_all(work_ns / 1000000);
	else
		return 2;
	return 0;
}
