// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages of programs that write logs.
 *
 * Writes to stderr, to the journal through stderr, or to syslog.  It never ends the program.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "say.h"

static const char *program = "evtlog";
static bool to_syslog;
static enum say_amount how_much = SAY_NORMAL;

/* systemd sets this to device and inode of stderr if stderr is the journal. */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	if (!stream || sscanf(stream, "%llu:%llu", &device, &inode) != 2)
		return false;
	return fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

static void say(int level, const char *format, va_list arguments)
{
	char text[2048];
	char prefix[8] = "";

	vsnprintf(text, sizeof(text), format, arguments);
	if (to_syslog) {
		syslog(level, "%s", text);
		return;
	}
	if (stderr_is_journal())
		snprintf(prefix, sizeof(prefix), "<%d>", level);
	fprintf(stderr, "%s%s: %s\n", prefix, program, text);
}

void say_as(const char *name)
{
	program = name;
}

void say_to_syslog(void)
{
	openlog(program, LOG_PID | LOG_NDELAY, LOG_DAEMON);
	to_syslog = true;
}

void say_reopen(void)
{
	if (!to_syslog)
		return;
	closelog();
	say_to_syslog();
}

void say_how_much(enum say_amount amount)
{
	how_much = amount;
}

void say_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(LOG_ERR, format, arguments);
	va_end(arguments);
}

void say_warning(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(LOG_WARNING, format, arguments);
	va_end(arguments);
}

void say_info(const char *format, ...)
{
	va_list arguments;

	if (how_much < SAY_NORMAL)
		return;
	va_start(arguments, format);
	say(LOG_INFO, format, arguments);
	va_end(arguments);
}

void say_detail(const char *format, ...)
{
	va_list arguments;

	if (how_much < SAY_MUCH)
		return;
	va_start(arguments, format);
	say(LOG_DEBUG, format, arguments);
	va_end(arguments);
}
