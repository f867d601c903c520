// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks the name and the fields of a caller's event, which go into logs unchanged.
 *
 * Called by table.c.  abi.h has the grammar.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "event/table.h"

static size_t name_length(const char *name)
{
	size_t length = 0;

	if (!isascii(*name) || !(isalpha(*name) || *name == '_'))
		return 0;
	while (isascii(name[length]) && (isalnum(name[length]) || name[length] == '_'))
		length++;
	return length;
}

/**
 * evtlog_event_name_is_valid() - return true if an event may have this name
 * @name:	a C identifier of at most EVTLOG_EVENT_NAME_MAX characters
 */
bool evtlog_event_name_is_valid(const char *name)
{
	size_t length = name_length(name);

	return length && length <= EVTLOG_EVENT_NAME_MAX && !name[length];
}

/* Reads a number and the ':' after it.  Returns NULL if there is none, or it is above @max. */
static const char *take_number(const char *text, unsigned int max, unsigned int *number)
{
	if (!isascii(*text) || !isdigit(*text))
		return NULL;
	for (*number = 0; isascii(*text) && isdigit(*text); text++) {
		*number = *number * 10 + (*text - '0');
		if (*number > max)
			return NULL;
	}
	return *text == ':' ? text + 1 : NULL;
}

/**
 * evtlog_event_kind_is_number() - return true if a field of this kind is one number
 * @kind:	as in abi.h
 */
bool evtlog_event_kind_is_number(char kind)
{
	return kind && strchr("udxp4nkt", kind);
}

static bool kind_has_bytes(char kind, unsigned int bytes)
{
	if (kind == 'c' || kind == 'b')
		return true;
	if (kind == '6' || kind == 'm')
		return bytes == (kind == '6' ? 16 : 6);
	return evtlog_event_kind_is_number(kind) &&
	       (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

/* Reads "NAME:OFFSET:BYTES:KIND"; extends *@end to its last byte.  Returns NULL if malformed. */
static const char *take_field(const char *text, unsigned int *end)
{
	size_t length = name_length(text);
	unsigned int offset, bytes;

	if (!length || length > EVTLOG_EVENT_NAME_MAX || text[length] != ':')
		return NULL;
	text = take_number(text + length + 1, EVTLOG_EVENT_BYTES_MAX, &offset);
	if (text)
		text = take_number(text, EVTLOG_EVENT_BYTES_MAX, &bytes);
	if (!text || !kind_has_bytes(*text, bytes) ||
	    offset + bytes > EVTLOG_EVENT_BYTES_MAX)
		return NULL;
	*end = max(*end, offset + bytes);
	text++;
	/* A field without a length has the rest of the payload, so it must be the last one. */
	return !*text || (bytes && *text == ' ') ? text : NULL;
}

/**
 * evtlog_event_fields_check() - check the fields of an event
 * @fields:	"NAME:OFFSET:BYTES:KIND ..." as in abi.h, with one blank in between; may be empty
 *
 * Return: size of a payload that has all of them; -EINVAL: malformed.
 */
int evtlog_event_fields_check(const char *fields)
{
	unsigned int end = 0;

	while (*fields) {
		fields = take_field(fields, &end);
		if (!fields)
			return -EINVAL;
		if (*fields == ' ' && !*++fields)
			return -EINVAL;
	}
	return end;
}
