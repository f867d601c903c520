/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine of several CPUs, each a thread, with the kernel functions that run.c, arm.c, publish.c,
 * join.c and counters.c call. lines.c has its interrupt lines.
 *
 * Interrupts come where the thread calls shim_take_call(). Idleness is as in RCU: an atomic number
 * per CPU, even while RCU does not watch. The test defines the functions that take time,
 * schedule_timeout_*().
 */
#ifndef SHIM_MACHINE_H
#define SHIM_MACHINE_H

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/types.h>

#define SHIM_CPUS	5
#define NR_SOFTIRQS	3
#define SHIM_IRQS	512
#define SHIM_LINES	4	/* at the same time */

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PAGE_SIZE	4096UL
#define HZ		1000

/* Counters of each CPU */
struct rq {
	u64 nr_switches;
};
extern struct rq shim_rq[SHIM_CPUS];
extern unsigned int shim_softirqs[SHIM_CPUS][NR_SOFTIRQS];
extern unsigned long shim_irqs[SHIM_CPUS];

enum { ICMP_MIB_INMSGS, ICMP_MIB_CSUMERRORS, ICMP_MIBS };
struct icmp_mib {
	unsigned long mibs[ICMP_MIBS];
};
struct shim_net {
	struct {
		struct icmp_mib *icmp_statistics;	/* per CPU */
	} mib;
};
extern struct shim_net init_net;

#define cpu_rq(cpu)			(&shim_rq[cpu])
#define kstat_softirqs_cpu(vec, cpu)	(shim_softirqs[cpu][vec])
#define kstat_cpu_irqs_sum(cpu)		(shim_irqs[cpu])

/*
 * Interrupt lines. A line stays in memory while it has a holder, including readers under RCU. Each
 * number is used once.
 */
struct kobject {
	unsigned int refs;
};
struct irqaction {
	unsigned int flags;
};
struct irq_desc {
	struct irqaction *action;
	pthread_mutex_t lock;
	unsigned int *kstat_irqs;	/* per CPU */
	unsigned int status_use_accessors;
	struct kobject kobj;
};

#define CONFIG_SPARSE_IRQ	1
#define IRQ_NESTED_THREAD	1
#define IRQF_SHARED		1
struct irq_desc *irq_to_desc(unsigned int irq);
#define for_each_irq_desc(i, desc)					\
	for ((i) = 0; (i) < SHIM_IRQS; (i)++)				\
		if (((desc) = irq_to_desc(i)))

bool kobject_get_unless_zero(struct kobject *kobj);
void kobject_put(struct kobject *kobj);

void shim_lines_begin(void);
/* Requested lines, and released lines that still have a holder */
unsigned int shim_lines_in_memory(void);
/* Under RCU: the n-th requested line and its number */
struct irq_desc *shim_line(unsigned int n, unsigned int *irq);
/* Releases the n-th line and requests another. Returns false if no numbers are left. */
bool shim_line_replace(unsigned int n);

/* CPUs */
struct cpumask {
	unsigned long bits;
};

#define cpumask_clear(mask)		((void)((mask)->bits = 0))
#define cpumask_set_cpu(cpu, mask)	((void)((mask)->bits |= 1UL << (cpu)))
#define cpumask_test_cpu(cpu, mask)	(((mask)->bits >> (cpu) & 1) != 0)

void shim_cpu_start(unsigned int cpu, u64 seed);
void shim_set_online(unsigned int cpu, bool online);
bool cpu_online(unsigned int cpu);
unsigned int num_online_cpus(void);
unsigned int smp_processor_id(void);

#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < SHIM_CPUS; (cpu)++)
#define for_each_online_cpu(cpu)					\
	for_each_possible_cpu(cpu)					\
		if (cpu_online(cpu))

void cpus_read_lock(void);
void cpus_read_unlock(void);
bool shim_cpus_write_trylock(void);
void shim_cpus_write_unlock(void);

enum { CPUHP_BP_PREPARE_DYN, CPUHP_AP_ONLINE_DYN };
int cpuhp_setup_state(int state, const char *name, int (*startup)(unsigned int cpu),
		      int (*teardown)(unsigned int cpu));
#define cpuhp_remove_state_nocalls(state)	((void)(state))
extern int (*shim_cpu_prepare)(unsigned int cpu);
extern int (*shim_cpu_is_up)(unsigned int cpu);
extern int (*shim_cpu_is_dead)(unsigned int cpu);

/* Idleness, for the CPU itself and for others */
void shim_idle_enter(void);
void shim_idle_exit(void);
u64 shim_idle_look(unsigned int cpu);
bool rcu_is_idle_cpu(int cpu);
void rcu_read_lock(void);
void rcu_read_unlock(void);

/* Calls to another CPU; they run with interrupts off. */
int smp_call_function_single(unsigned int cpu, void (*function)(void *), void *info, int wait);
bool shim_is_called(void);
/* Returns true if there was a call. */
bool shim_take_call(void);

/* Locks; all are sleeping locks of threads. */
struct rt_mutex {
	pthread_mutex_t mutex;
};
#define DEFINE_RT_MUTEX(name) \
	struct rt_mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define rt_mutex_lock(lock)		((void)pthread_mutex_lock(&(lock)->mutex))
#define rt_mutex_unlock(lock)						\
do {									\
	shim_flush();							\
	pthread_mutex_unlock(&(lock)->mutex);				\
} while (0)
#define lockdep_assert_held(lock)	do { } while (0)

#define DEFINE_RAW_SPINLOCK(name)	pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define raw_spin_lock_irqsave(lock, flags)				\
do {									\
	raw_local_irq_save(flags);					\
	pthread_mutex_lock(lock);					\
} while (0)
#define raw_spin_unlock_irqrestore(lock, flags)				\
do {									\
	shim_flush();							\
	pthread_mutex_unlock(lock);					\
	raw_local_irq_restore(flags);					\
} while (0)

#define local_irq_save(flags)		raw_local_irq_save(flags)
#define local_irq_restore(flags)	raw_local_irq_restore(flags)
#define local_irq_disable()		raw_local_irq_disable()
#define local_irq_enable()		raw_local_irq_enable()

/* Time */
extern unsigned long shim_jiffies(void);
#define jiffies			shim_jiffies()
#define time_before(a, b)	((long)((a) - (b)) < 0)
#define signal_pending(task)	false
long schedule_timeout_uninterruptible(long ticks);
long schedule_timeout_interruptible(long ticks);

/* The machine never sleeps. */
struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long action, void *unused);
};
#define register_pm_notifier(nb)	((void)(nb))
#define unregister_pm_notifier(nb)	((void)(nb))
enum { NOTIFY_DONE, PM_SUSPEND_PREPARE, PM_HIBERNATION_PREPARE, PM_RESTORE_PREPARE };

#define GFP_KERNEL		0
#define kvcalloc(n, size, gfp)	calloc(n, size)
#define kvzalloc(size, gfp)	calloc(1, size)
#define kvfree(memory)		free(memory)
#define generate_random_uuid(id) memset(id, 7, 16)
#define strscpy(to, from, size)	((void)snprintf(to, size, "%s", from))
#define pr_info(...)		do { } while (0)
#define pr_warn(...)		do { } while (0)

#endif /* SHIM_MACHINE_H */
