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
 * evtlog_open() - open a log and find its buffers
 * @path: the file
 * @filep: where the log is stored; close it with evtlog_close()
 * @error: filled in on failure; may be NULL
 *
 * A file without index or trailer (its logger was killed) opens as well, and so does one
 * that is damaged behind its header; see evtlog_damage().
 *
 * Return: 0; -errno of open() or read(); -EMEDIUMTYPE not an evtlog file;
 * -EPROTONOSUPPORT another version or byte order; -EBADMSG its header is
 * damaged; -ENOMEM.
 */
int evtlog_open(const char *path, struct evtlog_file **filep,
		struct evtlog_error *error);

/**
 * evtlog_open_fd() - open a log by its descriptor
 * @fd: an open descriptor, which must be seekable
 * @filep: where the log is stored; close it with evtlog_close()
 * @error: filled in on failure; may be NULL
 *
 * The descriptor stays the caller's, who must not close it before the log.
 *
 * Return: as evtlog_open().
 */
int evtlog_open_fd(int fd, struct evtlog_file **filep,
		   struct evtlog_error *error);

/**
 * evtlog_open_bytes() - open a log in memory
 * @bytes: the whole file; stays the caller's and must live as long as the log
 * @length: of @bytes
 * @filep: where the log is stored; close it with evtlog_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: as evtlog_open().
 */
int evtlog_open_bytes(const void *bytes, size_t length,
		      struct evtlog_file **filep, struct evtlog_error *error);

/**
 * evtlog_close() - close a log and free its memory
 * @file: the log; NULL is allowed
 *
 * Streams, merges and names of tasks made from the log must be freed before.
 */
void evtlog_close(struct evtlog_file *file);

/**
 * evtlog_size_bytes() - size of the file when it was opened
 * @file: the log
 *
 * Return: bytes.
 */
uint64_t evtlog_size_bytes(const struct evtlog_file *file);

/**
 * evtlog_run() - number of the run
 * @file: the log
 *
 * Return: runs of the kernel since boot, this one included.
 */
uint64_t evtlog_run(const struct evtlog_file *file);

/**
 * evtlog_boot_id() - id of the boot in which the log was recorded
 * @file: the log
 *
 * Return: 16 bytes, which live as long as @file.
 */
const uint8_t *evtlog_boot_id(const struct evtlog_file *file);

/**
 * evtlog_meta() - a line "key=value" of the file's header, by its key
 * @file: the log
 * @key: as in evtlog-file(5): "host", "kernel", ...
 *
 * Return: the value, which lives as long as @file; NULL if there is no such line.
 */
const char *evtlog_meta(const struct evtlog_file *file, const char *key);

/**
 * evtlog_meta_at() - a line "key=value" of the file's header, by its number
 * @file: the log
 * @number: of the line, from 0
 * @key: where the key is stored; it lives as long as @file
 * @value: where the value is stored, likewise
 *
 * Return: true; false behind the last line.
 */
bool evtlog_meta_at(const struct evtlog_file *file, size_t number,
		    const char **key, const char **value);

/**
 * enum evtlog_recorded - whether a run recorded events of a type
 * @EVTLOG_RECORDED_UNKNOWN: the log does not say
 * @EVTLOG_RECORDED_ON: it did
 * @EVTLOG_RECORDED_OFF: it did not
 */
enum evtlog_recorded {
	EVTLOG_RECORDED_UNKNOWN,
	EVTLOG_RECORDED_ON,
	EVTLOG_RECORDED_OFF,
};

/**
 * evtlog_recorded() - whether events of a type were recorded
 * @file: the log
 * @type: of enum evtlog_type
 *
 * Types do not change during a run. Logs of logd 0.6.0 and before do not say which types
 * were on; for them only sched_switch is known, by the kernel's own count of switches, and
 * only after a stream was made: evtlog_stream_new() then reads up to the first switch.
 *
 * Without sched_switch nobody knows which task runs: @pid of events is EVTLOG_PID_UNKNOWN.
 *
 * Return: ON or OFF; UNKNOWN if the log does not say.
 */
enum evtlog_recorded evtlog_recorded(const struct evtlog_file *file, unsigned int type);

/**
 * evtlog_tree_pid() - whose tree of tasks a log is of
 * @file: the log
 *
 * A log of one tree has the events of its tasks. In it pid 0 is any task outside of the tree, an idle
 * task too: @pid of events is 0 from a switch to such a task until the next switch. Nothing else tells
 * of tasks outside. evtlog_recorded() says ON of types of which it has those of the tree.
 *
 * Return: the pid of the tree's first root; for a tree of cgroups a number of at least 2^22, which
 * is larger than any pid; 0 if the log is of all tasks.
 */
