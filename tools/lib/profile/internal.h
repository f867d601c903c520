/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Creates, reads and writes profiles, for the files of this folder. Functions return 0 or -errno.
 */
#ifndef EVTLOG_LIB_PROFILE_INTERNAL_H
#define EVTLOG_LIB_PROFILE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <evtlog/log.h>

#include "lib/profile/model.h"

/* profile.c */
struct evtlog_profile *profile_new(void);
/* These three return an empty one, or NULL if there is no memory. */
struct profile_slot *profile_add_entry(struct evtlog_profile *profile);
struct evtlog_profile_path *profile_add_path(struct profile_slot *slot);
struct evtlog_profile_value *profile_add_value(struct profile_slot *slot);
int profile_reserve_paths(struct profile_slot *slot, size_t more);
/* Returns a copy that lives as long as @profile; NULL if there is no memory. */
const char *profile_string(struct evtlog_profile *profile, const char *text, size_t length);
/* Returns the last event of a path. */
const char *profile_event_of(const char *path);
/* Fills @error if it is not NULL, and returns @status. */
int profile_refuse(struct evtlog_error *error, int status, size_t offset, const char *reason);

/* For numbers and short constants, at most 500 bytes. Strings: use profile_put_chars(). */
void profile_put(FILE *out, const char *format, ...) __attribute__((__format__(printf, 2, 3)));
void profile_put_chars(FILE *out, const char *text);

/* text.c, text-write.c. @error: position of a bad line */
extern const char *const profile_cost_names[EVTLOG_PROFILE_COSTS];
int profile_parse_text(const char *text, size_t length, struct evtlog_profile **profilep,
		       struct evtlog_error *error);
void profile_put_text(const struct evtlog_profile *profile, FILE *out);

/* json.c */
void profile_put_json(const struct evtlog_profile *profile, FILE *out);

/* binary.c, binary-read.c */
int profile_parse_binary(const void *bytes, size_t length, struct evtlog_profile **profilep,
			 struct evtlog_error *error);
int profile_put_binary(const struct evtlog_profile *profile, FILE *out);

/*
 * ---- Binary profiles: evtlog-profile(5) ----
 *
 *	head	magic, version, length of the head, checksum of the body, length of the body
 *	body	about, strings, entries: numbers of 7 bits a byte, the lowest first
 *
 * Each path is written once, even if many tasks have it.
 */

#define PROFILE_MAGIC	"evtlprf"	/* 8 bytes with the NUL */
#define PROFILE_VERSION	1
/* For profiles with PROFILE_OF_THREADS, which older readers do not support */
#define PROFILE_VERSION_THREADS	2

struct profile_head {
	char magic[8];
	uint16_t version;
	uint16_t head_bytes;
	uint32_t crc;
	uint64_t body_bytes;
};

_Static_assert(sizeof(struct profile_head) == 24, "no padding");

/* Kinds of entries */
enum { PROFILE_OF_TASK, PROFILE_OF_CPU, PROFILE_OF_ENDED, PROFILE_OF_THREADS };

/* Flags of struct evtlog_profile_about */
#define PROFILE_IS_ON		1
#define PROFILE_IS_DIFF		2
#define PROFILE_IS_COMPENSATED	4

#endif /* EVTLOG_LIB_PROFILE_INTERNAL_H */
