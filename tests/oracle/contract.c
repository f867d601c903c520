// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contract - tests each promise of /proc/evtlog to a logger: who may announce itself, who gets and
 * keeps a buffer, what is refused, and that a stop leaves every CPU's last buffer ready and reports
 * so.
 *
 * Run it as root in a guest without logd. Prints every trial; exits with 1 if one failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "program.h"

#define BUFFER_BYTES	(1024 * 1024)
#define BUFFERS		2

static char *buffer;
static char *volatile nowhere = (char *)16;
static int failures, cpus;

/*
 * A text is written to a file; then a condition holds.
 * @wanted:	errno, 0 for success
 * @has, @also:	expected contents of status, or of events if that file was written
 * @drains:	read the buffers of all CPUs afterwards
 */
struct trial {
	const char *file;
	const char *text;
	int wanted;
	const char *has;
	const char *also;
	bool drains;
};

/* @result is the result of a system call, @wanted the expected errno or 0. */
static void expect(const char *what, long result, int wanted)
{
	int error = result < 0 ? errno : 0;

	printf("%s %s: %s\n", error == wanted ? "ok   " : "WRONG", what,
	       error ? strerror(error) : "done");
	failures += error != wanted;
}

static void claim(const char *what, int holds)
{
	printf("%s %s\n", holds ? "ok   " : "WRONG", what);
	failures += !holds;
}

static long put(const char *name, const char *text)
{
	char path[64];
	long result;
	int fd, error;

	snprintf(path, sizeof(path), "/proc/evtlog/%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		die(path);
	result = write(fd, text, strlen(text));
	error = errno;
	close(fd);
	errno = error;
	return result;
}

static long put_number(const char *name, long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", number);
	return put(name, text);
}

static const char *get(const char *name)
{
	static char text[4096];
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/evtlog/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die(path);
	n = read(fd, text, sizeof(text) - 1);
	if (n < 0)
		die(path);
	text[n] = '\0';
	close(fd);
	return text;
}

static pid_t start_sleeper(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		signal(SIGIO, SIG_IGN);
		for (;;)
			pause();
	}
	return pid;
}

static void announcing(void)
{
	pid_t other = start_sleeper();

	claim("nobody is announced", !strcmp(get("pid"), "0\n"));
	expect("announce another process", put_number("pid", other), 0);
	claim("it is the logger", atoi(get("pid")) == other);
	expect("announce it again", put_number("pid", other), 0);
	expect("announce this process beside it", put_number("pid", getpid()), EBUSY);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	claim("the dead do not count", !strcmp(get("pid"), "0\n"));
	expect("announce this process now", put_number("pid", getpid()), 0);
	expect("withdraw", put("pid", "0"), 0);
	claim("nobody is announced again", !strcmp(get("pid"), "0\n"));
	expect("announce who is not there", put_number("pid", other), ESRCH);
	expect("announce no number", put("pid", "logd"), EINVAL);
}

static bool status_has(const char *lines)
{
	return strstr(get("status"), lines) != NULL;
}

static void drain(void)
{
	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd = open_cpu(cpu);

		while (read(fd, buffer, BUFFER_BYTES) > 0)
			;
		close(fd);
	}
}

static void claim_has(const char *name, const char *lines)
{
	char what[128];

	snprintf(what, sizeof(what), "%s: %s", name, lines);
	for (char *c = what; *c; c++)
		*c = *c == '\n' ? ' ' : *c;
	claim(what, strstr(get(name), lines) != NULL);
}

static void try_each(const struct trial *trials, size_t count)
{
	char what[128];

	for (const struct trial *t = trials; t < trials + count; t++) {
		const char *changed = strcmp(t->file, "events") ? "status" : "events";

		snprintf(what, sizeof(what), "%s: %s", t->file, t->text);
		expect(what, put(t->file, t->text), t->wanted);
		if (t->has)
			claim_has(changed, t->has);
		if (t->also)
			claim_has(changed, t->also);
		if (t->drains)
			drain();
	}
}
#define TRY_EACH(trials)	try_each(trials, sizeof(trials) / sizeof((trials)[0]))

