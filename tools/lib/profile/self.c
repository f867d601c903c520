// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads a thread's own profile: maps its page, and copies all sums of one moment.
 */
#include <errno.h>
#include <evtlog/profile.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SELF_FILE	"/proc/evtlog/profile/self"

static const char *const names[] = {
	[EVTLOG_PROFILE_GROUP_USER] = "user",
	[EVTLOG_PROFILE_GROUP_KERNEL] = "kernel",
	[EVTLOG_PROFILE_GROUP_SYSCALL] = "syscall",
	[EVTLOG_PROFILE_GROUP_EXCEPTION] = "exception",
	[EVTLOG_PROFILE_GROUP_IRQ] = "irq",
	[EVTLOG_PROFILE_GROUP_VECTOR] = "vector",
	[EVTLOG_PROFILE_GROUP_SOFTIRQ] = "softirq",
	[EVTLOG_PROFILE_GROUP_OTHER] = "other",
	[EVTLOG_PROFILE_GROUP_RUNQUEUE] = "runqueue",
	[EVTLOG_PROFILE_GROUP_PREEMPTED] = "preempted",
	[EVTLOG_PROFILE_GROUP_INTERRUPTIBLE] = "interruptible",
	[EVTLOG_PROFILE_GROUP_UNINTERRUPTIBLE] = "uninterruptible",
	[EVTLOG_PROFILE_GROUP_IO] = "io",
	[EVTLOG_PROFILE_GROUP_STOPPED] = "stopped",
	[EVTLOG_PROFILE_GROUP_WAITING] = "waiting",
	[EVTLOG_PROFILE_GROUP_SIGNAL] = "signal",
	[EVTLOG_PROFILE_GROUP_FUNCTION] = "function",
	[EVTLOG_PROFILE_GROUP_NET] = "net",
	[EVTLOG_PROFILE_GROUP_BLOCK] = "block",
};

_Static_assert(sizeof(names) / sizeof(*names) == EVTLOG_PROFILE_GROUPS, "each group has a name");
_Static_assert(sizeof(struct evtlog_profile_page) <= EVTLOG_PROFILE_PAGE_BYTES, "one page");

const char *evtlog_profile_group_name(unsigned int group)
{
	return group < EVTLOG_PROFILE_GROUPS ? names[group] : NULL;
}

static const struct evtlog_profile_page *map_page(void)
{
	int fd = open(SELF_FILE, O_RDONLY | O_CLOEXEC), error;
	void *page;

	if (fd < 0)
		return NULL;
	page = mmap(NULL, EVTLOG_PROFILE_PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	error = errno;
	close(fd);
	errno = error;
	return page == MAP_FAILED ? NULL : page;
}

struct evtlog_profile_self *evtlog_profile_self_open(void)
{
	struct evtlog_profile_self *self = malloc(sizeof(*self));

	if (!self)
		return NULL;
	self->page = map_page();
	if (!self->page) {
		free(self);
		return NULL;
	}
	if (self->page->version != EVTLOG_PROFILE_PAGE_VERSION) {
		evtlog_profile_self_close(self);
		errno = EPROTO;
		return NULL;
	}
	return self;
}

void evtlog_profile_self_close(struct evtlog_profile_self *self)
{
	if (!self)
		return;
	munmap((void *)self->page, EVTLOG_PROFILE_PAGE_BYTES);
	free(self);
}

static void copy(const struct evtlog_profile_page *page, struct evtlog_profile_sums *sums)
{
	sums->ticks_hz = page->ticks_hz;
	sums->stamp = page->stamp;
	sums->born = page->born;
	sums->ahead = page->ahead;
	sums->groups = page->groups;
	memcpy(sums->ticks, page->ticks, sizeof(sums->ticks));
	memcpy(sums->counts, page->counts, sizeof(sums->counts));
}

int evtlog_profile_self_read(const struct evtlog_profile_self *self, bool own,
			     struct evtlog_profile_sums *sums)
{
	const struct evtlog_profile_page *page = self->page;
	uint64_t now = 0;
	uint32_t sequence;

	/* Pairs with the kernel: @sequence is odd before it writes the page, even afterwards. */
	do {
		sequence = __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE);
		if (!sequence)
			return -ENODATA;
		copy(page, sums);
		if (own)
			now = evtlog_profile_now();
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (sequence & 1 || __atomic_load_n(&page->sequence, __ATOMIC_RELAXED) != sequence);
	if (own) {
		sums->ticks[EVTLOG_PROFILE_GROUP_USER] += now - sums->stamp;
		sums->stamp = now;
	}
	return 0;
}
