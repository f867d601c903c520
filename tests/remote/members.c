// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Task groups with members of every policy, and what policy each has now.
 *
 * Stage: in the guest of the tests of remote scheduling.  The kernel is asked for
 * policies by sched_getattr(2), and nothing is taken from evtlog.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define SCHED_DEADLINE	6

static const char usage[] =
	"Usage: members group|session NAME:POLICY:PRIORITY:NICE:RESET:BODY[:CPU]...\n"
	"       members policies group|session NUMBER\n"
	"       members pids SESSION\n"
	"       members run POLICY PRIORITY COMMAND [ARGUMENT]...\n"
	"       members raise NAME PRIORITY\n"
	"\n"
	"A group of its own, its number on stdout: a process for each member, until it\n"
	"is killed.  BODY: hog, nap (asleep but for an instant each 10 ms), sleep, threads (two\n"
	"more that nap), or sleep until SIGUSR1 and then: exit, exec, fork, thread,\n"
	"change (to rr 7), leave (the group), renice (by 3), lower (as nobody, to fifo 47).\n"
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

static void die(const char *what)
{
	fprintf(stderr, "members: %s: %s\n", what, strerror(errno));
	exit(1);
}

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

/* Everything that can happen to a task while it is boosted. */
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
	if (!strcmp(body, "lower")) {
		struct sched_param param = { .sched_priority = 47 };

		if (setgid(65534) || setuid(65534))
			die("setuid");
		if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
			die("sched_setscheduler");
	}
	if (!strcmp(body, "leave") && setpgid(0, 0))
		die("setpgid");
	if (!strcmp(body, "renice") && setpriority(PRIO_PROCESS, 0,
						   getpriority(PRIO_PROCESS, 0) + 3))
		die("setpriority");
}

static void be(const char *name, const char *body)
{
	volatile unsigned long turns = 0;

	prctl(PR_SET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGUSR1, heed);
	if (!strcmp(body, "hog")) {
		for (;;)
			turns++;
	}
	if (!strcmp(body, "nap"))
		nap_for_ever(NULL);
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

/* The policy is set while the child does not share the CPU with hogs yet. */
static void start_member(char *spec, int ready)
{
	char *part[7] = { NULL };
	cpu_set_t cpus;

	for (int i = 0; i < 7; i++)
		part[i] = strsep(&spec, ":");
	if (!part[5])
		misuse();
	if (fork())
		return;
	if (part[6]) {
		CPU_ZERO(&cpus);
		CPU_SET(atoi(part[6]), &cpus);
		if (sched_setaffinity(0, sizeof(cpus), &cpus))
			die("sched_setaffinity");
	}
	set_policy(part[1], atoi(part[2]), atoi(part[3]), atoi(part[4]));
	/* Not the default, which the scheduler would give back by itself. */
	prctl(PR_SET_TIMERSLACK, 70000);
	if (write(ready, "", 1) != 1)
		die("ready");
	close(ready);
	be(part[0], part[5]);
}

/* Its leader is this process, which is no hindrance: it sleeps. */
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

/* Name, policy, priority, nice, reset on fork, the kernel's own priority, timer slack. */
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

/* Kernel threads called @name, or @name and a slash and more, get fifo @priority. */
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
