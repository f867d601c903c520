// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the clock of a program's trace, and converts its times to those of a log of the same run.
 *
 * An OTF2 trace contains the rate of its clock and, since 3.0, a stamp of CLOCK_REALTIME at the
 * first event, but not the kind of clock.  Tools take the stamp by a separate call, before or after
 * the first event.  So the clock that agrees best with the stamp is more exact than the stamp.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "lib/file/file.h"
#include "lib/file/tick-clock.h"
#include "program-clock.h"

#define NS_PER_S	INT64_C(1000000000)

/* Longest time between stamp and first event, also on a busy machine */
#define STAMP_NEAR_NS	100000000

/* The stamp cannot distinguish clocks that differ by less. */
#define STAMP_EXACT_NS	1000000

/* A clock is also possible if its distance to the found one is less than this times @agrees_ns. */
#define STAMP_DOUBT	10

/* NTP changes the rate of clocks by 500 ppm at most. */
#define SLEW_OF(ns)	((ns) / 2000)

/* Rates of the tick counter that differ by less (1 %) are considered equal. */
#define HZ_NEAR(hz)	((hz) / 100)

/* Error of the two clocks that logd reads one after the other */
#define PAIR_ERROR_NS	1000

typedef __int128 s128;

static const struct {
	const char *name;
	const char *about;
} kinds[CLOCK_KINDS] = {
	[CLOCK_OF_DEFINITIONS] = { "", "unknown" },
	[CLOCK_OF_RAW] = { "raw", "CLOCK_MONOTONIC_RAW" },
	[CLOCK_OF_MONOTONIC] = { "monotonic", "CLOCK_MONOTONIC" },
	[CLOCK_OF_REALTIME] = { "realtime", "CLOCK_REALTIME" },
	[CLOCK_OF_TSC] = { "tsc", "the tick counter" },
	[CLOCK_OF_STAMP] = { "stamp", "another clock, by its stamp of CLOCK_REALTIME" },
};

enum program_clock_kind program_clock_kind(const char *name)
{
	for (unsigned int i = CLOCK_OF_RAW; i < CLOCK_KINDS; i++)
		if (!strcmp(name, kinds[i].name))
			return i;
	return CLOCK_KINDS;
}

const char *program_clock_name(enum program_clock_kind kind)
{
	return kinds[kind].about;
}

static int64_t clamp(s128 value)
{
	if (value > INT64_MAX)
		return INT64_MAX;
	return value < 0 ? 0 : (int64_t)value;
}

/* ---- Times ---- */

/*
 * Converts CLOCK_REALTIME to the time of the log.  If the clock was stepped, several results are
 * possible: returns one of them.  Times before the boot are negative.
 */
static s128 raw_of_real(const struct evtlog_file *file, s128 real_ns)
{
	s128 raw_ns = evtlog_begin_ns(file);

	for (unsigned int i = 0; i < 4; i++) {
		int64_t near_ns = clamp(raw_ns);

		raw_ns = real_ns - evtlog_real_ns(file, near_ns) + near_ns;
	}
	return raw_ns;
}

static s128 ns_of(const struct program_clock *clock, s128 ticks)
{
	return clock->hz == (uint64_t)NS_PER_S ? ticks : ticks * NS_PER_S / (s128)clock->hz;
}

static s128 raw_ns_as(const struct program_clock *clock, enum program_clock_kind kind,
		      uint64_t time)
{
	switch (kind) {
	case CLOCK_OF_RAW:
		return ns_of(clock, time);
	case CLOCK_OF_MONOTONIC:
		return raw_of_real(clock->file, ns_of(clock, time) + clock->real_of_monotonic_ns);
	case CLOCK_OF_REALTIME:
		return raw_of_real(clock->file, ns_of(clock, time));
	case CLOCK_OF_TSC:
		return clock_ns(&clock->file->clocks[0], time);
	default:
		return raw_of_real(clock->file, (s128)clock->stamp_ns +
				   ns_of(clock, (s128)time - clock->begin));
	}
}

uint64_t program_clock_raw_ns(const struct program_clock *clock, uint64_t time)
{
	return clamp(raw_ns_as(clock, clock->kind, time));
}

/* ---- Finding the clock ---- */

static bool has_stamp(const struct program_clock *clock)
{
	return clock->stamp_ns != UINT64_MAX && clock->stamp_ns;
}

/* Returns true if times of this kind of clock can be converted with the log and the trace. */
static bool is_possible(const struct program_clock *clock, enum program_clock_kind kind)
{
	uint64_t ticks_hz = evtlog_ticks_hz(clock->file);

	switch (kind) {
	case CLOCK_OF_MONOTONIC:
		return clock->knows_monotonic;
	case CLOCK_OF_TSC:
		/* If CPUs have different counters, a time's counter is unknown. */
		return clock->file->clock_count == 1 && ticks_hz && clock->hz >= ticks_hz - HZ_NEAR(ticks_hz) &&
		       clock->hz <= ticks_hz + HZ_NEAR(ticks_hz);
	case CLOCK_OF_STAMP:
		return has_stamp(clock);
	default:
		return true;
	}
}

