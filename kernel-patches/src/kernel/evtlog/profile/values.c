// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values of tasks and CPUs: count, sum, sum of squares, least and largest.
 *
 * A task's values are allocated with its first value; a CPU's values always exist.  As with paths,
 * the CPU that runs the task writes its values, with interrupts off.
 */
#include <linux/evtlog_span.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "callpath/memory.h"
#include "profile/profile.h"
#include "callpath/value.h"

static DEFINE_PER_CPU(struct evtlog_profile_values, cpu_values);

static const char *const names[] = {
#define X(NAME, name)	[EVTLOG_VALUE_##NAME] = #name,
	EVTLOG_VALUES_OF(X)
#undef X
};

static __always_inline void add_squares(u64 *squares, u64 more)
{
	if (unlikely(check_add_overflow(*squares, more, squares)))
		*squares = U64_MAX;
}

static __always_inline void add(struct evtlog_profile_value *value, u32 amount)
{
	value->count++;
	value->sum += amount;
	if (unlikely(~amount > value->not_least))
		value->not_least = ~amount;
	if (unlikely(amount > value->largest))
		value->largest = amount;
	add_squares(&value->squares, (u64)amount * amount);
}

static __always_inline void add_to_cpu(unsigned int value, u32 amount)
{
	add(&this_cpu_ptr(&cpu_values)->of[value], amount);
}

/* For the task's first value. */
static noinline void add_first(unsigned int value, u32 amount)
{
	struct evtlog_profile *p;
	unsigned long flags;

	/* Not raw: lockdep checks the allocator. */
	local_irq_save(flags);
	p = this_cpu_read(evtlog_profile_cpu.current_profile);
	if (unlikely(!this_cpu_read(evtlog_profile_cpu.counts)))
		goto out;
	if (!p->values)
		p->values = evtlog_profile_alloc(sizeof(*p->values));
	if (p->values)
		add(&p->values->of[value], amount);
	else
		atomic64_inc(&evtlog_profile_counts.values_not_kept);
	add_to_cpu(value, amount);
out:
	local_irq_restore(flags);
}

/**
 * __evtlog_value() - add a value to the current task and its CPU
 * @value:	enum evtlog_value
 * @amount:	at most U32_MAX, as lengths of reads and packets are
 *
 * Context: any but NMI; no lock held that the memory allocator takes.
 */
void __evtlog_value(unsigned int value, size_t amount)
{
	struct evtlog_profile_values *values;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (likely(this_cpu_read(evtlog_profile_cpu.counts))) {
		values = this_cpu_read(evtlog_profile_cpu.current_profile)->values;
		if (unlikely(!values)) {
			raw_local_irq_restore(flags);
			/* A tail call: no register is saved. */
			add_first(value, amount);
			return;
		}
		add(&values->of[value], amount);
		add_to_cpu(value, amount);
	}
	raw_local_irq_restore(flags);
}
EXPORT_SYMBOL(__evtlog_value);	/* as evtlog_profile_block_key */

/**
 * evtlog_profile_values_begin() - reset the values of all CPUs
 *
 * Context: profiles are off.
 */
void evtlog_profile_values_begin(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&cpu_values, cpu), 0, sizeof(cpu_values));
	atomic64_set(&evtlog_profile_counts.values_not_kept, 0);
}

static void copy_here(void *to)
{
	memcpy(to, this_cpu_ptr(&cpu_values), sizeof(cpu_values));
}

/**
 * evtlog_profile_values_of_cpu() - copy a CPU's values
 * @values:	result
 *
 * Context: the lock of CPU hotplug is held, interrupts on.
 */
void evtlog_profile_values_of_cpu(unsigned int cpu, struct evtlog_profile_values *values)
{
	if (smp_call_function_single(cpu, copy_here, values, 1))
		memcpy(values, per_cpu_ptr(&cpu_values, cpu), sizeof(*values));
}

/**
 * evtlog_profile_values_add() - add a task's values to sums
 * @to:		the sums
 * @values:	the task's values; NULL: none
 */
void evtlog_profile_values_add(struct evtlog_profile_values *to,
			       const struct evtlog_profile_values *values)
{
	unsigned int i;

	for (i = 0; values && i < EVTLOG_VALUES; i++) {
		const struct evtlog_profile_value *value = &values->of[i];
		struct evtlog_profile_value *sum = &to->of[i];

		sum->not_least = max(sum->not_least, value->not_least);
		sum->largest = max(sum->largest, value->largest);
		sum->count += value->count;
		sum->sum += value->sum;
		add_squares(&sum->squares, value->squares);
	}
}

/**
 * evtlog_profile_values_show() - print the values that exist, one per line
 * @values:	NULL: none
 */
void evtlog_profile_values_show(struct seq_file *m, const struct evtlog_profile_values *values)
{
	unsigned int i;

	for (i = 0; values && i < EVTLOG_VALUES; i++) {
		const struct evtlog_profile_value *value = &values->of[i];

		if (value->count)
			seq_printf(m, "value %s %llu %llu %u %u %llu\n", names[i], value->count,
				   value->sum, evtlog_profile_value_least(value), value->largest,
				   value->squares);
	}
}
