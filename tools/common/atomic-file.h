/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that appear complete or not at all, however the command ends.
 *
 * Stage: between the commands that write merged files, pictures and pages, and the disk.
 */
#ifndef EVTLOG_COMMON_ATOMIC_FILE_H
#define EVTLOG_COMMON_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * @out:	where to write; NULL if not open
 * @temporary:	temporary name, NULL if none
 * @is_in_place: True: a device or a pipe, which is written directly
 */
struct atomic_file {
	const char *path;
	FILE *out;
	char *temporary;
	bool is_in_place;
};

/**
 * output_check_inputs() - check that @path, which is written in place, is none of the inputs @logs
 *
 * Return: EXIT_OK, or EXIT_MISUSE after printing the error.
 */
int output_check_inputs(const char *command, const char *option, const char *path, char **logs,
			size_t count);

/**
 * output_check_place() - check that a file or a directory can be created at @path
 *
 * Call it before long work.  Return: EXIT_OK, or EXIT_FAILED after printing the error.
 */
int output_check_place(const char *path);

/*
 * output_check() - check that @path may be written: it is "-", new, or a regular file that is not
 * one of @logs and not a log
 *
 * Call it before long work.  Returns an exit status after printing the error.
 */
int output_check(const char *command, const char *option, const char *path, char **logs,
		 size_t count);

/*
 * atomic_file_new() - create the file for @path
 *
 * The file is created in the directory of @path, without a name if the file system can do so:
 * then nothing is left if the command is killed.  "-" is standard output.
 *
 * A device or a named pipe, such as /dev/null, is written in place, because replacing it would
 * affect all its users.  If another user owns it, and it is not in /dev or /proc, the result is
 * -EPERM.
 *
 * @path must live as long as @file.  @mode is as for open(); the mode of an existing file is
 * kept.  Returns 0 or -errno and does not print.
 */
int atomic_file_new(struct atomic_file *file, const char *path, mode_t mode);

/* Writes the file to disk and gives it its name, replacing an old file.  Returns 0 or -errno. */
int atomic_file_finish(struct atomic_file *file);

/*
 * Like atomic_file_finish(), but does not wait for the disk: for files that are rewritten often
 * and may be lost in a crash of the machine.
 */
int atomic_file_replace(struct atomic_file *file);

/* Removes the file, unless it is finished or was never opened. */
void atomic_file_discard(struct atomic_file *file);

/*
 * Like atomic_file_new(), for output made from a log: only the owner can read it.  Returns an
 * exit status after printing the error.
 */
int atomic_file_open(struct atomic_file *file, const char *path);

/*
 * Finishes the file if @error is 0, else removes it.  Returns an exit status after printing
 * @error or the error of writing.
 */
int atomic_file_close(struct atomic_file *file, int error);

#endif /* EVTLOG_COMMON_ATOMIC_FILE_H */
