/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libevtlog: reads HOST-RUN.evl files.
 *
 * Stage: between the file (file.h) and whatever shows it.  The library never
 * prints, never exits and trusts nothing it reads.  It does not write files:
 * that is logd's work.
 *
 * Functions return 0 or a count on success and -errno on failure.  A file may
 * be used by one thread at a time.
 *
 *	struct evtlog_file *file;
 *	struct evtlog_merge *merge;
 *	const struct evtlog_event *event;
 *
 *	error = evtlog_open(path, &file, &why);
 *	error = evtlog_merge_new(file, &merge);
 *	while ((error = evtlog_merge_next(merge, &event)) > 0)
 *		...
 *	evtlog_merge_free(merge);
 *	evtlog_close(file);
 */
#ifndef EVTLOG_EVTLOG_H
#define EVTLOG_EVTLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Greatest CPU number a file may name, less one. */
#define EVTLOG_CPU_LIMIT	65536

struct evtlog_file;
struct evtlog_stream;
struct evtlog_merge;
struct evtlog_tasks;
struct evtlog_hosts;
struct evtlog_hosts_merge;
struct evtlog_merged;

/**
 * struct evtlog_error - why and where a file could not be read
 * @offset: in the file
 * @reason: for people, without newline
 */
struct evtlog_error {
	uint64_t offset;
	char reason[200];
};

/* ---- Files ---- */

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

/**
 * evtlog_text() - the whole text of the file's header
 * @text: free() it
 *
 * Return: 0; -ENOMEM; -EIO the file changed; -errno of read().
 */
int evtlog_text(const struct evtlog_file *file, char **text);

/** evtlog_cpu_count() - CPUs that have a buffer in the file */
unsigned int evtlog_cpu_count(const struct evtlog_file *file);

/** evtlog_cpu_number() - the @slot'th of them, in ascending order */
unsigned int evtlog_cpu_number(const struct evtlog_file *file,
			       unsigned int slot);

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
 * @cut_cpus: CPUs whose last buffer is not there, of those read to their end
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

/* ---- What is wrong with a file ---- */

enum evtlog_damage_kind {
	EVTLOG_DAMAGE_GARBAGE,	/* bytes that are not a block */
	EVTLOG_DAMAGE_TORN,	/* the file ends within a block */
	EVTLOG_DAMAGE_PAYLOAD,	/* a block's payload fails its checksum */
	EVTLOG_DAMAGE_BUFFER,	/* whole, but not a buffer of this run */
	EVTLOG_DAMAGE_RECORD,	/* the rest of a buffer can't be understood */
	EVTLOG_DAMAGE_MISSING,	/* buffers whose numbers nobody carries */
	EVTLOG_DAMAGE_DROPPED,	/* buffers the logger says it could not keep */
	EVTLOG_DAMAGE_INDEX,	/* index or trailer; no event is lost by it */
};

/**
 * struct evtlog_damage - one place
 * @offset, @length: bytes of the file; @length 0 when none are meant
 * @has_cpu: @cpu, @sequence and @buffers say which buffers are gone
 * @error: errno of the logger (DROPPED), else 0
 * @reason: for people
 */
struct evtlog_damage {
	enum evtlog_damage_kind kind;
	uint64_t offset;
	uint64_t length;
	bool has_cpu;
	uint32_t cpu;
	uint64_t sequence;
	uint64_t buffers;
	int error;
	const char *reason;
};

/**
 * evtlog_damage() - the @number'th place found so far
 *
 * Places in payloads are found when they are read: after reading all streams
 * the list is whole.
 *
 * Return: NULL behind the last.
 */
const struct evtlog_damage *evtlog_damage(const struct evtlog_file *file,
					  size_t number);

/** evtlog_damage_count() - all places, even those too many to be listed */
uint64_t evtlog_damage_count(const struct evtlog_file *file);

/** evtlog_damage_name() - "torn", "payload", ... */
const char *evtlog_damage_name(enum evtlog_damage_kind kind);

/* ---- Types ---- */

#define EVTLOG_NAME_MAX		31
#define EVTLOG_FIELDS_MAX	16

/**
 * struct evtlog_field - where a field stands in a record, see abi.h
 */
