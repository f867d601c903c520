/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: ordered loads and stores, visible to TSan
 */
#ifndef SHIM_LINUX_ATOMIC_H
#define SHIM_LINUX_ATOMIC_H

#include <linux/compiler.h>

#define smp_load_acquire(p)						\
({									\
	shim_flush();							\
	__typeof__(*(p)) acquired_ = __atomic_load_n(p, __ATOMIC_ACQUIRE); \
	shim_pause();							\
	acquired_;							\
})
#define smp_store_release(p, v)						\
do {									\
	shim_flush();							\
	__atomic_store_n(p, v, __ATOMIC_RELEASE);			\
} while (0)
#define smp_wmb()	__atomic_thread_fence(__ATOMIC_RELEASE)
#define xchg(p, v)							\
({									\
	shim_flush();							\
	__atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);			\
})
#define cmpxchg(p, old, new)						\
({									\
	__typeof__(*(p)) was_ = (old);					\
	shim_pause_often();						\
	shim_flush();							\
	__atomic_compare_exchange_n(p, &was_, new, 0, __ATOMIC_SEQ_CST,	\
				    __ATOMIC_SEQ_CST);			\
	was_;								\
})

typedef struct {
	long long counter;
} atomic64_t;

typedef atomic64_t atomic_t, atomic_long_t;

#define atomic64_add(i, v)	__atomic_fetch_add(&(v)->counter, i, __ATOMIC_SEQ_CST)
#define atomic64_sub(i, v)	__atomic_fetch_sub(&(v)->counter, i, __ATOMIC_SEQ_CST)
#define atomic64_add_return(i, v)	__atomic_add_fetch(&(v)->counter, i, __ATOMIC_SEQ_CST)

/* TSan does not support fences; any two of these operations are ordered for it. */
#if defined(__SANITIZE_THREAD__)
static int shim_fence __attribute__((__unused__));
#define smp_mb()							\
do {									\
	shim_flush();							\
	__atomic_fetch_add(&shim_fence, 0, __ATOMIC_SEQ_CST);		\
} while (0)
#else
#define smp_mb()							\
do {									\
	shim_flush();							\
	__atomic_thread_fence(__ATOMIC_SEQ_CST);			\
} while (0)
#endif

#endif /* SHIM_LINUX_ATOMIC_H */