static uint64_t end_of(const struct program_clock *clock)
{
	return clock->begin + clock->length < clock->begin ? UINT64_MAX :
	       clock->begin + clock->length;
}

/* Returns true if a part of the trace is within the log. */
static bool overlaps(const struct program_clock *clock, enum program_clock_kind kind)
{
	return raw_ns_as(clock, kind, clock->begin) <= (s128)evtlog_end_ns(clock->file) &&
	       raw_ns_as(clock, kind, end_of(clock)) >= (s128)evtlog_begin_ns(clock->file);
}

static uint64_t apart_ns(s128 a, s128 b)
{
	return clamp(a > b ? a - b : b - a);
}

/* Returns the clock that is nearest to the stamp; CLOCK_OF_STAMP if none is near. */
static enum program_clock_kind find_by_stamp(const struct program_clock *clock)
{
	s128 stamp_ns = raw_ns_as(clock, CLOCK_OF_STAMP, clock->begin);
	uint64_t best_ns = STAMP_NEAR_NS;
	enum program_clock_kind found = CLOCK_OF_STAMP;

	for (unsigned int i = CLOCK_OF_RAW; i < CLOCK_OF_STAMP; i++) {
		uint64_t away_ns;

		if (!is_possible(clock, i))
			continue;
		away_ns = apart_ns(raw_ns_as(clock, i, clock->begin), stamp_ns);
		if (away_ns < best_ns) {
			best_ns = away_ns;
			found = i;
		}
	}
	return found;
}

/* Reports other possible clocks: the library may have taken the stamp when it wrote the trace. */
static void say_others(const struct program_clock *clock, const char *path)
{
	int64_t stamp_ns = raw_ns_as(clock, CLOCK_OF_STAMP, clock->begin);

	for (unsigned int i = CLOCK_OF_RAW; i < CLOCK_OF_STAMP; i++) {
		double late_s;

		if (!is_possible(clock, i) || !overlaps(clock, i))
			continue;
		late_s = (stamp_ns - (int64_t)raw_ns_as(clock, i, clock->begin)) / 1e9;
		pr_warn("%s: by %s it is also within the log, %.3f s %s than by its stamp; if the stamp is not of its first event, use --with-clock %s",
			path, kinds[i].about, late_s < 0 ? -late_s : late_s,
			late_s < 0 ? "later" : "earlier", kinds[i].name);
	}
}

/* Without a stamp: returns the clock by which the trace overlaps the log, if it is the only one. */
static enum program_clock_kind find_by_times(const struct program_clock *clock)
{
	enum program_clock_kind found = CLOCK_OF_DEFINITIONS;

	/* CLOCK_MONOTONIC would be possible, too. */
	if (!clock->knows_monotonic)
		return CLOCK_OF_DEFINITIONS;
	for (unsigned int i = CLOCK_OF_RAW; i < CLOCK_OF_STAMP; i++) {
		if (!is_possible(clock, i) || !overlaps(clock, i))
			continue;
		if (found)
			return CLOCK_OF_DEFINITIONS;
		found = i;
	}
	return found;
}

/* Returns the largest distance of other possible clocks from the chosen one, at begin or end. */
static uint64_t doubt_ns(const struct program_clock *clock)
{
	s128 begin_ns = raw_ns_as(clock, clock->kind, clock->begin);
	s128 end_ns = raw_ns_as(clock, clock->kind, end_of(clock));
	uint64_t most_ns = 0, near_ns = STAMP_EXACT_NS;

	if (clock->agrees_ns < STAMP_NEAR_NS && clock->agrees_ns * STAMP_DOUBT > near_ns)
		near_ns = clock->agrees_ns * STAMP_DOUBT;
	for (unsigned int i = CLOCK_OF_RAW; i < CLOCK_OF_STAMP; i++) {
		uint64_t away_ns = apart_ns(raw_ns_as(clock, i, clock->begin), begin_ns);
		uint64_t away_end_ns = apart_ns(raw_ns_as(clock, i, end_of(clock)), end_ns);

		if (!is_possible(clock, i) || away_ns >= near_ns)
			continue;
		if (away_end_ns > away_ns)
			away_ns = away_end_ns;
		if (away_ns > most_ns)
			most_ns = away_ns;
	}
	return most_ns;
}

/* Returns the additional error if the clock was found by us, and could be another. */
static uint64_t finding_ns(const struct program_clock *clock)
{
	uint64_t error_ns = doubt_ns(clock);

	if (clock->kind == CLOCK_OF_STAMP || clock->agrees_ns == UINT64_MAX)
		return error_ns;
	/* The stamp was late, or the clock is one that the log does not contain. */
	if (clock->agrees_ns > STAMP_EXACT_NS || !clock->knows_monotonic)
		error_ns += clock->agrees_ns;
	if (!clock->knows_monotonic)
		error_ns += SLEW_OF(clamp(ns_of(clock, clock->length)));
	return error_ns;
}

