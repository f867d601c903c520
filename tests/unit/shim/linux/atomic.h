/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: ordered loads and stores, seen by TSan.
 */
#ifndef SHIM_LINUX_ATOMIC_H
#define SHIM_LINUX_ATOMIC_H

#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define xchg(p, v)		__atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)

/* TSan knows no fences; to it any two of these come one after the other. */
#if defined(__SANITIZE_THREAD__)
static int shim_fence __attribute__((__unused__));
#define smp_mb()		((void)__atomic_fetch_add(&shim_fence, 0, __ATOMIC_SEQ_CST))
#else
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

#endif /* SHIM_LINUX_ATOMIC_H */
