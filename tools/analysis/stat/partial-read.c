// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads partial results of evtlog stat, and refuses those that cannot be joined.
 *
 * Files are not trusted: each number and length is checked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/command.h"
#include "common/error.h"
#include "partial.h"

#define PIECE_BYTES	65536

/*
 * A file that is read.
 * @at:		position in @text up to which it was parsed
 * @bad:	a wrong byte was found there; nothing more is read
 * @error:	-ENOMEM
 */
struct source {
	const char *path;
	char *text;
	size_t length;
	size_t at;
	bool bad;
	int error;
};

/* ---- Words of the file ---- */

static bool take_word(struct source *source, const char *word)
{
	size_t length = strlen(word);

	if (source->bad || source->length - source->at < length ||
	    memcmp(source->text + source->at, word, length))
		source->bad = true;
	else
		source->at += length;
	return !source->bad;
}

/* Takes decimal digits and the end of the line. */
static uint64_t take_digits(struct source *source)
{
	uint64_t number = 0;
	size_t begin = source->at;

	for (; !source->bad && source->at < source->length; source->at++) {
		unsigned int digit = (unsigned char)source->text[source->at] - '0';

		if (digit > 9)
			break;
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, digit, &number))
			source->bad = true;
	}
	source->bad |= source->at == begin;
	take_word(source, "\n");
	return number;
}

static uint64_t take_number(struct source *source, const char *key)
{
	take_word(source, key);
	take_word(source, " ");
	return take_digits(source);
}

/* Returns true if the text can control a terminal (C0, C1, DEL). @has_lines allows newlines. */
static bool is_hostile(const unsigned char *text, size_t length, bool has_lines)
{
	for (size_t i = 0; i < length; i++) {
		if ((text[i] < ' ' && !(has_lines && text[i] == '\n')) || text[i] == 0x7f)
			return true;
		/* U+0080 to U+009F in UTF-8 */
		if (text[i] == 0xc2 && i + 1 < length && text[i + 1] >= 0x80 && text[i + 1] < 0xa0)
			return true;
	}
	return false;
}

static void take_text(struct source *source, const char *key, struct stat_partial_text *text,
		      bool has_lines)
{
	uint64_t length = take_number(source, key);

	if (source->bad || length >= source->length - source->at) {
		source->bad = true;
		return;
	}
	text->text = malloc(length + 1);
	if (!text->text) {
		source->bad = true;
		source->error = -ENOMEM;
		return;
	}
	memcpy(text->text, source->text + source->at, length);
	text->text[length] = '\0';
	/* The text is printed unchanged, and may come from an attacker. */
	source->bad |= is_hostile((unsigned char *)text->text, length, has_lines);
	text->length = length;
	source->at += length;
	take_word(source, "\n");
}

static void take_total(struct source *source, struct stat_total *total)
{
	struct usage *usage = &total->usage;

	total->files = take_number(source, "files");
	total->events = take_number(source, "events");
	total->lost = take_number(source, "events_lost");
	total->switches = take_number(source, "switches");
	total->migrations = take_number(source, "migrations");
	usage->task_ns = take_number(source, "task_ns");
	usage->idle_ns = take_number(source, "idle_ns");
	usage->logger_ns = take_number(source, "logger_ns");
	usage->softirq_ns = take_number(source, "softirq_ns");
	usage->irq_ns = take_number(source, "irq_ns");
	usage->outside_ns = take_number(source, "outside_ns");
	usage->unknown_ns = take_number(source, "unknown_ns");
	total->unknown.tasks = take_number(source, "no_tasks");
	total->unknown.migrations = take_number(source, "no_migrations");
	total->unknown.softirqs = take_number(source, "no_softirqs");
	total->unknown.irqs = take_number(source, "no_irqs");
	total->unknown.others = take_number(source, "no_others");
}

static void take_log(struct source *source, struct stat_partial_log *log)
{
	take_text(source, "log", &log->path, false);
	take_text(source, "host", &log->host, false);
	take_text(source, "boot", &log->boot, false);
	take_text(source, "buffer", &log->buffer, false);
	log->run = take_number(source, "run");
	log->begin_ns = take_number(source, "begin_ns");
	log->end_ns = take_number(source, "end_ns");
	log->lacks.lost = take_number(source, "lost");
	log->lacks.damages = take_number(source, "damages");
	log->lacks.is_cut = take_number(source, "is_cut");
	take_total(source, &log->total);
	take_text(source, "text", &log->shown, true);
	take_text(source, "json", &log->json, true);
}

/* ---- Checks ---- */

static int refuse_damage(const struct source *source)
{
	if (source->error)
		pr_err("%s: %s", source->path, strerror(-source->error));
	else
		pr_err("%s: truncated or damaged at byte %zu; copy it again, or make it again with evtlog stat --partial",
		       source->path, source->at);
	return EXIT_FAILED;
}

/* Several hosts may have the same name, but each boot has its own id. */
static int compare_runs(const struct stat_partial_log *a, const struct stat_partial_log *b)
{
	int order = strcmp(a->host.text, b->host.text);

	if (!order)
		order = strcmp(a->boot.text, b->boot.text);
	if (!order)
		order = strcmp(a->buffer.text, b->buffer.text);
	return order ? order : (a->run > b->run) - (a->run < b->run);
}

