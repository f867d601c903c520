// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe's text, as it is written to /proc/evtlog/probes, and its record's layout.
 *
 *	[MODULE:]FUNCTION[@ADDRESS][%return | %timer | +OFFSET] [(ARGUMENT, ...)] [if FILTER] [pcap PROGRAM]
 *		[handler NAME[(LABEL, ...)]] [sample SAMPLE]
 *	ADDRESS: of one function of that name, if there are several
 *	ARGUMENT: [LABEL=]VALUE[[START:BYTES]][:TYPE]
 *	VALUE: PLACE | packet(PLACE) | memory(PLACE), what is at the address that is the place's value
 *	PLACE: BASE{->MEMBER | .MEMBER | ->OFFSET | [INDEX]}
 *	BASE: a parameter's name, arg1 to arg22, retval, %REGISTER, or, alone, current.pid, current.tgid or
 *		current.cpu
 *	TYPE: u8 to u64, s8 to s64, x8 to x64, be16 to be64, ip4, ip6, mac, strBYTES
 *	FILTER: filter/filter.h, or nothing; before the next part "&&" may stand
 *	PROGRAM: pcap.c		NAME: handler.c		SAMPLE: sample/sample.h
 *
 * Called by table.c.  Knows no symbols and no types of the kernel: resolve.c.
 */
#include <linux/ctype.h>
#include <linux/evtlog.h>
#include <linux/kernel.h>

#include "probe/probe.h"

static const char *skip_word(const char *at)
{
	while (isalnum(*at) || *at == '_')
		at++;
	return at;
}

/* Decimal or 0x; @at behind it. */
static int take_number(const char **at, unsigned int limit, unsigned int *value)
{
	char *end;
	unsigned long number;

	if (!isdigit(**at))
		return -EINVAL;
	number = simple_strtoul(*at, &end, 0);
	if (number > limit)
		return -EINVAL;
	*at = end;
	*value = number;
	return 0;
}

static int refuse_at(struct evtlog_probe_error *error, const char *what, const char *at)
{
	return evtlog_probe_refuse(error, -EINVAL, "%s at \"%.32s\"", what, at);
}

static int parse_address(const char **at, struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	size_t digits = strncmp(*at, "0x", 2) ? 0 : strspn(*at + 2, "0123456789abcdef");

	if (!digits || digits > 16)
		return refuse_at(error, "an address in hexadecimal, as 0xffffffff81000000, is missing", *at);
	p->address = simple_strtoull(*at, NULL, 16);
	*at += 2 + digits;
	return p->address ? 0 : refuse_at(error, "there is no function", *at - 3);
}

/* FUNCTION[%return | %timer | +OFFSET]: clones have dots in their names, MODULE:FUNCTION a colon. */
static int parse_place(const char **at, struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const char *start = *at, *end = start;
	unsigned int offset;

	while (isalnum(*end) || *end == '_' || *end == '.' || *end == ':')
		end++;
	if (end == start || isdigit(*start))
		return refuse_at(error, "a function's name is missing", start);
	if (end - start >= sizeof(p->symbol))
		return evtlog_probe_refuse(error, -ENAMETOOLONG, "the function's name is too long");
	strscpy(p->symbol, start, end - start + 1);
	if (*end == '@') {
		int status;

		end++;
		status = parse_address(&end, p, error);
		if (status)
			return status;
	}
	p->kind = EVTLOG_PROBE_ENTRY;
	if (!strncmp(end, "%return", 7)) {
		p->kind = EVTLOG_PROBE_RETURN;
		end += 7;
	} else if (!strncmp(end, "%timer", 6)) {
		p->kind = EVTLOG_PROBE_RETURN;
		p->is_timer = true;
		end += 6;
	} else if (*end == '+') {
		end++;
		if (take_number(&end, 1 << 20, &offset))
			return refuse_at(error, "an offset in bytes is missing", end);
		p->symbol_offset = offset;
		if (offset)
			p->kind = EVTLOG_PROBE_OFFSET;
	}
	if (end - start >= sizeof(p->name))
		return evtlog_probe_refuse(error, -ENAMETOOLONG, "the probe's name is too long");
	strscpy(p->name, start, end - start + 1);
	*at = end;
	return 0;
}

/*
 * Types with names.  Values in network order are swapped when they are loaded; of bytes, which are as
 * they lie there, the kind says what they mean.
 */
