// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens a connection of evtlog's own, in memory, with the tables of some logs.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "guard.h"
#include "input/open-log.h"
#include "session.h"
#include "virtual.h"

/* The one that Ctrl-C stops */
static struct query_session *volatile interruptible;

static void stop(int number)
{
	struct query_session *session = interruptible;

	(void)number;
	if (!session)
		return;
	session->logs->stop = true;
	sqlite3_interrupt(session->db);
}

static int open_database(struct query_session *session)
{
	int result = sqlite3_open_v2(":memory:", &session->db,
				     SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL);

	if (result == SQLITE_OK)
		result = virtual_register(session->db, session->logs, NULL);
	if (result == SQLITE_OK && !guard_close(session->db))
		return EXIT_OK;
	pr_err("query: SQLite: %s", session->db ? sqlite3_errmsg(session->db) : sqlite3_errstr(result));
	return EXIT_FAILED;
}

int query_session_open(struct query_session *session, char **paths, size_t count,
		       const struct query_manner *manner)
{
	struct sigaction action = { .sa_handler = stop, .sa_flags = SA_RESTART };
	int status;

	*session = (struct query_session) { .out = stdout };
	status = query_logs_open(&session->logs, paths, count, manner);
	if (status == EXIT_OK)
		status = open_database(session);
	if (status != EXIT_OK)
		return status;
	interruptible = session;
	sigaction(SIGINT, &action, NULL);
	return EXIT_OK;
}

void query_session_close(struct query_session *session)
{
	interruptible = NULL;
	sqlite3_close(session->db);
	query_logs_close(session->logs);
}

void query_session_begin(struct query_session *session)
{
	session->logs->stop = false;
}

int query_session_verdict(const struct query_session *session)
{
	return query_logs_verdict(session->logs);
}
