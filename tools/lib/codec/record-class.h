/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Classes of record types: what a record enters or leaves, and as what it is shown.
 *
 * Stage: beside the stream of events; whoever classifies records asks here, whoever takes
 * one apart has <evtlog/record.h>.  A type without a line in the table is a point in time
 * of kind OTHER.
 */
#ifndef EVTLOG_LIB_CODEC_RECORD_CLASS_H
#define EVTLOG_LIB_CODEC_RECORD_CLASS_H

#include <stdint.h>

#include <evtlog/abi.h>
#include <evtlog/event.h>
#include <evtlog/index.h>
#include <evtlog/record.h>

enum record_step {
	RECORD_UNLISTED,	/* not in the table */
	RECORD_POINT,		/* enters and leaves nothing */
	RECORD_WRITER,		/* no event: what the writer says of the log, the CPU, a task */
	RECORD_SWITCH,		/* another task runs; nothing nests on the CPU any more */
	RECORD_ENTRY,
	RECORD_EXIT,
};

/**
 * struct record_class - what all records of a type have in common
 * @step:	enum record_step
 * @kind_from_other: see record_kind(); 0, also of what is not listed, is OTHER
 * @context:	enum evtlog_context that an ENTRY enters and an EXIT leaves on the CPU;
 *		EVTLOG_IN_TASK: none, what it enters is the task's and goes with it (an
 *		exception, user mode)
 * @nests_in:	EVTLOG_CONTEXT_* in which it can be entered, besides a task
 * @pair:	type of the EXIT of an ENTRY, and the other way round; else 0
 * @number:	which one is entered, if its type says it: the ENTRY's
 * @number_bits: else how many of its data say it
 */
struct record_class {
	uint8_t step;
	uint8_t kind_from_other;
	uint8_t context;
	uint8_t nests_in;
	uint8_t pair;
	uint8_t number;
	uint8_t number_bits;
	uint8_t unused;		/* so that an index is a shift */
};

extern const struct record_class record_classes[EVTLOG_TYPE_MAX + 1];

/**
 * record_class() - of a type of abi.h
 * @known:	at most EVTLOG_TYPE_MAX; 0, the type of no record, is UNLISTED
 */
static inline const struct record_class *record_class(unsigned int known)
{
	return &record_classes[known];
}

/** record_kind() - as what lanes show it */
static inline enum evtlog_kind record_kind(const struct record_class *class)
{
	return class->kind_from_other ^ EVTLOG_KIND_OTHER;
}

/**
 * record_number() - which softirq, irq, vector or exception an ENTRY or EXIT is of
 * @class:	one of those: records of unknown types have no @words
 * @words:	the record, as abi.h lays it out
 *
 * Return: as struct evtlog_event has it in @context_number
 */
static inline uint32_t record_number(const struct record_class *class, const uint64_t *words)
{
	return class->number | evtlog_data(words, 0, class->number_bits);
}

#endif /* EVTLOG_LIB_CODEC_RECORD_CLASS_H */
