// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a command's options: as help for people, and as a table for scripts.
 *
 * Stage: after options.c; it does not parse options.
 */
#include <string.h>

#include "options.h"

#define COLUMNS		80
/* Last column where help texts begin.  After a longer option, the text begins on a new line. */
#define COLUMN_MOST	28

/* Length up to a blank or newline; "(default" stays on the line of its value. */
static size_t word_length(const char *text)
{
	static const char is_default[] = "(default ";
	size_t length = 0;

	if (!strncmp(text, is_default, strlen(is_default)))
		length = strlen(is_default);
	return length + strcspn(text + length, " \n");
}

/* Wraps @text at COLUMNS and indents it by @indent; the first line begins at @column. */
static void print_wrapped(const char *text, size_t column, size_t indent, FILE *out)
{
	bool at_start = true;

	while (*text) {
		size_t length = word_length(text);

		if (!at_start && column + 1 + length > COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			at_start = true;
		}
		fprintf(out, "%s%.*s", at_start ? "" : " ", (int)length, text);
		column += length + !at_start;
		at_start = false;
		text += length;
		text += *text != '\0';
	}
	putc('\n', out);
}

void options_print_text(const char *text, FILE *out)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		size_t length = end ? (size_t)(end - text) : strlen(text);
		char paragraph[2048];

		snprintf(paragraph, sizeof(paragraph), "%.*s", (int)length, text);
		print_wrapped(paragraph, 0, 0, out);
		text += length;
		if (*text)
			putc('\n', out);
		text += strspn(text, "\n");
	}
}

/* "--csv[=TABLE]", "--output FILE" */
static void name_text(const struct option_desc *desc, char *text, size_t capacity)
{
	const char *argument = desc->argument;

	if (!argument)
		snprintf(text, capacity, "--%s", desc->name);
	else if (*argument == '[')
		snprintf(text, capacity, "--%s[=%s", desc->name, argument + 1);
	else
		snprintf(text, capacity, "--%s %s", desc->name, argument);
}

static bool has_letter(const struct option_desc *desc)
{
	return desc->val > ' ' && desc->val < 0x7f;
}

static void print_options(const struct option_list *list, FILE *out)
{
	size_t column = 0;
	char name[64];

	for (size_t i = 0; i < list->count; i++) {
		size_t length;

		if (list->is_shared[i])
			continue;
		name_text(list->at[i], name, sizeof(name));
		length = strlen("  -x, ") + strlen(name) + 2;
		if (length > column && length <= COLUMN_MOST)
			column = length;
	}
	for (size_t i = 0; i < list->count; i++) {
		const struct option_desc *desc = list->at[i];
		char letter[] = "-x, ";
		int length;

		if (list->is_shared[i])
			continue;
		letter[1] = (char)desc->val;
		name_text(desc, name, sizeof(name));
		length = fprintf(out, "  %4s%s", has_letter(desc) ? letter : "", name);
		if (length + 2 > (int)column)
			fprintf(out, "\n%*s", (int)column, "");
		else
			fprintf(out, "%*s", (int)column - length, "");
		print_wrapped(desc->help, column, column, out);
	}
}

/* "jitter" of "jitter run" */
static int parent_length(const struct options *options)
{
	return strcspn(options->command, " ");
}

/* Names the options that the help of the command above has. */
static void print_shared(const struct options *options, const struct option_list *list, FILE *out)
{
	char text[512] = "";
	size_t length = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->is_shared[i] && length < sizeof(text))
			length += snprintf(text + length, sizeof(text) - length, "%s --%s",
					   length ? "," : "Also", list->at[i]->name);
	if (!length)
		return;
	snprintf(text + length, sizeof(text) - length, ": see evtlog %.*s --help",
		 parent_length(options), options->command);
	putc('\n', out);
	options_print_text(text, out);
}

/* Prints one line for each form; wrapped lines are indented to the form's first word. */
static void print_usage(const struct options *options, FILE *out)
{
	const char *form = options->usage, *start = "Usage: ";

	while (*form) {
		size_t length = strcspn(form, "\n");
		char text[512];
		int column = fprintf(out, "%sevtlog %s ", start, options->command);

		snprintf(text, sizeof(text), "%.*s", (int)length, form);
		print_wrapped(text, column, column, out);
		form += length + (form[length] == '\n');
		start = "       ";
	}
}

void options_print_help(const struct options *options, FILE *out)
{
	struct option_list list;

	print_usage(options, out);
	putc('\n', out);
	options_print_text(options->about, out);
	putc('\n', out);
	options_list(&list, options->table);
	print_options(&list, out);
	print_shared(options, &list, out);
	if (options->notes)
		fprintf(out, "\n%s", options->notes);
}

static const char *kind_name(enum value_kind kind)
{
	static const char *const names[] = {
		[VALUE_TEXT] = "text", [VALUE_WORD] = "word", [VALUE_WORDS] = "words",
		[VALUE_FILE] = "file", [VALUE_DIRECTORY] = "directory", [VALUE_LOG] = "log",
		[VALUE_CPUS] = "cpus", [VALUE_TYPES] = "types",
		[VALUE_TYPE_CHANGES] = "type-changes", [VALUE_COMMS] = "comms",
		[VALUE_HOSTS] = "hosts", [VALUE_INTERFACE] = "interface",
		[VALUE_COMMAND] = "command",
	};

	return names[kind];
}

static void print_rows(const struct option_list *list, FILE *out)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct option_desc *desc = list->at[i];

		if (list->is_shared[i])
			continue;
		const char *const *words = desc->words;

		fprintf(out, "option\t%c\t%s\t%s\t%s\t", has_letter(desc) ? desc->val : '-',
			desc->name, desc->argument ? desc->argument : "-",
			desc->argument ? kind_name(desc->kind) : "-");
		if (!words)
			putc('-', out);
		for (; words && *words; words++)
			fprintf(out, "%s%s", words == desc->words ? "" : " ", *words);
		fprintf(out, "\t%s\n", desc->help);
	}
}

void options_print_table(const struct options *options, FILE *out)
{
	struct option_list list;

	fprintf(out, "usage\t%.*s\n", (int)strcspn(options->usage, "\n"), options->usage);
	fprintf(out, "operands\t%s\n", kind_name(options->operands));
	options_list(&list, options->table);
	print_rows(&list, out);
	for (size_t i = 0; i < list.count; i++)
		if (list.is_shared[i])
			fprintf(out, "shared\t%.*s\t%s\n", parent_length(options),
				options->command, list.at[i]->name);
}

void options_print_list(const struct option_desc *table, bool for_scripts, FILE *out)
{
	struct option_list list;

	options_list(&list, table);
	/* --help is the last one. */
	list.count--;
	if (for_scripts)
		print_rows(&list, out);
	else
		print_options(&list, out);
}
