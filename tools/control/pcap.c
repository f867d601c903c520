// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiles pcap expressions in probes with libpcap, into programs that the kernel takes as text.
 *
 * libpcap is loaded at run time, because only pcap expressions need it.  The interface used here
 * has not changed since libpcap 0.8.  Packets begin with their network header.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes.h"

#define LIBRARY		"libpcap.so.0.8"
#define LIBRARY_NEXT	"libpcap.so.1"
/* The value of DLT_RAW on Linux. */
#define RAW		12
#define SNAPLEN		65535
#define NETMASK_UNKNOWN	0xffffffffU

struct instruction {
	unsigned short code;
	unsigned char jt, jf;
	uint32_t k;
};

struct program {
	unsigned int length;
	struct instruction *at;
};

struct libpcap {
	void *handle;
	void *(*open_dead)(int linktype, int snaplen);
	int (*compile)(void *pcap, struct program *program, const char *text, int optimize,
		       unsigned int netmask);
	char *(*geterr)(void *pcap);
	void (*freecode)(struct program *program);
	void (*close)(void *pcap);
};

static bool find(const struct libpcap *lib, const char *name, void *function)
{
	void *symbol = dlsym(lib->handle, name);

	memcpy(function, &symbol, sizeof(symbol));
	return symbol;
}

static bool load(struct libpcap *lib)
{
	lib->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!lib->handle)
		lib->handle = dlopen(LIBRARY_NEXT, RTLD_NOW | RTLD_LOCAL);
	return lib->handle && find(lib, "pcap_open_dead", &lib->open_dead) &&
	       find(lib, "pcap_compile", &lib->compile) &&
	       find(lib, "pcap_geterr", &lib->geterr) &&
	       find(lib, "pcap_freecode", &lib->freecode) &&
	       find(lib, "pcap_close", &lib->close);
}

static char *print_program(const struct program *program)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fprintf(f, "%u", program->length);
	for (unsigned int i = 0; i < program->length; i++) {
		const struct instruction *in = &program->at[i];

		fprintf(f, ",%u %u %u %u", in->code, in->jt, in->jf, in->k);
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static int compile_with(const struct libpcap *lib, const char *expression, char **text,
			char *error, size_t size)
{
	struct program program = { 0 };
	void *pcap = lib->open_dead(RAW, SNAPLEN);
	int result = -ENOMEM;

	if (!pcap)
		return result;
	if (lib->compile(pcap, &program, expression, 1, NETMASK_UNKNOWN)) {
		snprintf(error, size, "pcap \"%s\": %s", expression, lib->geterr(pcap));
		result = -EINVAL;
	} else {
		*text = print_program(&program);
		result = *text ? 0 : -ENOMEM;
		lib->freecode(&program);
	}
	lib->close(pcap);
	return result;
}

static int compile(const char *expression, char **text, char *error, size_t size)
{
	struct libpcap lib = { 0 };
	int result = -ENOENT;

	if (load(&lib))
		result = compile_with(&lib, expression, text, error, size);
	else
		snprintf(error, size, "pcap \"%s\": " LIBRARY " is missing; install libpcap0.8, or use the output of evtlog probe add --show on a host that has it",
			 expression);
	if (lib.handle)
		dlclose(lib.handle);
	return result;
}

/*
 * struct found - a pcap expression in a probe's text
 * @keyword:	"pcap"
 * @quote:	the opening quote
 * @end:	the byte after the closing quote
 */
struct found {
	const char *keyword, *quote, *end;
};

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* @lists: True: accept only an expression with a program, as in the kernel's list; else without */
static bool is_expression(const char *at, bool lists, struct found *found)
{
	found->keyword = at;
	if (strncmp(at, "pcap", 4))
		return false;
	at += 4;
	if (*at == '(')
		at += strcspn(at, ")") + 1;
	if (!at[-1])
		return false;
	at = skip_blanks(at);
	if (*at != '"')
		return false;
	found->quote = at;
	at = strchr(at + 1, '"');
	if (!at)
		return false;
	found->end = at + 1;
	return !strncmp(skip_blanks(found->end), "raw ", 4) == lists;
}

static bool find_expression(const char *probe, bool lists, struct found *found)
{
	bool is_quoted = false;

	for (const char *at = probe; *at; at++) {
		bool is_start = at > probe && !isalnum((unsigned char)at[-1]) && at[-1] != '_';

		if (is_start && !is_quoted && is_expression(at, lists, found))
			return true;
		is_quoted ^= *at == '"';
	}
	return false;
}

/* Returns the length of the text before "pcap", without the "&&" or "if" in front of it. */
static size_t length_before(const char *probe, const char *keyword)
{
	size_t length = (size_t)(keyword - probe);

	while (length && probe[length - 1] == ' ')
		length--;
	if (length >= 2 && !strncmp(probe + length - 2, "&&", 2))
		return length - 2;
	if (length >= 3 && !strncmp(probe + length - 2, "if", 2) &&
	    !isalnum((unsigned char)probe[length - 3]))
		return length - 2;
	return length;
}

int pcap_expand(const char *probe, char **result, char *error, size_t size)
{
	struct found found;
	char *expression, *program = NULL;
	int status;

	if (!find_expression(probe, false, &found)) {
		*result = strdup(probe);
		return *result ? 0 : -ENOMEM;
	}
	if (!strncmp(skip_blanks(found.end), "&&", 2) || !strncmp(skip_blanks(found.end), "||", 2)) {
		snprintf(error, size, "pcap is the last part of a filter: if FILTER && pcap \"...\"");
		return -EINVAL;
	}
	expression = strndup(found.quote + 1, (size_t)(found.end - found.quote) - 2);
	if (!expression)
		return -ENOMEM;
	status = compile(expression, &program, error, size);
	free(expression);
	if (!status && asprintf(result, "%.*s %.*s raw %s%s",
				(int)length_before(probe, found.keyword), probe,
				(int)(found.end - found.keyword), found.keyword, program,
				found.end) < 0)
		status = -ENOMEM;
	free(program);
	return status;
}

/* Returns true if the probe has a filter before the expression. */
static bool has_filter(const char *probe, const char *keyword)
{
	const char *filter = strstr(probe, " if ");

	return filter && filter < keyword;
}

void pcap_contract(char *probe)
{
	char *shown = NULL;
	const char *behind;
	struct found found;

	if (!find_expression(probe, true, &found))
		return;
	behind = skip_blanks(found.end) + strlen("raw");
	behind += strspn(behind, " 0123456789,");
	if (asprintf(&shown, "%.*s %s %.*s%s%s", (int)length_before(probe, found.keyword), probe,
		     has_filter(probe, found.keyword) ? "&&" : "if",
		     (int)(found.end - found.keyword), found.keyword, *behind ? " " : "",
		     behind) < 0)
		return;
	if (strlen(shown) <= strlen(probe))
		strcpy(probe, shown);
	free(shown);
}
