// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups of tasks with every policy, and prints each task's present policy.
 *
 * Stage: in guests of the tests of remote scheduling. Reads policies by sched_getattr(2), and
 * nothing from evtlog.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

#define SCHED_DEADLINE	6

static const char usage[] =
	"Usage: members group|session NAME:POLICY:PRIORITY:NICE:RESET:BODY[:CPU]...\n"
	"       members policies group|session NUMBER\n"
	"       members pids SESSION\n"
	"       members set SESSION NAME POLICY PRIORITY\n"
	"       members run POLICY PRIORITY COMMAND [ARGUMENT]...\n"
	"       members raise NAME PRIORITY\n"
	"\n"
	"A group of its own, its number on stdout: a process for each member, until it\n"
	"is killed.  BODY: hog, nap (asleep but for an instant each 10 ms), sleep, threads (two\n"
	"more that nap), churn (makes and removes control groups),\n"
	"or sleep until SIGUSR1 and then: exit, exec, fork, thread,\n"
	"change (to rr 7), leave (the group), renice (by 3), worker (of io_uring);\n"
	"set=POLICY,PRIORITY (with reset-on-fork), plain=POLICY,PRIORITY, param=PRIORITY (as nobody,\n"
	"whose limit is 20; its name then ends with +ok or +no), suid (as set=fifo,47, and exec of /tmp/members-suid).  limited: hogs, with\n"
	"100 ms of real-time CPU time between two sleeps.\n"
	"set: the session's thread NAME gets POLICY, its children too.\n"
	"raise: kernel threads NAME, or NAME/CPU, get fifo PRIORITY.\n";

struct attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static const char *const policies[] = {
	[SCHED_OTHER] = "other", [SCHED_FIFO] = "fifo", [SCHED_RR] = "rr",
	[SCHED_BATCH] = "batch", [SCHED_IDLE] = "idle",
	[SCHED_DEADLINE] = "deadline",
};

static volatile sig_atomic_t told;
static char *self;

static void misuse(void)
{
	fputs(usage, stderr);
	exit(2);
}

static uint32_t policy_named(const char *name)
{
	for (uint32_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		if (policies[i] && !strcmp(policies[i], name))
			return i;
	}
	misuse();
	return 0;
}

static void set_policy(const char *policy, uint32_t priority, int nice, bool reset)
{
	struct attr attr = {
		.size = sizeof(attr),
		.policy = policy_named(policy),
		.flags = reset,
		.nice = nice,
		.priority = priority,
	};

	if (setpriority(PRIO_PROCESS, 0, nice))
		die("setpriority");
	if (attr.policy == SCHED_DEADLINE) {
		attr.runtime = 1000000;
		attr.deadline = attr.period = 100000000;
	}
	if (syscall(SYS_sched_setattr, 0, &attr, 0))
		die("sched_setattr");
}

static void heed(int unused)
{
	told = 1;
}

static void nap(void)
{
	struct timespec time = { .tv_nsec = 10000000 };

	nanosleep(&time, NULL);
}

static void *nap_for_ever(void *unused)
{
	for (;;)
		nap();
	return NULL;
}

static void one_more_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nap_for_ever, NULL))
		die("pthread_create");
}

/* Requests a policy as a user with real-time priority up to 20; appends the result to the name. */
static void ask_as_nobody(const char *name, const char *body)
{
	const struct rlimit limit = { 20, 20 };
	struct sched_param param = { .sched_priority = 47 };
	const char *priority = strpbrk(body, ",=");
	char policy[16] = "fifo", told_name[32];
	bool refused, plain = !strncmp(body, "plain=", 6);

	if (setrlimit(RLIMIT_RTPRIO, &limit) || setgid(65534) || setuid(65534))
		die("setuid");
	sscanf(body, plain ? "plain=%15[a-z]" : "set=%15[a-z]", policy);
	if (priority)
		param.sched_priority = atoi(strpbrk(body, "0123456789"));
	if (!strncmp(body, "param=", 6))
		refused = sched_setparam(0, &param);
	else
		refused = sched_setscheduler(0, (int)policy_named(policy) |
					     (plain ? 0 : SCHED_RESET_ON_FORK), &param);
	snprintf(told_name, sizeof(told_name), "%s+%s", name, refused ? "no" : "ok");
	prctl(PR_SET_NAME, told_name);
	if (!strcmp(body, "suid")) {
		execl("/tmp/members-suid", "members", "body", told_name, "sleep", (char *)NULL);
		die("/tmp/members-suid");
	}
}

