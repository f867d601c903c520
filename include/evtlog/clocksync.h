/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Relates the clocks of several hosts by packets.
 *
 * Stage: between open logs (log.h) and programs that need their times on one timeline.  It does not
 * return events: see host-merge.h.
 *
 * The timeline is CLOCK_MONOTONIC_RAW of one host, the reference.  Two hosts are related by packets
 * that both hosts recorded: a packet is not received before it is sent.  Before, between and after
 * packets, the rate of a host's clock against another is assumed to vary by at most rho about its
 * mean.  This is the only assumption.  If packets contradict it, rho is increased, and @rho_raised
 * of the clock is set.  Files of the same boot have the same clock.
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
	EVTLOG_CLOCK_NONE,	/* no packet relates the host to the reference */
	EVTLOG_CLOCK_REFERENCE,
	EVTLOG_CLOCK_PACKETS,	/* bounded by packets */
	EVTLOG_CLOCK_NTP,	/* REALTIME is assumed to be right, see @assume_ntp */
};

/* Defaults of the options: 1 ppm and 10 ms. */
#define EVTLOG_RHO_PPB		1000
#define EVTLOG_NTP_ERROR_NS	10000000

/**
 * struct evtlog_clocksync_options - options; all zero is valid
 * @rho_ppb: maximum variation of a rate about its mean; 0: EVTLOG_RHO_PPB
 * @assume_ntp: assume that REALTIME is right within @ntp_error_ns on hosts not related by packets
 * @ntp_error_ns: maximum difference between two such clocks; 0: EVTLOG_NTP_ERROR_NS
 * @reference: host name; NULL: the host with most neighbours
 * @any_netns: use packets of all network namespaces, which users of a host may have forged
 * @netns, @netns_count: use packets of these namespaces, numbered as in records; 0: only the first
 *	one
 * @progress: called from time to time while files are read, with bytes of buffers; may be NULL
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
 * struct evtlog_host_clock - relation of a file's host to the reference
 * @offset_ns: the host's clock minus the reference's clock, in the middle of the run
 * @rate_ppb: gain of the host's clock on the reference's clock
 * @rate_error_ppb: error of @rate_ppb, plus or minus, at any time of the run: from the bounds at
 *	both ends, and from rho; UINT64_MAX if unknown
 * @bound_ns: error of times, plus or minus, in the whole run
 * @best_bound_ns: smallest error of times in the run
 * @rho_ppb: rho that was used; more than requested if @rho_raised
 * @packets: packets between this host and other hosts that were used
 * @dropped: packets that were not used: they are ambiguous, or contradict all other packets
 * @foreign: records of packets that were skipped because of their network namespace
 * @violations: used packets that are received before they are sent on the common timeline; 0 unless
 *	no clock fits all packets.  The bounds are valid anyway
 * @segments: number of parts of the run between steps of the clock
 * @hops: number of hosts on the path to the reference
 * @rho_raised: the packets show that rates vary more than requested.  The bounds are valid only if
 *	rates vary by at most twice what the packets show
 * @tsc_bad: the kernel did not trust its tick counter, so packets do not relate the host
 * @contradicted: packets about this clock contradict each other, so they do not relate the host
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
 * @files: the logs; owned by the caller, read one after the other, not needed after the call
 * @count: number of @files
 * @options: may be NULL
 * @clocksyncp: where the result is stored; free it with evtlog_clocksync_free()
 * @error: filled in on failure; may be NULL
 *
 * The result does not depend on the order of the files, except for their numbers.
 * While files are read, memory grows by 24 bytes for each ICMP record.
 *
 * Return: 0; -ENOENT no file is of the reference host; -EINVAL no files; -ENOMEM; -errno of read().
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
 * evtlog_clocksync_reference() - get the file whose clock is the timeline
 * @clocksync: the related clocks
 *
 * Return: number of the file; the first one if there are several.
 */
size_t evtlog_clocksync_reference(const struct evtlog_clocksync *clocksync);

