// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the page of the calling thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lib/region/clock.h"
#include "lib/region/paths.h"

#define SELF_FILE	"/proc/evtlog/profile/self"
#define READS		16

/* With paths: differs from the sequence of any page that its thread reads, so each charge reads. */
#define SEQUENCE_OF_PATHS	1

/* Rate from the kernel; 0 if unknown. */
static uint64_t page_hz;

static void map_page(struct region_clock *clock)
{
	int fd = open(SELF_FILE, O_RDONLY | O_CLOEXEC);
	const struct evtlog_profile_page *page;
	void *at = MAP_FAILED;

	if (fd >= 0)
		at = mmap(NULL, EVTLOG_PROFILE_PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	clock->is_limited = at == MAP_FAILED && errno == ENOMEM;
	if (fd >= 0)
		close(fd);
	if (at == MAP_FAILED)
		return;
	page = at;
	if (page->version == EVTLOG_PROFILE_PAGE_VERSION)
		clock->page = page;
	else
		munmap(at, EVTLOG_PROFILE_PAGE_BYTES);
}

void region_clock_open(struct region_clock *clock)
{
	struct region_sums dropped = { 0 };
	struct region_paths *paths = clock->paths;

	*clock = (struct region_clock){ 0 };
	map_page(clock);
	clock->now = evtlog_profile_now();
	if (!clock->page)
		return;
	if (paths)
		region_paths_renew(paths);
	else
		paths = region_paths_new();
	clock->paths = paths;
	__atomic_store_n(&page_hz, clock->page->ticks_hz, __ATOMIC_RELAXED);
	region_clock_changed(clock, &dropped);
}

void region_clock_close(struct region_clock *clock)
{
	if (clock->page)
		munmap((void *)clock->page, EVTLOG_PROFILE_PAGE_BYTES);
	clock->page = NULL;
	if (clock->paths)
		region_paths_close(clock->paths);
}

/* With paths, a region has no sums by group. */
static bool charge_paths(struct region_clock *clock, struct region_sums *to)
{
	if (!clock->page->sequence || !region_paths_charge(clock->paths, to, &clock->now)) {
		region_paths_forget(clock->paths);
		return false;
	}
	clock->sequence = SEQUENCE_OF_PATHS;
	return true;
}

/*
 * Reads consistent sums and the time of the reading.  Returns the sequence; 0: there are no sums.
 * The page changes only between two instructions of this thread, so no barriers are needed.
 */
static uint32_t read_page(const volatile struct evtlog_profile_page *page,
			  struct region_sums *sums, uint64_t *stamp, uint64_t *born, uint64_t *now)
{
	uint32_t sequence;

	do {
		sequence = page->sequence;
		__asm__ volatile("" ::: "memory");
		memcpy(sums->ticks, (const void *)page->ticks, sizeof(sums->ticks));
		memcpy(sums->counts, (const void *)page->counts, sizeof(sums->counts));
		*stamp = page->stamp;
		*born = page->born;
		*now = evtlog_profile_now();
		__asm__ volatile("" ::: "memory");
	} while (page->sequence != sequence || sequence & 1);
	return sequence;
}

/* Adds all groups except user mode, which is the first */
static void add_groups(uint64_t *restrict to, const uint64_t *restrict now,
		       const uint64_t *restrict before)
{
	for (unsigned int i = 1; i < REGION_GROUPS; i++)
		to[i] += now[i] - before[i];
}

void region_clock_changed(struct region_clock *clock, struct region_sums *to)
{
	struct region_sums sums;
	uint64_t stamp, born, now, user;
	uint32_t before = clock->sequence;

	if (clock->paths && charge_paths(clock, to))
		return;
	clock->sequence = read_page(clock->page, &sums, &stamp, &born, &now);
	if (!clock->sequence || !before || before == SEQUENCE_OF_PATHS || born != clock->born) {
		/* Profiling was started or stopped: the kinds of the time before are unknown. */
		to->ticks[EVTLOG_PROFILE_GROUP_USER] += now - clock->now;
	} else {
		add_groups(to->ticks, sums.ticks, clock->seen.ticks);
		add_groups(to->counts, sums.counts, clock->seen.counts);
		/* After the stamp, the thread is in user mode. */
		user = sums.ticks[EVTLOG_PROFILE_GROUP_USER] -
		       clock->seen.ticks[EVTLOG_PROFILE_GROUP_USER];
		user += (now - stamp) - (clock->now - clock->stamp);
		to->ticks[EVTLOG_PROFILE_GROUP_USER] += user;
	}
	clock->seen = sums;
	clock->stamp = stamp;
	clock->born = born;
	clock->now = now;
}

uint64_t region_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* An interruption makes a reading longer, so the shortest of several is used. */
void region_clock_pair(struct region_clock_pair *pair)
{
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < READS; i++) {
		uint64_t before = region_clock_ns(), ticks = evtlog_profile_now(), after = region_clock_ns();

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		pair->ticks = ticks;
		pair->ns = before + shortest / 2;
		pair->width_ns = shortest;
	}
}

uint64_t region_clock_hz(const struct region_clock_pair *since)
{
	uint64_t hz = __atomic_load_n(&page_hz, __ATOMIC_RELAXED);
	struct region_clock_pair now;

	if (hz)
		return hz;
	/* At least 10 ms, because each reading of the clocks takes some ns. */
	do
		region_clock_pair(&now);
	while (now.ns - since->ns < 10000000);
	return (uint64_t)((unsigned __int128)(now.ticks - since->ticks) * 1000000000 /
			  (now.ns - since->ns));
}
