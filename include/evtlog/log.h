/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A log of one run of one host: opening, header and clock.
 *
 * Stage: first part of libevtlog (evtlog.h): readers open logs here.  Events come from stream.h.
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

/* CPU numbers in a file are less than this. */
#define EVTLOG_CPU_LIMIT	65536

/**
 * struct evtlog_error - why and where reading a file failed
 * @offset: offset in the file
 * @reason: text for the user, without newline
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
 * A file without index or trailer (its logger was killed) can be opened.  So can a file that is
 * damaged after its header; see evtlog_damage().
 *
 * Return: 0; -errno of open() or read(); -EMEDIUMTYPE not an evtlog file; -EPROTONOSUPPORT another
 * version or byte order; -EBADMSG damaged header; -ENOMEM.
 */
int evtlog_open(const char *path, struct evtlog_file **filep,
		struct evtlog_error *error);

/**
 * evtlog_open_fd() - open a log by its descriptor
 * @fd: an open, seekable descriptor; owned by the caller, who closes it after the log
 * @filep: where the log is stored; close it with evtlog_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: the same as evtlog_open().
 */
int evtlog_open_fd(int fd, struct evtlog_file **filep,
		   struct evtlog_error *error);

/**
 * evtlog_open_bytes() - open a log in memory
 * @bytes: the whole file; owned by the caller; must outlive the log
 * @length: length of @bytes
 * @filep: where the log is stored; close it with evtlog_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: the same as evtlog_open().
 */
int evtlog_open_bytes(const void *bytes, size_t length,
		      struct evtlog_file **filep, struct evtlog_error *error);

/**
 * evtlog_close() - close a log and free its memory
 * @file: the log; NULL is allowed
 *
 * Free all streams, merges and task names made from the log first.
 */
void evtlog_close(struct evtlog_file *file);

/**
 * evtlog_size_bytes() - get the size of the file when it was opened
 * @file: the log
 *
 * Return: bytes.
 */
uint64_t evtlog_size_bytes(const struct evtlog_file *file);

/**
 * evtlog_run() - get the number of the run
 * @file: the log
 *
 * Return: number of runs since boot, including this one.
 */
uint64_t evtlog_run(const struct evtlog_file *file);

/**
 * evtlog_boot_id() - get the id of the boot in which the log was recorded
 * @file: the log
 *
 * Return: 16 bytes, valid as long as @file.
 */
const uint8_t *evtlog_boot_id(const struct evtlog_file *file);

/**
 * evtlog_meta() - get a line "key=value" of the header by its key
 * @file: the log
 * @key: as in evtlog-file(5): "host", "kernel", ...
 *
 * Return: the value, valid as long as @file; NULL if there is no such line.
 */
const char *evtlog_meta(const struct evtlog_file *file, const char *key);

/**
 * evtlog_meta_at() - get a line "key=value" of the header by its number
 * @file: the log
 * @number: number of the line, from 0
 * @key: where the key is stored; valid as long as @file
 * @value: where the value is stored; valid as long as @file
 *
 * Return: true; false after the last line.
 */
bool evtlog_meta_at(const struct evtlog_file *file, size_t number,
		    const char **key, const char **value);

/**
 * enum evtlog_recorded - whether a run recorded events of a type
 * @EVTLOG_RECORDED_UNKNOWN: unknown
 * @EVTLOG_RECORDED_ON: recorded
 * @EVTLOG_RECORDED_OFF: not recorded
 */
enum evtlog_recorded {
	EVTLOG_RECORDED_UNKNOWN,
	EVTLOG_RECORDED_ON,
	EVTLOG_RECORDED_OFF,
};

/**
 * evtlog_recorded() - check whether events of a type were recorded
 * @file: the log
 * @type: type, of enum evtlog_type
 *
 * The recorded types do not change during a run.  Logs of logd 0.6.0 and before do not list them.
 * For such a log only sched_switch is known, from the kernel's count of context switches, and only
 * after a stream was made: evtlog_stream_new() then reads up to the first switch.
 *
 * Without sched_switch the running task is unknown: @pid of events is EVTLOG_PID_UNKNOWN.
 *
 * Return: EVTLOG_RECORDED_ON, EVTLOG_RECORDED_OFF, or EVTLOG_RECORDED_UNKNOWN.
 */
enum evtlog_recorded evtlog_recorded(const struct evtlog_file *file, unsigned int type);

/**
 * evtlog_tree_pid() - get the tree of tasks that a log is limited to
 * @file: the log
 *
 * A log of one tree has the events of the tree's tasks.  In it, pid 0 is any task outside of the
 * tree, including the idle tasks: @pid of events is 0 from a switch to such a task until the next
 * switch.  The log has no other data on tasks outside.  evtlog_recorded() returns
 * EVTLOG_RECORDED_ON for a type if the log has the tree's events of this type.
 *
 * Return: the pid of the tree's first root; a number of at least 2^22, larger than any pid, for a
 * tree of cgroups; 0 if the log is of all tasks.
 */
uint32_t evtlog_tree_pid(const struct evtlog_file *file);

/**
 * evtlog_text() - get the whole text of the header
 * @file: the log
 * @text: where the text is stored; free() it
 *
 * Return: 0; -ENOMEM; -EIO the file changed; -errno of read().
 */
