// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a command by its name, or the one that was meant.
 *
 * It runs none.
 */
#include <string.h>

#include "command.h"
#include "error.h"
#include "spelling.h"
#include "subcommand.h"

const struct evtlog_command *table_find(const struct command_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->at[i] && !strcmp(table->at[i]->name, name))
			return table->at[i];
	return NULL;
}

int table_unknown(const struct command_table *table, const char *name)
{
	char names[512] = "";
	struct spelling spelling;
	size_t length = 0;

	spelling_start(&spelling, name);
	for (size_t i = 0; i < table->count; i++) {
		if (!table->at[i])
			continue;
		spelling_try(&spelling, table->at[i]->name);
		length += snprintf(names + length, sizeof(names) - length, "%s%s",
				   length ? ", " : "", table->at[i]->name);
		if (length >= sizeof(names))
			break;
	}
	if (spelling.nearest)
		return misuse(table->of, "%s: no such command; did you mean '%s'?",
			      name, spelling.nearest);
	return misuse(table->of, "%s: no such command; there are %s", name, names);
}

void table_print(const struct command_table *table, FILE *out)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->at[i])
			fprintf(out, "  %-9s %s\n", table->at[i]->name, table->at[i]->summary);
}
