/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time of the calling thread since the last reading: user mode, and the kernel's groups.
 *
 * Read from the page that the kernel keeps for the thread (profile-abi.h).  Without a page, all
 * time counts as user mode.
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
 * struct region_sums - sums by enum evtlog_profile_group
 * @paths:	sums by path instead of group (paths.h), the newest path first
 */
struct region_sums {
	uint64_t ticks[REGION_GROUPS];
	uint64_t counts[REGION_GROUPS];
	struct region_path *paths;
};

/*
 * struct region_clock - clock of a thread
 * @page:	NULL if it has none
 * @is_limited:	no memory for a page: the user's limit on locked memory
 * @sequence:	sequence of the page when @seen was read; 0: the page had no sums
 * @now:	in ticks: time of the last reading
 * @stamp:	@stamp of the page at that time
 * @born:	begin of its sums; changes when profiling is started again
 * @seen:	sums at that time
 * @paths:	NULL: sums are by group, as in the page
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

/** region_clock_open() - start the clock of the calling thread */
void region_clock_open(struct region_clock *clock);

/** region_clock_close() - unmap the page */
void region_clock_close(struct region_clock *clock);

/** region_clock_changed() - slow path of region_clock_charge() */
void region_clock_changed(struct region_clock *clock, struct region_sums *to);

/** region_clock_charge() - add the time since the last reading to @to */
static inline void region_clock_charge(struct region_clock *clock, struct region_sums *to)
{
	const volatile struct evtlog_profile_page *page = clock->page;
	uint64_t now;

	if (__builtin_expect(!page, 0)) {
		now = evtlog_profile_now();
	} else {
		/*
		 * The kernel writes the page when this thread returns to user mode.  If the
		 * sequence is the same at two times, the thread was in user mode in between.
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
 * struct region_clock_pair - one time on two clocks
 * @ns:		CLOCK_MONOTONIC_RAW
 * @width_ns:	duration of the reading of both clocks; @ns is in its middle
 */
struct region_clock_pair {
	uint64_t ticks, ns, width_ns;
};

/** region_clock_ns() - read CLOCK_MONOTONIC_RAW */
uint64_t region_clock_ns(void);

void region_clock_pair(struct region_clock_pair *pair);

/** region_clock_hz() - get the rate of ticks, from the kernel or measured since @since */
uint64_t region_clock_hz(const struct region_clock_pair *since);

#endif /* EVTLOG_LIB_REGION_CLOCK_H */
