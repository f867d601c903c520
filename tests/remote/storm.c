// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm - groups whose tasks are created, change their policy, CPUs and group, and exit; and orders
 * that boost them, all as fast as possible.
 *
 * Stage: in the guest of boost-storm.sh, which also takes CPUs offline, starts and stops runs, and
 * removes the key. Gives no verdict; boost-storm.sh checks the machine afterwards.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <endian.h>

#include "message.h"
#include "program.h"

#define GROUPS	4
#define KIDS	24	/* per group, at the same time */

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static double now(void)
{
	return now_ns() / 1e9;
}

static void nap_us(unsigned int us)
{
	struct timespec t = { .tv_nsec = us * 1000L };

	nanosleep(&t, NULL);
}

/* Requests allowed and forbidden policies. */
static void change_yourself(void)
{
	static const int policies[] = { SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_FIFO,
					SCHED_RR };
	static const int priorities[] = { 1, 20, 47, 48 };
	int policy = policies[below(5)];
	struct sched_param param = {
		.sched_priority = policy == SCHED_FIFO || policy == SCHED_RR ?
				  priorities[below(4)] : 0,
	};
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	cpu_set_t set;

	sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &param);
	CPU_ZERO(&set);
	for (int i = below(3); i >= 0; i--)
		CPU_SET(below(cpus), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void live(void)
{
	double until = now() + below(300) / 1e3;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (below(3) == 0)
		setpgid(0, 0);
	if (below(10) == 0)
		setsid();
	while (now() < until) {
		change_yourself();
		if (below(4))
			nap_us(below(10000));
		else
			for (volatile unsigned int work = below(1000000); work; work--)
				;
	}
	if (below(5) == 0)
		execl("/bin/true", "true", NULL);
	_exit(0);
}

static void be_a_group(void)
{
	int kids = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setsid() < 0 || setgid(65534) || setuid(65534))
		die("a group");
	for (;;) {
		while (kids && waitpid(-1, NULL, WNOHANG) > 0)
			kids--;
		if (kids < KIDS) {
			uint32_t next = below(UINT32_MAX - 1) + 1;
			pid_t pid = fork();

			if (!pid) {
				seed = next;
				live();
			}
			kids += pid > 0;
		}
		nap_us(kids < KIDS ? 1000 : 10000);
	}
}

static void order(int fd, const uint8_t *key, const pid_t *groups)
{
	static const char *const names[] = { "/a", "/a/b", "/", "/b", "" };
	static const uint64_t times_ns[] = { 1, 1000, 1000000, 10000000, 100000000, 500000000 };
	int kind = 1 + below(3);
	struct message m;

	message_make(&m, "127.0.0.1", "127.0.0.1", 1, EVTLOG_REMOTE_SCHED,
		     kind == EVTLOG_REMOTE_CGROUP ? names[below(5)] : "");
	m.request.group_kind = kind;
	m.request.group = kind == EVTLOG_REMOTE_CGROUP ? 0 : htobe64(groups[below(GROUPS)]);
	m.request.duration_ns = htobe64(times_ns[below(6)]);
	message_sign(&m, key);
	message_send(fd, &m);
}

int main(int argc, char **argv)
{
	uint8_t key[EVTLOG_REMOTE_KEY_BYTES];
	pid_t groups[GROUPS];
	unsigned int orders = 0;
	double until;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "Usage: storm SECONDS SEED\n");
		return 2;
	}
	seed = strtoul(argv[2], NULL, 0) | 1;
	message_key(key, "000102030405060708090a0b0c0d0e0f");
	fd = message_socket();
	for (int i = 0; i < GROUPS; i++) {
		uint32_t next = below(UINT32_MAX - 1) + 1;

		groups[i] = fork();
		if (groups[i] < 0)
			die("fork");
		if (!groups[i]) {
			seed = next;
			be_a_group();
		}
		if (i < 2) {
			FILE *file = fopen("/tmp/cgroup/a/b/cgroup.procs", "w");

			if (!file || fprintf(file, "%d\n", groups[i]) < 0 || fclose(file))
				die("cgroup.procs");
		}
	}
	nap_us(100000);
	for (until = now() + atof(argv[1]); now() < until; orders++) {
		order(fd, key, groups);
		nap_us(below(20000));
	}
	for (int i = 0; i < GROUPS; i++)
		kill(groups[i], SIGKILL);
	printf("%u orders\n", orders);
	return 0;
}
