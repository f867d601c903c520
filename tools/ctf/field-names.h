/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the fields of one event in metadata.
 *
 * What formats call fields is anyone's: of two with one name readers would refuse the trace.
 */
#ifndef EVTLOG_CTF_FIELD_NAMES_H
#define EVTLOG_CTF_FIELD_NAMES_H

#include <evtlog/record.h>

/* Lengths of sequences, and of payloads: names that no other field gets */
#define CTF_LENGTH_NAME		"evtlog_length"
#define CTF_BYTES_NAME		"evtlog_bytes"

#define CTF_FIELD_NAMES_MAX	260
#define CTF_FIELD_NAME_BYTES	(EVTLOG_NAME_MAX + 8)

struct ctf_field_names {
	char at[CTF_FIELD_NAMES_MAX][CTF_FIELD_NAME_BYTES];
	unsigned int count;
};

void ctf_field_names_begin(struct ctf_field_names *names);

/* A name of the grammar's letters that no field of the event has yet; valid until the next call. */
const char *ctf_field_names_add(struct ctf_field_names *names, const char *name);

#endif /* EVTLOG_CTF_FIELD_NAMES_H */
