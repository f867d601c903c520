/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: a thread stands for a CPU.
 *
 * A thread's variable is reached through %fs as a CPU's is through %gs, and
 * adding is one instruction too: a signal, standing for an NMI, cannot come in
 * between.
 */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#define DECLARE_PER_CPU_ALIGNED(type, name) \
	extern __thread type name __attribute__((__aligned__(64)))
#define DEFINE_PER_CPU_ALIGNED(type, name) \
	__thread type name __attribute__((__aligned__(64)))

#define this_cpu_ptr(p)		(p)
#if defined(SHIM_RACES)
#include "../memory.h"

#define this_cpu_read(x)	((__typeof__(x))shim_this_cpu_load(&(x), sizeof(x)))
#else
#define this_cpu_read(x)	(*(volatile __typeof__(x) *)&(x))
#endif
#define this_cpu_write(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))

/* Threads have their variables at the same places of their areas. */
void *shim_per_cpu(const void *mine, unsigned int cpu);
#define per_cpu_ptr(p, cpu)	((__typeof__(p))shim_per_cpu(p, cpu))

#if defined(__x86_64__)
#define this_cpu_inc(x)							\
do {									\
	_Static_assert(sizeof(x) == 8, "only 64 bits are needed");	\
	__asm__ __volatile__("incq %0" : "+m" (x));			\
} while (0)
#else
#define this_cpu_inc(x)		__atomic_fetch_add(&(x), 1, __ATOMIC_RELAXED)
#endif

#endif /* SHIM_LINUX_PERCPU_H */
