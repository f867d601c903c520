// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the options of a command by its table.
 *
 * The only option handled here is --help.
 */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "error.h"
#include "options.h"
#include "spelling.h"

/* Former names of options: accepted, but not documented. */
static const struct {
	const char *former;
	const char *name;
} former_names[] = {
	{ "cpus", "cpu" }, { "cpus", "per-cpu" }, { "hosts", "host" },
	/* These are of version 0.11. */
	{ "delay", "interval" }, { "every", "interval" }, { "io-timeout", "timeout" },
	{ "rounds", "count" }, { "task", "pid" },
};
#define FORMER_NAMES	(sizeof(former_names) / sizeof(*former_names))

/*
 * Letters of version 0.11, which are refused with the option's name; this list goes with the next
 * version.  Of several names that a command has, the first one had the letter.
 */
static const struct {
	char letter;
	const char *name;
} former_letters[] = {
	{ 'A', "after" }, { 'B', "before" }, { 'C', "around" }, { 'C', "compensate" },
	{ 'P', "pprof" }, { 'T', "tau" }, { 'a', "all" }, { 'b', "batch" }, { 'b', "before" },
	{ 'b', "broadcast" }, { 'b', "buffer" }, { 'b', "buffers" }, { 'c', "cgroup" },
	{ 'c', "cpu" }, { 'c', "per-cpu" }, { 'd', "compare" }, { 'd', "delay" },
	{ 'd', "delete" }, { 'd', "directory" }, { 'd', "duration" }, { 'e', "by-event" },
	{ 'e', "every" }, { 'f', "fields" }, { 'f', "file" }, { 'f', "folded" },
	{ 'g', "group" }, { 'g', "groups" }, { 'g', "global" }, { 'g', "svg" }, { 'i', "if" },
	{ 'k', "buffer-kb" }, { 'k', "kb" }, { 'k', "keep" }, { 'k', "key" }, { 'k', "kind" },
	{ 'm', "method" }, { 'n', "limit" }, { 'n', "name" }, { 'p', "packets" }, { 'p', "period" },
	{ 'p', "pid" }, { 'p', "profile" }, { 'p', "task" }, { 'r', "raw" },
	{ 'r', "retries" }, { 's', "set" }, { 's', "show" }, { 's', "socket" },
	{ 's', "sort" }, { 's', "sum" }, { 't', "interval" }, { 't', "threads" },
	{ 't', "timeout" }, { 't', "timer" }, { 't', "traces" }, { 't', "tree" },
	{ 't', "type" }, { 'u', "urgent" }, { 'w', "overwrite" }, { 'x', "exclude" },
	{ 'z', "compress" },
};

/*
 * Options of version 0.11, which are refused with what replaces them; this list goes with the next
 * version.
 */
static const struct {
	const char *command;
	const char *former;
	const char *now;
} former_options[] = {
	{ "buffer", "after", "--when 'RULE do keep TIME and TIME after'" },
	{ "buffer", "kb", "--buffers xKIB" },
	{ "buffer", "last", "--when 'RULE do keep TIME'" },
	{ "buffer", "period", "--interval" },
	{ "dump", "around", "--before N --after N" },
	{ "dump", "any-run", "--run '*'" },
	{ "export", "no-index", "--index-dir none" },
	{ "filter", "delete", "the action del" },
	{ "index", "directory", "--output" },
	{ "jitter picture", "dark", "the default" },
	{ "jitter picture", "from-hz", "--range HZ-" },
	{ "jitter picture", "from-us", "--range TIME-" },
	{ "jitter picture", "height", "--size xPIXELS" },
	{ "jitter picture", "to-hz", "--range -HZ" },
	{ "jitter picture", "to-us", "--range -TIME" },
	{ "jitter picture", "width", "--size PIXELS" },
	{ "jitter report", "largest", "--top" },
	{ "jitter report", "patterns", "--top" },
	{ "jitter run", "buffer-kb", "--buffers xKIB" },
	{ "jitter run", "logd", "the environment variable EVTLOG_LOGD" },
	{ "jitter run", "work", "--quantum" },
	{ "path", "icmp", "--protocol icmp" },
	{ "path", "limit", "--packets=N" },
	{ "path", "tcp", "--protocol tcp" },
	{ "path", "udp", "--protocol udp" },
	{ "probe", "timer", "the argument FUNCTION%timer" },
	{ "profile record", "all", "the default without --pid and --cgroup" },
	{ "profile record", "directory", "--output" },
	{ "profile report", "compare", "--before" },
	{ "profile top", "batch", "the default if output is not a terminal" },
	{ "query", "file", "the argument @FILE" },
	{ "record", "buffer-kb", "--buffers xKIB" },
	{ "record", "directory", "--output" },
	{ "record", "logd", "the environment variable EVTLOG_LOGD" },
	{ "remote gather", "hosts-file", "the argument @FILE" },
	{ "remote gather", "to", "--output" },
	{ "remote key", "all", "'*'" },
	{ "remote key", "key", "the argument FILE" },
	{ "remote sched", "cgroup", "--tasks cgroup:PATH" },
	{ "remote sched", "hosts-file", "the argument @FILE" },
	{ "remote sched", "pgid", "--tasks pgid:NUMBER" },
	{ "remote sched", "sid", "--tasks sid:NUMBER" },
	{ "remote start", "hosts-file", "the argument @FILE" },
	{ "remote status", "hosts-file", "the argument @FILE" },
	{ "remote stop", "hosts-file", "the argument @FILE" },
	{ "sensor", "kb", "--buffers xKIB" },
	{ "view", "dark", "the default" },
	{ "view", "no-index", "--index-dir none" },
	{ "view", "height", "--size xPIXELS" },
	{ "view", "per-cpu", "--counters LIST,per-cpu" },
	{ "view", "port", "--listen" },
	{ "view", "runnable", "--counters runnable" },
	{ "view", "width", "--size PIXELS" },
};