/**
 * evtlog_clocksync_ntp_disproved() - get the error of CLOCK_REALTIME
 * @clocksync: the related clocks
 *
 * The error is the difference of CLOCK_REALTIME between hosts that packets relate.  If it exceeds
 * @ntp_error_ns, it is also assumed for hosts that are related by REALTIME only.
 *
 * Return: ns; 0 if it does not exceed @ntp_error_ns, or without @assume_ntp.
 */
uint64_t evtlog_clocksync_ntp_disproved(const struct evtlog_clocksync *clocksync);

/**
 * evtlog_clocksync_order() - list files in the order of host name, boot and run
 * @clocksync: the related clocks
 * @number: place in this order, from 0
 *
 * Return: number of the file; SIZE_MAX after the last file.
 */
size_t evtlog_clocksync_order(const struct evtlog_clocksync *clocksync, size_t number);

/**
 * evtlog_clocksync_clock() - get the clock of a file's host
 * @clocksync: the related clocks
 * @file: number of the file
 *
 * Return: the clock, valid as long as @clocksync; NULL after the last file.
 */
const struct evtlog_host_clock *
evtlog_clocksync_clock(const struct evtlog_clocksync *clocksync, size_t file);

/**
 * evtlog_clock_method_name() - get the name of a method
 * @method: method, as in struct evtlog_host_clock
 *
 * Return: "none", "reference", "packets" or "ntp"; a static string.
 */
const char *evtlog_clock_method_name(enum evtlog_clock_method method);

/**
 * evtlog_clocksync_time() - convert a time of a file to the common timeline
 * @clocksync: the related clocks
 * @file: number of the file; must be less than the number of files
 * @raw_ns: time, as in events
 *
 * The result does not decrease if @raw_ns does not decrease.
 *
 * Return: ns of the reference's CLOCK_MONOTONIC_RAW; @raw_ns itself if the host is not related.
 */
int64_t evtlog_clocksync_time(const struct evtlog_clocksync *clocksync, size_t file,
			      uint64_t raw_ns);

/**
 * evtlog_clocksync_raw() - convert a time of the common timeline to a time of a file
 * @clocksync: the related clocks
 * @file: number of the file; must be less than the number of files
 * @time_ns: time on the common timeline
 *
 * The inverse of evtlog_clocksync_time(): the first time of the file that is not before @time_ns.
 *
 * Return: ns as in events; INT64_MAX if all times of the file are before @time_ns.
 */
uint64_t evtlog_clocksync_raw(const struct evtlog_clocksync *clocksync, size_t file,
			      int64_t time_ns);

/**
 * evtlog_clocksync_bound() - get the error of a converted time
 * @clocksync: the related clocks
 * @file: number of the file; must be less than the number of files
 * @raw_ns: time, as in events
 *
 * Return: error of evtlog_clocksync_time() in ns, plus or minus; UINT64_MAX if unknown.
 */
uint64_t evtlog_clocksync_bound(const struct evtlog_clocksync *clocksync, size_t file,
				uint64_t raw_ns);

/**
 * struct evtlog_host_cursor - cache for the conversion of times that are near each other
 *
 * Use one for each file or each stream.  The members are private to the library.
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
 * @cursor: owned by the caller
 * @clocksync: the related clocks, which must outlive @cursor
 * @file: number of the file; must be less than the number of files
 */
void evtlog_host_cursor_start(struct evtlog_host_cursor *cursor,
			      const struct evtlog_clocksync *clocksync, size_t file);

/**
 * evtlog_host_cursor_time() - convert a time, fast if it is near the previous time
 * @cursor: the cursor
 * @raw_ns: time, as in events
 *
 * Return: the same as evtlog_clocksync_time().
 */
int64_t evtlog_host_cursor_time(struct evtlog_host_cursor *cursor,
				uint64_t raw_ns);

/**
 * evtlog_host_cursor_bound() - get the error of a time, fast if it is near the previous time
 * @cursor: the cursor
 * @raw_ns: time, as in events
 *
 * Return: the same as evtlog_clocksync_bound().
 */
uint64_t evtlog_host_cursor_bound(struct evtlog_host_cursor *cursor,
				  uint64_t raw_ns);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_CLOCKSYNC_H */
