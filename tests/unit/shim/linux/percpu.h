/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: a thread acts as a CPU. Thread-local variables are accessed by %fs,
 * as a CPU's variables by %gs.
 */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#define __percpu
#define DECLARE_PER_CPU(type, name)	extern __thread type name
#define DEFINE_PER_CPU(type, name)	__thread type name
#define DECLARE_PER_CPU_ALIGNED(type, name) \
	extern __thread type name __attribute__((__aligned__(64)))
#define DEFINE_PER_CPU_ALIGNED(type, name) \
	__thread type name __attribute__((__aligned__(64)))

/* Memory allocated per CPU is an array. */
unsigned int smp_processor_id(void);
#define this_cpu_ptr(p)							\
	_Generic((p), const unsigned int *: (p) + smp_processor_id(), default: (p))
#if defined(SHIM_RACES)
#include "../irq.h"
#include "../memory.h"

#define this_cpu_read(x)	((__typeof__(x))shim_this_cpu_load(&(x), sizeof(x)))
#define this_cpu_write(x, v)						\
do {									\
	__typeof__(x) written_ = (v);					\
	if (shim_nmi_depth)						\
		shim_pause_often();					\
	shim_this_cpu_store(&(x), (uint64_t)written_, sizeof(x));	\
} while (0)
#else
#define this_cpu_read(x)	(*(volatile __typeof__(x) *)&(x))
#define this_cpu_write(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#endif

/* A variable has the same offset in the areas of all threads. */
struct evtlog_ring;
struct evtlog_rejected;
void *shim_per_cpu(const void *mine, unsigned int cpu);
#define per_cpu_ptr(p, cpu)						\
	_Generic((p),							\
		 struct evtlog_ring *: (__typeof__(p))shim_per_cpu(p, cpu),	\
		 struct evtlog_rejected *: (__typeof__(p))shim_per_cpu(p, cpu),	\
		 default: (p) + (cpu))

#endif /* SHIM_LINUX_PERCPU_H */
