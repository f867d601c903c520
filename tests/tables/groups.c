// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * groups DIR ROWS - writes a table thread_wait, DIR/thread_wait.parquet, and DIR/views.sql
 *
 * Rows come when they end.  One in 1,000 began at any time before, like threads that sleep for
 * long.
 */
#include <stdlib.h>

#include "made.h"

static struct made made;

static int put_wait(struct made *to, int64_t i)
{
	int64_t state = dictionary_add_text(&to->dictionary, "S");
	int64_t host = dictionary_add_text(&to->dictionary, "node1");
	int64_t end = 1000 * i, dur = i % 1000 ? 1 + i * 7919 % 3000 : 1 + i * 7919 % end;

	dur = dur < end ? dur : end;
	return rows_put(&to->rows, &to->maker, (int64_t[]) {
		end - dur, dur, i % 100, state, 0, 0, 0, host, 1, 0
	}, 1 << 4 | 1 << 5);
}

int main(int argc, char **argv)
{
	int error;

	if (argc != 3)
		return 2;
	error = made_init(&made);
	if (!error)
		error = made_write(&made, argv[1], TABLE_THREAD_WAIT, atol(argv[2]), put_wait);
	made_free(&made);
	return error ? 1 : 0;
}
