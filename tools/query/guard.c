// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SQLite's authorizer for queries: a list of what is allowed, all else is refused.
 *
 * It is asked when a statement is compiled, also for those that SQLite makes itself: VACUUM INTO
 * attaches a file.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "guard.h"

/* Longer statements and values are mistakes. */
#define SQL_BYTES_MAX	(1 << 20)
#define VALUE_BYTES_MAX	(64 << 20)

/* Those that tell of tables and functions, and change nothing */
static const char *const pragmas[] = {
	"table_info", "table_xinfo", "table_list", "function_list", "module_list", "pragma_list",
	"collation_list", "compile_options",
};

/* Functions that write, or take code from elsewhere, where SQLite was built with them */
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
		/* Tables of pragmas ask for it when they are declared; SQLite itself keeps all off the schema. */
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

int guard_close(sqlite3 *db)
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
