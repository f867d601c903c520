// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens an in-memory connection with the tables of logs, for evtlog query.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "session.h"
#include "virtual.h"

/* The session that Ctrl-C stops */
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

/* ---- Rights of a query: read tables, and have temporary tables and views ---- */

/* Limits: longer statements and values are mistakes. */
#define SQL_BYTES_MAX	(1 << 20)
#define VALUE_BYTES_MAX	(64 << 20)

/* Pragmas that describe tables and functions, and change nothing */
static const char *const pragmas[] = {
	"table_info", "table_xinfo", "table_list", "function_list", "module_list", "pragma_list",
	"collation_list", "compile_options",
};

/* Functions that access files or load code, if SQLite was built with them */
static const char *const functions[] = {
	"load_extension", "writefile", "readfile", "edit", "fts3_tokenizer",
};

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; name && i < count; i++)
		if (!strcasecmp(name, list[i]))
			return true;
	return false;
}

static bool is_temporary(const char *database)
{
	return database && !strcmp(database, "temp");
}

static int authorize(void *arg, int action, const char *first, const char *second,
		     const char *database, const char *trigger)
{
	bool allowed;

	(void)arg;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
	case SQLITE_TRANSACTION:
	case SQLITE_SAVEPOINT:
	case SQLITE_CREATE_TEMP_TABLE:
	case SQLITE_CREATE_TEMP_INDEX:
	case SQLITE_CREATE_TEMP_VIEW:
	case SQLITE_DROP_TEMP_TABLE:
	case SQLITE_DROP_TEMP_INDEX:
	case SQLITE_DROP_TEMP_VIEW:
		allowed = true;
		break;
	case SQLITE_INSERT:
	case SQLITE_DELETE:
	case SQLITE_REINDEX:
		allowed = is_temporary(database);
		break;
	case SQLITE_UPDATE:
		/* Declarations of pragma tables need this.  SQLite itself protects the schema. */
		allowed = is_temporary(database) || (first && !strcmp(first, "sqlite_master"));
		break;
	case SQLITE_FUNCTION:
		allowed = !is_one_of(second, functions, sizeof(functions) / sizeof(*functions));
		break;
	case SQLITE_PRAGMA:
		/* "pragma table_info" of a table, and the table pragma_table_info */
		allowed = is_one_of(first, pragmas, sizeof(pragmas) / sizeof(*pragmas));
		break;
	default:
		allowed = false;
	}
	return allowed ? SQLITE_OK : SQLITE_DENY;
}

/*
 * After this call no statement can open, write or change a file, or load code.
 *
 * SQLite sorts in nameless files in TMPDIR.  The extension does not do this: restrictions are up to
 * the loading program.  Returns 0; -EIO if SQLite refuses.
 */
static int guard_close(sqlite3 *db)
{
	int off = -1;

	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES_MAX);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	if (sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, &off) || off ||
	    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) ||
	    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) ||
	    sqlite3_set_authorizer(db, authorize, NULL))
		return -EIO;
	return 0;
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