/* Executes a no-op in an io_uring worker, which then waits for more work. */
static void get_worker(void)
{
	struct io_uring_params params = { 0 };
	struct io_uring_sqe *sqe;
	int fd = syscall(SYS_io_uring_setup, 1, &params);
	char *ring;

	if (fd < 0)
		die("io_uring_setup");
	ring = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	sqe = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	if (ring == MAP_FAILED || sqe == MAP_FAILED)
		die("mmap of io_uring");
	sqe->opcode = IORING_OP_NOP;
	sqe->flags = IOSQE_ASYNC;
	*(unsigned int *)(ring + params.sq_off.tail) = 1;
	while (syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) {
		if (errno != EINTR)
			die("io_uring_enter");
	}
}

/* Does what can happen to a task while it is boosted. */
static void act(const char *name, const char *body)
{
	char child[16];

	if (!strcmp(body, "exit"))
		exit(0);
	if (!strcmp(body, "exec")) {
		execl(self, "members", "body", name, "sleep", (char *)NULL);
		die(self);
	}
	if (!strcmp(body, "fork") && !fork()) {
		snprintf(child, sizeof(child), "%.13s+c", name);
		prctl(PR_SET_NAME, child);
	}
	if (!strcmp(body, "thread"))
		one_more_thread();
	if (!strcmp(body, "change"))
		set_policy("rr", 7, 0, false);
	if (!strncmp(body, "set=", 4) || !strncmp(body, "plain=", 6) ||
	    !strncmp(body, "param=", 6) || !strcmp(body, "suid"))
		ask_as_nobody(name, body);
	if (!strcmp(body, "worker"))
		get_worker();
	if (!strcmp(body, "leave") && setpgid(0, 0))
		die("setpgid");
	if (!strcmp(body, "renice") && setpriority(PRIO_PROCESS, 0,
						   getpriority(PRIO_PROCESS, 0) + 3))
		die("setpriority");
}

/* Creates and removes control groups. */
static void churn(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/cgroup/churn%d", getpid());
	for (;;) {
		if (mkdir(path, 0755) || rmdir(path))
			die(path);
	}
}

static void be(const char *name, const char *body)
{
	volatile unsigned long turns = 0;

	prctl(PR_SET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGUSR1, heed);
	if (!strcmp(body, "hog") || !strcmp(body, "limited")) {
		for (;;)
			turns++;
	}
	if (!strcmp(body, "nap"))
		nap_for_ever(NULL);
	if (!strcmp(body, "churn"))
		churn();
	if (!strcmp(body, "threads")) {
		one_more_thread();
		one_more_thread();
	}
	for (;;) {
		pause();
		if (told) {
			told = 0;
			act(name, body);
		}
	}
}

/* Sets the policy before the child shares its CPU with hogs. */
static void start_member(char *spec, int ready)
{
	char *part[7] = { NULL };

	for (int i = 0; i < 7; i++)
		part[i] = strsep(&spec, ":");
	if (!part[5])
		misuse();
	if (fork())
		return;
	if (part[6])
		must(stay_on(atoi(part[6])), "sched_setaffinity");
	set_policy(part[1], atoi(part[2]), atoi(part[3]), atoi(part[4]));
	if (part[5] && !strcmp(part[5], "limited")) {
		const struct rlimit limit = { 100000, 100000 };

		if (setrlimit(RLIMIT_RTTIME, &limit))
			die("setrlimit");
	}
	/* Not the default, which the scheduler would restore by itself */
	prctl(PR_SET_TIMERSLACK, 70000);
	if (write(ready, "", 1) != 1)
		die("ready");
	close(ready);
	be(part[0], part[5]);
}

/* The leader is this process, which sleeps. */
static void start_group(bool session, char **specs)
{
	int ready[2];
	char byte;

	if (session ? setsid() < 0 : setpgid(0, 0))
		die("a group of its own");
	prctl(PR_SET_NAME, "leader");
	set_policy("other", 0, 0, false);
	signal(SIGUSR1, SIG_IGN);
	if (pipe(ready))
		die("pipe");
	for (; *specs; specs++) {
		start_member(*specs, ready[1]);
		if (read(ready[0], &byte, 1) != 1)
			die("a member did not start");
	}
	printf("%d\n", getpid());
	fclose(stdout);
	for (;;) {
		if (wait(NULL) < 0)
			pause();
	}
}

static long stat_field(const char *path, int field)
{
	char text[512] = "", *at;
	FILE *file = fopen(path, "r");

	if (!file)
		return -1;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	at = strrchr(text, ')');
	for (int i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	return at ? atol(at + 1) : -1;
}

static unsigned long long slack_of(int tid)
{
	unsigned long long slack = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/timerslack_ns", tid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%llu", &slack) != 1)
		slack = 0;
	fclose(file);
	return slack;
}

