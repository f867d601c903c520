// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * self_cost - how long reading a thread's own time takes against reading the counter alone: prints
 * the smallest of many ratios.
 */
#include <evtlog/profile.h>
#include <stdio.h>

#define READS	2000
#define ROUNDS	2000

uint64_t read_user(const struct evtlog_profile_self *self);
uint64_t read_syscall(const struct evtlog_profile_self *self);

__attribute__((noinline)) uint64_t read_user(const struct evtlog_profile_self *self)
{
	return evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_USER);
}

__attribute__((noinline)) uint64_t read_syscall(const struct evtlog_profile_self *self)
{
	return evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_SYSCALL);
}

int main(void)
{
	static struct evtlog_profile_page page = { .sequence = 2, .stamp = 1, .user = -1 };
	const struct evtlog_profile_self self = { &page };
	uint64_t bare = UINT64_MAX, read = UINT64_MAX, begin, took;
	volatile uint64_t sink;
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		begin = evtlog_profile_now();
		for (i = 0; i < READS; i++)
			sink = evtlog_profile_now();
		took = evtlog_profile_now() - begin;
		bare = took < bare ? took : bare;
		begin = evtlog_profile_now();
		for (i = 0; i < READS; i++)
			sink = evtlog_profile_self_ticks(&self, EVTLOG_PROFILE_GROUP_USER);
		took = evtlog_profile_now() - begin;
		read = took < read ? took : read;
	}
	(void)sink;
	printf("%.2f\n", (double)read / bare);
	return 0;
}