static void choosing(void)
{
	static const struct trial trials[] = {
		{ "events", "-all +sched_switch\n", .has = "+sched_switch\n",
		  .also = "-sched_waking\n" },
		{ "events", "+softirq", .has = "+softirq_entry\n", .also = "+softirq_exit\n" },
		/* No part of it is executed. */
		{ "events", "-softirq +nonsense", EINVAL, .has = "+softirq_entry\n" },
		{ "events", "+all", .has = "+sched_waking\n" },
		/* The types that each log needs stay on. */
		{ "events", "-all", .has = "+time\n+lost\n", .also = "+task\n" },
		{ "events", "+all", .has = "+sched_switch\n" },
	};

	TRY_EACH(trials);
}

#define DISARMED	"state stopped\narmed 0\n"
#define ARMED		"state stopped\narmed 1\n"

static void arming(void)
{
	static const struct trial trials[] = {
		{ "enable", "arm\n", .has = ARMED },
		{ "enable", "arm", .has = ARMED },
		{ "events", "-all +sched_switch", .has = "-sched_waking\n" },
		{ "events", "+all", .has = "+sched_waking\n" },
		{ "enable", "0", EALREADY, .has = ARMED },
		{ "enable", "disarm\n", .has = DISARMED },
		{ "enable", "disarm", .has = DISARMED },
		{ "enable", "armed", EINVAL, .has = DISARMED },
	};

	claim("disarmed at first", status_has(DISARMED));
	claim("nothing is recorded", !strcmp(get("enable"), "0\n"));
	TRY_EACH(trials);
	claim("nothing was recorded", !strcmp(get("enable"), "0\n"));
}

static int wait_for_signal(int signal)
{
	const struct timespec patience = { .tv_sec = 10 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	return sigtimedwait(&set, NULL, &patience);
}

static void starting_and_stopping(void)
{
	static const struct trial meanwhile[] = {
		{ "enable", "disarm", EBUSY, .has = "armed 1\n" },
		{ "enable", "1", EALREADY, .has = "run 1\n" },
		{ "buffers", "4", EBUSY, .has = "buffers 2\n" },
		{ "buffer_kb", "64", EBUSY, .has = "buffer_kb 1024\n" },
		{ "events", "-all", EBUSY, .has = "+sched_switch\n" },
	};
	struct evtlog_buffer_header *h = (void *)buffer;
	sigset_t set;
	int fds[8], finals = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	sigprocmask(SIG_BLOCK, &set, NULL);
	expect("announce this process", put_number("pid", getpid()), 0);
	claim("stopped", !strcmp(get("enable"), "0\n"));
	expect("stop what does not run", put("enable", "0"), EALREADY);
	expect("start", put("enable", "1\n"), 0);
	claim("started", !strcmp(get("enable"), "1\n") &&
	      status_has("state recording\narmed 1\nrun 1\n"));
	TRY_EACH(meanwhile);
	for (int cpu = 0; cpu < cpus; cpu++)
		fds[cpu] = open_cpu(cpu);
	expect("read while no buffer is full", read(fds[0], buffer, BUFFER_BYTES), EAGAIN);
	expect("stop", put("enable", "0"), 0);
	claim("disarmed by that", status_has(DISARMED "run 1\n"));
	claim("a signal says so", wait_for_signal(SIGIO) == SIGIO);
	for (int cpu = 0; cpu < cpus; cpu++) {
		struct pollfd p = { .fd = fds[cpu], .events = POLLIN };

		claim("a CPU's last buffer can be read at once",
		      poll(&p, 1, 0) == 1 && p.revents & POLLIN &&
		      read(fds[cpu], buffer, BUFFER_BYTES) >= (long)sizeof(*h));
		finals += h->magic == EVTLOG_BUFFER_MAGIC && h->run == 1 &&
			  h->cpu == (unsigned int)cpu && !h->sequence &&
			  (int)h->cpus_in_run == cpus &&
			  h->flags == (EVTLOG_BUFFER_FIRST | EVTLOG_BUFFER_FLUSHED |
				       EVTLOG_BUFFER_FINAL);
		expect("and no other", read(fds[cpu], buffer, BUFFER_BYTES), EAGAIN);
		close(fds[cpu]);
	}
	claim("each of them is its CPU's first and last", finals == cpus);
	expect("withdraw", put("pid", "0"), 0);
}

/* GETs a buffer in a child, which then dies. */
static void die_with_a_buffer(void)
{
	struct evtlog_get taken;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		int fd = open_cpu(0);

		if (ioctl(fd, EVTLOG_IOC_GET, &taken))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, &status, 0);
	claim("a reader dies with a buffer", WIFSIGNALED(status));
}

