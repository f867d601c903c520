// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine of several CPUs; each is a thread
 */
#include <sched.h>
#include <time.h>

#include "machine.h"

struct rq shim_rq[SHIM_CPUS];
unsigned int shim_softirqs[SHIM_CPUS][NR_SOFTIRQS];
unsigned long shim_irqs[SHIM_CPUS];
static struct icmp_mib icmp[SHIM_CPUS];
struct shim_net init_net = { .mib.icmp_statistics = icmp };

int (*shim_cpu_prepare)(unsigned int cpu);
int (*shim_cpu_is_up)(unsigned int cpu);
int (*shim_cpu_is_dead)(unsigned int cpu);

/* Each thread's area is found by a variable at a known place in it. */
static __thread char anchor;
static __thread unsigned int this_cpu;
static char *anchors[SHIM_CPUS];

static unsigned long online_cpus;
static pthread_rwlock_t hotplug_lock = PTHREAD_RWLOCK_INITIALIZER;

/* A cache line for each CPU, as they are read often */
static struct {
	u64 watching;
} __attribute__((__aligned__(64))) idle[SHIM_CPUS];

struct call {
	void (*function)(void *info);
	void *info;
	bool is_done;
};
static struct call *calls[SHIM_CPUS];

void shim_cpu_start(unsigned int cpu, u64 seed)
{
	this_cpu = cpu;
	anchors[cpu] = &anchor;
	shim_races_seed(seed);
	/* Odd: RCU watches. */
	__atomic_fetch_or(&idle[cpu].watching, 1, __ATOMIC_SEQ_CST);
	shim_set_online(cpu, true);
}

void *shim_per_cpu(const void *mine, unsigned int cpu)
{
	const char *at = mine;

	return anchors[cpu] + (at - &anchor);
}

unsigned int smp_processor_id(void)
{
	return this_cpu;
}

void shim_set_online(unsigned int cpu, bool online)
{
	if (online)
		__atomic_fetch_or(&online_cpus, 1UL << cpu, __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(&online_cpus, ~(1UL << cpu), __ATOMIC_SEQ_CST);
}

bool cpu_online(unsigned int cpu)
{
	return __atomic_load_n(&online_cpus, __ATOMIC_RELAXED) >> cpu & 1;
}

unsigned int num_online_cpus(void)
{
	return (unsigned int)__builtin_popcountl(__atomic_load_n(&online_cpus, __ATOMIC_RELAXED));
}

void cpus_read_lock(void)
{
	pthread_rwlock_rdlock(&hotplug_lock);
}

void cpus_read_unlock(void)
{
	pthread_rwlock_unlock(&hotplug_lock);
}

bool shim_cpus_write_trylock(void)
{
	return !pthread_rwlock_trywrlock(&hotplug_lock);
}

void shim_cpus_write_unlock(void)
{
	pthread_rwlock_unlock(&hotplug_lock);
}

int cpuhp_setup_state(int state, const char *name, int (*startup)(unsigned int cpu),
		      int (*teardown)(unsigned int cpu))
{
	if (state == CPUHP_AP_ONLINE_DYN) {
		shim_cpu_is_up = startup;
	} else {
		shim_cpu_prepare = startup;
		shim_cpu_is_dead = teardown;
	}
	return 0;
}

void shim_idle_enter(void)
{
	shim_flush();
	__atomic_fetch_add(&idle[this_cpu].watching, 1, __ATOMIC_SEQ_CST);
}

void shim_idle_exit(void)
{
	shim_flush();
	__atomic_fetch_add(&idle[this_cpu].watching, 1, __ATOMIC_SEQ_CST);
}

/* As rcu_dynticks_snap() */
u64 shim_idle_look(unsigned int cpu)
{
	smp_mb();
	return __atomic_load_n(&idle[cpu].watching, __ATOMIC_ACQUIRE);
}

bool rcu_is_idle_cpu(int cpu)
{
	bool is_idle = !(shim_idle_look((unsigned int)cpu) & 1);

	shim_pause_often();
	return is_idle;
}

int smp_call_function_single(unsigned int cpu, void (*function)(void *), void *info, int wait)
{
	struct call call = { .function = function, .info = info };
	const struct timespec some = { .tv_nsec = 20000 };
	unsigned int i;

	__atomic_store_n(&calls[cpu], &call, __ATOMIC_SEQ_CST);
	for (i = 0; !__atomic_load_n(&call.is_done, __ATOMIC_ACQUIRE); i++) {
		if (i > 200000) {
			fprintf(stderr, "FAIL: CPU %u does not answer\n", cpu);
			_Exit(1);
		}
		nanosleep(&some, NULL);
	}
	return 0;
}

bool shim_is_called(void)
{
	return __atomic_load_n(&calls[this_cpu], __ATOMIC_RELAXED);
}

bool shim_take_call(void)
{
	struct call *call;

	if (!shim_is_called())
		return false;
	call = __atomic_exchange_n(&calls[this_cpu], NULL, __ATOMIC_SEQ_CST);
	raw_local_irq_disable();
	call->function(call->info);
	raw_local_irq_enable();
	shim_flush();
	__atomic_store_n(&call->is_done, true, __ATOMIC_RELEASE);
	return true;
}

unsigned long shim_jiffies(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned long)now.tv_sec * HZ + (unsigned long)now.tv_nsec / 1000000;
}