struct evtlog_field {
	char name[EVTLOG_NAME_MAX + 1];
	uint8_t word;
	uint8_t bit;
	uint16_t bits;
	char kind;
};

/**
 * struct evtlog_type_info - a record type as the file describes it
 * @number: in this file
 * @known: the same type's number in this library's abi.h; 0 if it has none
 * @fields: @field_count of them, at most EVTLOG_FIELDS_MAX
 */
struct evtlog_type_info {
	uint8_t number;
	uint8_t known;
	uint8_t words;
	uint8_t field_count;
	char name[EVTLOG_NAME_MAX + 1];
	const struct evtlog_field *fields;
};

/** evtlog_type_info() - by the file's number; NULL if it has no such type */
const struct evtlog_type_info *evtlog_type_info(const struct evtlog_file *file,
						unsigned int number);

/** evtlog_softirq_name() - "TIMER"; NULL if the file does not name @vector */
const char *evtlog_softirq_name(const struct evtlog_file *file,
				unsigned int vector);

/** evtlog_state_letter() - of a task state as a record has it; '?' unknown */
char evtlog_state_letter(const struct evtlog_file *file, unsigned int state);

/** evtlog_ticks_hz() - nominal rate; 0 when the file does not say */
uint64_t evtlog_ticks_hz(const struct evtlog_file *file);

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

/* ---- Events ---- */

enum evtlog_event_kind {
	EVTLOG_EVENT_RECORD,
	/* The CPU's part begins; @pid and @place hold from here on. */
	EVTLOG_EVENT_BEGIN,
	/*
	 * Nothing is known from @from_ns up to the event's own time: records
	 * were lost, buffers are missing or damaged, the CPU was offline.
	 */
	EVTLOG_EVENT_GAP,
	/* The CPU's part ends, or what there is of it: see @rest_missing. */
	EVTLOG_EVENT_END,
	/* A buffer begins; nothing is missing before it. */
	EVTLOG_EVENT_BUFFER,
};

/* What a CPU is doing; of nested things the innermost. */
enum evtlog_place {
	EVTLOG_IN_TASK,
	EVTLOG_IN_SOFTIRQ,	/* number: the softirq's vector */
	EVTLOG_IN_IRQ,		/* number: the irq */
	EVTLOG_IN_VECTOR,	/* number: known type of the entry record */
};

#define EVTLOG_NUMBER_UNKNOWN	UINT32_MAX

/**
 * struct evtlog_event - something that happened on a CPU
 * @words: the record as this library's abi.h lays it out, whatever the
 *	file's layout; NULL unless @known
 * @file_words: the record as it is in the file, to be read by its type's
 *	fields; NULL unless a record
 * @known: EVTLOG_SCHED_SWITCH, ...; 0 for types this library does not know
 *	and for what is not a record
 * @number: type in the file
 * @place, @place_number: where the CPU was just before the event (GAP: before
 *	@from_ns); where it is after a GAP the next event tells
 * @pid: task running just before the event, likewise; EVTLOG_PID_UNKNOWN if
 *	nobody knows
 * @begin_pid, @begin_comm: BEGIN, GAP and BUFFER only: the task that runs from
 *	here on and its name of EVTLOG_COMM_LEN bytes
 * @from_ns, @from_ticks: GAP only
 * @lost: BEGIN and GAP only: lost records, as far as they were counted
 * @lost_buffers: BEGIN and GAP only: whole buffers that are missing before it
 * @rest_missing: END only: the run went on, but the CPU's last buffer is not there
 */
struct evtlog_event {
	uint64_t time_ns;
	uint64_t ticks;
	const uint64_t *words;
	const uint64_t *file_words;
	uint32_t cpu;
	uint32_t pid;
	uint32_t place_number;
	uint8_t kind;
	uint8_t known;
	uint8_t number;
	uint8_t place;
	uint32_t begin_pid;
	const char *begin_comm;
	uint64_t from_ns;
	uint64_t lost;
	uint64_t lost_buffers;
	bool rest_missing;
	uint64_t from_ticks;
};

/**
 * struct evtlog_stream_counts - what reading a CPU's stream brought to light
 * @records: records, of all types
 * @backward: records earlier than their predecessor; their time is raised
 * @outside: records outside the times their buffer gives
 * @overlaps: buffers that begin before their predecessor ends
 * @unnested: exits without entry, entries without exit, switches in between
 * @strangers: buffers that begin with another task than their predecessor ended
 */