/* Input of getopt_long(), made from a table: @count names, then former names. */
struct parser {
	const struct options *options;
	size_t count;
	struct option longs[OPTIONS_MAX + FORMER_NAMES + 1];
	char letters[2 * OPTIONS_MAX + 3];
};

static bool is_letter(int val)
{
	return val > ' ' && val < 0x7f;
}

/* As for getopt_long(): a value in brackets is optional. */
static int argument_of(const struct option_desc *desc)
{
	if (!desc->argument)
		return no_argument;
	return *desc->argument == '[' ? optional_argument : required_argument;
}

static void add_table(struct option_list *list, const struct option_desc *table, bool is_shared)
{
	for (; table->name || table->group; table++) {
		if (table->group) {
			add_table(list, table->group, is_shared || table->is_shared);
			continue;
		}
		assert(list->count < OPTIONS_MAX);
		list->is_shared[list->count] = is_shared;
		list->at[list->count++] = table;
	}
}

void options_list(struct option_list *list, const struct option_desc *table)
{
	static const struct option_desc help = {
		'h', "help", .help = "print this help and exit"
	};

	list->count = 0;
	add_table(list, table, false);
	assert(list->count < OPTIONS_MAX);
	list->is_shared[list->count] = false;
	list->at[list->count++] = &help;
}

static void add_former_names(struct parser *parser)
{
	struct option *next = parser->longs + parser->count;

	for (size_t i = 0; i < FORMER_NAMES; i++)
		for (size_t k = 0; k < parser->count; k++)
			if (!strcmp(parser->longs[k].name, former_names[i].name)) {
				*next = parser->longs[k];
				next++->name = former_names[i].former;
			}
}

static void parser_init(struct parser *parser, const struct options *options)
{
	struct option_list list;
	char *letter = parser->letters;

	options_list(&list, options->table);
	parser->options = options;
	memset(parser->longs, 0, sizeof(parser->longs));
	if (options->stops_at_operand)
		*letter++ = '+';
	/* Distinguish a missing value from an unknown option. */
	*letter++ = ':';
	for (size_t i = 0; i < list.count; i++) {
		const struct option_desc *desc = list.at[i];
		int argument = argument_of(desc);

		parser->longs[i] = (struct option){ desc->name, argument, NULL, desc->val };
		/* --help=table is for scripts. */
		if (desc->val == 'h')
			parser->longs[i].has_arg = optional_argument;
		if (is_letter(desc->val)) {
			*letter++ = desc->val;
			for (int colons = argument; colons; colons--)
				*letter++ = ':';
		}
	}
	*letter = '\0';
	parser->count = list.count;
	add_former_names(parser);
}

static const struct option_desc *find_desc(const struct option_desc *table, int val)
{
	struct option_list list;

	options_list(&list, table);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i]->val == val)
			return list.at[i];
	return NULL;
}

const char *options_name(const struct option_desc *table, int val)
{
	const struct option_desc *desc = find_desc(table, val);

	return desc ? desc->name : NULL;
}

int options_word(const char *const *words, const char *text)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], text))
			return i;
	return -EINVAL;
}

int options_words(const char *const *words, const char *text, unsigned int *bits)
{
	do {
		size_t length = strcspn(text, ",");
		int i = 0;

		while (words[i] && (strlen(words[i]) != length || strncmp(words[i], text, length)))
			i++;
		if (!words[i])
			return -EINVAL;
		*bits |= 1u << i;
		text += length;
	} while (*text++);
	return 0;
}