uint32_t evtlog_tree_pid(const struct evtlog_file *file);

/**
 * evtlog_text() - the whole text of the file's header
 * @file: the log
 * @text: where the text is stored; free() it
 *
 * Return: 0; -ENOMEM; -EIO the file changed; -errno of read().
 */
int evtlog_text(const struct evtlog_file *file, char **text);

/**
 * evtlog_cpu_count() - number of CPUs of the run
 * @file: the log
 *
 * Counts CPUs that have a buffer in the file. If the end of the file is missing it also counts
 * those that should have one according to the header: all of their time is a GAP.
 *
 * Return: the count; slots are the numbers below it.
 */
unsigned int evtlog_cpu_count(const struct evtlog_file *file);

/**
 * evtlog_cpu_number() - number of a CPU, by its slot
 * @file: the log
 * @slot: from 0 to evtlog_cpu_count() - 1, in ascending order of CPU numbers
 *
 * Return: the number; 0 if there is no such slot.
 */
unsigned int evtlog_cpu_number(const struct evtlog_file *file,
			       unsigned int slot);

/**
 * evtlog_cpu_is_absent() - whether the file lacks all buffers of a CPU
 * @file: the log
 * @slot: of the CPU
 *
 * Damage in payloads is found when they are read: behind a stream's BEGIN it is known.
 *
 * Return: true if it has none although it should, or none that can be read.
 */
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
 * evtlog_summarize() - what a log holds, in numbers
 * @file: the log
 * @summary: filled in
 *
 * @lost, @complete, @cpus_in_run, @cut_cpus and @tsc_bad are of the buffers read so far;
 * they are complete once every stream was read to its end.
 */
void evtlog_summarize(const struct evtlog_file *file,
		      struct evtlog_summary *summary);

/* ---- Time ---- */

/*
 * All times of a file are CLOCK_MONOTONIC_RAW of its host in ns, in the middle of the
 * bounds that the clock sets of its buffers give.  They are monotone with ticks.
 */

/**
 * evtlog_begin_ns() - first instant of the run
 * @file: the log
 *
 * Return: ns of CLOCK_MONOTONIC_RAW, as events have it.
 */
uint64_t evtlog_begin_ns(const struct evtlog_file *file);

/**
 * evtlog_end_ns() - last instant of the run
 * @file: the log
 *
 * Return: ns of CLOCK_MONOTONIC_RAW, as events have it.
 */
uint64_t evtlog_end_ns(const struct evtlog_file *file);

/**
 * evtlog_real_ns() - convert a time to CLOCK_REALTIME
 * @file: the log
 * @raw_ns: as events have it
 *
 * Return: ns since 1970, by the host's own clock.  If it was set in the run, the time before holds until
 * the first reading that shows it.
 */
int64_t evtlog_real_ns(const struct evtlog_file *file, uint64_t raw_ns);

/**
 * struct evtlog_real_step - CLOCK_REALTIME was set, or a leap second was inserted
 * @before_ns: not before this time, as events have it
 * @after_ns: not after this one; evtlog_real_ns() is off by up to @step_ns in between
 * @step_ns: by so much it is later from then on; negative: earlier
 */
struct evtlog_real_step {
	uint64_t before_ns;
	uint64_t after_ns;
	int64_t step_ns;
};

/**
 * evtlog_real_step() - a step of CLOCK_REALTIME within the run
 * @file: the log
 * @n: the n-th, from 0
 * @step: filled in
 *
 * A change counts if it is faster than a clock can be slewed, which is by a tenth.
 *
 * Return: whether there are so many.
 */
bool evtlog_real_step(const struct evtlog_file *file, size_t n, struct evtlog_real_step *step);

/**
 * evtlog_clock_error_ns() - error of the times of a log
 * @file: the log
 *
 * Return: times are correct within plus or minus so many ns.
 */
uint64_t evtlog_clock_error_ns(const struct evtlog_file *file);

/**
 * evtlog_tai_offset_s() - offset of TAI to UTC
 * @file: the log
 *
 * Return: CLOCK_TAI - CLOCK_REALTIME in s; 0 if the host did not know it.
 */
int32_t evtlog_tai_offset_s(const struct evtlog_file *file);

/**
 * evtlog_ticks_hz() - nominal rate of the tick counter
 * @file: the log
 *
 * Return: Hz; 0 if the file does not say.
 */
uint64_t evtlog_ticks_hz(const struct evtlog_file *file);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_LOG_H */
