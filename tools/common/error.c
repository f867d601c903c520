// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints messages of the commands to stderr, in one format.
 *
 * It does not print results.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "error.h"

/* Messages contain names from logs, which may contain escape sequences for a terminal. */
static void put_plain(const char *text)
{
	for (; *text; text++) {
		unsigned char byte = *text;

		if (byte < 0x20 || byte == 0x7f)
			fprintf(stderr, "\\x%02x", byte);
		/* C1 in UTF-8: some terminals take U+009B as the start of an escape sequence. */
		else if (byte == 0xc2 && (text[1] & 0xe0) == 0x80)
			fprintf(stderr, "\\x%02x", (unsigned char)*++text);
		else
			fputc(byte, stderr);
	}
}

static void vprint(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	/* Print earlier results before a message about them. */
	fflush(stdout);
	flockfile(stderr);
	fputs("evtlog: ", stderr);
	put_plain(text ? text : strerror(ENOMEM));
	fputc('\n', stderr);
	funlockfile(stderr);
	free(text);
}

void pr_message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprint(format, args);
	va_end(args);
}

int misuse(const char *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprint(format, args);
	va_end(args);
	fprintf(stderr, "Try 'evtlog %s%s--help'.\n", command ? command : "",
		command ? " " : "");
	return EXIT_MISUSE;
}

int finish(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	/* A closed pipe, as in `evtlog dump | head`, needs no message. */
	if (errno != EPIPE)
		pr_err("standard output: %s", errno ? strerror(errno) :
		       "a write was incomplete");
	return EXIT_FAILED;
}

/* ---- A progress line, if work takes longer than a second ---- */

void progress_begin(struct progress *progress, const char *what, uint64_t total)
{
	*progress = (struct progress) {
		.what = what,
		.total = total,
		.began_ms = now_ms(),
		.terminal = isatty(STDERR_FILENO),
	};
}

void progress_update(struct progress *progress, uint64_t done)
{
	uint64_t now;

	if (!progress->terminal || !progress->total)
		return;
	now = now_ms();
	if (now - progress->began_ms < 1000 || now - progress->shown_ms < 200)
		return;
	fprintf(stderr, "\revtlog: %s: %3.0f %%", progress->what,
		100.0 * done / progress->total);
	progress->shown_ms = now;
	progress->shown = true;
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
