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

/**
 * evtlog_type_info() - a record type as a log describes it
 * @file: the log
 * @number: the file's own number of the type
 *
 * Return: the type, which lives as long as @file; NULL if the file has no such type.
 */
const struct evtlog_type_info *evtlog_type_info(const struct evtlog_file *file,
						unsigned int number);

/**
 * evtlog_softirq_name() - name of a softirq as a log has it
 * @file: the log
 * @vector: of the softirq
 *
 * Return: "TIMER", ..., which lives as long as @file; NULL if the file does not name @vector.
 */
const char *evtlog_softirq_name(const struct evtlog_file *file,
				unsigned int vector);

/**
 * evtlog_state_letter() - letter of a task state
 * @file: the log
 * @state: as a record has it
 *
 * Return: 'S', 'R', ... of EVTLOG_STATES; '?' unknown.
 */
char evtlog_state_letter(const struct evtlog_file *file, unsigned int state);

/**
 * evtlog_exception_name() - name of an exception of x86
 * @vector: of the exception
 *
 * Return: "page fault" of 14, ...; static; NULL unknown.
 */
const char *evtlog_exception_name(unsigned int vector);

/* ---- Fields ---- */

/**
 * evtlog_data() - bits of the data of a record's first word
 * @words: the record, @words of an event
 * @low: lowest bit
 * @count: number of bits, at most 26
 *
 * Return: bits [low, low + count).
 */
static inline uint32_t evtlog_data(const uint64_t *words, unsigned int low,
				   unsigned int count)
{
	return (words[0] >> (EVTLOG_DATA_SHIFT + low)) & ((1u << count) - 1);
}

/**
 * evtlog_record_pid() - pid in a record's first word
 * @words: the record, of a type that has one there
 *
 * Return: the pid.
 */
static inline uint32_t evtlog_record_pid(const uint64_t *words)
{
	return evtlog_data(words, 0, EVTLOG_PID_BITS);
}

/**
 * evtlog_switch_state() - prev_state of a sched_switch
 * @words: the record
 *
 * Return: the state, for evtlog_state_letter().
 */
static inline unsigned int evtlog_switch_state(const uint64_t *words)
{
	return evtlog_data(words, EVTLOG_PID_BITS, 4);
}

/**
 * evtlog_field_u64() - an unsigned field of a record
 * @field: of at most 64 bits
 * @file_words: the record, @file_words of an event
 *
 * Return: the value, zero-extended.
 */
uint64_t evtlog_field_u64(const struct evtlog_field *field,
			  const uint64_t *file_words);

/**
 * evtlog_field_s64() - a signed field of a record
 * @field: of at most 64 bits
 * @file_words: the record, @file_words of an event
 *
 * Return: the value, sign-extended.
 */
int64_t evtlog_field_s64(const struct evtlog_field *field,
			 const uint64_t *file_words);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_RECORD_H */
