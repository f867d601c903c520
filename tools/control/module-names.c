// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a probe of a module's function by positions and offsets, which its module's BTF tells.
 *
 * Called by probes.c.  The grammar is that of the kernel's probe/spec.c; what is not understood here
 * is left to the kernel, which refuses it with its own sentence.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf.h"
#include "module-btf.h"
#include "module-names.h"

#define REGISTERS	6
#define STEPS_MAX	8

/*
 * An argument.
 *
 * @source:	argN or retval
 * @offsets:	where it is: of each pointer that is followed
 * @type:	of what is there; 0: not known
 * @is_packet:	it is where a packet's data are
 */
struct place {
	char source[8];
	uint32_t offsets[STEPS_MAX];
	unsigned int steps;
	uint32_t type;
	uint32_t bitfield;
	bool is_packet;
};

struct refusal {
	char *text;
	size_t size;
};

static int refuse(const struct refusal *refusal, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(const struct refusal *refusal, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(refusal->text, refusal->size, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

/* ---- Where an argument is ---- */

/* Registers that a parameter takes; more than all: it is in memory. */
static unsigned int registers_of(const struct module_btf *names, uint32_t type)
{
	uint64_t bytes = btf_bytes(names->btf, type);

	return !bytes || bytes > 16 ? REGISTERS + 1 : bytes > 8 ? 2 : 1;
}

/* A parameter by its name, or argN: then its type is looked for.  0: there is none */
static int find_parameter(const struct module_btf *names, const struct piece *name, unsigned int number,
			  struct place *place)
{
	const struct btf_param *params = (const void *)(names->prototype + 1);
	unsigned int reg = 0;

	for (unsigned int i = 0; i < BTF_INFO_VLEN(names->prototype->info); i++) {
		unsigned int takes = registers_of(names, params[i].type);
		bool is_it = number ? reg + 1 == number && takes == 1 :
			     btf_has_name(names->btf, params[i].name_off, name->at, name->length);

		if (is_it && takes == 1 && reg < REGISTERS) {
			snprintf(place->source, sizeof(place->source), "arg%u", reg + 1);
			place->type = params[i].type;
			return 1;
		}
		if (is_it)
			return number ? 0 : -ERANGE;
		if (takes <= REGISTERS)
			reg += takes;
	}
	return 0;
}

static int find_base(const struct module_btf *names, const struct piece *name, struct place *place,
		     const struct refusal *refusal)
{
	unsigned int number = name->length == 4 && !strncmp(name->at, "arg", 3) &&
			      name->at[3] >= '1' && name->at[3] <= '6' ? name->at[3] - '0' : 0;
	int found;

	if (name->length == 6 && !strncmp(name->at, "retval", 6)) {
		strcpy(place->source, "retval");
		place->type = names->prototype->type;
		return 0;
	}
	found = find_parameter(names, name, number, place);
	if (found > 0)
		return 0;
	if (number) {
		snprintf(place->source, sizeof(place->source), "arg%u", number);
		return 0;
	}
	if (found == -ERANGE)
		return refuse(refusal, "%.*s is not in one of the first six registers",
			      (int)name->length, name->at);
	return refuse(refusal, "the function has no parameter %.*s", (int)name->length, name->at);
}

/* What a step's name is found in */
static const struct btf_type *structure_before(const struct module_btf *names, const struct place *place,
					       bool is_pointer)
{
	const struct btf_type *type = btf_type(names->btf, btf_plain(names->btf, place->type));

	if (!is_pointer)
		return place->steps ? type : NULL;
	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
		return NULL;
	return btf_type(names->btf, btf_plain(names->btf, type->type));
}

static int take_step(const struct module_btf *names, const struct piece *name, bool is_pointer,
		     struct place *place, const struct refusal *refusal)
{
	const struct btf_type *structure = structure_before(names, place, is_pointer);
	struct btf_place member = { 0 };

	if (isdigit((unsigned char)*name->at) && is_pointer)
		member.bits = 8 * strtoul(name->at, NULL, 0);
	else if (!btf_member(names->btf, structure, name->at, name->length, &member))
		return refuse(refusal, "no structure with a member %.*s is there",
			      (int)name->length, name->at);
	if (is_pointer && place->steps == STEPS_MAX)
		return refuse(refusal, "it follows more than %d pointers", STEPS_MAX);
	if (is_pointer)
		place->offsets[place->steps++] = 0;
	place->offsets[place->steps - 1] += member.bits / 8;
	place->type = member.type;
	place->bitfield = member.bitfield ? member.bitfield : member.bits % 8;
	place->is_packet = structure && name->length == 4 && !strncmp(name->at, "data", 4) &&
			   btf_has_name(names->btf, structure->name_off, "sk_buff", 7);
	return 0;
}

/* ---- How it is written ---- */

static void put_label(FILE *to, const struct piece *path)
{
	char last = '\0';

	for (size_t i = 0; i < path->length; i++) {
		char c = path->at[i];

		if (isalnum((unsigned char)c) || c == '_')
			fputc(last = c, to);
		else if (last && last != '_')
			fputc(last = '_', to);
	}
	fputc('=', to);
}

static void put_place(FILE *to, const struct place *place, unsigned int steps)
{
	fputs(place->source, to);
	for (unsigned int i = 0; i < steps; i++)
		fprintf(to, "->%u", place->offsets[i]);
}

/* What lies there itself, as an array: the last offset is where its bytes begin. */
static int put_bytes(FILE *to, const struct place *place, unsigned long start, unsigned long bytes)
{
	put_place(to, place, place->steps - 1);
	fprintf(to, "[%lu:%lu]", place->offsets[place->steps - 1] + start, bytes);
	return 0;
}

/* @rest: [START:BYTES] or :TYPE behind the path, or nothing */
static int put_typed(FILE *to, const struct module_btf *names, const struct place *place,
		     const struct piece *rest, const struct refusal *refusal)
{
	uint32_t id = btf_plain(names->btf, place->type);
	const struct btf_type *type = btf_type(names->btf, id);
	unsigned int kind = type ? BTF_INFO_KIND(type->info) : BTF_KIND_UNKN;
	bool is_whole = kind == BTF_KIND_ARRAY || kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
	bool is_signed = false;
	unsigned long start, bytes;

	/* Behind them others' may lie, which the kernel leaves out where it knows the packet. */
	if (place->is_packet && *rest->at == '[' && rest->length)
		return refuse(refusal, "a packet's bytes are read by functions of the kernel alone");
	if (place->bitfield)
		return refuse(refusal, "it is a bit field");
	if (is_whole && place->steps && rest->length &&
	    sscanf(rest->at, "[%lu:%lu]", &start, &bytes) == 2)
		return put_bytes(to, place, start, bytes);
	if (is_whole && place->steps && kind == BTF_KIND_ARRAY && !rest->length &&
	    btf_bytes(names->btf, ((const struct btf_array *)(type + 1))->type) == 1) {
		bytes = btf_bytes(names->btf, id);
		return put_bytes(to, place, 0, bytes > 256 ? 256 : bytes);
	}
	if (is_whole)
		return refuse(refusal, "it is no number or pointer: say which [START:BYTES] of it");
	put_place(to, place, place->steps);
	fprintf(to, "%.*s", (int)rest->length, rest->at);
	if (rest->length || (kind != BTF_KIND_INT && kind != BTF_KIND_ENUM && kind != BTF_KIND_ENUM64))
		return 0;
	is_signed = kind == BTF_KIND_INT ?
		    BTF_INT_ENCODING(*(const uint32_t *)(type + 1)) & BTF_INT_SIGNED :
		    BTF_INFO_KFLAG(type->info);
	bytes = type->size;
	fprintf(to, ":%c%lu", is_signed ? 's' : 'u', 8 * (bytes > 8 || !bytes ? 8 : bytes));
	return 0;
}

static size_t word_length(const char *at, const char *end)
{
	const char *start = at;

	while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
		at++;
	return at - start;
}

/* An argument: [LABEL=]PATH[REST] */
static int take_argument(FILE *to, const struct module_btf *names, const struct piece *argument,
			 const struct refusal *refusal)
{
	const char *at = argument->at, *end = at + argument->length;
	size_t length = word_length(at, end);
	struct place place = { .steps = 0 };
	struct piece path, name, rest;
	bool has_label = at + length < end && at[length] == '=' && length;
	int error;

	if (has_label) {
		at += length + 1;
		length = word_length(at, end);
	}
	if (!length || !strncmp(at, "current.", 8) || !strncmp(at, "packet(", 7)) {
		fprintf(to, "%.*s", (int)argument->length, argument->at);
		return 0;
	}
	path.at = at;
	name = (struct piece){ at, length };
	error = find_base(names, &name, &place, refusal);
	at += length;
	while (!error && at < end && (*at == '.' || (at + 1 < end && *at == '-' && at[1] == '>'))) {
		bool is_pointer = *at == '-';

		at += 1 + is_pointer;
		name = (struct piece){ at, word_length(at, end) };
		if (!name.length)
			return refuse(refusal, "a member is missing");
		error = take_step(names, &name, is_pointer, &place, refusal);
		at += name.length;
	}
	if (error)
		return error;
	path.length = at - path.at;
	rest = (struct piece){ at, end - at };
	if (has_label)
		fprintf(to, "%.*s", (int)(path.at - argument->at), argument->at);
	else
		put_label(to, &path);
	return put_typed(to, names, &place, &rest, refusal);
}

static int take_arguments(FILE *to, const struct module_btf *names, const char *at, const char *end,
			  const struct refusal *refusal)
{
	int error = 0;

	while (!error && at < end) {
		const char *comma = memchr(at, ',', end - at);
		struct piece argument = { at, (comma ? comma : end) - at };

		while (argument.length && isspace((unsigned char)*argument.at)) {
			argument.at++;
			argument.length--;
		}
		while (argument.length && isspace((unsigned char)argument.at[argument.length - 1]))
			argument.length--;
		error = take_argument(to, names, &argument, refusal);
		at = comma ? comma + 1 : end;
		if (comma)
			fputs(", ", to);
	}
	return error;
}

/* The ")" of a list of arguments, in which packet() has its own; NULL: none */
static const char *list_end(const char *at)
{
	for (int depth = 0; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (!depth)
			return at;
	}
	return NULL;
}

int module_names(const char *directory, const char *probe, char **result, char *reason, size_t size)
{
	struct piece function = { probe, strcspn(probe, "%+( ") };
	const char *open = probe + strcspn(probe, "( "), *close;
	struct module_btf names = { .bytes = NULL };
	char why[160] = "";
	const struct refusal refusal = { why, sizeof(why) };
	size_t length;
	FILE *to;
	int error = 0;

	*result = NULL;
	close = *open == '(' ? list_end(open) : NULL;
	/* At an offset there are registers, which have no names. */
	if (!close || close == open + 1 || probe[function.length] == '+' ||
	    !module_btf_find(&names, directory, &function)) {
		module_btf_free(&names);
		return 0;
	}
	to = open_memstream(result, &length);
	if (!to) {
		module_btf_free(&names);
		return -ENOMEM;
	}
	fprintf(to, "%.*s", (int)(open + 1 - probe), probe);
	error = take_arguments(to, &names, open + 1, close, &refusal);
	fputs(close, to);
	if (fclose(to))
		error = -ENOMEM;
	if (error) {
		free(*result);
		*result = NULL;
		snprintf(reason, size, "%s: %s", probe, error == -ENOMEM ? "no memory" : why);
	}
	module_btf_free(&names);
	return error;
}
