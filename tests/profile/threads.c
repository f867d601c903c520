// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads - checks that readings of living and ended threads together contain exactly the getppid()
 * that all have made, by their own counts. Run as root with profiles on.
 *
 *	threads claims SEED	all claims; exits with 1 if one was wrong
 *	threads stay N SECONDS	N threads that end after SECONDS; prints the truth, stays
 *	threads sums	8 tasks, each with many paths of ended threads; prints "ended", stays
 *	threads ticks	8 tasks whose profiles get their memory in timer interrupts; the same
 *	threads two		two threads; prints the second's pid, stays
 *	threads exec TRUTH ENDED	executed by claims, in a thread
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <evtlog/profile.h>

#include "claims.h"

#define CONTROL	"/proc/evtlog/profile/control"
/* System calls that do nothing if all arguments are -1, and that nothing else makes here */
static const short odd[] = {
	4, 6, 7, 8, 16, 17, 18, 19, 20, 21, 25, 26, 27, 32, 33, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
	50, 51, 52, 54, 55, 63, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89,
	90, 91, 92, 93, 94, 96, 97, 98, 99, 100, 102, 104, 107, 108, 111, 115, 121, 124, 125, 127, 132,
	137, 138, 140, 143, 145, 146, 147, 148, 187, 191, 192, 193, 194, 195, 196, 201, 233, 254, 255,
	258, 263, 264, 265, 266, 267, 268, 269, 275, 276,
};
#define ODD	(sizeof(odd) / sizeof(*odd))

/* A reading of one process */
struct reading {
	unsigned long calls, odd, odd_paths, tasks, ended, sums;
};

/* Calls begun, calls made, and threads started */
static atomic_ulong begun, made, started;
static char text[16 << 20];

