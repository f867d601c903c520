// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rate - a pair of tasks per CPU that switch as fast as they can, for a share of the time, and the
 * kernel's count of all switches meanwhile.
 *
 * /proc/stat is read at instants without switches: the count is the same some milliseconds before
 * and after. So a trace between two such instants must contain exactly the counted switches, or
 * report the loss. rate does not use a tracer; --stop stops one for a step.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

#define BURST		400	/* yields of a task between two readings of the clock */
#define QUIET_NS	5e6
#define SETTLE_MS	200
#define PATIENCE	60	/* attempts to find a quiet instant */
#define MAX_STOPPED	16
#define MAX_TASKS	64

/* Shared by the tasks of a step; they are threads, so no switch changes page tables */
struct step {
	int fifo;
	double seconds;
	int share;
	volatile int ready;
	volatile int go;
};

/* The eventfds of a pair, by which the tasks wake each other; @done: the first task has finished */
struct pair {
	int wake[2];
	volatile int done;
};

struct task {
	struct step *step;
	struct pair *pair;
	int is_second;
	int cpu;
	pthread_t thread;
	long switches;
};

/* An instant, and the kernel's counts at that time */
struct edge {
	long long ctxt;
	long long doubt;	/* switches while it was read */
	double mono;
	double raw;
};

static pid_t stopped[MAX_STOPPED];
static int n_stopped;

