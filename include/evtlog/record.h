/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records: the types that a log describes, and the fields of one record.
 *
 * Stage: from an event's words (event.h) to numbers and names.  It does not tell in
 * what the CPU was, nor when: that is the event's.
 */
#ifndef EVTLOG_RECORD_H
#define EVTLOG_RECORD_H

#include <stdint.h>

#include <evtlog/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_file;

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

/** evtlog_exception_name() - "page fault" of x86's 14; NULL unknown */
const char *evtlog_exception_name(unsigned int vector);

/* ---- Fields ---- */

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

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_RECORD_H */