static void taking_buffers(void)
{
	struct evtlog_buffer_header *h = (void *)buffer;
	const struct evtlog_buffer_header *in_map;
	struct evtlog_get one, two;
	int fd, other;
	char *map;

	expect("start", put("enable", "1"), 0);
	expect("stop", put("enable", "0"), 0);
	die_with_a_buffer();
	fd = open_cpu(0);
	other = open_cpu(0);
	map = mmap(NULL, BUFFERS * BUFFER_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die("mmap");
	expect("put without a buffer", ioctl(fd, EVTLOG_IOC_PUT), EINVAL);
	expect("get", ioctl(fd, EVTLOG_IOC_GET, &one), 0);
	expect("get while another file reads", ioctl(other, EVTLOG_IOC_GET, &two), EBUSY);
	expect("read while another file reads", read(other, buffer, BUFFER_BYTES), EBUSY);
	expect("put by the other", ioctl(other, EVTLOG_IOC_PUT), EINVAL);
	expect("get again", ioctl(fd, EVTLOG_IOC_GET, &two), 0);
	claim("it is the same one", one.offset == two.offset &&
	      one.used_bytes == two.used_bytes);
	in_map = (void *)(map + one.offset);
	claim("it is in the map", in_map->magic == EVTLOG_BUFFER_MAGIC &&
	      in_map->run == 2 && in_map->used_bytes == one.used_bytes);
	expect("read it to too small a place", read(fd, buffer, one.used_bytes - 1),
	       EMSGSIZE);
	expect("read it to nowhere", read(fd, nowhere, BUFFER_BYTES), EFAULT);
	expect("read it", read(fd, buffer, BUFFER_BYTES), 0);
	claim("it is the one in the map", h->run == 2 && h->cpu == 0 &&
	      !memcmp(buffer, in_map, one.used_bytes));
	expect("put after that", ioctl(fd, EVTLOG_IOC_PUT), EINVAL);
	expect("get when there is none", ioctl(fd, EVTLOG_IOC_GET, &one), EAGAIN);
	expect("an unknown request", ioctl(fd, _IO(EVTLOG_IOC_MAGIC, 99)), ENOTTY);
	expect("change the geometry while files are open", put("buffers", "3"), EBUSY);
	close(fd);
	expect("the other reads while the map is there",
	       read(other, buffer, BUFFER_BYTES), EBUSY);
	munmap(map, BUFFERS * BUFFER_BYTES);
	expect("the other may read now", read(other, buffer, BUFFER_BYTES), EAGAIN);
	close(other);
	expect("change the geometry", put("buffers", "3"), 0);
	expect("and back", put("buffers", "2"), 0);
}

/* After an explicit arm, only a disarm disarms; a start can also arm explicitly. */
static void staying_armed(void)
{
	static const struct trial trials[] = {
		{ "enable", "arm", .has = ARMED },
		{ "enable", "1", .has = "state recording\narmed 1\n" },
		{ "enable", "0", .has = ARMED, .drains = true },
		{ "enable", "1", .has = "state recording\narmed 1\n" },
		{ "enable", "0", .has = ARMED, .drains = true },
		{ "enable", "disarm", .has = DISARMED },
		{ "enable", "1", .has = "state recording\narmed 1\n" },
		{ "enable", "arm", .has = "state recording\narmed 1\n" },
		{ "enable", "0", .has = ARMED, .drains = true },
		{ "enable", "disarm", .has = DISARMED },
	};

	TRY_EACH(trials);
}

static void an_absent_cpu(int cpu)
{
	int fd = open_cpu(cpu);

	expect("read a CPU that is not there", read(fd, buffer, BUFFER_BYTES), ENODATA);
	close(fd);
}

int main(int argc, char **argv)
{
	char absent[64];

	/* Print each line of a trial before a child is forked. */
	setlinebuf(stdout);
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	buffer = malloc(BUFFER_BYTES);
	if (!buffer)
		die("malloc");
	announcing();
	choosing();
	arming();
	starting_and_stopping();
	taking_buffers();
	staying_armed();
	snprintf(absent, sizeof(absent), "/proc/evtlog/cpu%d", cpus);
	if (!access(absent, F_OK))
		an_absent_cpu(cpus);
	printf("%d trials failed\n", failures);
	return !!failures;
}
