/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of files that appears complete or not at all.
 *
 * Stage: between the writer of an export and the disk.  It does not depend on the files' format:
 * the writer must ensure that readers reject the incomplete directory of a killed command.
 */
#ifndef EVTLOG_EXPORT_DIRECTORY_H
#define EVTLOG_EXPORT_DIRECTORY_H

/*
 * @path:	final path
 * @temporary:	hidden directory next to @path, used until all files are complete; NULL if none
 * @lock:	descriptor of @temporary, locked while the directory is filled
 */
struct directory {
	const char *path;
	char *temporary;
	int lock;
};

/*
 * directory_check() - check that @path can become a new directory, before any long work
 * @option: name of the option with the path, for errors
 * @what: content of the directory, for errors: "archive"
 *
 * Return: EXIT_OK; EXIT_MISUSE or EXIT_FAILED, after an error message.
 */
int directory_check(const char *option, const char *path, const char *what);

/*
 * Makes the temporary directory.  Removes and reports those that killed commands left for the same
 * @path.  @path must outlive @directory.  Returns an exit status, after an error message.
 */
int directory_begin(struct directory *directory, const char *path);

/* Syncs the files and renames the directory to its path.  0; -errno: call directory_discard(). */
int directory_finish(struct directory *directory);

/* Removes the directory and its files, unless it is finished or was never begun. */
void directory_discard(struct directory *directory);

#endif /* EVTLOG_EXPORT_DIRECTORY_H */
