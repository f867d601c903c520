/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is there whole or not at all, whatever ends the command.
 *
 * Stage: between whatever makes merged files, pictures and pages, and the disk.
 */
#ifndef EVTLOG_COMMON_ATOMIC_FILE_H
#define EVTLOG_COMMON_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * @out:	where to write; NULL: not open
 * @temporary:	its name so far; NULL: it has none
 * @is_in_place: a device or a pipe, which is written as it is
 */
struct atomic_file {
	const char *path;
	FILE *out;
	char *temporary;
	bool is_in_place;
};

/**
 * output_check_inputs() - whether @path, which is written in place, is none of @logs, which are read
 *
 * Return: EXIT_OK; EXIT_MISUSE, after saying so.
 */
int output_check_inputs(const char *command, const char *option, const char *path, char **logs,
			size_t count);

/**
 * output_check_place() - whether a file or a directory can be made at @path; before anything long is done
 *
 * Return: EXIT_OK; EXIT_FAILED, after saying why not.
 */
int output_check_place(const char *path);

/*
 * output_check() - whether @path may be written: it is "-", new, or a regular file that is
 * none of @logs, and no log at all
 *
 * Before anything long is done.  Returns an exit status, after saying what is wrong.
 */
int output_check(const char *command, const char *option, const char *path, char **logs,
		 size_t count);

/*
 * atomic_file_new() - in the directory of @path, without a name if the file system can do that,
 * so that nothing is left of it when the command is killed; "-" is standard output
 *
 * What is no regular file, as /dev/null or a named pipe, is written in place: a new file would be in
 * its place for everybody.  That of another user is refused, with -EPERM, but in /dev and /proc.
 *
 * @path must live as long.  @mode: as of open(); that of a file at @path is kept.  Returns 0 or
 * -errno, and says nothing.
 */
int atomic_file_new(struct atomic_file *file, const char *path, mode_t mode);

/* Writes it out and gives it its name, in place of a file that has it.  0 or -errno. */
int atomic_file_finish(struct atomic_file *file);

/*
 * The same without waiting for the disk: for what is written again and again, and is not missed
 * when the machine goes down.
 */
int atomic_file_replace(struct atomic_file *file);

/* Takes it away, unless it is finished or was never opened. */
void atomic_file_discard(struct atomic_file *file);

/*
 * atomic_file_new() for what shows a log, which is its owner's alone.  Returns an exit status,
 * after saying why not.
 */
int atomic_file_open(struct atomic_file *file, const char *path);

/*
 * Finishes it if @error is 0, else takes it away.  Returns an exit status, after
 * saying @error, or why it can't be written.
 */
int atomic_file_close(struct atomic_file *file, int error);

#endif /* EVTLOG_COMMON_ATOMIC_FILE_H */
