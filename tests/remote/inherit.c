// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two process groups compete for the same mutexes with priority inheritance.
 *
 * Stage: in guests of the tests of remote scheduling, which boost one group at the same time. Each
 * thread has its own policy, locks two mutexes, one inside the other, and works while it holds
 * them. Gives no verdict.
 */
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
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

#define MUTEXES	5
#define THREADS	5

struct shared {
	pthread_mutex_t mutex[MUTEXES];
	uint64_t owner[MUTEXES];
	uint64_t turns, contended, broken;
	bool run, enough;
	unsigned int parked;
};

static struct shared *shared;

static void nap(long ns)
{
	struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

static void make_mutexes(void)
{
	pthread_mutexattr_t attr;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	pthread_mutexattr_init(&attr);
	if (pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) ||
	    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED))
		die("mutexes with priority inheritance");
	for (int i = 0; i < MUTEXES; i++)
		pthread_mutex_init(&shared->mutex[i], &attr);
}

static void lock(int i, uint64_t who)
{
	if (pthread_mutex_trylock(&shared->mutex[i])) {
		__atomic_add_fetch(&shared->contended, 1, __ATOMIC_RELAXED);
		if (pthread_mutex_lock(&shared->mutex[i]))
			die("pthread_mutex_lock");
	}
	if (shared->owner[i])
		__atomic_add_fetch(&shared->broken, 1, __ATOMIC_RELAXED);
	shared->owner[i] = who;
}

static void unlock(int i)
{
	shared->owner[i] = 0;
	pthread_mutex_unlock(&shared->mutex[i]);
}

static void fight(unsigned int *seed, uint64_t who)
{
	int outer = rand_r(seed) % (MUTEXES - 1);
	int inner = outer + 1 + rand_r(seed) % (MUTEXES - 1 - outer);
	volatile int work;

	lock(outer, who);
	lock(inner, who);
	for (work = rand_r(seed) % 3000; work; work--)
		;
	/* Other threads wait for a thread that sleeps here, and lend it their priority. */
	if (rand_r(seed) % 4 == 0)
		nap(rand_r(seed) % 100000);
	unlock(inner);
	unlock(outer);
	__atomic_add_fetch(&shared->turns, 1, __ATOMIC_RELAXED);
	if (rand_r(seed) % 8 == 0)
		nap(50000);
}

static void set_policy(int k)
{
	static const struct {
		int policy, priority, nice;
	} choice[THREADS] = {
		{ SCHED_OTHER, 0, 0 }, { SCHED_OTHER, 0, 9 }, { SCHED_BATCH, 0, 0 },
		{ SCHED_FIFO, 5, 0 }, { SCHED_RR, 20, 0 },
	};
	struct sched_param param = { .sched_priority = choice[k].priority };

	if (setpriority(PRIO_PROCESS, 0, choice[k].nice) ||
	    sched_setscheduler(0, choice[k].policy, &param))
		die("sched_setscheduler");
}

static void *thread(void *number)
{
	int k = (long)number % THREADS;
	unsigned int seed = (long)number * 7919 + 1;
	char name[16];

	snprintf(name, sizeof(name), "inherit%ld", (long)number);
	prctl(PR_SET_NAME, name);
	set_policy(k);
	__atomic_add_fetch(&shared->parked, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&shared->run, __ATOMIC_SEQ_CST))
		nap(1000000);
	while (!__atomic_load_n(&shared->enough, __ATOMIC_SEQ_CST))
		fight(&seed, (uint64_t)(long)number + 1);
	__atomic_sub_fetch(&shared->parked, 1, __ATOMIC_SEQ_CST);
	for (;;)
		pause();
	return NULL;
}

static void start_threads(long first)
{
	pthread_t id;

	for (long i = 0; i < THREADS; i++) {
		if (pthread_create(&id, NULL, thread, (void *)(first + i)))
			die("pthread_create");
	}
}

static void await_parked(unsigned int parked)
{
	while (__atomic_load_n(&shared->parked, __ATOMIC_SEQ_CST) != parked)
		nap(1000000);
}

static void next_phase(sigset_t *signals)
{
	int unused;

	sigwait(signals, &unused);
}

/*
 * Prints the group to boost. Threads compete from the first SIGUSR1 to the second; then prints the
 * counts. The threads stay until they are killed.
 */
int main(void)
{
	sigset_t signals;
	pid_t other;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (setsid() < 0)
		die("setsid");
	set_policy(0);
	make_mutexes();
	other = fork();
	if (other < 0)
		die("fork");
	if (!other) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (setpgid(0, 0))
			die("setpgid");
		start_threads(THREADS);
		for (;;)
			pause();
	}
	start_threads(0);
	await_parked(2 * THREADS);
	printf("%d\n", getpid());
	fflush(stdout);
	next_phase(&signals);
	__atomic_store_n(&shared->run, true, __ATOMIC_SEQ_CST);
	next_phase(&signals);
	__atomic_store_n(&shared->enough, true, __ATOMIC_SEQ_CST);
	await_parked(0);
	printf("turns %llu contended %llu broken %llu\n", (unsigned long long)shared->turns,
	       (unsigned long long)shared->contended, (unsigned long long)shared->broken);
	fclose(stdout);
	for (;;)
		pause();
}
