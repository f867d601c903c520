// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a command by its name, or the one that was meant.
 *
 * Stage: the outermost layer of the tools; it runs none.
 */
#include <string.h>

#include "command.h"
#include "say.h"
#include "table.h"

const struct evtlog_command *table_find(const struct command_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->at[i] && !strcmp(table->at[i]->name, name))
			return table->at[i];
	return NULL;
}

/*
 * How many letters to change, add, drop or swap with the next (optimal string
 * alignment); names are short, longer ones are not near anyway.
 */
static unsigned int distance(const char *a, const char *b)
{
	enum { MAX = 24 };
	size_t a_len = strlen(a), b_len = strlen(b);
	unsigned int d[MAX + 1][MAX + 1];

	if (a_len > MAX || b_len > MAX)
		return MAX;
	for (size_t i = 0; i <= a_len; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= b_len; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		for (size_t j = 1; j <= b_len; j++) {
			unsigned int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[a_len][b_len];
}

int table_unknown(const struct command_table *table, const char *name)
{
	const char *nearest = NULL;
	unsigned int least = 4;

	for (size_t i = 0; i < table->count; i++) {
		unsigned int d;

		if (!table->at[i])
			continue;
		d = distance(name, table->at[i]->name);
		if (d < least) {
			least = d;
			nearest = table->at[i]->name;
		}
	}
	if (nearest)
		return misuse(table->of, "%s: no such command; did you mean '%s'?",
			      name, nearest);
	return misuse(table->of, "%s: no such command", name);
}

void table_print(const struct command_table *table, FILE *out)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->at[i])
			fprintf(out, "  %-9s %s\n", table->at[i]->name, table->at[i]->summary);
}
