// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parses the description of record types and matches it with abi.h.
 *
 * Stage: between the text in a file's header and the decoder.  It does not read records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

struct known_type {
	uint8_t number;
	const char *name;
	const char *fields;
};

static const struct known_type known_types[] = {
#define X(number, NAME, name, words, fields) { number, #name, fields },
	EVTLOG_TYPES(X)
#undef X
};

static const char *const field_kinds = "udxpsvc4nktz";

static int parse_u64(const char *text, uint64_t max, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -EBADMSG;
	errno = 0;
	*value = strtoull(text, &end, 10);
	if (errno || *end || *value > max)
		return -EBADMSG;
	return 0;
}

static bool is_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return length && length <= EVTLOG_NAME_MAX && !name[length];
}

/* A size is in the data of the record's first word; @size is NULL if it is not needed. */
static int parse_size(struct format_size *size, uint64_t word, uint64_t bit, uint64_t bits)
{
	if (word || bit < EVTLOG_DATA_SHIFT || bits > FORMAT_SIZE_BITS_MAX)
		return -EBADMSG;
	if (!size)
		return 0;
	if (size->bits)
		return -EBADMSG;
	*size = (struct format_size) { bit, bits };
	return 0;
}

/* "name:word:bit:bits:kind" */
static int parse_field(struct evtlog_type_info *type, struct format_size *size, char *text)
{
	struct evtlog_field *fields, *field;
	uint64_t word, bit, bits;
	char *part[5];

	for (size_t i = 0; i < 5; i++) {
		part[i] = strsep(&text, ":");
		if (!part[i])
			return -EBADMSG;
	}
	if (text || !is_name(part[0]) || strlen(part[4]) != 1 ||
	    format_field(type, part[0]))
		return -EBADMSG;
	if (parse_u64(part[1], type->words - 1, &word) ||
	    parse_u64(part[2], 63, &bit) ||
	    parse_u64(part[3], 64 * (type->words - word), &bits))
		return -EBADMSG;
	if (!bits || (bits <= 64 ? bit + bits > 64 : bit || bits % 8))
		return -EBADMSG;
	if (part[4][0] == 'z' && parse_size(size, word, bit, bits))
		return -EBADMSG;
	/* Fields of unknown kinds are read as numbers, or as bytes if they are wide. */
	if (!strchr(field_kinds, part[4][0]))
		part[4][0] = bits > 64 ? 'c' : 'x';
	if (bits > 64 && part[4][0] != 'c')
		return -EBADMSG;
	if (type->field_count == EVTLOG_FIELDS_MAX)
		return 0;	/* further fields are not shown */
	/* Grows by one field, as there are few, and a thousand files can be open at once. */
	fields = reallocarray((void *)type->fields, type->field_count + 1,
			      sizeof(*fields));
	if (!fields)
		return -ENOMEM;
	type->fields = fields;
	field = &fields[type->field_count++];
	strcpy(field->name, part[0]);
	field->word = word;
	field->bit = bit;
	field->bits = bits;
	field->kind = part[4][0];
	return 0;
}

static int parse_fields(struct evtlog_type_info *type, struct format_size *size, char *text)
{
	char *field;
	int error = 0;

	while (!error && (field = strsep(&text, " ")))
		if (*field)
			error = parse_field(type, size, field);
	return error;
}

/* "NUMBER NAME WORDS FIELD..." */
static int parse_type(struct format *format, char *text)
{
	char *number_text = strsep(&text, " ");
	char *name = strsep(&text, " ");
	char *words_text = strsep(&text, " ");
	struct evtlog_type_info *type;
	uint64_t number, words;

	if (!words_text || !is_name(name) ||
	    parse_u64(number_text, EVTLOG_TYPE_MAX, &number) || !number ||
	    parse_u64(words_text, UINT8_MAX, &words) || !words)
		return -EBADMSG;
	for (size_t i = 1; i < FORMAT_TYPES; i++)
		if (!strcmp(format->types[i].name, name))
			return -EBADMSG;
	type = &format->types[number];
	if (type->words)
		return -EBADMSG;
	type->number = number;
	type->words = words;
	strcpy(type->name, name);
	return parse_fields(type, &format->sizes[number], text);
}

static int parse_softirqs(struct format *format, char *text)
{
	char *name;

	while ((name = strsep(&text, " "))) {
		if (!*name)
			continue;
		if (!is_name(name))
			return -EBADMSG;
		if (format->softirq_count == FORMAT_SOFTIRQS_MAX)
			break;
		strcpy(format->softirqs[format->softirq_count++], name);
	}
	return 0;
}

static int parse_line(struct format *format, char *line, const char **reason)
{
	char *word = strsep(&line, " ");

	if (!line)
		line = word + strlen(word);
	if (!strcmp(word, "type")) {
		*reason = "its header has a malformed type";
		return parse_type(format, line);
	}
	if (!strcmp(word, "ticks_hz")) {
		*reason = "its header has a malformed ticks_hz";
		return parse_u64(line, UINT64_MAX, &format->ticks_hz);
	}
	if (!strcmp(word, "byteorder")) {
		*reason = "it was written on a machine of the other byte order";
		return strcmp(line, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			      "little" : "big") ? -EPROTONOSUPPORT : 0;
	}
	if (!strcmp(word, "states")) {
		strncpy(format->states, line, sizeof(format->states) - 1);
		return 0;
	}
	if (!strcmp(word, "softirqs")) {
		*reason = "its header has malformed names of softirqs";
		return parse_softirqs(format, line);
	}
	return 0;		/* from a later version */
}

