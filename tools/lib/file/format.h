/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The record types a file describes, matched by name with those of abi.h.
 *
 * Stage: between the text in a file's header and the decoder.  It does not
 * look at records.
 */
#ifndef EVTLOG_LIB_FILE_FORMAT_H
#define EVTLOG_LIB_FILE_FORMAT_H

#include <evtlog/evtlog.h>

#define FORMAT_TYPES		(EVTLOG_TYPE_MAX + 1)
#define FORMAT_SOFTIRQS_MAX	32

/* Bits of a size: no record is longer than this, behind the words of its type. */
#define FORMAT_SIZE_BITS_MAX	12
#define FORMAT_SIZE_WORDS_MAX	((1 << FORMAT_SIZE_BITS_MAX) / 8)

/* Where the first word says how many bytes follow the @words of its type; 0 bits: nowhere. */
struct format_size {
	uint8_t bit;
	uint8_t bits;
};

/*
 * @types:	by the file's numbers; words is 0 where there is no type
 * @sizes:	of those of variable size
 * @own:	for known ones that are not @same, what abi.h has instead
 * @same:	records of that type are laid out as in abi.h
 * @no_switches: sched_switch was not recorded: recorded.c finds out
 * @no_exits: EVTLOG_CONTEXT_* whose ends were not recorded: a buffer that begins in one does not show when it is left
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
 * Reads the text of /proc/evtlog/format.  @text is changed.  Returns 0,
 * -EPROTONOSUPPORT (another version or byte order), -EBADMSG or -ENOMEM, with
 * *@reason.  Whatever it returns, format_free() it.
 */
int format_parse(struct format *format, char *text, const char **reason);
void format_free(struct format *format);

/* Words of a record, by its first word; 0: the file has no such type. */
static inline unsigned int format_record_words(const struct format *format, uint64_t first)
{
	unsigned int number = first >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	struct format_size size = format->sizes[number];
	unsigned int more = first >> size.bit & ((1u << size.bits) - 1);

	return format->types[number].words + (more + 7) / 8;
}

/*
 * Puts a record of a type that is known but not @same into @words, as abi.h
 * lays it out; @words holds EVTLOG_RECORD_WORDS_MAX.
 */
void format_translate(const struct format *format, unsigned int number,
		      const uint64_t *file_words, uint64_t *words);

/* A field of the type that abi.h gives the name @name; NULL if none. */
const struct evtlog_field *format_field(const struct evtlog_type_info *type,
					const char *name);

#endif /* EVTLOG_LIB_FILE_FORMAT_H */
