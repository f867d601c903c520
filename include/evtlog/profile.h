/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's own profile: its time in the kernel, read without a system call.
 *
 *	struct evtlog_profile_self *self = evtlog_profile_self_open();
 *	uint64_t before = evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_SYSCALL);
 *
 * The kernel (CONFIG_EVTLOG_PROFILE) fills the page while profiling is on: `evtlog profile start`.
 * The page is for the thread that opened it.  All ticks are exclusive: each tick is in one group.
 */
#ifndef EVTLOG_PROFILE_H
#define EVTLOG_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/profile-abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct evtlog_profile_self - a thread's own sums
 * @page:	page of the kernel, read-only
 *
 * Created by evtlog_profile_self_open().
 */
struct evtlog_profile_self {
	const struct evtlog_profile_page *page;
};

/**
 * struct evtlog_profile_sums - all sums of a thread at one time
 * @ticks_hz:	nominal rate of the tick counter
 * @stamp:	time of the sums, in ticks
 * @born:	time from which the sums count, in ticks
 * @ahead:	ticks by which CPUs' counters differed: the sum of @ticks is @stamp - @born + @ahead
 * @groups:	number of groups of the kernel
 * @ticks:	ticks by enum evtlog_profile_group
 * @counts:	how often events of each group ended
 */
struct evtlog_profile_sums {
	uint64_t ticks_hz;
	uint64_t stamp;
	uint64_t born;
	uint64_t ahead;
	uint32_t groups;
	uint64_t ticks[EVTLOG_PROFILE_GROUPS_MAX];
	uint64_t counts[EVTLOG_PROFILE_GROUPS_MAX];
};

/**
 * evtlog_profile_self_open() - map the calling thread's page
 *
 * A forked child does not inherit the page and must not use it.  Each thread opens its own page.
 *
 * Return: the sums, for evtlog_profile_self_close(); NULL with errno: ENOENT the kernel does not
 * support profiles; EPERM the administrator has disabled pages, or the kernel is locked down;
 * EPROTO the kernel's page has another version; ENOMEM.
 */
struct evtlog_profile_self *evtlog_profile_self_open(void);

/**
 * evtlog_profile_self_close() - unmap the page
 * @self:	from evtlog_profile_self_open(); any thread may close it; NULL is allowed
 */
void evtlog_profile_self_close(struct evtlog_profile_self *self);

/**
 * evtlog_profile_self_read() - read all sums at one time
 * @self:	page of the calling thread, or of another thread of the process; the sums of another
 *		thread are those of its last return to user mode
 * @own:	@self is of the calling thread: time in user mode counts up to now
 * @sums:	filled in
 *
 * Return: 0; -ENODATA profiling is off, pages are disabled, or the thread has ended.
 */
int evtlog_profile_self_read(const struct evtlog_profile_self *self, bool own,
			     struct evtlog_profile_sums *sums);

/**
 * evtlog_profile_group_name() - get the name of a group
 * @group:	enum evtlog_profile_group
 *
 * Return: a word; NULL if there is no such group.
 */
const char *evtlog_profile_group_name(unsigned int group);

/**
 * evtlog_profile_now() - read the tick counter
 *
 * Return: ticks; 0 on a machine where programs cannot read the counter.
 */
static inline uint64_t evtlog_profile_now(void)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r" (ticks) : : "memory");
	return ticks;
#else
	return 0;
#endif
}

/**
 * evtlog_profile_self_is_kept() - check whether the page has sums
 * @self:	page of the calling thread
 *
 * Return: true if it has; false if profiling is off or pages are disabled, and all sums are 0.
 */
static inline bool evtlog_profile_self_is_kept(const struct evtlog_profile_self *self)
{
	return *(const volatile uint32_t *)&self->page->sequence != 0;
}

/**
 * evtlog_profile_self_ticks() - get the ticks of a group up to now
 * @self:	page of the calling thread
 * @group:	enum evtlog_profile_group
 *
 * The page changes only while the thread is in the kernel, so a sum is never torn.  For user mode,
 * the function reads @user of the page and the tick counter, and reads them again if the thread was
 * in the kernel between the two reads.
 *
 * Return: ticks; 0 if the page has no sums.
 */
static inline uint64_t evtlog_profile_self_ticks(const struct evtlog_profile_self *self,
						 unsigned int group)
{
	const volatile struct evtlog_profile_page *page = self->page;
	uint64_t user, now;

	if (group != EVTLOG_PROFILE_GROUP_USER)
		return page->ticks[group];
	do {
		user = page->user;
		if (!user)
			return 0;
		now = evtlog_profile_now();
	} while (page->user != user);
	return user + now;
}

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_PROFILE_H */
