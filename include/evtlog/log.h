/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A log of one run of one host: opening it, what its header says, and its clock.
 *
 * Stage: first of libevtlog (evtlog.h): whatever reads a log opens it by this.  It
 * does not give events: those come from stream.h.
 */
#ifndef EVTLOG_LOG_H
#define EVTLOG_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_file;

/* Greatest CPU number a file may name, less one. */
#define EVTLOG_CPU_LIMIT	65536

/**
 * struct evtlog_error - why and where a file could not be read
 * @offset: in the file
 * @reason: for people, without newline
 */
struct evtlog_error {
	uint64_t offset;
	char reason[200];
};

/**
 * evtlog_open() - open a file and find its buffers
 * @path: the file
 * @filep: where to put the file; evtlog_close() it
 * @error: filled in on failure; may be NULL
 *
 * A file without index or trailer (its logger was killed) opens as well, as
 * does one with damage anywhere behind its header; see evtlog_damage().
 *
 * Return: 0; -errno of open() or read(); -EMEDIUMTYPE not an evtlog file;
 * -EPROTONOSUPPORT another version or byte order; -EBADMSG its header is
 * damaged; -ENOMEM.
 */
int evtlog_open(const char *path, struct evtlog_file **filep,
		struct evtlog_error *error);

/**
 * evtlog_open_fd() - the same for an open descriptor, which must be seekable
 *
 * The descriptor stays the caller's, who must not close it before the file.
 */
int evtlog_open_fd(int fd, struct evtlog_file **filep,
		   struct evtlog_error *error);

/**
 * evtlog_open_bytes() - the same for a file in memory
 *
 * The memory stays the caller's and must live as long as the file.
 */
int evtlog_open_bytes(const void *bytes, size_t length,
		      struct evtlog_file **filep, struct evtlog_error *error);

/** evtlog_close() - give everything back; NULL is fine */
void evtlog_close(struct evtlog_file *file);

/** evtlog_size_bytes() - size when the file was opened */
uint64_t evtlog_size_bytes(const struct evtlog_file *file);

/** evtlog_run() - the run's number since boot */
uint64_t evtlog_run(const struct evtlog_file *file);

/** evtlog_boot_id() - 16 bytes */
const uint8_t *evtlog_boot_id(const struct evtlog_file *file);

/**
 * evtlog_meta() - a line "key=value" of the file's header
 *
 * Return: the value, NULL if there is no such line.
 */
const char *evtlog_meta(const struct evtlog_file *file, const char *key);

/**
 * evtlog_meta_at() - all such lines, by number from 0
 *
 * Return: true and the line, false behind the last.
 */
bool evtlog_meta_at(const struct evtlog_file *file, size_t number,
		    const char **key, const char **value);

/** enum evtlog_recorded - whether a run recorded events of a type */
enum evtlog_recorded {
	EVTLOG_RECORDED_UNKNOWN,	/* the log does not say */
	EVTLOG_RECORDED_ON,
	EVTLOG_RECORDED_OFF,
};

/**
 * evtlog_recorded() - whether events of a type were recorded
 * @type: of enum evtlog_type
 *
 * Types do not change during a run.  Logs of logd 0.6.0 and before do not say which they
 * were; of them it is known of sched_switch alone, by the kernel's own count of switches,
 * and once a stream was made: evtlog_stream_new() then reads up to the first switch.
 *
 * Without sched_switch nobody knows which task runs: @pid of events is EVTLOG_PID_UNKNOWN.
 */
enum evtlog_recorded evtlog_recorded(const struct evtlog_file *file, unsigned int type);

/**
 * evtlog_text() - the whole text of the file's header
 * @text: free() it
 *
 * Return: 0; -ENOMEM; -EIO the file changed; -errno of read().
 */
int evtlog_text(const struct evtlog_file *file, char **text);

/**
 * evtlog_cpu_count() - CPUs of the run
 *
 * Those that have a buffer in the file.  If its end is missing also those of which the
 * header tells that they should have one: all of their time is a GAP.
 */
unsigned int evtlog_cpu_count(const struct evtlog_file *file);

/** evtlog_cpu_number() - the @slot'th of them, in ascending order */
unsigned int evtlog_cpu_number(const struct evtlog_file *file,
			       unsigned int slot);

/** evtlog_cpu_is_absent() - the file has no buffer of the @slot'th, though it should */
bool evtlog_cpu_is_absent(const struct evtlog_file *file, unsigned int slot);

/**
 * struct evtlog_summary - what a file holds, as far as its blocks' heads tell
 * @buffers: usable ones, without duplicates
 * @duplicates: buffers that are in the file twice; the second is not read
 * @raw_bytes, @stored_bytes: of the buffers, inflated and in the file
 * @closed: index and trailer are there: the logger closed the file in order
 * @complete: the last buffer of every CPU of the run is there
 * @cpus_in_run: 0 when unknown, as the end of the run is not in the file
 * @lost: records that the kernel counted as lost, by cause
 * @missing_buffers: holes in the CPUs' sequences
 * @cut_cpus: CPUs whose last buffer is not there, of those read to their end; and those
 *	without any buffer
 * @tsc_bad: the kernel did not trust its tick counter
 */
struct evtlog_summary {
	uint64_t buffers;
	uint64_t duplicates;
	uint64_t raw_bytes;
	uint64_t stored_bytes;
	bool closed;
	bool complete;
	bool tsc_bad;
	uint32_t cpus_in_run;
	uint32_t cut_cpus;
	uint64_t lost[EVTLOG_LOST_CAUSES];
	uint64_t missing_buffers;
};

/**
 * evtlog_summarize() - fill in @summary
 *
 * @lost, @complete, @cpus_in_run, @cut_cpus and @tsc_bad are of the buffers read so far;
 * they are whole once every stream was read to its end.
 */
void evtlog_summarize(const struct evtlog_file *file,
		      struct evtlog_summary *summary);

/* ---- Time ---- */

/*
 * All times of a file are CLOCK_MONOTONIC_RAW of its host in ns, interpolated
 * between the clock sets of its buffers.  They are monotone with ticks.
 */

/** evtlog_begin_ns(), evtlog_end_ns() - first and last instant of the run */
uint64_t evtlog_begin_ns(const struct evtlog_file *file);
uint64_t evtlog_end_ns(const struct evtlog_file *file);

/** evtlog_real_ns() - CLOCK_REALTIME at @raw_ns */
int64_t evtlog_real_ns(const struct evtlog_file *file, uint64_t raw_ns);

/** evtlog_clock_error_ns() - times are right within plus or minus this */
uint64_t evtlog_clock_error_ns(const struct evtlog_file *file);

/** evtlog_tai_offset_s() - TAI less REALTIME; 0 when the host did not know */
int32_t evtlog_tai_offset_s(const struct evtlog_file *file);

/** evtlog_ticks_hz() - nominal rate; 0 when the file does not say */
uint64_t evtlog_ticks_hz(const struct evtlog_file *file);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_LOG_H */
