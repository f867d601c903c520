/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is there whole or not at all.
 *
 * Stage: between whatever makes pictures and pages, and the disk.
 */
#ifndef VIEW_OUTPUT_H
#define VIEW_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

/* @temporary: NULL for standard output */
struct output {
	const char *path;
	char *temporary;
	FILE *out;
};

/*
 * output_check() - whether @path may be written: it is "-", new, or a regular file that is
 * none of @logs
 *
 * Before anything long is done.  Returns an exit status, after saying what is wrong.
 */
int output_check(const char *command, const char *option, const char *path, char **logs,
		 size_t count);

/* Under another name, in the same directory.  Returns an exit status likewise. */
int output_open(struct output *output, const char *path);

/*
 * Gives it its name if @error is 0, else takes it away.  Returns an exit status, after
 * saying @error, or why it can't be written.
 */
int output_close(struct output *output, int error);

/* Takes it away; whoever calls has said why. */
void output_discard(struct output *output);

#endif /* VIEW_OUTPUT_H */
