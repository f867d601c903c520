/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: what the ring needs from the compiler
 */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

#include <sys/cdefs.h>

#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#define noinline	__attribute__((__noinline__))
#define __printf(format, first)	__attribute__((__format__(__printf__, format, first)))

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define barrier()	__asm__ __volatile__("" : : : "memory")

#if defined(SHIM_RACES)
#include "../memory.h"

#define READ_ONCE(x)	((__typeof__(x))shim_load(&(x), sizeof(x)))
#define WRITE_ONCE(x, v)						\
do {									\
	__typeof__(x) once_ = (v);					\
	shim_store(&(x), (uint64_t)once_, sizeof(x));			\
} while (0)
#define data_race(expression)						\
({									\
	shim_race_begin();						\
	__typeof__(expression) raced_ = (expression);			\
	shim_race_end();						\
	raced_;								\
})
#else
#define READ_ONCE(x)	__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define data_race(expression)	(expression)
#define shim_pause()	do { } while (0)
#define shim_pause_often()	do { } while (0)
#define shim_flush()	do { } while (0)
#endif

#endif /* SHIM_LINUX_COMPILER_H */