/* Returns the error outside the log, where the rate of its clocks is unknown. */
static uint64_t outside_ns(const struct program_clock *clock)
{
	uint64_t from_ns = program_clock_raw_ns(clock, clock->begin);
	uint64_t to_ns = program_clock_raw_ns(clock, end_of(clock)), ns = 0;

	if (clock->kind == CLOCK_OF_RAW)
		return 0;
	if (from_ns < evtlog_begin_ns(clock->file))
		ns = evtlog_begin_ns(clock->file) - from_ns;
	if (to_ns > evtlog_end_ns(clock->file) && to_ns - evtlog_end_ns(clock->file) > ns)
		ns = to_ns - evtlog_end_ns(clock->file);
	return SLEW_OF(ns);
}

/* Sets the largest error of times, as far as it is known. */
static void set_error(struct program_clock *clock)
{
	clock->agrees_ns = UINT64_MAX;
	if (has_stamp(clock) && clock->kind != CLOCK_OF_STAMP)
		clock->agrees_ns = apart_ns(raw_ns_as(clock, clock->kind, clock->begin),
					    raw_ns_as(clock, CLOCK_OF_STAMP, clock->begin));
	clock->error_ns = evtlog_clock_error_ns(clock->file) + NS_PER_S / clock->hz +
			  outside_ns(clock);
	if (clock->kind == CLOCK_OF_MONOTONIC)
		clock->error_ns += PAIR_ERROR_NS;
	if (clock->found)
		clock->error_ns += finding_ns(clock);
}

static void read_monotonic(struct program_clock *clock)
{
	const char *text = evtlog_meta(clock->file, "real_of_monotonic_ns");
	char *end;

	if (!text)
		return;
	errno = 0;
	clock->real_of_monotonic_ns = strtoll(text, &end, 10);
	clock->knows_monotonic = !errno && end != text && !*end;
}

static int refuse(const struct program_clock *clock, const char *path,
		  enum program_clock_kind kind)
{
	if (kind == CLOCK_OF_MONOTONIC)
		pr_err("%s: --with-clock monotonic: the log of an older logd does not contain CLOCK_MONOTONIC; try realtime or raw",
		       path);
	else if (kind == CLOCK_OF_TSC && clock->file->clock_count > 1)
		pr_err("%s: --with-clock tsc: each CPU of the log has its own tick counter, and the trace does not name the one of its times",
		       path);
	else if (kind == CLOCK_OF_TSC)
		pr_err("%s: --with-clock tsc: its clock has %" PRIu64 " Hz, the tick counter of the log %" PRIu64,
		       path, clock->hz, evtlog_ticks_hz(clock->file));
	else
		pr_err("%s: --with-clock stamp: it has no stamp of CLOCK_REALTIME (OTF2 3.0)", path);
	return EXIT_FAILED;
}

int program_clock_relate(struct program_clock *clock, const struct evtlog_file *file,
			 const char *path, enum program_clock_kind kind)
{
	clock->file = file;
	if (!clock->hz) {
		pr_err("%s: its clock has no rate: the trace is incomplete", path);
		return EXIT_FAILED;
	}
	read_monotonic(clock);
	if (kind && !is_possible(clock, kind))
		return refuse(clock, path, kind);
	clock->found = !kind;
	if (!kind)
		kind = has_stamp(clock) ? find_by_stamp(clock) : find_by_times(clock);
	if (!kind) {
		pr_err("%s: it does not name the clock of its times; name it with --with-clock raw, monotonic, realtime or tsc",
		       path);
		return EXIT_FAILED;
	}
	clock->kind = kind;
	if (!overlaps(clock, kind)) {
		double after_s = ((double)raw_ns_as(clock, kind, clock->begin) -
				  (double)evtlog_begin_ns(file)) / 1e9;

		pr_err("%s: by %s it starts %.3f s %s the start of the log, and no part of it is within the log: it is of another run, or has another clock; name that with --with-clock",
		       path, kinds[kind].about, after_s < 0 ? -after_s : after_s,
		       after_s < 0 ? "before" : "after");
		return EXIT_FAILED;
	}
	if (clock->found && kind == CLOCK_OF_STAMP)
		say_others(clock, path);
	set_error(clock);
	return EXIT_OK;
}

bool program_clock_of_host(struct program_clock *clock, const struct program_clock *first,
			   const struct evtlog_file *file)
{
	*clock = *first;
	clock->file = file;
	clock->knows_monotonic = false;
	read_monotonic(clock);
	if (clock->kind == CLOCK_OF_STAMP || !is_possible(clock, clock->kind))
		return false;
	set_error(clock);
	return true;
}
