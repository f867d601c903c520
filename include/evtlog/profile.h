/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's own profile: where its time went in the kernel, read without a system call.
 *
 *	struct evtlog_profile_self *self = evtlog_profile_self_open();
 *	uint64_t before = evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_SYSCALL);
 *
 * The kernel (CONFIG_EVTLOG_PROFILE) fills the page as long as profiles are kept: `evtlog profile
 * start`.  It is for the thread that opened it; all ticks are exclusive: each is in one group.
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
 * @page:	the kernel's, read-only
 *
 * Made by evtlog_profile_self_open().
 */
struct evtlog_profile_self {
	const struct evtlog_profile_page *page;
};

/**
 * struct evtlog_profile_sums - all sums of a thread at one moment
 * @ticks_hz:	nominal rate of the counter
 * @stamp:	when, in ticks
 * @born:	since when they count, in ticks
 * @ahead:	ticks by which counters of CPUs differed: the sum of @ticks is
 *		@stamp - @born + @ahead
 * @groups:	how many groups the kernel has
 * @ticks:	by enum evtlog_profile_group
 * @counts:	how often each ended
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
 * A child that is forked does not have it, and must not use it; another thread opens its own.
 *
 * Return: the sums, for evtlog_profile_self_close(); NULL and errno: ENOENT the kernel keeps no
 * profiles; EPERM the administrator has turned pages off, or the kernel is locked down; EPROTO
 * the kernel's page is of another version; ENOMEM.
 */
struct evtlog_profile_self *evtlog_profile_self_open(void);

/**
 * evtlog_profile_self_close() - unmap the page
 * @self:	as opened, by any thread; NULL: nothing is done
 */
void evtlog_profile_self_close(struct evtlog_profile_self *self);

/**
 * evtlog_profile_self_read() - all sums of one moment
 * @self:	of this thread, or another one of the process, whose sums are then those of its last
 *		return to user mode
 * @own:	it is this thread's: time in user mode counts up to now
 * @sums:	written
 *
 * Return: 0; -ENODATA: profiles are not kept, pages are turned off, or the thread has ended.
 */
int evtlog_profile_self_read(const struct evtlog_profile_self *self, bool own,
			     struct evtlog_profile_sums *sums);

/**
 * evtlog_profile_group_name() - a group's name
 * @group:	enum evtlog_profile_group
 *
 * Return: a word, or NULL: there is no such group.
 */
const char *evtlog_profile_group_name(unsigned int group);

/**
 * evtlog_profile_now() - the tick counter
 *
 * Return: ticks; 0 on a machine whose counter a program cannot read.
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
 * evtlog_profile_self_is_kept() - are there sums at present?
 * @self:	of this thread
 *
 * Return: false: profiles are not kept, or pages are turned off; all sums are 0.
 */
static inline bool evtlog_profile_self_is_kept(const struct evtlog_profile_self *self)
{
	return *(const volatile uint32_t *)&self->page->sequence != 0;
}

/**
 * evtlog_profile_self_ticks() - ticks of a group, up to now
 * @self:	of this thread
 * @group:	enum evtlog_profile_group
 *
 * The page changes only while the thread is in the kernel, so that a sum is never torn; of user
 * mode, a number and the counter are read, anew if the thread was in the kernel meanwhile.
 *
 * Return: ticks; 0 if no sums are kept.
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