static const struct {
	const char *name;
	u8 bytes;
	bool is_value;
	char kind, kind_of_bytes;
} named_types[] = {
	{ "be16", 2, true, 'u', 'n' },
	{ "be32", 4, true, 'u', 'n' },
	{ "be64", 8, true, 'u', 'n' },
	{ "ip4", 4, true, '4', '4' },
	{ "ip6", 16, false, '6', '6' },
	{ "mac", 6, false, 'm', 'm' },
};

/* -ENOENT: the type has another name. */
static int parse_named_type(const char **at, struct evtlog_probe_arg *arg,
			    struct evtlog_probe_error *error)
{
	size_t length = skip_word(*at) - *at;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(named_types); i++) {
		if (evtlog_probe_is_word(named_types[i].name, *at, length))
			break;
	}
	if (i == ARRAY_SIZE(named_types))
		return -ENOENT;
	*at += length;
	if (arg->bytes && arg->bytes != named_types[i].bytes)
		return evtlog_probe_refuse(error, -EINVAL, "type %s has %u bytes: write [START:%u]",
					   named_types[i].name, named_types[i].bytes,
					   named_types[i].bytes);
	if (arg->bytes || !named_types[i].is_value) {
		arg->bytes = named_types[i].bytes;
		arg->kind = named_types[i].kind_of_bytes;
		return 0;
	}
	arg->size = named_types[i].bytes;
	arg->is_big_endian = true;
	arg->kind = named_types[i].kind;
	return 0;
}

static int parse_type(const char **at, struct evtlog_probe_arg *arg,
		      struct evtlog_probe_error *error)
{
	const char *start = *at;
	unsigned int number;
	int status = parse_named_type(at, arg, error);

	if (status != -ENOENT)
		return status;
	if (!strncmp(start, "str", 3)) {
		*at += 3;
		if (take_number(at, EVTLOG_EVENT_BYTES_MAX, &number) || !number || arg->bytes)
			return refuse_at(error, "not strBYTES", start);
		arg->kind = 'c';
		arg->bytes = number;
		return 0;
	}
	if (!strchr("usx", *start) || !*start)
		return refuse_at(error, "no such type", start);
	*at += 1;
	if (take_number(at, 64, &number) || number < 8 || (number & (number - 1)) || arg->bytes)
		return refuse_at(error, "no such type", start);
	arg->size = number / 8;
	arg->is_signed = *start == 's';
	arg->kind = *start == 's' ? 'd' : *start;
	return 0;
}

/* "skb->data" is skb_data, "name[1]" name_1. */
static void make_label(struct evtlog_probe_arg *arg, const char *from, size_t len)
{
	size_t i, n = 0;

	for (i = 0; i < len && n + 1 < sizeof(arg->label); i++) {
		if (isalnum(from[i]) || from[i] == '_')
			arg->label[n++] = from[i];
		else if (n && arg->label[n - 1] != '_' && from[i] != ']')
			arg->label[n++] = '_';
	}
	arg->label[n] = '\0';
}

/* Behind "[INDEX]"; @at: what is there is no index, but may be [START:BYTES]. */
static const char *skip_index(const char *at)
{
	const char *end = at + 1;

	while (isdigit(*end))
		end++;
	return *end == ']' && end > at + 1 ? end + 1 : at;
}

static int parse_path(const char **at, struct evtlog_probe_arg *arg,
		      struct evtlog_probe_error *error)
{
	const char *start = *at, *end = start;

	if (*end == '%')
		end++;
	if (skip_word(end) == end)
		return refuse_at(error, "an argument is missing", start);
	end = skip_word(end);
	for (;;) {
		const char *next;

		if (*end == '[') {
			next = skip_index(end);
			if (next == end)
				break;
			end = next;
			continue;
		}
		if (*end == '.')
			next = end + 1;
		else if (end[0] == '-' && end[1] == '>')
			next = end + 2;
		else
			break;
		if (skip_word(next) == next)
			return refuse_at(error, "a member is missing", next);
		end = skip_word(next);
	}
	arg->path = start;
	arg->path_len = end - start;
	*at = end;
	return 0;
}

/*
 * memory(PATH) or packet(PATH), of @length characters up to the parenthesis; then bytes must follow, or
 * for memory a type that has some.  The label, if none is given, is made of all of it.
 */
static int parse_bracketed(const char **at, size_t length, struct evtlog_probe_arg *arg,
			   struct evtlog_probe_error *error)
{
	bool is_packet = **at == 'p';
	int status;

