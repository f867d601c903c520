/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of damaged places in a log.
 *
 * Stage: filled while a log is opened and read.  If events are missing at a place, the stream also
 * has a GAP.  The library does not repair files.
 */
#ifndef EVTLOG_DAMAGE_H
#define EVTLOG_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_file;

enum evtlog_damage_kind {
	EVTLOG_DAMAGE_GARBAGE,	/* bytes that are not a block */
	EVTLOG_DAMAGE_TORN,	/* the file ends within a block */
	EVTLOG_DAMAGE_PAYLOAD,	/* a block's payload fails its checksum */
	EVTLOG_DAMAGE_BUFFER,	/* whole, but not a buffer of this run, or its number is used */
	EVTLOG_DAMAGE_RECORD,	/* the rest of a buffer can't be understood */
	EVTLOG_DAMAGE_MISSING,	/* buffers whose sequence numbers are in no block */
	EVTLOG_DAMAGE_DROPPED,	/* buffers that the logger could not save */
	EVTLOG_DAMAGE_INDEX,	/* index or trailer; no event is lost */
};

/**
 * struct evtlog_damage - a damaged place
 * @offset, @length: bytes of the file; @length is 0 if the damage is not at particular bytes
 * @has_cpu: @cpu, @sequence and @buffers are valid: the buffers that are missing
 * @error: errno of the logger (DROPPED), else 0
 * @reason: text for the user
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
 * evtlog_damage() - get a damaged place of a log
 * @file: the log
 * @number: number of the place, from 0, among the places found so far
 *
 * Damage in a payload is found when the payload is read.  The list is complete after all streams
 * were read to their end.
 *
 * Return: the place, valid as long as @file; NULL after the last place.
 */
const struct evtlog_damage *evtlog_damage(const struct evtlog_file *file,
					  size_t number);

/**
 * evtlog_damage_count() - number of damaged places
 * @file: the log
 *
 * Return: number of all places found so far, even if too many to be listed.
 */
uint64_t evtlog_damage_count(const struct evtlog_file *file);

/**
 * evtlog_damage_name() - name of a kind of damage
 * @kind: kind, as in struct evtlog_damage
 *
 * Return: "garbage", "torn", "payload", ...; a static string.
 */
const char *evtlog_damage_name(enum evtlog_damage_kind kind);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_DAMAGE_H */
