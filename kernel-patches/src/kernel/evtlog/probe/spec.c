// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the text of a probe, as written to /proc/evtlog/probes, and lays out its record.
 *
 *	[MODULE:]FUNCTION[@ADDRESS][%return | %timer | +OFFSET] [(ARGUMENT, ...)] [if FILTER]
 *		[pcap PROGRAM] [handler NAME[(LABEL, ...)]] [sample SAMPLE]
 *	ADDRESS: selects one of several functions of the same name
 *	ARGUMENT: [LABEL=]VALUE[[START:BYTES]][:TYPE]
 *	VALUE: PLACE | packet(PLACE) | memory(PLACE); memory() reads at the address in PLACE
 *	PLACE: BASE{->MEMBER | .MEMBER | ->OFFSET | [INDEX]}
 *	BASE: a parameter's name, arg1 to arg22, retval, %REGISTER, or, alone, current.pid,
 *		current.tgid or current.cpu
 *	TYPE: u8 to u64, s8 to s64, x8 to x64, be16 to be64, ip4, ip6, mac, strBYTES
 *	FILTER: see filter/filter.h, or empty; "&&" may precede the next part
 *	PROGRAM: see pcap.c	NAME: see handler.c	SAMPLE: see sample/sample.h
 *
 * Called by make.c.  Symbols and types are looked up in resolve.c.
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

/* Reads a decimal or 0x number and moves @at past it. */
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
		return refuse_at(error, "expected an address such as 0xffffffff81000000", *at);
	p->address = simple_strtoull(*at, NULL, 16);
	*at += 2 + digits;
	return p->address ? 0 : refuse_at(error, "0 is not the address of a function", *at - 3);
}

/* FUNCTION[%return | %timer | +OFFSET].  Names of clones contain dots, MODULE:FUNCTION a colon. */
static int parse_place(const char **at, struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const char *start = *at, *end = start;
	unsigned int offset;

	while (isalnum(*end) || *end == '_' || *end == '.' || *end == ':')
		end++;
	if (end == start || isdigit(*start))
		return refuse_at(error, "expected the name of a function", start);
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
			return refuse_at(error, "expected an offset in bytes", end);
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
 * Named types.  A value in network byte order is swapped when it is loaded.  Bytes keep their
 * order; the kind defines their meaning.
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

/* Returns -ENOENT if the type is not in named_types. */
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
			return refuse_at(error, "expected a text's length, such as str16,", start);
		arg->kind = 'c';
		arg->bytes = number;
		return 0;
	}
	if (!strchr("usx", *start) || !*start)
		return refuse_at(error, "expected u8 to u64, s8 to s64, x8 to x64, be16 to be64, ip4, ip6, mac or strBYTES", start);
	*at += 1;
	if (take_number(at, 64, &number) || number < 8 || (number & (number - 1)) || arg->bytes)
		return refuse_at(error, "expected u8 to u64, s8 to s64, x8 to x64, be16 to be64, ip4, ip6, mac or strBYTES", start);
	arg->size = number / 8;
	arg->is_signed = *start == 's';
	arg->kind = *start == 's' ? 'd' : *start;
	return 0;
}

/* "skb->data" becomes skb_data, "name[1]" becomes name_1. */
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

/* Returns the position after "[INDEX]", or @at for other brackets, such as [START:BYTES]. */
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
		return refuse_at(error, "expected an argument", start);
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
			return refuse_at(error, "expected a member or an offset", next);
		end = skip_word(next);
	}
	arg->path = start;
	arg->path_len = end - start;
	*at = end;
	return 0;
}

/*
 * Parses memory(PATH) or packet(PATH); @length characters precede PATH.  [START:BYTES] must follow,
 * or, for memory(), a type that has bytes.  The default label is made from the whole text.
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
			"packet() reads bytes: write packet(%.*s)[START:BYTES]",
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
			"expected [START:BYTES] with at most %d bytes", EVTLOG_EVENT_BYTES_MAX);
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
		return evtlog_probe_refuse(error, -E2BIG, "the probe has more than %d arguments, the maximum",
					   EVTLOG_PROBE_ARGS_MAX);
	if (*equals == '=' && equals != *at) {
		if (isdigit(**at))
			return evtlog_probe_refuse(error, -EINVAL,
				"\"%.*s\" is not a valid label: use a letter or _, then letters, digits and _",
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
	/* Labels are the names of the record's fields. */
	if (evtlog_probe_arg_named(p, arg->label, strlen(arg->label)) >= 0)
		return evtlog_probe_refuse(error, -EINVAL,
			"two arguments have the label %s; write LABEL=%.*s for one of them",
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
			return refuse_at(error, "expected , or )", *at);
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

/* True for "sample" before 1/N, 10ms or p=0.N.  Outside of quotes, no filter contains this. */
static bool begins_sample(const char *at)
{
	if (!is_keyword(at, "sample"))
		return false;
	at = skip_spaces(at + 6);
	return isdigit(*at) || !strncmp(at, "p=", 2);
}

/* True if a packet test begins here. */
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

/* Returns where the part after a filter or a program begins, or the end of the text. */
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
 * Returns the text from @at up to the next part, and moves @at there.  The text excludes blanks at
 * its ends, and the "&&" that joins it to a program or a handler.
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
		/* An empty filter before another part, as in `if pcap ...` */
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
		return refuse_at(error, "unexpected text", at);
	return 0;
}

/**
 * evtlog_probe_parse() - parse the text of a probe
 * @text:	must live as long as @p, which points into it
 * @p:		zeroed by the caller; filled in, except for what resolve.c finds
 * @error:	the reason, if the text is refused
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
		return refuse_at(error, "a timer records nothing, so it cannot have arguments, a filter or a sample",
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
 * evtlog_probe_layout() - give each argument its offset in the record
 * @p:		resolved probe
 * @fields:	result: description of the fields, for evtlog_event_register()
 *
 * A value takes eight bytes, extended by its type.  An IPv4 address uses the first four, in network
 * byte order.  If the probe has a sample, the first field is the weight.
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
