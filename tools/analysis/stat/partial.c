// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Partial results of evtlog stat, in memory and written to a file.
 *
 * partial-read.c reads them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/command.h"
#include "partial.h"

/* ---- In memory ---- */

static void log_free(struct stat_partial_log *log)
{
	free(log->path.text);
	free(log->host.text);
	free(log->boot.text);
	free(log->buffer.text);
	free(log->shown.text);
	free(log->json.text);
}

void stat_partial_free(struct stat_partial *partial)
{
	for (size_t i = 0; i < partial->count; i++)
		log_free(&partial->logs[i]);
	free(partial->logs);
	free(partial->options);
}

static int set_text(struct stat_partial_text *to, const char *text)
{
	to->text = strdup(text ? text : "");
	to->length = to->text ? strlen(to->text) : 0;
	return to->text ? 0 : -ENOMEM;
}

static int set_boot(struct stat_partial_text *to, const struct evtlog_file *file)
{
	const uint8_t *id = evtlog_boot_id(file);
	char text[33];

	for (int i = 0; i < 16; i++)
		sprintf(text + 2 * i, "%02x", id[i]);
	return set_text(to, text);
}

struct stat_partial_log *stat_partial_new_log(struct stat_partial *partial, const char *path,
					      const struct evtlog_file *file)
{
	struct stat_partial_log *logs = reallocarray(partial->logs, partial->count + 1,
						     sizeof(*logs));
	struct stat_partial_log *log;

	if (!logs)
		return NULL;
	partial->logs = logs;
	log = &logs[partial->count++];
	*log = (struct stat_partial_log) {
		.run = evtlog_run(file),
		.begin_ns = evtlog_begin_ns(file),
		.end_ns = evtlog_end_ns(file),
	};
	if (set_text(&log->path, path) || set_text(&log->host, evtlog_meta(file, "host")) ||
	    set_boot(&log->boot, file) ||
	    set_text(&log->buffer, evtlog_meta(file, "named_buffer")) ||
	    set_text(&log->shown, "") || set_text(&log->json, ""))
		return NULL;
	return log;
}

/* stat_show() prints to stdout, which is a variable in the GNU C library. */
static void show(const struct stat *stat, unsigned int top, FILE *out)
{
	FILE *kept = stdout;

	stdout = out;
	stat_show(stat, top);
	stdout = kept;
}

static int capture(struct stat_partial_text *to, const struct stat *stat, unsigned int top,
		   void (*print)(const struct stat *stat, unsigned int top, FILE *out))
{
	FILE *out;

	free(to->text);
	*to = (struct stat_partial_text) { 0 };
	out = open_memstream(&to->text, &to->length);
	if (!out)
		return -errno;
	print(stat, top, out);
	return fclose(out) ? -errno : 0;
}

int stat_partial_take(struct stat_partial_log *log, const struct stat *stat,
		      unsigned int top_shown, unsigned int top_json)
{
	int error;

	stat_total_add(&log->total, stat);
	error = capture(&log->shown, stat, top_shown, show);
	return error ? error : capture(&log->json, stat, top_json, stat_json);
}

/* As log_each() does for logs */
int stat_partial_show(const struct stat_partial *partial, bool as_json)
{
	struct stat_total total = { 0 };
	int status = EXIT_OK;

	for (size_t i = 0; i < partial->count; i++) {
		const struct stat_partial_log *log = &partial->logs[i];
		const struct stat_partial_text *text = as_json ? &log->json : &log->shown;

		fwrite(text->text, 1, text->length, stdout);
		if (!as_json && i + 1 < partial->count)
			putchar('\n');
		stat_total_sum(&total, &log->total);
		if (log->total.files && log_report_lacks(&log->lacks, log->path.text) != EXIT_OK)
			status = EXIT_EVENTS_LOST;
	}
	stat_total_print(&total, as_json);
	return status == EXIT_OK && !total.files ? EXIT_MISUSE : status;
}

/* ---- In a file ---- */

static void put_number(FILE *out, const char *key, uint64_t number)
{
	fprintf(out, "%s %" PRIu64 "\n", key, number);
}

static void put_text(FILE *out, const char *key, const struct stat_partial_text *text)
{
	fprintf(out, "%s %zu\n", key, text->length);
	fwrite(text->text, 1, text->length, out);
	putc('\n', out);
}

static void put_total(FILE *out, const struct stat_total *total)
{
	const struct usage *usage = &total->usage;

	put_number(out, "files", total->files);
	put_number(out, "events", total->events);
	put_number(out, "events_lost", total->lost);
	put_number(out, "switches", total->switches);
	put_number(out, "migrations", total->migrations);
	put_number(out, "task_ns", usage->task_ns);
	put_number(out, "idle_ns", usage->idle_ns);
	put_number(out, "logger_ns", usage->logger_ns);
	put_number(out, "softirq_ns", usage->softirq_ns);
	put_number(out, "irq_ns", usage->irq_ns);
	put_number(out, "outside_ns", usage->outside_ns);
	put_number(out, "unknown_ns", usage->unknown_ns);
	put_number(out, "no_tasks", total->unknown.tasks);
	put_number(out, "no_migrations", total->unknown.migrations);
	put_number(out, "no_softirqs", total->unknown.softirqs);
	put_number(out, "no_irqs", total->unknown.irqs);
	put_number(out, "no_others", total->unknown.others);
}

static void put_log(FILE *out, const struct stat_partial_log *log)
{
	put_text(out, "log", &log->path);
	put_text(out, "host", &log->host);
	put_text(out, "boot", &log->boot);
	put_text(out, "buffer", &log->buffer);
	put_number(out, "run", log->run);
	put_number(out, "begin_ns", log->begin_ns);
	put_number(out, "end_ns", log->end_ns);
	put_number(out, "lost", log->lacks.lost);
	put_number(out, "damages", log->lacks.damages);
	put_number(out, "is_cut", log->lacks.is_cut);
	put_total(out, &log->total);
	put_text(out, "text", &log->shown);
	put_text(out, "json", &log->json);
}

int stat_partial_write(const struct stat_partial *partial, FILE *out)
{
	const struct stat_partial_text options = { partial->options, strlen(partial->options) };
	struct stat_partial_text body = { 0 };
	FILE *memory = open_memstream(&body.text, &body.length);

	if (!memory)
		return -errno;
	fprintf(memory, "evtlog stat partial %u\n", STAT_PARTIAL_VERSION);
	put_text(memory, "options", &options);
	put_number(memory, "logs", partial->count);
	for (size_t i = 0; i < partial->count; i++)
		put_log(memory, &partial->logs[i]);
	if (fclose(memory)) {
		free(body.text);
		return -ENOMEM;
	}
	fwrite(body.text, 1, body.length, out);
	fprintf(out, "end %08lx\n", crc32_z(0, (const Bytef *)body.text, body.length));
	free(body.text);
	return 0;
}
