/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is wrong with a log, place by place.
 *
 * Stage: filled while a log is opened and read; a place whose events are gone is a
 * GAP among them as well.  It does not repair anything.
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
 * evtlog_damage() - a damaged place of a log
 * @file: the log
 * @number: of the place, from 0, of those found so far
 *
 * Damage in payloads is found when they are read: after reading all streams to their end
 * the list is complete.
 *
 * Return: the place, which lives as long as @file; NULL behind the last.
 */
const struct evtlog_damage *evtlog_damage(const struct evtlog_file *file,
					  size_t number);

/**
 * evtlog_damage_count() - number of damaged places
 * @file: the log
 *
 * Return: all places found so far, also those that are too many to be listed.
 */
uint64_t evtlog_damage_count(const struct evtlog_file *file);

/**
 * evtlog_damage_name() - name of a kind of damage
 * @kind: of struct evtlog_damage
 *
 * Return: "garbage", "torn", "payload", ...; static.
 */
const char *evtlog_damage_name(enum evtlog_damage_kind kind);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_DAMAGE_H */
