/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records: the types that a log describes, and the fields of a record.
 *
 * Stage: converts the words of an event (event.h) to numbers and names.  The time and the context
 * of the record are in the event.
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
 * struct evtlog_field - position of a field in a record, see abi.h
 */
struct evtlog_field {
	char name[EVTLOG_NAME_MAX + 1];
	uint8_t word;
	uint8_t bit;
	uint16_t bits;
	char kind;
};

/**
 * struct evtlog_type_info - a record type as described in the file
 * @number: number of the type in this file
 * @known: number of the same type in this library's abi.h; 0 if abi.h does not have it
 * @fields: array of @field_count fields, at most EVTLOG_FIELDS_MAX
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
 * evtlog_type_info() - get a record type
 * @file: the log
 * @number: number of the type in this file
 *
 * Return: the type, valid as long as @file; NULL if the file has no such type.
 */
const struct evtlog_type_info *evtlog_type_info(const struct evtlog_file *file,
						unsigned int number);

/**
 * evtlog_softirq_name() - get the name of a softirq
 * @file: the log
 * @vector: softirq vector
 *
 * Return: "TIMER", ..., valid as long as @file; NULL if the file does not name @vector.
 */
const char *evtlog_softirq_name(const struct evtlog_file *file,
				unsigned int vector);

/**
 * evtlog_state_letter() - get the letter of a task state
 * @file: the log
 * @state: state as in a record
 *
 * Return: 'S', 'R', ... of EVTLOG_STATES; '?' if unknown.
 */
char evtlog_state_letter(const struct evtlog_file *file, unsigned int state);

/**
 * evtlog_exception_name() - get the name of an x86 exception
 * @vector: vector of the exception
 *
 * Return: a static string, for example "page fault" for 14; NULL if unknown.
 */
const char *evtlog_exception_name(unsigned int vector);

/* ---- Fields ---- */

/**
 * evtlog_data() - get bits of the data of a record's first word
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
 * evtlog_record_pid() - get the pid in a record's first word
 * @words: the record, of a type that has a pid in its first word
 *
 * Return: the pid.
 */
static inline uint32_t evtlog_record_pid(const uint64_t *words)
{
	return evtlog_data(words, 0, EVTLOG_PID_BITS);
}

/**
 * evtlog_switch_state() - get prev_state of a sched_switch
 * @words: the record
 *
 * Return: the state, for evtlog_state_letter().
 */
static inline unsigned int evtlog_switch_state(const uint64_t *words)
{
	return evtlog_data(words, EVTLOG_PID_BITS, 4);
}

/**
 * evtlog_field_u64() - get an unsigned field of a record
 * @field: field of at most 64 bits
 * @file_words: the record, @file_words of an event
 *
 * Return: the value, zero-extended.
 */
uint64_t evtlog_field_u64(const struct evtlog_field *field,
			  const uint64_t *file_words);

/**
 * evtlog_field_s64() - get a signed field of a record
 * @field: field of at most 64 bits
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
