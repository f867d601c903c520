// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compensated off|on COUNT - prints the ticks of COUNT getppid(): by the counter, and, if profiles
 * are on, by the raw and the compensated profile. Each is the shortest of some rounds.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <evtlog/profile.h>
#include <evtlog/profiles.h>

#define GOES	12

static __attribute__((__noinline__)) void call(long count)
{
	while (count--)
		syscall(SYS_getppid);
}

static uint64_t counter(long count)
{
	uint64_t begin = evtlog_profile_now();

	call(count);
	return evtlog_profile_now() - begin;
}

static uint64_t sum(const struct evtlog_profile *profile)
{
	const struct evtlog_profile_path *path;
	uint64_t ticks = 0;

	for (size_t i = 0; (path = evtlog_profile_path_at(profile, 0, i)); i++)
		ticks += path->exclusive;
	return ticks;
}

struct ticks {
	uint64_t raw, compensated;
};

static void fail(const char *what, int error)
{
	fprintf(stderr, "%s: %s\n", what, strerror(-error));
	exit(1);
}

/* The difference of two readings, including their own cost */
static struct ticks profiled(long count)
{
	struct evtlog_profile *before, *after, *diff;
	struct ticks ticks;
	int error = evtlog_profile_self(&before);

	if (error)
		fail("self", error);
	call(count);
	error = evtlog_profile_self(&after);
	if (!error)
		error = evtlog_profile_diff(after, before, &diff);
	if (error)
		fail("diff", error);
	ticks.raw = sum(diff);
	error = evtlog_profile_compensate(diff);
	if (error)
		fail("compensate", error);
	ticks.compensated = sum(diff);
	evtlog_profile_free(before);
	evtlog_profile_free(after);
	evtlog_profile_free(diff);
	return ticks;
}

static void keep_least(struct ticks *least, struct ticks ticks)
{
	if (ticks.raw < least->raw)
		*least = ticks;
}

int main(int argc, char **argv)
{
	struct ticks none = { .raw = UINT64_MAX }, all = { .raw = UINT64_MAX };
	long count = atol(argv[2]);
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < GOES; i++) {
		uint64_t ticks = counter(count) - counter(0);

		least = ticks < least ? ticks : least;
	}
	printf("%s %.3f\n", argv[1], (double)least / count);
	if (strcmp(argv[1], "on"))
		return 0;
	for (int i = 0; i < GOES; i++) {
		/* Vary the start: a round as long as a tick's period would always have a tick. */
		call(i * count / 8);
		keep_least(&none, profiled(0));
		keep_least(&all, profiled(count));
	}
	printf("raw %.3f\ncompensated %.3f\n", (double)(all.raw - none.raw) / count,
	       (double)(all.compensated - none.compensated) / count);
	return 0;
}