static void sleep_ns(double ns)
{
	struct timespec t = { .tv_sec = ns / 1e9 };

	t.tv_nsec = ns - t.tv_sec * 1e9;
	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static long long read_ctxt(int fd)
{
	static char text[64 * 1024];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	char *line;

	if (n <= 0)
		die("/proc/stat");
	text[n] = '\0';
	line = strstr(text, "\nctxt ");
	if (!line) {
		errno = EINVAL;
		die("/proc/stat: ctxt");
	}
	return atoll(line + 6);
}

static void spin_ns(double ns)
{
	double begin = now_ns(CLOCK_MONOTONIC);

	while (now_ns(CLOCK_MONOTONIC) - begin < ns)
		;
}

/* ftrace clears its buffer on O_TRUNC, not on truncate(). */
static void empty(const char *file)
{
	int fd = open(file, O_WRONLY | O_TRUNC);

	if (fd < 0)
		die(file);
	close(fd);
}

/*
 * While this spins, no other task runs on this CPU; on others they may. If a recorder's own
 * switches make it run again, there is no quiet instant: then the shortest possible time must do.
 */
static struct edge quiet_instant(int stat, const char *clear)
{
	double quiet = QUIET_NS;
	struct edge e;
	int tries;

	sleep_ns(SETTLE_MS * 1e6);
	for (tries = 0; ; tries++) {
		if (tries == PATIENCE / 2)
			quiet = 0;
		if (clear)
			empty(clear);
		e.ctxt = read_ctxt(stat);
		spin_ns(quiet);
		e.mono = now_ns(CLOCK_MONOTONIC);
		e.raw = now_ns(CLOCK_MONOTONIC_RAW);
		spin_ns(quiet);
		e.doubt = read_ctxt(stat) - e.ctxt;
		if (!e.doubt || tries == PATIENCE)
			return e;
		sleep_ns(5e6);
	}
}

static void on_cpu(int cpu, int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	if (sched_setscheduler(0, policy, &param))
		die("sched_setscheduler");
}

static void wake(int fd)
{
	if (eventfd_write(fd, 1))
		die("eventfd");
}

static void await(int fd)
{
	eventfd_t value;

	if (eventfd_read(fd, &value))
		die("eventfd");
}

/*
 * Real-time tasks switch by yielding. Ordinary tasks may continue to run after a yield, for
 * fairness, so they wake each other; the second task only answers.
 */
static void burst(struct task *task)
{
	struct pair *pair = task->pair;
	int i;

	for (i = 0; i < BURST; i++) {
		if (task->step->fifo) {
			sched_yield();
		} else {
			wake(pair->wake[1]);
			await(pair->wake[0]);
		}
	}
}

static void answer(struct pair *pair)
{
	await(pair->wake[1]);
	while (!pair->done) {
		wake(pair->wake[0]);
		await(pair->wake[1]);
	}
}

/* Bursts at full speed, then is idle for (share - 1) times the time of the burst */
static void *switch_often(void *argument)
{
	struct task *task = argument;
	struct step *step = task->step;
	double end, begin, now;
	struct rusage used;

	on_cpu(task->cpu, step->fifo ? SCHED_FIFO : SCHED_OTHER, step->fifo ? 50 : 0);
	__atomic_add_fetch(&step->ready, 1, __ATOMIC_SEQ_CST);
	while (!step->go)
		sleep_ns(1e6);
	begin = now_ns(CLOCK_MONOTONIC);
	end = begin + step->seconds * 1e9;
	if (task->is_second && !step->fifo) {
		answer(task->pair);
		goto out;
	}
	while (begin < end) {
		burst(task);
		now = now_ns(CLOCK_MONOTONIC);
		if (step->share > 1)
			sleep_ns((now - begin) * (step->share - 1));
		begin = now_ns(CLOCK_MONOTONIC);
	}
	if (!step->fifo) {
		task->pair->done = 1;
		wake(task->pair->wake[1]);
	}
out:
	getrusage(RUSAGE_THREAD, &used);
	task->switches = used.ru_nvcsw + used.ru_nivcsw;
	return NULL;
}

/* Sends @signal to all processes of --stop. */
static void signal_stopped(int signal)
{
	int i;

	for (i = 0; i < n_stopped; i++)
		if (kill(stopped[i], signal))
			die("kill");
}

static void run_step(struct step *step, int stat, const char *clear)
{
	int i, tasks = 2 * sysconf(_SC_NPROCESSORS_ONLN);
	struct task task[MAX_TASKS];
	struct pair pair[MAX_TASKS / 2] = { 0 };
	struct edge first, last;
	double begin, taken;
	long switches = 0;

	if (tasks > MAX_TASKS) {
		fprintf(stderr, "rate: more than %d CPUs\n", MAX_TASKS / 2);
		exit(1);
	}
	first = quiet_instant(stat, clear);
	signal_stopped(SIGSTOP);
	for (i = 0; i < tasks; i++) {
		task[i] = (struct task){
			.step = step, .pair = &pair[i / 2],
			.is_second = i % 2, .cpu = i / 2,
		};
		pair[i / 2].wake[i % 2] = eventfd(0, 0);
		if (pair[i / 2].wake[i % 2] < 0)
			die("eventfd");
		errno = pthread_create(&task[i].thread, NULL, switch_often, &task[i]);
		if (errno)
			die("pthread_create");
	}
	while (step->ready < tasks)
		sleep_ns(1e6);
	begin = now_ns(CLOCK_MONOTONIC);
	step->go = 1;
	for (i = 0; i < tasks; i++) {
		pthread_join(task[i].thread, NULL);
		switches += task[i].switches;
	}
	taken = now_ns(CLOCK_MONOTONIC) - begin;
	for (i = 0; i < tasks; i++)
		close(pair[i / 2].wake[i % 2]);
	signal_stopped(SIGCONT);
	last = quiet_instant(stat, NULL);
	printf("%d %lld %lld %ld %.6f %.0f %.0f %.0f %.0f\n", step->share,
	       last.ctxt - first.ctxt, first.doubt + last.doubt, switches,
	       taken / 1e9, first.mono, last.mono, first.raw, last.raw);
	fflush(stdout);
}

static void usage(void)
{
	fprintf(stderr,
		"Usage: rate [--clear FILE] [--stop PID]... other|fifo SECONDS SHARE...\n\n"
		"A pair of tasks per CPU, ordinary or SCHED_FIFO 50, that switch at full\n"
		"speed for 1/SHARE of SECONDS. For each SHARE it prints: SHARE, switches\n"
		"of the whole system, by how many that may be wrong, switches of the\n"
		"load, seconds it took, and begin and end by CLOCK_MONOTONIC, then by\n"
		"CLOCK_MONOTONIC_RAW, in ns.\n"
		"--stop sends SIGSTOP to PID before the load and SIGCONT after it.\n"
		"--clear truncates FILE at the first begin: ftrace's \"trace\", or events of\n"
		"before would be overwritten later, and count as lost.\n");
	exit(2);
}

int main(int argc, char **argv)
{
	int fifo, stat, arg = 1;
	const char *clear = NULL;
	double seconds;

	if (arg + 1 < argc && !strcmp(argv[arg], "--clear")) {
		clear = argv[arg + 1];
		arg += 2;
	}
	while (arg + 1 < argc && !strcmp(argv[arg], "--stop")) {
		if (n_stopped == MAX_STOPPED)
			usage();
		stopped[n_stopped++] = atoi(argv[arg + 1]);
		arg += 2;
	}
	if (argc - arg < 3)
		usage();
	fifo = !strcmp(argv[arg], "fifo");
	seconds = atof(argv[arg + 1]);
	arg += 2;
	stat = open("/proc/stat", O_RDONLY);
	if (stat < 0)
		die("/proc/stat");
	on_cpu(0, SCHED_FIFO, 99);
	for (; arg < argc; arg++) {
		struct step step = {
			.fifo = fifo, .seconds = seconds, .share = atoi(argv[arg]),
		};

		if (step.share < 1)
			usage();
		run_step(&step, stat, clear);
		clear = NULL;
	}
	return 0;
}