static int compare_logs(const void *x, const void *y)
{
	const struct stat_partial_log *a = *(const struct stat_partial_log *const *)x;
	const struct stat_partial_log *b = *(const struct stat_partial_log *const *)y;
	int order = compare_runs(a, b);

	if (!order)
		order = (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
	/* Equal logs stay in their order. */
	return order ? order : (a > b) - (a < b);
}

/* If a log overlaps with any log in front of it, it overlaps with the one that ends last. */
static int find_overlap(struct stat_partial_log *const *sorted, size_t count)
{
	const struct stat_partial_log *last = count ? sorted[0] : NULL;

	for (size_t i = 1; i < count; i++) {
		const struct stat_partial_log *log = sorted[i];
		const struct stat_partial_log *later = log > last ? log : last;
		bool is_same_run = !compare_runs(last, log);

		if (is_same_run && log->begin_ns <= last->end_ns) {
			pr_err("%s: run %" PRIu64 " of %s is in %s too: the partials overlap; join each log once",
			       later->from, log->run, log->host.text,
			       (later == log ? last : log)->from);
			return EXIT_FAILED;
		}
		if (!is_same_run || log->end_ns > last->end_ns)
			last = log;
	}
	return EXIT_OK;
}

int stat_partial_check(const struct stat_partial *partial)
{
	struct stat_partial_log **sorted = calloc(partial->count + 1, sizeof(*sorted));
	int status;

	if (!sorted) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < partial->count; i++)
		sorted[i] = &partial->logs[i];
	qsort(sorted, partial->count, sizeof(*sorted), compare_logs);
	status = find_overlap(sorted, partial->count);
	free(sorted);
	return status;
}

/* Takes @options if no partial was read before. */
static int check_options(struct stat_partial *partial, const struct source *source,
			 struct stat_partial_text *options)
{
	if (!partial->options) {
		partial->options = options->text;
		options->text = NULL;
		return EXIT_OK;
	}
	if (!strcmp(partial->options, options->text))
		return EXIT_OK;
	pr_err("%s: made with other options (%s) than the partials before it (%s); make all partials with the same options",
	       source->path, *options->text ? options->text : "none",
	       *partial->options ? partial->options : "none");
	return EXIT_FAILED;
}

static int check_version(struct source *source)
{
	uint64_t version;

	if (!take_word(source, "evtlog stat partial ")) {
		pr_err("%s: %s; make one with evtlog stat --partial", source->path,
		       source->length ? "no partial result of evtlog stat" : "empty");
		return EXIT_FAILED;
	}
	version = take_digits(source);
	if (source->bad)
		return refuse_damage(source);
	if (version == STAT_PARTIAL_VERSION)
		return EXIT_OK;
	pr_err("%s: a partial of version %" PRIu64 ", this evtlog joins version %u; use one version of evtlog on all hosts",
	       source->path, version, STAT_PARTIAL_VERSION);
	return EXIT_FAILED;
}

/* ---- Partials ---- */

static void take_logs(struct stat_partial *partial, struct source *source, uint64_t count)
{
	for (uint64_t i = 0; !source->bad && i < count; i++) {
		struct stat_partial_log *logs = reallocarray(partial->logs, partial->count + 1,
							     sizeof(*logs));

		if (!logs) {
			source->error = -ENOMEM;
			source->bad = true;
			return;
		}
		partial->logs = logs;
		logs += partial->count++;
		*logs = (struct stat_partial_log) { .from = source->path };
		take_log(source, logs);
	}
}

static void take_end(struct source *source, size_t begin)
{
	char line[16];

	if (source->bad)
		return;
	snprintf(line, sizeof(line), "end %08lx\n",
		 crc32_z(0, (const Bytef *)source->text + begin, source->at - begin));
	take_word(source, line);
}

/* Checks the contents after the checksum has shown that they are unchanged. */
static int take_partial(struct stat_partial *partial, struct source *source)
{
	struct stat_partial_text options = { 0 };
	size_t begin = source->at;
	int status = check_version(source);

	if (status != EXIT_OK)
		return status;
	take_text(source, "options", &options, false);
	take_logs(partial, source, take_number(source, "logs"));
	take_end(source, begin);
	if (source->bad)
		status = refuse_damage(source);
	if (status == EXIT_OK)
		status = check_options(partial, source, &options);
	free(options.text);
	return status;
}

static int read_all(struct source *source, FILE *in)
{
	size_t capacity = 0;

	while (!feof(in)) {
		char *grown;

		if (capacity - source->length < PIECE_BYTES) {
			capacity = 2 * capacity + PIECE_BYTES;
			grown = realloc(source->text, capacity);
			if (!grown)
				return -ENOMEM;
			source->text = grown;
		}
		source->length += fread(source->text + source->length, 1, PIECE_BYTES, in);
		if (ferror(in))
			return -errno;
	}
	return 0;
}

int stat_partial_read(struct stat_partial *partial, const char *path)
{
	struct source source = { .path = path };
	bool is_stdin = !strcmp(path, "-");
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	int status = EXIT_OK, error;

	if (!in) {
		pr_err("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	error = read_all(&source, in);
	if (!is_stdin)
		fclose(in);
	if (error) {
		pr_err("%s: %s", path, strerror(-error));
		status = EXIT_FAILED;
	} else {
		do
			status = take_partial(partial, &source);
		while (status == EXIT_OK && source.at < source.length);
	}
	free(source.text);
	return status;
}
