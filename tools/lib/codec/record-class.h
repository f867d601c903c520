/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Classes of record types: the context that a record enters or leaves, and the kind it is shown as.
 *
 * Stage: next to the stream of events.  The fields of records are in <evtlog/record.h>.  A type
 * without a line in the table is a point in time of kind OTHER.
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
	RECORD_POINT,		/* enters and leaves no context */
	RECORD_WRITER,		/* not an event: data about the log, the CPU or a task */
	RECORD_SWITCH,		/* another task runs; all contexts of the CPU have ended */
	RECORD_ENTRY,
	RECORD_EXIT,
};

/**
 * struct record_class - properties of all records of a type
 * @step:	enum record_step
 * @kind_from_other: see record_kind(); 0, also for unlisted types, is OTHER
 * @context:	enum evtlog_context that an ENTRY enters and an EXIT leaves on the CPU;
 *		EVTLOG_IN_TASK: none, the context (an exception, user mode) is the task's and moves
 *		with it to other CPUs
 * @nests_in:	EVTLOG_CONTEXT_* in which it can be entered, in addition to a task
 * @pair:	for an ENTRY, the type of its EXIT, and vice versa; else 0
 * @number:	number of the context, if the type determines it: the ENTRY's type
 * @number_bits: else the number of data bits that contain it
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
 * record_class() - returns the class of a type of abi.h
 * @known:	at most EVTLOG_TYPE_MAX; 0, which is not a type, is UNLISTED
 */
static inline const struct record_class *record_class(unsigned int known)
{
	return &record_classes[known];
}

/** record_kind() - returns the kind that lanes show */
static inline enum evtlog_kind record_kind(const struct record_class *class)
{
	return class->kind_from_other ^ EVTLOG_KIND_OTHER;
}

/**
 * record_number() - returns the number of the softirq, irq, vector or exception
 * @class:	of an ENTRY or EXIT; records of unknown types have no @words
 * @words:	the record, as in abi.h
 *
 * Return: as @context_number of struct evtlog_event
 */
static inline uint32_t record_number(const struct record_class *class, const uint64_t *words)
{
	return class->number | evtlog_data(words, 0, class->number_bits);
}

#endif /* EVTLOG_LIB_CODEC_RECORD_CLASS_H */