struct evtlog_stream_counts {
	uint64_t records;
	uint64_t backward;
	uint64_t outside;
	uint64_t overlaps;
	uint64_t unnested;
	uint64_t strangers;
};

/**
 * evtlog_stream_new() - one CPU's events in order
 * @slot: as for evtlog_cpu_number()
 *
 * Holds one buffer in memory.  Every event of the stream comes once: BEGIN,
 * records, BUFFERs and GAPs, END.
 *
 * Return: 0; -EINVAL no such slot; -ENOMEM.
 */
int evtlog_stream_new(struct evtlog_file *file, unsigned int slot,
		      struct evtlog_stream **streamp);
void evtlog_stream_free(struct evtlog_stream *stream);

/**
 * evtlog_stream_next() - the next event
 * @eventp: is valid until the next call
 *
 * Damage is not an error: it shows as a GAP and in evtlog_damage().
 *
 * Return: 1 and an event; 0 at the end; -errno of read(); -ENOMEM.
 */
int evtlog_stream_next(struct evtlog_stream *stream,
		       const struct evtlog_event **eventp);

/**
 * evtlog_stream_seek() - go on from a time
 * @raw_ns: as events have it
 *
 * The stream begins anew at the last buffer that begins at or before @raw_ns, with
 * a BEGIN; at the first one if none does.  Task and place come from the buffer's
 * header.  Where that buffer can't be read, it is one before, and a GAP follows.
 * Costs the logarithm of the number of buffers, and one buffer.
 *
 * Return: 0; -errno of read(); -ENOMEM.
 */
int evtlog_stream_seek(struct evtlog_stream *stream, uint64_t raw_ns);

/** evtlog_stream_counts() - so far */
const struct evtlog_stream_counts *
evtlog_stream_counts(const struct evtlog_stream *stream);

/** evtlog_stream_position() - bytes of buffers taken up, for showing progress */
uint64_t evtlog_stream_position(const struct evtlog_stream *stream);

/**
 * evtlog_merge_new() - all CPUs' events in the order of time
 *
 * Memory is one buffer per CPU.  Of events at the same ns, those of the lower
 * CPU come first.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_merge_new(struct evtlog_file *file, struct evtlog_merge **mergep);
void evtlog_merge_free(struct evtlog_merge *merge);

/** evtlog_merge_next() - as evtlog_stream_next() */
int evtlog_merge_next(struct evtlog_merge *merge,
		      const struct evtlog_event **eventp);

/** evtlog_merge_position() - as evtlog_stream_position() */
uint64_t evtlog_merge_position(const struct evtlog_merge *merge);

/* ---- Records ---- */

/** evtlog_data() - bits [low, low + count) of a record's first word's data */
static inline uint32_t evtlog_data(const uint64_t *words, unsigned int low,
				   unsigned int count)
{
	return (words[0] >> (EVTLOG_DATA_SHIFT + low)) & ((1u << count) - 1);
}

/** evtlog_record_pid() - of the records that carry one in their first word */
static inline uint32_t evtlog_record_pid(const uint64_t *words)
{
	return evtlog_data(words, 0, EVTLOG_PID_BITS);
}

/** evtlog_switch_state() - prev_state of a sched_switch */
static inline unsigned int evtlog_switch_state(const uint64_t *words)
{
	return evtlog_data(words, EVTLOG_PID_BITS, 4);
}

/** evtlog_field_u64() - a field of at most 64 bits, zero-extended */
uint64_t evtlog_field_u64(const struct evtlog_field *field,
			  const uint64_t *file_words);

/** evtlog_field_s64() - the same, sign-extended */
int64_t evtlog_field_s64(const struct evtlog_field *field,
			 const uint64_t *file_words);

/* ---- Names of tasks ---- */

/**
 * struct evtlog_task - what is known of a pid
 * @comm: not terminated if all 16 bytes are used; from the log, untrusted
 */
struct evtlog_task {
	uint32_t pid;
	uint32_t tgid;
	uint32_t ppid;
	uint32_t flags;
	char comm[EVTLOG_COMM_LEN];
};

