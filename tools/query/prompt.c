// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads statements from a terminal, over several lines, until a semicolon.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <editline/readline.h>

#include "common/command.h"
#include "common/error.h"
#include "session.h"

/* Appends a line to an unfinished statement.  Returns 0 or -ENOMEM. */
static int join_line(char **text, const char *line)
{
	char *joined;

	if (asprintf(&joined, "%s%s%s", *text ? *text : "", *text ? "\n" : "", line) < 0)
		return -ENOMEM;
	free(*text);
	*text = joined;
	return 0;
}

static bool is_whole(const char *text)
{
	const char *begin = text + strspn(text, " \t\n");

	return !*begin || *begin == '.' || sqlite3_complete(text);
}

/* Returns NULL at the end of input, or after Ctrl-C: then session->logs->stop is true. */
static char *read_line(struct query_session *session, const char *prompt)
{
	query_session_begin(session);
	return readline(prompt);
}

int prompt_run(struct query_session *session, enum print_form form)
{
	int status = EXIT_OK, error = 0;
	char *text = NULL, *line;

	while (!error && status != DOT_QUIT) {
		line = read_line(session, text ? "   ...> " : "evtlog> ");
		if (!line && !session->logs->stop)
			break;
		if (!line) {
			/* Drop the unfinished statement. */
			free(text);
			text = NULL;
			putc('\n', session->out);
			continue;
		}
		error = join_line(&text, line);
		free(line);
		if (error || !is_whole(text))
			continue;
		if (text[strspn(text, " \t\n")])
			add_history(text);
		status = statements_run(session, &form, text);
		fflush(session->out);
		session->printed = false;
		free(text);
		text = NULL;
	}
	if (status != DOT_QUIT)
		putc('\n', session->out);
	free(text);
	if (!error)
		return EXIT_OK;
	pr_err("query: %s", strerror(-error));
	return EXIT_FAILED;
}
