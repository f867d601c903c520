/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The record types that a file describes, matched by name with the types of abi.h.
 *
 * Stage: between the text in a file's header and the decoder.  It does not read records.
 */
#ifndef EVTLOG_LIB_FILE_FORMAT_H
#define EVTLOG_LIB_FILE_FORMAT_H

#include <evtlog/evtlog.h>

#define FORMAT_TYPES		(EVTLOG_TYPE_MAX + 1)
#define FORMAT_SOFTIRQS_MAX	32

/* Bits of a size field; they limit the length of a record after the words of its type. */
#define FORMAT_SIZE_BITS_MAX	12
#define FORMAT_SIZE_WORDS_MAX	((1 << FORMAT_SIZE_BITS_MAX) / 8)

/* Field of the first word: number of bytes after the @words of the type; 0 bits: no such field. */
struct format_size {
	uint8_t bit;
	uint8_t bits;
};

/*
 * @types:	by the file's numbers; words is 0 if there is no type
 * @sizes:	of types of variable size
 * @own:	layout in abi.h of known types that are not @same
 * @same:	records of the type have the same layout as in abi.h
 * @no_switches: sched_switch was not recorded; set by recorded.c
 * @no_exits:	EVTLOG_CONTEXT_* whose exits were not recorded: if a buffer begins in such a
 *		context, the end of the context is unknown
 */
struct format {
	struct evtlog_type_info types[FORMAT_TYPES];
	struct evtlog_type_info own[FORMAT_TYPES];
	bool same[FORMAT_TYPES];
	struct format_size sizes[FORMAT_TYPES];
	bool no_switches;
	uint32_t no_exits;
	uint64_t ticks_hz;
	char states[17];
	char softirqs[FORMAT_SOFTIRQS_MAX][EVTLOG_NAME_MAX + 1];
	unsigned int softirq_count;
};

/*
 * Parses the text of /proc/evtlog/format, and modifies it.  Returns 0, -EPROTONOSUPPORT (another
 * version or byte order), -EBADMSG or -ENOMEM, with *@reason.  Call format_free() in any case.
 */
int format_parse(struct format *format, char *text, const char **reason);
void format_free(struct format *format);

/* Returns the words of a record from its first word; 0 if the file has no such type. */
static inline unsigned int format_record_words(const struct format *format, uint64_t first)
{
	unsigned int number = first >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	struct format_size size = format->sizes[number];
	unsigned int more = first >> size.bit & ((1u << size.bits) - 1);

	return format->types[number].words + (more + 7) / 8;
}

/*
 * Converts a record of a known type that is not @same to the layout of abi.h.  @words has room for
 * EVTLOG_RECORD_WORDS_MAX.
 */
void format_translate(const struct format *format, unsigned int number,
		      const uint64_t *file_words, uint64_t *words);

/* Returns the field @name of @type; NULL if none. */
const struct evtlog_field *format_field(const struct evtlog_type_info *type,
					const char *name);

#endif /* EVTLOG_LIB_FILE_FORMAT_H */