/**
 * evtlog_tasks_new() - names of tasks, with those of the run's first snapshot
 *
 * The snapshot is read ahead, so that tasks have names from the first event
 * on.  Memory goes with the number of pids.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_tasks_new(struct evtlog_file *file, struct evtlog_tasks **tasksp);
void evtlog_tasks_free(struct evtlog_tasks *tasks);

/**
 * evtlog_tasks_update() - learn from an event
 *
 * Fork, exec, rename and snapshot give names, and so does who runs where a
 * buffer begins, which helps when the others were not recorded.
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_tasks_update(struct evtlog_tasks *tasks,
			const struct evtlog_event *event);

/**
 * evtlog_tasks_at() - all tasks, by number from 0
 *
 * Return: true; *@task is NULL where the table has a hole; false behind the last.
 */
bool evtlog_tasks_at(const struct evtlog_tasks *tasks, size_t number,
		     const struct evtlog_task **task);

/** evtlog_tasks_find() - NULL if nothing is known of @pid */
const struct evtlog_task *evtlog_tasks_find(const struct evtlog_tasks *tasks,
					    uint32_t pid);

/* ---- Several hosts ---- */

/*
 * The times of several hosts' files on one axis: CLOCK_MONOTONIC_RAW of one of
 * them, the reference.  What relates two hosts are packets that both recorded:
 * none is received before it was sent.  In between, and beyond them, a host's
 * rate against another's is held to wander by at most rho about its mean; that
 * is the one assumption, and where the packets contradict it rho is raised and
 * the clock says so.  Files of the same boot have the same clock.
 */

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
 * struct evtlog_hosts_options - how to relate hosts; all zero is fine
 * @rho_ppb: how far a rate wanders about its mean; 0: EVTLOG_RHO_PPB
 * @assume_ntp: hosts that no packet relates to the reference are taken to have a
 *	REALTIME that is right within @ntp_error_ns
 * @ntp_error_ns: of two such clocks against each other; 0: EVTLOG_NTP_ERROR_NS
 * @reference: host name; NULL: the one with most neighbours
 * @progress: called now and then while files are read, with bytes of buffers; may
 *	be NULL
 */
struct evtlog_hosts_options {
	uint64_t rho_ppb;
	uint64_t ntp_error_ns;
	const char *reference;
	bool assume_ntp;
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
 * @violations: used ones that are received before they are sent on the common
 *	axis: of these there are none unless something is very wrong
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
	uint64_t violations;
	uint32_t segments;
	uint32_t hops;
	bool rho_raised;
	bool tsc_bad;
	bool contradicted;
};

/**
 * evtlog_hosts_new() - relate the clocks of files
 * @files: stay the caller's; they are read, one after the other, and not needed
 *	any more afterwards
 * @options: may be NULL
 * @hostsp: where to put the result; evtlog_hosts_free() it
 * @error: filled in on failure; may be NULL
 *
 * Nothing depends on the order of the files, except that results are given by it.
 * Memory while reading goes with the number of ICMP records, 24 bytes each.
 *
 * Return: 0; -ENOENT no file is of the reference host; -EINVAL no files;
 * -ENOMEM; -errno of read().
 */
int evtlog_hosts_new(struct evtlog_file *const *files, size_t count,
		     const struct evtlog_hosts_options *options,
		     struct evtlog_hosts **hostsp, struct evtlog_error *error);
void evtlog_hosts_free(struct evtlog_hosts *hosts);

/** evtlog_hosts_reference() - which file's clock the axis is (the first such) */
size_t evtlog_hosts_reference(const struct evtlog_hosts *hosts);

/**
 * evtlog_hosts_ntp_disproved() - how far apart REALTIMEs are by packets, in ns
 *
 * Of hosts that packets relate it can be told.  If that is more than @ntp_error_ns it
 * is also what the others, which are only held to be right, are taken to be off.
 *
 * Return: 0 if it is not more, or if nothing was assumed.
 */
uint64_t evtlog_hosts_ntp_disproved(const struct evtlog_hosts *hosts);

/** evtlog_hosts_order() - the file that is @number'th by name, boot and run */
size_t evtlog_hosts_order(const struct evtlog_hosts *hosts, size_t number);

