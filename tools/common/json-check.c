// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks whether bytes are JSON.
 */
#include <string.h>

#include "json.h"
#include "utf8.h"

#define DEPTH_MAX	32

struct check {
	const unsigned char *at;
	const unsigned char *end;
	unsigned int depth;
};

static bool check_value(struct check *check);

static void blanks(struct check *check)
{
	while (check->at < check->end && memchr(" \t\r\n", *check->at, 4))
		check->at++;
}

static bool take(struct check *check, char c)
{
	if (check->at == check->end || *check->at != (unsigned char)c)
		return false;
	check->at++;
	return true;
}

static bool check_escape(struct check *check)
{
	if (check->at == check->end)
		return false;
	if (*check->at == 'u') {
		check->at++;
		for (int i = 0; i < 4; i++, check->at++)
			if (check->at == check->end ||
			    !memchr("0123456789abcdefABCDEF", *check->at, 22))
				return false;
		return true;
	}
	return memchr("\"\\/bfnrt", *check->at++, 8);
}

static bool check_string(struct check *check)
{
	if (!take(check, '"'))
		return false;
	while (check->at < check->end && *check->at != '"') {
		size_t length;

		if (*check->at < 0x20)
			return false;
		if (take(check, '\\')) {
			if (!check_escape(check))
				return false;
			continue;
		}
		length = utf8_length(check->at, check->end - check->at);
		if (!length)
			return false;
		check->at += length;
	}
	return take(check, '"');
}

static bool digits(struct check *check)
{
	const unsigned char *start = check->at;

	while (check->at < check->end && *check->at >= '0' && *check->at <= '9')
		check->at++;
	return check->at > start;
}

static bool check_number(struct check *check)
{
	take(check, '-');
	if (!take(check, '0') && !digits(check))
		return false;
	if (take(check, '.') && !digits(check))
		return false;
	if (take(check, 'e') || take(check, 'E')) {
		if (!take(check, '+'))
			take(check, '-');
		return digits(check);
	}
	return true;
}

static bool check_word(struct check *check, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(check->end - check->at) < length || memcmp(check->at, word, length))
		return false;
	check->at += length;
	return true;
}

static bool check_members(struct check *check, bool keys, char closer)
{
	if (++check->depth > DEPTH_MAX)
		return false;
	check->at++;
	blanks(check);
	if (!take(check, closer)) {
		do {
			blanks(check);
			if (keys) {
				if (!check_string(check))
					return false;
				blanks(check);
				if (!take(check, ':'))
					return false;
			}
			if (!check_value(check))
				return false;
			blanks(check);
		} while (take(check, ','));
		if (!take(check, closer))
			return false;
	}
	check->depth--;
	return true;
}

static bool check_value(struct check *check)
{
	blanks(check);
	if (check->at == check->end)
		return false;
	switch (*check->at) {
	case '{':
		return check_members(check, true, '}');
	case '[':
		return check_members(check, false, ']');
	case '"':
		return check_string(check);
	case 't':
		return check_word(check, "true");
	case 'f':
		return check_word(check, "false");
	case 'n':
		return check_word(check, "null");
	default:
		return check_number(check);
	}
}

bool json_check_object(const char *bytes, size_t length)
{
	struct check check = {
		.at = (const unsigned char *)bytes,
		.end = (const unsigned char *)bytes + length,
	};

	blanks(&check);
	if (check.at == check.end || *check.at != '{' || !check_value(&check))
		return false;
	blanks(&check);
	return check.at == check.end;
}
