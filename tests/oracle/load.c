// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load - keeps a machine busy for a while with all kinds of work for the scheduler: tasks that
 * compute, sleep, communicate over pipes and sockets, fork, meet at a futex, wait for timers, cause
 * workers of io_uring, and yield to each other.
 *
 * It measures and checks nothing. It ends by itself or on SIGTERM, and leaves no processes or
 * files.
 *
 * With rests, each kind runs for 10 ms of 100: on a kernel that is twenty times slower, other
 * programs can finish, and CPUs become idle in between.
 *
 * Do not use io_uring's workers while CPUs go offline and online: in Linux 6.1 io_wq_create()
 * registers for CPU hotplug before it sets the data that io_wq_cpu_online() uses, and the kernel
 * crashes at a null pointer.
 */
#include <errno.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

#define BURST_NS 2000000
#define WORK_NS (10 * 1000 * 1000)
#define REST_NS (90 * 1000 * 1000)

static long deadline_ns;
static int rests;

/* Shared by all tasks */
static volatile sig_atomic_t *told_to_end;

static void sleep_ns(long ns)
{
	struct timespec t = { .tv_nsec = ns };

	nanosleep(&t, NULL);
}

/* All kinds call this continuously. */
static int is_over(void)
{
	static long rest_at_ns;
	long ns;

	if (*told_to_end)
		return 1;
	ns = ns_of(CLOCK_MONOTONIC);
	if (rests && ns >= rest_at_ns) {
		if (rest_at_ns)
			sleep_ns(REST_NS);
		rest_at_ns = ns + (rest_at_ns ? REST_NS : 0) + WORK_NS;
	}
	return ns >= deadline_ns;
}

static void end_soon(int signal)
{
	*told_to_end = 1;
}

static void compute(void)
{
	volatile uint64_t sum = 0;

	while (!is_over())
		for (int i = 0; i < 20000; i++)
			sum += i * sum + 1;
}

static void sleep_often(void)
{
	while (!is_over())
		sleep_ns(200000);
}

/* Two tasks pass one byte back and forth. */
static void ping_pong(int to[2], int from[2])
{
	pid_t pid = fork();
	char byte = 0;

	if (pid < 0)
		die("fork");
	if (!pid) {
		while (read(to[0], &byte, 1) == 1 && byte)
			if (write(from[1], &byte, 1) != 1)
				die("write");
		_exit(0);
	}
	do {
		byte = !is_over();
		if (write(to[1], &byte, 1) != 1)
			die("write");
	} while (byte && read(from[0], &byte, 1) == 1);
	waitpid(pid, NULL, 0);
}

static void pipes(void)
{
	int to[2], from[2];

	if (pipe(to) || pipe(from))
		die("pipe");
	ping_pong(to, from);
}

static void sockets(void)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		die("socketpair");
	ping_pong((int[]) { pair[1], pair[0] }, pair);
}

/* Forks tasks that rename themselves, and sometimes run another program. */
static void fork_often(void)
{
	char name[16];

	for (int i = 0; !is_over(); i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			if (i % 4 == 0)
				execl("/bin/true", "true", NULL);
			snprintf(name, sizeof(name), "child%d", i);
			prctl(PR_SET_NAME, name);
			_exit(i % 4 == 1);
		}
		waitpid(pid, NULL, 0);
	}
}

static void futex_wait(int *at, int while_it_is)
{
	syscall(SYS_futex, at, FUTEX_WAIT, while_it_is, NULL, NULL, 0);
}

static void pass_turn(int *turn, int to)
{
	__atomic_store_n(turn, to, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Two tasks take turns at a futex; turn 2 means the end. */
static void futexes(void)
{
	int *turn = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int now;
	pid_t pid;

	if (turn == MAP_FAILED)
		die("mmap");
	pid = fork();
	if (pid < 0)
		die("fork");
	for (;;) {
		now = __atomic_load_n(turn, __ATOMIC_SEQ_CST);
		if (now == 2)
			break;
		if (now == !pid)
			pass_turn(turn, pid && is_over() ? 2 : !!pid);
		else
			futex_wait(turn, now);
	}
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

static void timers(void)
{
	const struct itimerspec often = {
		.it_value.tv_nsec = 100000,
		.it_interval.tv_nsec = 300000,
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	uint64_t ticks;

	if (fd < 0 || timerfd_settime(fd, 0, &often, NULL))
		die("timerfd");
	while (!is_over())
		if (read(fd, &ticks, sizeof(ticks)) != sizeof(ticks))
			die("timerfd");
}

/*
 * Two real-time tasks on one CPU yield to each other: a switch per call. The bursts are short,
 * because no other task runs there meanwhile.
 */
static void yield_pair(int cpu)
{
	const struct sched_param param = { .sched_priority = 10 };
	pid_t pid;

	stay_on(cpu);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	pid = fork();
	if (pid < 0)
		die("fork");
	while (!is_over()) {
		uint64_t end = now_ns() + BURST_NS;

		do
			sched_yield();
		while (now_ns() < end);
		sleep_ns(20 * 1000 * 1000);
	}
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

/* Submits an asynchronous no-op to the kernel: it makes a worker, which ends with the ring. */
static void use_worker(void)
{
	struct io_uring_params params = { 0 };
	struct io_uring_sqe *sqe;
	unsigned int *tail;
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
	((unsigned int *)(ring + params.sq_off.array))[0] = 0;
	tail = (unsigned int *)(ring + params.sq_off.tail);
	__atomic_store_n(tail, 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0 &&
	    errno != EINTR)
		die("io_uring_enter");
	munmap(ring, 4096);
	munmap(sqe, 4096);
	close(fd);
}

/* The workers belong to their task and end with it. */
static void workers(void)
{
	while (!is_over()) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			use_worker();
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		sleep_ns(10 * 1000 * 1000);
	}
}

/* Changes its CPU each time. */
static void move_about(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (long i = 0; !is_over(); i++) {
		stay_on(i % cpus);
		sleep_ns(500000);
	}
}

static void start(void (*kind)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		kind();
		_exit(0);
	}
}

static void (*const kinds[])(void) = {
	compute, sleep_often, pipes, sockets, fork_often, futexes, timers, workers,
	move_about,
};

int main(int argc, char **argv)
{
	double seconds = argc >= 2 ? atof(argv[1]) : 0;
	int status = 0, failed = 0, with_workers = 1;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (seconds <= 0) {
		fprintf(stderr, "Usage: load SECONDS [NICE [no-workers] [rests]]\n");
		return 2;
	}
	for (int i = 3; i < argc; i++) {
		with_workers &= !!strcmp(argv[i], "no-workers");
		rests |= !strcmp(argv[i], "rests");
	}
	if (argc >= 3 && setpriority(PRIO_PROCESS, 0, atoi(argv[2])))
		die("setpriority");
	told_to_end = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (told_to_end == MAP_FAILED)
		die("mmap");
	signal(SIGTERM, end_soon);
	deadline_ns = ns_of(CLOCK_MONOTONIC) + seconds * 1e9;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (with_workers || kinds[i] != workers)
			start(kinds[i]);
	}
	for (int cpu = 0; cpu < cpus; cpu++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			yield_pair(cpu);
			_exit(0);
		}
	}
	while (wait(&status) > 0 || errno == EINTR)
		failed |= status;
	return !!failed;
}