/* Prints name, policy, priority, nice, reset on fork, the kernel's priority, timer slack. */
static void print_policy(int pid, int tid)
{
	struct attr attr = { 0 };
	char path[64], name[32] = "?";
	FILE *file;
	long prio;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	file = fopen(path, "r");
	if (file) {
		if (fgets(name, sizeof(name), file))
			name[strcspn(name, "\n")] = '\0';
		fclose(file);
	}
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	prio = stat_field(path, 18);
	if (syscall(SYS_sched_getattr, tid, &attr, sizeof(attr), 0))
		return;
	if (attr.policy == SCHED_FIFO || attr.policy == SCHED_RR)
		attr.nice = getpriority(PRIO_PROCESS, tid);
	printf("%s %s %u %d %d %ld %llu\n", name, policies[attr.policy],
	       attr.priority, attr.nice, (int)(attr.flags & 1), prio, slack_of(tid));
}

static void print_group(bool session, long number, bool only_pids)
{
	char path[64];
	struct dirent *process, *thread;
	DIR *proc = opendir("/proc"), *tasks;

	while (proc && (process = readdir(proc))) {
		int pid = atoi(process->d_name);

		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		if (pid <= 0 || stat_field(path, session ? 6 : 5) != number)
			continue;
		if (only_pids) {
			printf("%d\n", pid);
			continue;
		}
		snprintf(path, sizeof(path), "/proc/%d/task", pid);
		tasks = opendir(path);
		while (tasks && (thread = readdir(tasks))) {
			if (atoi(thread->d_name) > 0)
				print_policy(pid, atoi(thread->d_name));
		}
		if (tasks)
			closedir(tasks);
	}
	if (proc)
		closedir(proc);
}

/* Sets a thread's policy from outside, as an administrator does. */
static void set_thread(long session, const char *name, const char *policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	char path[64], comm[32];
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	while (proc && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		if (pid <= 0 || stat_field(path, 6) != session)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		file = fopen(path, "r");
		if (!file)
			continue;
		comm[0] = '\0';
		if (fgets(comm, sizeof(comm), file))
			comm[strcspn(comm, "\n")] = '\0';
		fclose(file);
		if (strcmp(comm, name))
			continue;
		if (sched_setscheduler(pid, (int)policy_named(policy), &param))
			die(name);
		closedir(proc);
		return;
	}
	die(name);
}

/* Sets FIFO @priority for kernel threads named @name or @name/... */
static void raise_threads(const char *name, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	const size_t length = strlen(name);
	unsigned int raised = 0;
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	if (!proc)
		die("/proc");
	while ((entry = readdir(proc))) {
		char path[64], comm[32] = "";
		pid_t pid = atoi(entry->d_name);
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		file = pid > 0 ? fopen(path, "r") : NULL;
		if (!file)
			continue;
		if (fgets(comm, sizeof(comm), file) && !strncmp(comm, name, length) &&
		    strchr("/\n", comm[length])) {
			if (sched_setscheduler(pid, SCHED_FIFO, &param))
				die(name);
			raised++;
		}
		fclose(file);
	}
	closedir(proc);
	if (!raised)
		die(name);
}

int main(int argc, char **argv)
{
	bool session;

	self = realpath("/proc/self/exe", NULL);
	if (argc < 3)
		misuse();
	if (!strcmp(argv[1], "body")) {
		if (!argv[3])
			misuse();
		be(argv[2], argv[3]);
	} else if (!strcmp(argv[1], "policies")) {
		if (!argv[3])
			misuse();
		print_group(!strcmp(argv[2], "session"), atol(argv[3]), false);
	} else if (!strcmp(argv[1], "pids")) {
		print_group(true, atol(argv[2]), true);
	} else if (!strcmp(argv[1], "set")) {
		if (argc != 6)
			misuse();
		set_thread(atol(argv[2]), argv[3], argv[4], atoi(argv[5]));
	} else if (!strcmp(argv[1], "raise")) {
		if (!argv[3])
			misuse();
		raise_threads(argv[2], atoi(argv[3]));
	} else if (!strcmp(argv[1], "run")) {
		if (argc < 5)
			misuse();
		set_policy(argv[2], atoi(argv[3]), 0, false);
		execvp(argv[4], argv + 4);
		die(argv[4]);
	} else {
		session = !strcmp(argv[1], "session");
		if (!session && strcmp(argv[1], "group"))
			misuse();
		start_group(session, argv + 2);
	}
	return 0;
}
