/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clocks of several hosts, related to each other by packets.
 *
 * Stage: between open logs (log.h) and whoever wants their times on one timeline.  It does
 * not give the events themselves: see host-merge.h.
 *
 * The times of several hosts' files on one timeline: CLOCK_MONOTONIC_RAW of one of
 * them, the reference.  What relates two hosts are packets that both recorded:
 * none is received before it was sent.  In between, and beyond them, a host's
 * rate against another's is held to wander by at most rho about its mean; that
 * is the one assumption, and where the packets contradict it rho is raised and
 * the clock says so.  Files of the same boot have the same clock.
 */
#ifndef EVTLOG_CLOCKSYNC_H
#define EVTLOG_CLOCKSYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/log.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_clocksync;

enum evtlog_clock_method {
	EVTLOG_CLOCK_NONE,	/* no packet relates it to the reference */
	EVTLOG_CLOCK_REFERENCE,
	EVTLOG_CLOCK_PACKETS,	/* bounded by packets */
	EVTLOG_CLOCK_NTP,	/* REALTIME is believed, as asked for */
};

/* What zeros in the options stand for: 1 ppm and 10 ms. */
#define EVTLOG_RHO_PPB		1000
#define EVTLOG_NTP_ERROR_NS	10000000

/**
 * struct evtlog_clocksync_options - how to relate hosts; all zero is fine
 * @rho_ppb: how far a rate wanders about its mean; 0: EVTLOG_RHO_PPB
 * @assume_ntp: hosts that no packet relates to the reference are taken to have a
 *	REALTIME that is right within @ntp_error_ns
 * @ntp_error_ns: of two such clocks against each other; 0: EVTLOG_NTP_ERROR_NS
 * @reference: host name; NULL: the one with most neighbours
 * @any_netns: packets of all network namespaces are used, also where any user of a
 *	host may have made them up
 * @netns, @netns_count: those of these namespaces are used, as records number them; 0:
 *	of the first one only
 * @progress: called now and then while files are read, with bytes of buffers; may
 *	be NULL
 */
struct evtlog_clocksync_options {
	uint64_t rho_ppb;
	uint64_t ntp_error_ns;
	const char *reference;
	bool assume_ntp;
	bool any_netns;
	const uint64_t *netns;
	size_t netns_count;
	void (*progress)(void *arg, uint64_t done_bytes, uint64_t all_bytes);
	void *progress_arg;
};

/**
 * struct evtlog_host_clock - a file's host against the reference
 * @offset_ns: the host's clock less the reference's, in the middle of the run
 * @rate_ppb: the host's clock gains so much on the reference's
 * @rate_error_ppb: that is right within plus or minus this, at any time of the run: by
 *	the bounds at both ends, and by rho; UINT64_MAX unknown
 * @bound_ns: times are right within plus or minus this all over the run
 * @best_bound_ns: the same where the clock is known best
 * @rho_ppb: the one that was used: more than was asked for if @rho_raised
 * @packets: between this host and others, used
 * @dropped: likewise, that can't be told from others, or contradict all others
 * @foreign: records of packets that were passed over for their network namespace
 * @violations: used ones that are received before they are sent on the common
 *	timeline: there are none, unless no clock fits all packets; the bounds hold all the same
 * @segments: parts of the run between steps of the clock
 * @hops: hosts up to the reference
 * @rho_raised: the packets show that rates wander more than was asked for, so that the
 *	bounds hold only if twice what they show is enough
 * @tsc_bad: the kernel did not trust its counter, so packets say nothing
 * @contradicted: what packets say of this clock contradicts itself, so that it is
 *	not related by them
 */
struct evtlog_host_clock {
	enum evtlog_clock_method method;
	int64_t offset_ns;
	int64_t rate_ppb;
	uint64_t rate_error_ppb;
	uint64_t bound_ns;
	uint64_t best_bound_ns;
	uint64_t rho_ppb;
	uint64_t packets;
	uint64_t dropped;
	uint64_t foreign;
	uint64_t violations;
	uint32_t segments;
	uint32_t hops;
	bool rho_raised;
	bool tsc_bad;
	bool contradicted;
};

/**
 * evtlog_clocksync_new() - relate the clocks of logs
 * @files: the logs stay the caller's; they are read, one after the other, and not needed
 * 	afterwards
 * @count: of @files
 * @options: may be NULL
 * @clocksyncp: where the result is stored; free it with evtlog_clocksync_free()
 * @error: filled in on failure; may be NULL
 *
 * Nothing depends on the order of the files, except that results are given by it.
 * Memory while reading grows with the number of ICMP records, 24 bytes each.
 *
 * Return: 0; -ENOENT no file is of the reference host; -EINVAL no files;
 * -ENOMEM; -errno of read().
 */
int evtlog_clocksync_new(struct evtlog_file *const *files, size_t count,
			 const struct evtlog_clocksync_options *options,
			 struct evtlog_clocksync **clocksyncp, struct evtlog_error *error);