	*at += length;
	status = parse_path(at, arg, error);
	if (status)
		return status;
	if (is_packet && strncmp(*at, ")[", 2))
		return evtlog_probe_refuse(error, -EINVAL,
			"bytes of a packet are packet(%.*s)[START:BYTES]",
			(int)min_t(size_t, arg->path_len, 32), arg->path);
	if (strncmp(*at, ")[", 2) && strncmp(*at, "):", 2))
		return evtlog_probe_refuse(error, -EINVAL,
			"to read at an address, write memory(%.*s)[START:BYTES] or memory(%.*s):strBYTES",
			(int)min_t(size_t, arg->path_len, 32), arg->path,
			(int)min_t(size_t, arg->path_len, 32), arg->path);
	*at += 1;
	if (is_packet)
		arg->of = EVTLOG_PROBE_PACKET;
	else
		arg->is_address = true;
	return 0;
}

static int parse_bytes(const char **at, struct evtlog_probe_arg *arg,
		       struct evtlog_probe_error *error)
{
	unsigned int start, bytes;

	*at = skip_spaces(*at + 1);
	if (take_number(at, 1 << 16, &start) || *(*at)++ != ':' ||
	    take_number(at, EVTLOG_EVENT_BYTES_MAX, &bytes) || !bytes || *(*at)++ != ']')
		return evtlog_probe_refuse(error, -EINVAL,
			"bytes are [START:BYTES], at most %d of them", EVTLOG_EVENT_BYTES_MAX);
	arg->add = start;
	arg->bytes = bytes;
	arg->kind = 'b';
	return 0;
}

static int parse_argument(const char **at, struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct evtlog_probe_arg *arg = &p->args[p->nr_args];
	const char *equals = skip_word(*at), *start;
	int status;

	if (p->nr_args == EVTLOG_PROBE_ARGS_MAX)
		return evtlog_probe_refuse(error, -E2BIG, "more than %d arguments",
					   EVTLOG_PROBE_ARGS_MAX);
	if (*equals == '=' && equals != *at) {
		if (isdigit(**at))
			return evtlog_probe_refuse(error, -EINVAL,
				"\"%.*s\" is no label: a letter or _, then letters, digits and _",
				(int)min_t(size_t, equals - *at, 32), *at);
		make_label(arg, *at, equals - *at);
		*at = equals + 1;
	}
	start = *at;
	if (!strncmp(start, "packet(", 7) || !strncmp(start, "memory(", 7))
		status = parse_bracketed(at, 7, arg, error);
	else
		status = parse_path(at, arg, error);
	if (status)
		return status;
	if (!*arg->label)
		make_label(arg, start, arg->path + arg->path_len - start);
	/* The record's fields have these names. */
	if (evtlog_probe_arg_named(p, arg->label, strlen(arg->label)) >= 0)
		return evtlog_probe_refuse(error, -EINVAL,
			"two arguments have the label %s: say LABEL=%.*s with another one",
			arg->label, (int)min_t(size_t, arg->path_len, 32), arg->path);
	if (**at == '[')
		status = parse_bytes(at, arg, error);
	if (!status && **at == ':' && (arg->of != EVTLOG_PROBE_PACKET || arg->bytes)) {
		*at += 1;
		status = parse_type(at, arg, error);
	}
	if (!status && arg->is_address && !arg->bytes)
		status = evtlog_probe_refuse(error, -EINVAL, "memory(%.*s) reads bytes or text: append [START:BYTES] or :strBYTES",
			(int)min_t(size_t, arg->path_len, 32), arg->path);
	p->nr_args++;
	return status;
}

static int parse_arguments(const char **at, struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	*at = skip_spaces(*at + 1);
	if (**at == ')') {
		*at += 1;
		return 0;
	}
	for (;;) {
		int status = parse_argument(at, p, error);

		if (status)
			return status;
		*at = skip_spaces(*at);
		if (**at == ')')
			break;
		if (**at != ',')
			return refuse_at(error, "neither , nor )", *at);
		*at = skip_spaces(*at + 1);
	}
	*at += 1;
	return 0;
}

static bool is_keyword(const char *at, const char *word)
{
	size_t length = strlen(word);

	return !strncmp(at, word, length) && isspace(at[length]);
}

/* "sample" outside of quotes, where no filter can have the word: before 1/N, 10ms or p=0.N. */
static bool begins_sample(const char *at)
{
	if (!is_keyword(at, "sample"))
		return false;
	at = skip_spaces(at + 6);
	return isdigit(*at) || !strncmp(at, "p=", 2);
}

