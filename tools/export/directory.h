/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of files that is there whole or not at all.
 *
 * Stage: between what writes an export and the disk.  It does not know what the files are: who
 * writes them sees to it that what is left if the command is killed is not taken for whole.
 */
#ifndef EVTLOG_EXPORT_DIRECTORY_H
#define EVTLOG_EXPORT_DIRECTORY_H

/*
 * @path:	where it is to be
 * @temporary:	where it is until it is whole: a hidden directory beside @path; NULL: none is
 * @lock:	of that: open and locked while it is filled
 */
struct directory {
	const char *path;
	char *temporary;
	int lock;
};

/*
 * directory_check() - whether @path can be a new directory; before anything long is done
 * @option: which names it, for errors
 * @what: "archive": what the directory is for
 *
 * Return: EXIT_OK; EXIT_MISUSE or EXIT_FAILED, after saying why not.
 */
int directory_check(const char *option, const char *path, const char *what);

/*
 * Makes the temporary directory; @path must live as long.  Removes those that killed commands left
 * beside it, and says so.  An exit status, after saying why not.
 */
int directory_begin(struct directory *directory, const char *path);

/* Waits for the disk and gives it its name.  0 or -errno: then directory_discard() it. */
int directory_finish(struct directory *directory);

/* Takes it away with all that is in it, unless it is finished or was never begun. */
void directory_discard(struct directory *directory);

#endif /* EVTLOG_EXPORT_DIRECTORY_H */