/** evtlog_hosts_clock() - of the @file'th file; NULL behind the last */
const struct evtlog_host_clock *
evtlog_hosts_clock(const struct evtlog_hosts *hosts, size_t file);

/** evtlog_clock_method_name() - "none", "reference", "packets", "ntp" */
const char *evtlog_clock_method_name(enum evtlog_clock_method method);

/**
 * evtlog_hosts_time() - a file's time on the common axis
 * @raw_ns: as events have it
 *
 * It is ns of the reference's CLOCK_MONOTONIC_RAW, and does not step back where
 * @raw_ns does not.  Without a method it is @raw_ns itself.
 */
int64_t evtlog_hosts_time(const struct evtlog_hosts *hosts, size_t file,
			  uint64_t raw_ns);

/**
 * evtlog_hosts_raw() - the inverse: the first of a file's times that is not before
 * @time_ns on the common axis
 *
 * Return: ns as events have it; INT64_MAX when all are before.
 */
uint64_t evtlog_hosts_raw(const struct evtlog_hosts *hosts, size_t file,
			  int64_t time_ns);

/** evtlog_hosts_bound() - it is right within plus or minus this; UINT64_MAX unknown */
uint64_t evtlog_hosts_bound(const struct evtlog_hosts *hosts, size_t file,
			    uint64_t raw_ns);

/**
 * struct evtlog_host_cursor - gives the same, fast when times are close to each other
 *
 * One for each file, or for each stream; its fields are the library's.
 */
struct evtlog_host_cursor {
	const void *axis;
	size_t piece;
	uint64_t begin_ns;
	uint64_t length_ns;
	int64_t time_ns;
	uint64_t mult;
	uint64_t bound_ns;
	uint64_t end_bound_ns;
	unsigned int shift;
};

/** evtlog_host_cursor_start() - @hosts must live as long as the cursor is used */
void evtlog_host_cursor_start(struct evtlog_host_cursor *cursor,
			      const struct evtlog_hosts *hosts, size_t file);

/** evtlog_host_cursor_time() - as evtlog_hosts_time() */
int64_t evtlog_host_cursor_time(struct evtlog_host_cursor *cursor,
				uint64_t raw_ns);

/** evtlog_host_cursor_bound() - as evtlog_hosts_bound() */
uint64_t evtlog_host_cursor_bound(struct evtlog_host_cursor *cursor,
				  uint64_t raw_ns);

/**
 * struct evtlog_hosts_event - an event on the common axis
 * @time_ns: on the axis; it never steps back from one event to the next
 * @from_ns: likewise, of a GAP
 * @bound_ns: @time_ns is right within plus or minus this; UINT64_MAX: nobody knows
 * @file: which file it is of
 * @event: as the file's stream has it, with times of its own host
 */
struct evtlog_hosts_event {
	int64_t time_ns;
	int64_t from_ns;
	uint64_t bound_ns;
	size_t file;
	const struct evtlog_event *event;
};

/* What a zero in @memory_bytes stands for. */
#define EVTLOG_MERGE_MEMORY_BYTES	(96u << 20)

/**
 * struct evtlog_hosts_merge_options - all zero is fine
 * @memory_bytes: for buffers, all in all; when the buffers of all CPUs need more,
 *	only pieces of them are held, of at least 4 KiB
 * @wanted: for each file whether to read it; NULL: all
 */
struct evtlog_hosts_merge_options {
	size_t memory_bytes;
	const bool *wanted;
};

/**
 * evtlog_hosts_merge_new() - all hosts' events in the order of the common axis
 * @hosts: relates the files' clocks, and must live as long as the merge
 * @files: those that @hosts was made of, in the same order; while the merge lives they
 *	may be read by its thread only
 * @options: may be NULL
 *
 * Of events at the same ns those of the host come first whose name, boot and run
 * come first, then those of the lower CPU: nothing depends on the order of the files.
 * Where only pieces of buffers are held, inflated ones wait in a file without a
 * name in $TMPDIR, else in /var/tmp, else in /tmp: up to a buffer for each CPU.
 *
 * Return: 0; -ENOMEM; -ENOSPC no room for that file; -errno of open() or read().
 */
