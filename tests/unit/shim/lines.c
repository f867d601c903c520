// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupt lines of the machine, which are released and requested while CPUs use them
 */
#include "machine.h"

static struct irq_desc *descs[SHIM_IRQS];
/* Numbers of the requested lines; @next is the first unused number. */
static unsigned int lines[SHIM_LINES], next;

static unsigned int in_memory;

static pthread_rwlock_t rcu = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void rcu_read_lock(void)
{
	pthread_rwlock_rdlock(&rcu);
}

void rcu_read_unlock(void)
{
	pthread_rwlock_unlock(&rcu);
}

static void synchronize(void)
{
	pthread_rwlock_wrlock(&rcu);
	pthread_rwlock_unlock(&rcu);
}

struct irq_desc *irq_to_desc(unsigned int irq)
{
	return __atomic_load_n(&descs[irq], __ATOMIC_ACQUIRE);
}

bool kobject_get_unless_zero(struct kobject *kobj)
{
	unsigned int refs = __atomic_load_n(&kobj->refs, __ATOMIC_RELAXED);

	while (refs && !__atomic_compare_exchange_n(&kobj->refs, &refs, refs + 1, false,
						    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		;
	return refs;
}

void kobject_put(struct kobject *kobj)
{
	struct irq_desc *desc = (void *)((char *)kobj - offsetof(struct irq_desc, kobj));

	if (__atomic_sub_fetch(&kobj->refs, 1, __ATOMIC_ACQ_REL))
		return;
	/* A reader after this finds counts that no line has. */
	memset(desc->kstat_irqs, 0x5a, SHIM_CPUS * sizeof(*desc->kstat_irqs));
	free(desc->kstat_irqs);
	free(desc);
	__atomic_sub_fetch(&in_memory, 1, __ATOMIC_RELAXED);
}

/* Every other line is shared. */
static void request(unsigned int n)
{
	static struct irqaction actions[] = { { 0 }, { IRQF_SHARED } };
	struct irq_desc *desc = calloc(1, sizeof(*desc));

	if (desc)
		desc->kstat_irqs = calloc(SHIM_CPUS, sizeof(*desc->kstat_irqs));
	if (!desc || !desc->kstat_irqs) {
		fprintf(stderr, "FAIL: out of memory\n");
		_Exit(1);
	}
	__atomic_add_fetch(&in_memory, 1, __ATOMIC_RELAXED);
	desc->action = &actions[next % 2];
	desc->kobj.refs = 1;
	__atomic_store_n(&descs[next], desc, __ATOMIC_RELEASE);
	__atomic_store_n(&lines[n], next++, __ATOMIC_RELEASE);
}

unsigned int shim_lines_in_memory(void)
{
	return __atomic_load_n(&in_memory, __ATOMIC_RELAXED);
}

void shim_lines_begin(void)
{
	for (unsigned int n = 0; n < SHIM_LINES; n++)
		request(n);
}

struct irq_desc *shim_line(unsigned int n, unsigned int *irq)
{
	*irq = __atomic_load_n(&lines[n], __ATOMIC_ACQUIRE);
	return irq_to_desc(*irq);
}

bool shim_line_replace(unsigned int n)
{
	struct irq_desc *desc;
	unsigned int irq;

	pthread_mutex_lock(&lock);
	desc = shim_line(n, &irq);
	if (next == SHIM_IRQS) {
		pthread_mutex_unlock(&lock);
		return false;
	}
	request(n);
	/* free_irq(), then irq_free_descs() */
	pthread_mutex_lock(&desc->lock);
	desc->action = NULL;
	pthread_mutex_unlock(&desc->lock);
	__atomic_store_n(&descs[irq], NULL, __ATOMIC_RELEASE);
	synchronize();
	kobject_put(&desc->kobj);
	pthread_mutex_unlock(&lock);
	return true;
}