static long read_text(const char *file, const char *pids)
{
	int fd = open(file, (pids ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	size_t length = 0;
	ssize_t got;

	if (fd < 0 || (pids && write(fd, pids, strlen(pids)) < 0)) {
		got = -errno;
		close(fd);
		return got;
	}
	while ((got = read(fd, text + length, 16384)) > 0 && length + 32768 < sizeof(text))
		length += got;
	text[length] = '\0';
	close(fd);
	return got < 0 ? -errno : (long)length;
}

static void add_path(struct reading *reading, const char *line)
{
	const char *last = line + strcspn(line + 2, " ") + 2, *event = last;
	unsigned long count = strtoul(last, NULL, 10);
	int number;

	while (event > line && event[-1] != '>' && event[-1] != ' ')
		event--;
	if (sscanf(event, "syscall:%d ", &number) != 1)
		return;
	if (number == SYS_getppid)
		reading->calls += count;
	for (size_t i = 0; i < ODD; i++) {
		if (number == odd[i]) {
			reading->odd += count;
			reading->odd_paths++;
		}
	}
}

/* Returns the process's numbers in the text that was read. */
static struct reading take(int process)
{
	struct reading reading = { 0 };
	unsigned long ended;
	int pid, tgid = 0;

	for (char *line = text, *next; *line; line = next) {
		next = strchr(line, '\n') + 1;
		if (sscanf(line, "task %d %d", &pid, &tgid) == 2) {
			reading.tasks += tgid == process;
		} else if (sscanf(line, "ended %lu %*u %*u %*u %d", &ended, &tgid) == 2) {
			reading.ended += tgid == process ? ended : 0;
			reading.sums += tgid == process;
		} else if (!strncmp(line, "cpu ", 4)) {
			tgid = 0;
		} else if (*line == ' ' && tgid == process) {
			add_path(&reading, line);
		}
	}
	return reading;
}

static struct reading others(int process)
{
	char pids[16];
	long error;

	snprintf(pids, sizeof(pids), "%d", process);
	error = read_text("/proc/evtlog/profile/others", pids);
	if (error < 0)
		claim(0, "others can be read", error);
	return take(process);
}

static void call(unsigned long count)
{
	atomic_fetch_add(&begun, count);
	for (unsigned long i = 0; i < count; i++)
		syscall(SYS_getppid);
	atomic_fetch_add(&made, count);
}

static void *caller(void *count)
{
	atomic_fetch_add(&started, 1);
	call((unsigned long)count);
	return NULL;
}

static pthread_t start(void *(*run)(void *), unsigned long argument)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	if (pthread_create(&thread, &attributes, run, (void *)argument)) {
		printf("WRONG there is no thread\n");
		_exit(1);
	}
	return thread;
}

static void join_all(pthread_t *threads, int count)
{
	while (count)
		pthread_join(threads[--count], NULL);
}

/* Each reading has the calls made before it, and no calls begun after it. */
static void come_and_go(void)
{
	unsigned long least = 0, low = 0, high = 0, back = 0, lone = 0, readings = 0;
	pthread_t threads[32];
	struct reading now;

	for (int round = 0; round < 30; round++) {
		for (int i = 0; i < 32; i++)
			threads[i] = start(caller, 1 + rand() % 200);
		for (int i = 0; i < 4; i++, readings++) {
			unsigned long before = atomic_load(&made);

			now = others(getpid());
			low += now.calls < before;
			high += now.calls > atomic_load(&begun);
			back += now.calls < least;
			lone += now.tasks + now.ended > atomic_load(&started) + 1 + 32;
			least = now.calls;
		}
		join_all(threads, 32);
	}
	claim(!low, "no reading lacks what a thread had", low);
	claim(!high, "no reading has a thread twice", high);
	claim(!back, "no reading has less than the one before", back);
	claim(!lone, "no reading has more threads than there are", lone);
	now = others(getpid());
	claim_equal("calls of all threads", now.calls, made);
	claim_equal("all threads, and the first", now.tasks + now.ended, 30 * 32 + 1);
	claim_equal("one sum", now.sums, 1);
	read_text("/proc/evtlog/profile/all", NULL);
	now = take(getpid());
	claim_equal("calls of all threads, in the file of all", now.calls, made);
	claim_equal("all threads, in the file of all", now.tasks + now.ended, 30 * 32 + 1);
}

static void *odd_caller(void *first)
{
	for (size_t i = (size_t)first; i < (size_t)first + 10 && i < ODD; i++)
		syscall(odd[i], -1L, -1L, -1L, -1L, -1L, -1L);
	return NULL;
}

static unsigned long lost(void)
{
	const char *at;

	read_text(CONTROL, NULL);
	at = strstr(text, "ended_not_kept ");
	return at ? strtoul(at + 15, NULL, 10) : -1UL;
}

/* The sum grows with new paths. */
static void many_paths(void)
{
	unsigned long before = lost();
	struct reading now;

	for (size_t i = 0; i < ODD; i += 10)
		pthread_join(start(odd_caller, i), NULL);
	/* Freed threads are in the sum. */
	usleep(200000);
	now = others(getpid());
	claim_equal("paths", now.odd_paths, ODD);
	claim_equal("calls, of one path each", now.odd, ODD);
	claim(lost() == before, "threads that were not kept", lost() - before);
}

/* The text belongs to the opener of the file. */
static long control(const char *words)
{
	int fd = open(CONTROL, O_WRONLY | O_CLOEXEC);
	long written = write(fd, words, strlen(words));

	close(fd);
	return written;
}

static void begin_anew(void)
{
	struct reading now;

	pthread_join(start(caller, 500), NULL);
	usleep(100000);
	control("0");
	now = others(getpid());
	claim_equal("calls, once profiles are stopped", now.calls, 500);
	control("1");
	now = others(getpid());
	claim(!now.calls && !now.ended, "calls, once they are started again", now.calls);
	pthread_join(start(caller, 70), NULL);
	now = others(getpid());
	claim_equal("calls since then", now.calls, 70);
}

/* Threads that existed before profiles started */
static void *waits_and_calls(void *fd)
{
	char byte;

	if (read((long)fd, &byte, 1) == 1)
		call(33);
	return NULL;
}

static void begin_late(void)
{
	pthread_t threads[3];
	struct reading now;
	int fds[2];

	if (pipe(fds))
		exit(1);
	control("0");
	for (int i = 0; i < 3; i++)
		threads[i] = start(waits_and_calls, fds[0]);
	control("1");
	if (write(fds[1], "abc", 3) != 3)
		exit(1);
	join_all(threads, 3);
	now = others(getpid());
	claim_equal("calls of threads of before", now.calls, 99);
	claim_equal("and these", now.tasks + now.ended, 4);
}

static pthread_t first;

static void *executes(void *unused)
{
	char truth[16];

	call(7);
	pthread_join(start(caller, 21), NULL);
	snprintf(truth, sizeof(truth), "%lu", atomic_load(&made));
	execl("/proc/self/exe", "threads", "exec", truth, "3", NULL);
	exit(1);
}

static void execute_by_thread(void)
{
	pthread_join(start(caller, 40), NULL);
	call(5);
	start(executes, 0);
	for (;;)
		pause();
}

/* In the new program */
static int executed(unsigned long truth, unsigned long ended)
{
	struct reading now;

	for (int i = 0; i < 100; i++) {
		now = others(getpid());
		if (now.ended >= ended)
			break;
		usleep(10000);
	}
	claim_equal("calls of those before a thread executed", now.calls, truth);
	/* The first thread has ended, too; the thread that executed continues. */
	claim(now.ended == ended && now.tasks == 1, "ended before", now.ended);
	return !!wrong;
}

static void *looks(void *unused)
{
	struct reading now;

	pthread_join(first, NULL);
	call(9);
	pthread_join(start(caller, 30), NULL);
	now = others(getpid());
	claim_equal("calls, also of the first, which ended first", now.calls, made);
	claim_equal("threads", now.tasks + now.ended, 3);
	exit(!!wrong);
}

static void first_ends(void)
{
	call(11);
	first = pthread_self();
	start(looks, 0);
	pthread_exit(NULL);
}

static void *stays(void *unused)
{
	pause();
	return NULL;
}

/* Starts a process: one thread has ended, one may be root's; the first becomes the user nobody. */
static pid_t start_victim(bool has_root)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	pthread_join(start(caller, 17), NULL);
	if (has_root)
		start(stays, 0);
	if (syscall(SYS_setgroups, 0, NULL) || syscall(SYS_setresgid, 65534, 65534, 65534) ||
	    syscall(SYS_setresuid, 65534, 65534, 65534))
		exit(3);
	prctl(PR_SET_DUMPABLE, 1);
	pause();
	exit(0);
}