int evtlog_hosts_merge_new(const struct evtlog_hosts *hosts,
			   struct evtlog_file *const *files, size_t count,
			   const struct evtlog_hosts_merge_options *options,
			   struct evtlog_hosts_merge **mergep);
void evtlog_hosts_merge_free(struct evtlog_hosts_merge *merge);

/**
 * evtlog_hosts_merge_next() - the next event
 * @eventp: is valid until the next call
 *
 * Return: 1 and an event; 0 at the end; -ENOMEM, -ENOSPC, -errno.
 */
int evtlog_hosts_merge_next(struct evtlog_hosts_merge *merge,
			    const struct evtlog_hosts_event **eventp);

/** evtlog_hosts_merge_position() - as evtlog_stream_position() */
uint64_t evtlog_hosts_merge_position(const struct evtlog_hosts_merge *merge);

/* ---- Merged files ---- */

/**
 * evtlog_is_merged() - whether a file is a merged one, as `evtlog merge -o` writes
 *
 * Return: 1; 0 also if it can't be read.
 */
int evtlog_is_merged(const char *path);

/**
 * evtlog_merged_open() - open a merged file and read what it says of its hosts
 *
 * Return: as evtlog_open().
 */
int evtlog_merged_open(const char *path, struct evtlog_merged **mergedp,
		       struct evtlog_error *error);

/** evtlog_merged_open_bytes() - the same for a file in memory, which must live as long */
int evtlog_merged_open_bytes(const void *bytes, size_t length,
			     struct evtlog_merged **mergedp,
			     struct evtlog_error *error);
void evtlog_merged_close(struct evtlog_merged *merged);

/** evtlog_merged_size_bytes() - size of the file, and how far it was read */
uint64_t evtlog_merged_size_bytes(const struct evtlog_merged *merged);
uint64_t evtlog_merged_position(const struct evtlog_merged *merged);

/** evtlog_merged_meta_at() - lines of its header, as evtlog_meta_at() */
bool evtlog_merged_meta_at(const struct evtlog_merged *merged, size_t number,
			   const char **key, const char **value);

/** evtlog_merged_meta() - as evtlog_meta(); the first such line */
const char *evtlog_merged_meta(const struct evtlog_merged *merged, const char *key);

/** evtlog_merged_hosts() - how many there are */
size_t evtlog_merged_hosts(const struct evtlog_merged *merged);

/** evtlog_merged_host_meta() - what the merge found out about the @host'th */
const char *evtlog_merged_host_meta(const struct evtlog_merged *merged, size_t host,
				    const char *key);

/**
 * evtlog_merged_file() - the @host'th host's own file, without its events
 *
 * It serves to show events: types, names of softirqs, lines of its header.
 */
const struct evtlog_file *evtlog_merged_file(const struct evtlog_merged *merged,
					     size_t host);

/** evtlog_merged_tasks() - names, as far as the events have come */
const struct evtlog_tasks *evtlog_merged_tasks(const struct evtlog_merged *merged,
					       size_t host);

/**
 * struct evtlog_merged_event - an event of a merged file
 * @time_ns, @from_ns: as of struct evtlog_hosts_event
 * @host: its number
 * @doubtful: whether it came before or after an event of another host above it is
 *	not known
 * @event: without times and begin_*; ticks are those of ICMP_RX and REMOTE only
 */
struct evtlog_merged_event {
	int64_t time_ns;
	int64_t from_ns;
	size_t host;
	bool doubtful;
	const struct evtlog_event *event;
};

/**
 * evtlog_merged_next() - the next event
 * @eventp: is valid until the next call
 *
 * Return: 1 and an event; 0 at the end; -ENODATA the file ends before its end;
 * -EBADMSG it is damaged here; -ENOMEM; -errno of read().
 */
int evtlog_merged_next(struct evtlog_merged *merged,
		       const struct evtlog_merged_event **eventp);

/**
 * struct evtlog_merged_end - what the end of a merged file tells
 * @gaps: for each host, times of which nothing is known
 */
struct evtlog_merged_end {
	uint64_t events;
	uint64_t doubtful;
	bool whole;
	const uint64_t *gaps;
};

/** evtlog_merged_end() - NULL before evtlog_merged_next() returned 0 */
const struct evtlog_merged_end *evtlog_merged_end(const struct evtlog_merged *merged);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_EVTLOG_H */
