// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: splits the text into tokens.
 *
 * Called by parse.c.  Names are not looked up.
 */
#include <linux/string.h>

#include "filter/tree.h"

/* Not ctype.h: only ASCII, and the same in the kernel and in user space. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_arrow(const char *at)
{
	return at[0] == '-' && at[1] == '>' && begins_name(at[2]);
}

static void lex_name(struct filter_lexer *l)
{
	l->token = TOKEN_NAME;
	while (begins_name(*l->at) || is_digit(*l->at) || *l->at == '.' || is_arrow(l->at))
		l->at += is_arrow(l->at) ? 2 : 1;
}

static int digit_of(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

static void bad(struct filter_lexer *l, const char *fault)
{
	l->token = TOKEN_BAD;
	l->fault = fault;
}

static void lex_number(struct filter_lexer *l)
{
	unsigned int base = 10, digit;

	l->token = TOKEN_NUMBER;
	l->number = 0;
	l->is_hex = false;
	if (l->at[0] == '0' && (l->at[1] | 0x20) == 'x') {
		base = 16;
		l->at += 2;
		l->is_hex = true;
		if (digit_of(*l->at) >= 16) {
			bad(l, "expected a hexadecimal digit");
			return;
		}
	} else if (l->at[0] == '0') {
		base = 8;
	}
	for (; is_digit(*l->at) || begins_name(*l->at); l->at++) {
		digit = digit_of(*l->at);
		if (digit >= base) {
			bad(l, base == 8 ? "this is not an octal number" : "this is not a number");
			return;
		}
		if (l->number > (~0ULL - digit) / base) {
			bad(l, "this number has more than 64 bits");
			return;
		}
		l->number = l->number * base + digit;
	}
}

/* 10.0.0.1 is the number that consists of its four bytes in network byte order. */
static bool begins_address(const char *at)
{
	while (is_digit(*at))
		at++;
	return *at == '.';
}

static void lex_address(struct filter_lexer *l)
{
	unsigned int i, byte, digits;

	l->token = TOKEN_NUMBER;
	l->number = 0;
	l->is_hex = true;
	for (i = 0; i < 4; i++) {
		if (i && *l->at != '.')
			break;
		l->at += !!i;
		for (byte = digits = 0; is_digit(*l->at) && digits < 3; digits++)
			byte = byte * 10 + digit_of(*l->at++);
		if (!digits || byte > 255)
			break;
		l->number = l->number << 8 | byte;
	}
	if (i < 4 || is_digit(*l->at) || begins_name(*l->at) || *l->at == '.')
		bad(l, "this is not an IPv4 address");
}

static void lex_string(struct filter_lexer *l)
{
	const char *end = strchr(l->at + 1, '"');

	l->token = TOKEN_STRING;
	if (!end) {
		bad(l, "this text has no closing quote");
		return;
	}
	l->start = l->at + 1;
	l->at = end;
	l->length = end - l->start;
}

static const struct {
	char text[3];
	u8 token;
} signs[] = {
	/* Longer signs first */
	{ "==", TOKEN_EQ }, { "!=", TOKEN_NE }, { "<=", TOKEN_LE }, { ">=", TOKEN_GE },
	{ "&&", TOKEN_AND }, { "||", TOKEN_OR },
	{ "<", TOKEN_LT }, { ">", TOKEN_GT }, { "!", TOKEN_NOT }, { "&", TOKEN_MASK },
	{ "~", TOKEN_LIKE }, { "-", TOKEN_MINUS }, { "(", TOKEN_OPEN }, { ")", TOKEN_CLOSE },
	{ "{", TOKEN_OPEN_SET }, { "}", TOKEN_CLOSE_SET }, { ",", TOKEN_COMMA },
};

/**
 * filter_lex() - read the next token
 * @l:		the lexer; @at is after the last token
 */
void filter_lex(struct filter_lexer *l)
{
	unsigned int i;

	while (*l->at == ' ' || *l->at == '\t' || *l->at == '\n')
		l->at++;
	l->start = l->at;
	if (!*l->at) {
		l->token = TOKEN_END;
	} else if (begins_name(*l->at)) {
		lex_name(l);
	} else if (is_digit(*l->at) && begins_address(l->at)) {
		lex_address(l);
	} else if (is_digit(*l->at)) {
		lex_number(l);
	} else if (*l->at == '"') {
		lex_string(l);
		if (l->token == TOKEN_STRING)
			l->at++;
		return;
	} else {
		bad(l, *l->at == '=' ? "did you mean ==?" : "this character is not allowed here");
		for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
			if (!strncmp(l->at, signs[i].text, strlen(signs[i].text))) {
				l->token = signs[i].token;
				l->at += strlen(signs[i].text);
				break;
			}
		}
	}
	l->length = l->at - l->start;
}