/* Writes "run, switches or name".  @text is large enough for all lists in use. */
static void list_words(const char *const *words, char *text, size_t capacity)
{
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; words[i] && length < capacity; i++)
		length += snprintf(text + length, capacity - length, "%s%s",
				   !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static int misuse_value(const struct options *options, int option, const char *value)
{
	const struct option_desc *desc = find_desc(options->table, option);
	char words[512];

	if (!value)
		value = "";
	if (!desc->valid && !desc->words)
		return misuse(options->command, "--%s: %s: not a valid value", desc->name, value);
	if (!desc->valid)
		list_words(desc->words, words, sizeof(words));
	return misuse(options->command, "--%s: %s: not a valid value; give %s", desc->name, value,
		      desc->valid ? desc->valid : words);
}

/* Returns how many long options begin with @name, and finds a similar one. */
static size_t find_named(const struct parser *parser, const char *name, size_t length,
			 struct spelling *spelling)
{
	size_t fits = 0;

	for (size_t i = 0; i < parser->count; i++) {
		fits += !strncmp(parser->longs[i].name, name, length);
		spelling_try(spelling, parser->longs[i].name);
	}
	return fits;
}

/* Returns what replaces this option of an earlier version, or NULL. */
static const char *former_option(const char *command, const char *name)
{
	for (size_t i = 0; i < sizeof(former_options) / sizeof(*former_options); i++)
		if (!strcmp(former_options[i].command, command) &&
		    !strcmp(former_options[i].former, name))
			return former_options[i].now;
	return NULL;
}

static int misuse_long(const struct parser *parser, const char *arg)
{
	const char *command = parser->options->command;
	char name[64];
	struct spelling spelling;
	size_t fits;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(arg + 2, "="), arg + 2);
	if (former_option(command, name))
		return misuse(command, "--%s is %s now", name, former_option(command, name));
	spelling_start(&spelling, name);
	fits = find_named(parser, name, strlen(name), &spelling);
	if (fits > 1)
		return misuse(command, "--%s: %zu options begin like this; write it out",
			      name, fits);
	if (spelling.nearest)
		return misuse(command, "--%s: no such option; did you mean --%s?", name,
			      spelling.nearest);
	return misuse(command, "--%s: no such option", name);
}

/* @letter is none of this command; prints what replaces it if it was one. */
static int misuse_letter(const struct parser *parser, int letter)
{
	const char *command = parser->options->command;

	for (size_t i = 0; i < sizeof(former_letters) / sizeof(*former_letters); i++) {
		const char *name = former_letters[i].name, *now = former_option(command, name);

		if (former_letters[i].letter != letter)
			continue;
		for (size_t k = 0; k < parser->count; k++)
			if (!strcmp(parser->longs[k].name, name))
				return misuse(command, "-%c is --%s now", letter, name);
		if (now)
			return misuse(command, "-%c is %s now", letter, now);
	}
	return misuse(command, "-%c: no such option", letter);
}

/* getopt_long() refused @option: 0, the val of an option, or an unknown letter. */
static int misuse_option(const struct parser *parser, int refused, int option,
			 const char *arg)
{
	const struct options *options = parser->options;
	const char *name = options_name(options->table, option);
	bool is_long = !strncmp(arg, "--", 2);

	if (refused == ':' && name)
		return misuse(options->command, "--%s: its value is missing", name);
	if (refused == ':')
		return misuse(options->command, "-%c: its value is missing", option);
	if (!option && is_long)
		return misuse_long(parser, arg);
	if (is_long && name)
		return misuse(options->command, "--%s: takes no value", name);
	return misuse_letter(parser, option);
}

/* Returns EXIT_OK, with *@option and optarg; OPTIONS_TAKEN at the end; EXIT_MISUSE on errors. */
static int next_option(const struct parser *parser, int argc, char **argv, int *option)
{
	/* Errors are printed here, in the same form as all messages. */
	opterr = 0;
	*option = getopt_long(argc, argv, parser->letters, parser->longs, NULL);
	if (*option == '?' || *option == ':')
		return misuse_option(parser, *option, optopt, argv[optind - 1]);
	return *option == -1 ? OPTIONS_TAKEN : EXIT_OK;
}

static int print_help(const struct options *options, const char *form)
{
	if (!form)
		options_print_help(options, stdout);
	else if (!strcmp(form, OPTIONS_FORM_TABLE))
		options_print_table(options, stdout);
	else
		return misuse(options->command, "--help: takes no value");
	return finish(EXIT_OK);
}

int options_take(const struct options *options, int argc, char **argv, void *context)
{
	struct parser parser;
	int option, result;

	parser_init(&parser, options);
	while ((result = next_option(&parser, argc, argv, &option)) == EXIT_OK) {
		if (option == 'h')
			return print_help(options, optarg);
		result = options->take(context, option, optarg);
		if (result)
			return result < 0 ? misuse_value(options, option, optarg) : result;
	}
	return result;
}

int options_take_only(const struct options *options, int argc, char **argv, void *context)
{
	int result = options_take(options, argc, argv, context);

	if (result == OPTIONS_TAKEN && optind < argc)
		return misuse(options->command, "%s: takes no arguments", argv[optind]);
	return result;
}