/**
 * evtlog_clocksync_free() - free related clocks
 * @clocksync: NULL is allowed
 */
void evtlog_clocksync_free(struct evtlog_clocksync *clocksync);

/**
 * evtlog_clocksync_reference() - the file whose clock is the timeline
 * @clocksync: the related clocks
 *
 * Return: number of the file, of several the first.
 */
size_t evtlog_clocksync_reference(const struct evtlog_clocksync *clocksync);

/**
 * evtlog_clocksync_ntp_disproved() - how far apart CLOCK_REALTIME is between hosts that packets relate
 * @clocksync: the related clocks
 *
 * If that is more than @ntp_error_ns it is also the error assumed for the other hosts, whose
 * REALTIME is only believed.
 *
 * Return: ns; 0 if it is not more than @ntp_error_ns, or if nothing was assumed.
 */
uint64_t evtlog_clocksync_ntp_disproved(const struct evtlog_clocksync *clocksync);

/**
 * evtlog_clocksync_order() - files in the order of host name, boot and run
 * @clocksync: the related clocks
 * @number: in that order, from 0
 *
 * Return: number of the file; SIZE_MAX behind the last.
 */
size_t evtlog_clocksync_order(const struct evtlog_clocksync *clocksync, size_t number);

/**
 * evtlog_clocksync_clock() - the clock of a file's host
 * @clocksync: the related clocks
 * @file: number of the file
 *
 * Return: the clock, which lives as long as @clocksync; NULL behind the last file.
 */
const struct evtlog_host_clock *
evtlog_clocksync_clock(const struct evtlog_clocksync *clocksync, size_t file);

/**
 * evtlog_clock_method_name() - name of a method
 * @method: of struct evtlog_host_clock
 *
 * Return: "none", "reference", "packets" or "ntp"; static.
 */
const char *evtlog_clock_method_name(enum evtlog_clock_method method);

/**
 * evtlog_clocksync_time() - convert a time of a file to the common timeline
 * @clocksync: the related clocks
 * @file: number of the file; must be below the count of files
 * @raw_ns: as events have it
 *
 * The result does not step back if @raw_ns does not.
 *
 * Return: ns of the reference's CLOCK_MONOTONIC_RAW; without a method @raw_ns itself.
 */
int64_t evtlog_clocksync_time(const struct evtlog_clocksync *clocksync, size_t file,
			      uint64_t raw_ns);

/**
 * evtlog_clocksync_raw() - convert a time of the common timeline to a file's
 * @clocksync: the related clocks
 * @file: number of the file; must be below the count of files
 * @time_ns: on the common timeline
 *
 * The inverse of evtlog_clocksync_time(): the file's first time that is not before @time_ns.
 *
 * Return: ns as events have it; INT64_MAX if all are before.
 */
uint64_t evtlog_clocksync_raw(const struct evtlog_clocksync *clocksync, size_t file,
			      int64_t time_ns);

/**
 * evtlog_clocksync_bound() - error of a converted time
 * @clocksync: the related clocks
 * @file: number of the file; must be below the count of files
 * @raw_ns: as events have it
 *
 * Return: evtlog_clocksync_time() is correct within plus or minus so many ns; UINT64_MAX
 * unknown.
 */
uint64_t evtlog_clocksync_bound(const struct evtlog_clocksync *clocksync, size_t file,
				uint64_t raw_ns);

/**
 * struct evtlog_host_cursor - gives the same, fast when times are close to each other
 *
 * One for each file, or for each stream; its fields are the library's.
 */
struct evtlog_host_cursor {
	const void *timeline;
	size_t piece;
	uint64_t begin_ns;
	uint64_t length_ns;
	int64_t time_ns;
	uint64_t mult;
	uint64_t bound_ns;
	uint64_t end_bound_ns;
	unsigned int shift;
};

/**
 * evtlog_host_cursor_start() - prepare to convert many times of a file
 * @cursor: of the caller
 * @clocksync: the related clocks, which must outlive @cursor
 * @file: number of the file; must be below the count of files
 */
void evtlog_host_cursor_start(struct evtlog_host_cursor *cursor,
			      const struct evtlog_clocksync *clocksync, size_t file);

/**
 * evtlog_host_cursor_time() - convert a time, fast if it is near the previous one
 * @cursor: the cursor
 * @raw_ns: as events have it
 *
 * Return: as evtlog_clocksync_time().
 */
int64_t evtlog_host_cursor_time(struct evtlog_host_cursor *cursor,
				uint64_t raw_ns);

/**
 * evtlog_host_cursor_bound() - error of a converted time, fast if it is near the previous one
 * @cursor: the cursor
 * @raw_ns: as events have it
 *
 * Return: as evtlog_clocksync_bound().
 */
uint64_t evtlog_host_cursor_bound(struct evtlog_host_cursor *cursor,
				  uint64_t raw_ns);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_CLOCKSYNC_H */
