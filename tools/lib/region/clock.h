/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a thread's time was since the last look: user mode, and the kernel's groups.
 *
 * Of the thread that calls, from the page that the kernel keeps for it (profile-abi.h); without
 * one all time is taken for user mode.
 */
#ifndef EVTLOG_LIB_REGION_CLOCK_H
#define EVTLOG_LIB_REGION_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/profile.h>

#define REGION_GROUPS	EVTLOG_PROFILE_GROUPS

struct region_path;
struct region_paths;

/*
 * struct region_sums - by enum evtlog_profile_group
 * @paths:	what is told by path (paths.h) in place of its group, the newest first
 */
struct region_sums {
	uint64_t ticks[REGION_GROUPS];
	uint64_t counts[REGION_GROUPS];
	struct region_path *paths;
};

/*
 * struct region_clock - a thread's
 * @page:	NULL: it has none
 * @is_limited:	there was no memory for a page: the user's limit on locked memory
 * @sequence:	of the page, when @seen was read; 0: the page had no sums
 * @now:	in ticks: of the last look
 * @stamp:	since when the page is as it is
 * @born:	since when its sums count: another one if profiles were started anew
 * @seen:	what it had
 * @paths:	NULL: groups are told, as the page has them
 */
struct region_clock {
	const struct evtlog_profile_page *page;
	bool is_limited;
	struct region_paths *paths;
	uint32_t sequence;
	uint64_t now;
	uint64_t stamp;
	uint64_t born;
	struct region_sums seen;
};

/** region_clock_open() - of the calling thread, from now on */
void region_clock_open(struct region_clock *clock);

/** region_clock_close() - gives its page back */
void region_clock_close(struct region_clock *clock);

/** region_clock_changed() - the slow part of region_clock_charge() */
void region_clock_changed(struct region_clock *clock, struct region_sums *to);

/** region_clock_charge() - adds all since the last look to @to */
static inline void region_clock_charge(struct region_clock *clock, struct region_sums *to)
{
	const volatile struct evtlog_profile_page *page = clock->page;
	uint64_t now;

	if (__builtin_expect(!page, 0)) {
		now = evtlog_profile_now();
	} else {
		/*
		 * The kernel writes the page when this thread returns to user mode, so between two
		 * equal sequences it was in user mode all the time.
		 */
		if (page->sequence != clock->sequence)
			return region_clock_changed(clock, to);
		__asm__ volatile("" ::: "memory");
		now = evtlog_profile_now();
		__asm__ volatile("" ::: "memory");
		if (page->sequence != clock->sequence)
			return region_clock_changed(clock, to);
	}
	to->ticks[EVTLOG_PROFILE_GROUP_USER] += now - clock->now;
	clock->now = now;
}

/*
 * struct region_clock_pair - one instant on two clocks
 * @ns:		CLOCK_MONOTONIC_RAW
 * @width_ns:	of the time in which both were read; @ns is in its middle
 */
struct region_clock_pair {
	uint64_t ticks, ns, width_ns;
};

/** region_clock_ns() - CLOCK_MONOTONIC_RAW */
uint64_t region_clock_ns(void);

void region_clock_pair(struct region_clock_pair *pair);

/** region_clock_hz() - of the ticks: the kernel's figure, or measured since @since */
uint64_t region_clock_hz(const struct region_clock_pair *since);

#endif /* EVTLOG_LIB_REGION_CLOCK_H */