static void ask_as_nobody(void)
{
	pid_t with_root = start_victim(true), without = start_victim(false);
	struct reading now;

	become_nobody();
	usleep(300000);
	now = others(without);
	claim(now.calls == 17 && now.tasks == 1 && now.sums == 1,
	      "calls of a process that may be traced", now.calls);
	now = others(with_root);
	claim(now.tasks == 1 && !now.sums && !now.calls,
	      "no sum of one with a thread that may not", now.calls);
	claim(read_text("/proc/evtlog/profile/others", "1") == -EPERM, "root's", 0);
	claim(read_text("/proc/evtlog/profile/all", NULL) == -EACCES, "the file of all", 0);
	kill(with_root, SIGKILL);
	kill(without, SIGKILL);
}

static void ask_of_thread(void)
{
	struct reading now;
	int thread = -1;
	char pids[16], *at;

	pthread_join(start(caller, 17), NULL);
	start(stays, 0);
	usleep(200000);
	others(getpid());
	for (at = text; (at = strstr(at, "\ntask ")); at++) {
		if (atoi(at + 6) != getpid())
			thread = atoi(at + 6);
	}
	snprintf(pids, sizeof(pids), "%d", thread);
	read_text("/proc/evtlog/profile/others", pids);
	now = take(getpid());
	claim(now.tasks == 1 && !now.sums, "a thread alone is shown alone", now.tasks);
}

static void ask_inside(void)
{
	struct reading now;

	pthread_join(start(caller, 13), NULL);
	now = others(getpid());
	claim(getpid() == 1 && now.calls == 13, "calls in a container", now.calls);
	usleep(100000);
	now = others(1);
	claim_equal("the sum has the process's number there", now.sums, 1);
	claim(!strstr(strstr(text, "ended "), "task "), "and none is of another", 0);
}