/* The same, of "pcap" */
static bool begins_packet(const char *at)
{
	if (!strncmp(at, "pcap(", 5))
		return true;
	if (!is_keyword(at, "pcap"))
		return false;
	at = skip_spaces(at + 4);
	return *at == '"' || is_keyword(at, "raw");
}

static bool begins_handler(const char *at)
{
	if (!is_keyword(at, "handler"))
		return false;
	at = skip_spaces(at + 7);
	return isalpha(*at) || *at == '_';
}

/* Behind a filter, or a program: the next part's beginning, or the end */
static const char *find_part(const char *at)
{
	bool is_quoted = false, is_start = true;

	for (; *at; at++) {
		if (is_start && !is_quoted && (begins_sample(at) || begins_packet(at) ||
						  begins_handler(at)))
			return at;
		is_quoted ^= *at == '"';
		is_start = !isalnum(*at) && !strchr("_.>$", *at);
	}
	return at;
}

/*
 * The text from @at up to the next part, which is at @at afterwards: without blanks, and without the
 * "&&" that joins it to a program or a handler.
 */
static const char *take_part(const char **at, unsigned int *length)
{
	const char *text = skip_spaces(*at), *end;

	*at = find_part(text);
	end = *at;
	while (end > text && isspace(end[-1]))
		end--;
	if (**at && !begins_sample(*at) && end - text >= 2 && !strncmp(end - 2, "&&", 2))
		end -= 2;
	while (end > text && isspace(end[-1]))
		end--;
	*length = end - text;
	return text;
}

static int parse_rest(const char *at, struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	if (is_keyword(at, "if")) {
		at += 2;
		p->condition = take_part(&at, &p->condition_len);
		/* Nothing but what joins it to the next part, as `if pcap ...` */
		if (!p->condition_len && *at)
			p->condition = NULL;
	}
	if (begins_packet(at)) {
		at += 4;
		p->packet_text = take_part(&at, &p->packet_len);
	}
	if (begins_handler(at)) {
		at += 7;
		p->handler_text = take_part(&at, &p->handler_len);
	}
	if (is_keyword(at, "sample") || !strcmp(at, "sample"))
		p->sample_text = skip_spaces(at + 6);
	else if (*at)
		return refuse_at(error, "this is too much", at);
	return 0;
}

/**
 * evtlog_probe_parse() - read a probe's text
 * @text:	stays as long as the probe: parts of it are pointed to
 * @p:		zeroed; filled in but for what resolve.c finds
 * @error:	the reason, if it is refused
 *
 * Return: 0 or -EINVAL, -E2BIG, -ENAMETOOLONG.
 */
int evtlog_probe_parse(const char *text, struct evtlog_probe *p,
		       struct evtlog_probe_error *error)
{
	const char *at = skip_spaces(text);
	int status = parse_place(&at, p, error);

	if (status)
		return status;
	at = skip_spaces(at);
	if (p->is_timer && *at)
		return refuse_at(error, "a timer records nothing: it has no arguments, filter or sample",
				 at);
	if (*at == '(') {
		status = parse_arguments(&at, p, error);
		if (status)
			return status;
		at = skip_spaces(at);
	}
	return parse_rest(at, p, error);
}

/**
 * evtlog_probe_layout() - give each argument its place in the record
 * @p:		resolved
 * @fields:	their description, as evtlog_event_register() takes it
 *
 * A value has eight bytes, extended by its type; of an IPv4 address the first four, in network order.
 * The first field is the weight, if there is one.
 */
void evtlog_probe_layout(struct evtlog_probe *p, char *fields, size_t size)
{
	unsigned int i, offset = 0;
	size_t n = 0;

	*fields = '\0';
	if (p->sample.kind) {
		n = scnprintf(fields, size, "weight:0:8:u%s", p->nr_args ? " " : "");
		offset = sizeof(u64);
	}
	for (i = 0; i < p->nr_args; i++) {
		struct evtlog_probe_arg *arg = &p->args[i];
		unsigned int bytes = arg->bytes ? arg->bytes : sizeof(u64);
		unsigned int shown = arg->kind == '4' ? sizeof(u32) : bytes;

		arg->offset = offset;
		n += scnprintf(fields + n, size - n, "%s%s:%u:%u:%c", i ? " " : "", arg->label,
			       offset, shown, arg->kind);
		offset += i + 1 < p->nr_args ? ALIGN(bytes, sizeof(u64)) : bytes;
	}
	p->payload = offset;
}