int evtlog_text(const struct evtlog_file *file, char **text);

/**
 * evtlog_cpu_count() - get the number of CPUs of the run
 * @file: the log
 *
 * Counts CPUs with a buffer in the file.  If the end of the file is missing, it also counts CPUs
 * that took part in the run according to the header: all of their time is a GAP.
 *
 * Return: the number; slots are the numbers below it.
 */
unsigned int evtlog_cpu_count(const struct evtlog_file *file);

/**
 * evtlog_cpu_number() - get the number of a CPU by its slot
 * @file: the log
 * @slot: from 0 to evtlog_cpu_count() - 1, in ascending order of CPU numbers
 *
 * Return: the number; 0 if there is no such slot.
 */
unsigned int evtlog_cpu_number(const struct evtlog_file *file,
			       unsigned int slot);

/**
 * evtlog_cpu_is_absent() - check whether the file lacks all buffers of a CPU
 * @file: the log
 * @slot: slot of the CPU
 *
 * Damage in a payload is found when the payload is read.  The result is final after the BEGIN of
 * the CPU's stream.
 *
 * Return: true if the file has no buffer of the CPU, or none that can be read.
 */
bool evtlog_cpu_is_absent(const struct evtlog_file *file, unsigned int slot);

/**
 * struct evtlog_summary - contents of a file, according to the headers of its blocks
 * @buffers: usable buffers, without duplicates
 * @duplicates: buffers that are in the file twice; the second copy is not read
 * @raw_bytes, @stored_bytes: size of the buffers, decompressed and in the file
 * @closed: index and trailer exist: the logger closed the file
 * @complete: the file has the last buffer of each CPU of the run
 * @cpus_in_run: number of CPUs; 0 if unknown, because the end of the run is not in the file
 * @lost: records that the kernel counted as lost, by cause
 * @missing_buffers: buffers missing in the sequences of the CPUs
 * @cut_cpus: CPUs read to their end whose last buffer is missing, and CPUs without any buffer
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
 * evtlog_summarize() - get the contents of a log in numbers
 * @file: the log
 * @summary: filled in
 *
 * @lost, @complete, @cpus_in_run, @cut_cpus and @tsc_bad are of the buffers read so far.  They are
 * final after all streams were read to their end.
 */
void evtlog_summarize(const struct evtlog_file *file,
		      struct evtlog_summary *summary);

/* ---- Time ---- */

/*
 * All times of a file are CLOCK_MONOTONIC_RAW of its host in ns: the middle of the bounds that the
 * clock sets of its buffers give.  They increase monotonically with ticks.
 */

/**
 * evtlog_begin_ns() - get the first time of the run
 * @file: the log
 *
 * Return: ns of CLOCK_MONOTONIC_RAW, as in events.
 */
uint64_t evtlog_begin_ns(const struct evtlog_file *file);

/**
 * evtlog_end_ns() - get the last time of the run
 * @file: the log
 *
 * Return: ns of CLOCK_MONOTONIC_RAW, as in events.
 */
uint64_t evtlog_end_ns(const struct evtlog_file *file);

/**
 * evtlog_real_ns() - convert a time to CLOCK_REALTIME
 * @file: the log
 * @raw_ns: time, as in events
 *
 * Return: ns since 1970, by the host's own clock.  If the clock was set during the run, the old
 * time is used until the first reading of the new time.
 */
int64_t evtlog_real_ns(const struct evtlog_file *file, uint64_t raw_ns);

/**
 * struct evtlog_real_step - a step of CLOCK_REALTIME: it was set, or a leap second was inserted
 * @before_ns: the step is not before this time, as in events
 * @after_ns: the step is not after this time; in between, evtlog_real_ns() is off by up to @step_ns
 * @step_ns: change of the clock; negative if it was set back
 */
struct evtlog_real_step {
	uint64_t before_ns;
	uint64_t after_ns;
	int64_t step_ns;
};

/**
 * evtlog_real_step() - get a step of CLOCK_REALTIME within the run
 * @file: the log
 * @n: number of the step, from 0
 * @step: filled in
 *
 * A change larger than a tenth of the time between two readings, the maximum slew, is a step.
 *
 * Return: true; false after the last step.
 */
bool evtlog_real_step(const struct evtlog_file *file, size_t n, struct evtlog_real_step *step);

/**
 * evtlog_clock_error_ns() - get the error of the times of a log
 * @file: the log
 *
 * Return: error in ns, plus or minus.
 */
uint64_t evtlog_clock_error_ns(const struct evtlog_file *file);

/**
 * evtlog_tai_offset_s() - get the offset of TAI to UTC
 * @file: the log
 *
 * Return: CLOCK_TAI - CLOCK_REALTIME in s; 0 if the host did not know it.
 */
int32_t evtlog_tai_offset_s(const struct evtlog_file *file);

/**
 * evtlog_ticks_hz() - get the nominal rate of the tick counter
 * @file: the log
 *
 * Return: Hz; 0 if unknown.
 */
uint64_t evtlog_ticks_hz(const struct evtlog_file *file);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_LOG_H */