static void in_container(void)
{
	if (unshare(CLONE_NEWPID))
		exit(1);
	in_child(ask_inside);
}

static long memory(void)
{
	const char *at;

	read_text(CONTROL, NULL);
	at = strstr(text, "memory ");
	return at ? atol(at + 7) : -1;
}

static void end_with_sums(void)
{
	for (size_t i = 0; i < ODD; i += 10)
		pthread_join(start(odd_caller, i), NULL);
	usleep(30000);
}

static void free_all(void)
{
	long before, after = 0;

	in_child(end_with_sums);
	usleep(500000);
	before = memory();
	for (int i = 0; i < 20; i++)
		in_child(end_with_sums);
	for (int i = 0; i < 50; i++) {
		after = memory();
		if (after < before + 20 * 1024)
			break;
		usleep(100000);
	}
	/* Only a process has more memory than this. */
	claim(after < before + 20 * 1024, "memory is freed with the process", after - before);
}

static int claims(unsigned int seed)
{
	srand(seed);
	in_child(come_and_go);
	in_child(many_paths);
	in_child(execute_by_thread);
	in_child(first_ends);
	in_child(ask_as_nobody);
	in_child(ask_of_thread);
	in_child(in_container);
	in_child(free_all);
	in_child(begin_anew);
	in_child(begin_late);
	printf("%d claims wrong of threads\n", wrong);
	return !!wrong;
}

static int stay(int count, int seconds)
{
	sleep(seconds);
	for (int i = 0; i < count; i++) {
		pthread_join(start(caller, 1 + i % 7), NULL);
		usleep(20000);
	}
	printf("%lu\n", atomic_load(&made));
	fflush(stdout);
	pause();
	return 0;
}

/* A timer interrupt comes before the next call, and nothing else. */
static void call_and_compute(uint64_t ticks)
{
	for (int i = 0; i < 50; i++) {
		uint64_t begin;

		syscall(odd[i], -1L, -1L, -1L, -1L, -1L, -1L);
		begin = evtlog_profile_now();
		while (evtlog_profile_now() - begin < ticks)
			;
	}
}

static void end_threads(uint64_t unused)
{
	end_with_sums();
}

/* 8 processes that stay after all have acted */
static int act_and_stay(void (*act)(uint64_t), uint64_t ticks)
{
	int done[2];
	char byte;

	if (pipe(done))
		return 1;
	for (int i = 0; i < 8; i++) {
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			act(ticks);
			if (write(done[1], "", 1) == 1)
				pause();
			_exit(1);
		}
	}
	for (int i = 0; i < 8; i++) {
		if (read(done[0], &byte, 1) != 1)
			return 1;
	}
	/* The kernel frees the memory of ended tasks after a grace period. */
	sleep(1);
	printf("ended\n");
	fflush(stdout);
	pause();
	return 0;
}

static int compute_and_stay(void)
{
	uint64_t begin = evtlog_profile_now();

	usleep(8000);
	return act_and_stay(call_and_compute, evtlog_profile_now() - begin);
}

static void *names_itself(void *unused)
{
	printf("%ld\n", syscall(SYS_gettid));
	for (;;)
		pause();
	return unused;
}

static int two(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, names_itself, NULL))
		return 1;
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	setbuf(stdout, NULL);
	if (argc == 3 && !strcmp(argv[1], "claims"))
		return claims(atoi(argv[2]));
	if (argc == 4 && !strcmp(argv[1], "stay"))
		return stay(atoi(argv[2]), atoi(argv[3]));
	if (argc == 2 && !strcmp(argv[1], "sums"))
		return act_and_stay(end_threads, 0);
	if (argc == 2 && !strcmp(argv[1], "ticks"))
		return compute_and_stay();
	if (argc == 2 && !strcmp(argv[1], "two"))
		return two();
	if (argc == 4 && !strcmp(argv[1], "exec"))
		return executed(strtoul(argv[2], NULL, 10), atoi(argv[3]));
	return 2;
}