/*
 * Returns true for a field that older kernels do not have; it is 0 then: a message without a
 * network namespace is taken as one of the first namespace.
 */
static bool is_later(const struct evtlog_field *field)
{
	return !strcmp(field->name, "netns");
}

static bool is_sized(const struct evtlog_type_info *type)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (type->fields[i].kind == 'z')
			return true;
	return false;
}

/* If a type has all fields of @known by name, it is known; it is @same if the bits are, too. */
static int match(struct format *format, unsigned int number,
		  const struct known_type *known)
{
	struct evtlog_type_info *type = &format->types[number];
	struct evtlog_type_info *own = &format->own[number];
	char text[400];
	bool same;
	int error;

	strncpy(text, known->fields, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	own->number = known->number;
	own->words = evtlog_record_words((uint64_t)known->number << EVTLOG_TYPE_SHIFT);
	same = type->words >= own->words;
	error = parse_fields(own, NULL, text);
	if (error)
		return error;
	for (size_t i = 0; i < own->field_count; i++) {
		const struct evtlog_field *a = &own->fields[i];
		const struct evtlog_field *b = format_field(type, a->name);

		if (!b && is_later(a)) {
			same = false;
			continue;
		}
		if (!b || (a->bits > 64) != (b->bits > 64))
			return 0;
		same &= a->word == b->word && a->bit == b->bit &&
			a->bits == b->bits && (a->kind == 'z') == (b->kind == 'z');
	}
	/* The bytes that follow cannot be converted: the type is shown with its own fields. */
	if (!same && (format->sizes[number].bits || is_sized(own))) {
		free((void *)own->fields);
		memset(own, 0, sizeof(*own));
		return 0;
	}
	type->known = known->number;
	format->same[number] = same;
	if (same) {
		free((void *)own->fields);
		memset(own, 0, sizeof(*own));
	}
	return 0;
}

static int match_all(struct format *format)
{
	int error = 0;

	for (size_t n = 1; n < FORMAT_TYPES; n++)
		for (size_t i = 0; !error && i < sizeof(known_types) /
				       sizeof(known_types[0]); i++)
			if (!strcmp(format->types[n].name, known_types[i].name))
				error = match(format, n, &known_types[i]);
	return error;
}

int format_parse(struct format *format, char *text, const char **reason)
{
	char *line = strsep(&text, "\n");
	uint64_t version;
	int error;

	memset(format, 0, sizeof(*format));
	*reason = "its header has no description of records";
	if (!line || strncmp(line, "evtlog-format ", 14))
		return -EBADMSG;
	*reason = "its records are of an unknown version";
	if (parse_u64(line + 14, EVTLOG_ABI_VERSION, &version) || !version)
		return -EPROTONOSUPPORT;
	while ((line = strsep(&text, "\n"))) {
		error = parse_line(format, line, reason);
		if (error)
			return error;
	}
	*reason = NULL;
	error = match_all(format);
	if (error)
		*reason = "out of memory";
	return error;
}

void format_free(struct format *format)
{
	for (size_t n = 0; n < FORMAT_TYPES; n++) {
		free((void *)format->types[n].fields);
		free((void *)format->own[n].fields);
	}
}

const struct evtlog_field *format_field(const struct evtlog_type_info *type,
					const char *name)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (!strcmp(type->fields[i].name, name))
			return &type->fields[i];
	return NULL;
}

static void deposit(uint64_t *words, const struct evtlog_field *field,
		    uint64_t value)
{
	uint64_t mask = field->bits == 64 ? UINT64_MAX :
			(UINT64_C(1) << field->bits) - 1;

	words[field->word] |= (value & mask) << field->bit;
}

void format_translate(const struct format *format, unsigned int number,
		      const uint64_t *file_words, uint64_t *words)
{
	const struct evtlog_type_info *type = &format->types[number];
	const struct evtlog_type_info *own = &format->own[number];

	memset(words, 0, EVTLOG_RECORD_WORDS_MAX * sizeof(*words));
	words[0] = (file_words[0] & UINT32_MAX) |
		   (uint64_t)type->known << EVTLOG_TYPE_SHIFT;
	for (size_t i = 0; i < own->field_count; i++) {
		const struct evtlog_field *to = &own->fields[i];
		const struct evtlog_field *from = format_field(type, to->name);

		if (!from)
			continue;
		if (to->bits > 64)
			memcpy(&words[to->word], &file_words[from->word],
			       (to->bits < from->bits ? to->bits : from->bits) / 8);
		else
			deposit(words, to, evtlog_field_u64(from, file_words));
	}
}

uint64_t evtlog_field_u64(const struct evtlog_field *field,
			  const uint64_t *file_words)
{
	uint64_t value = file_words[field->word] >> field->bit;

	if (field->bits < 64)
		value &= (UINT64_C(1) << field->bits) - 1;
	return value;
}

int64_t evtlog_field_s64(const struct evtlog_field *field,
			 const uint64_t *file_words)
{
	uint64_t value = evtlog_field_u64(field, file_words);

	if (field->bits < 64 && value >> (field->bits - 1))
		value |= ~UINT64_C(0) << field->bits;
	return (int64_t)value;
}
