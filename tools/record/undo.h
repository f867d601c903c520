/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was written to control files is taken back: by us, or, if we are killed, by a process that
 * waits for our end.
 */
#ifndef EVTLOG_RECORD_UNDO_H
#define EVTLOG_RECORD_UNDO_H

#include "guard.h"

#define UNDO_MAX	48

/*
 * @count:	of @writes, done in this order
 * @done:	of them, by the guard
 */
struct undo {
	struct {
		const char *file;
		char *text;
		const char *otherwise;
	} writes[UNDO_MAX];
	unsigned int count;
	unsigned int done;
	struct guard guard;
};

/** undo_add() - one more; @file lives as long, @text is copied; 0 or -ENOMEM */
int undo_add(struct undo *undo, const char *file, const char *text);

/**
 * undo_add_tree() - as undo_add(), where @text names a tree, as the file's first line had it
 * @otherwise:	is written if its process has ended meanwhile; lives as long
 */
int undo_add_tree(struct undo *undo, const char *file, const char *text, const char *otherwise);

/** undo_guard() - from now on it is done if we are killed; 0 or -errno */
int undo_guard(struct undo *undo);

/** undo_now() - do it, and free all; says what does not succeed */
void undo_now(struct undo *undo);

#endif /* EVTLOG_RECORD_UNDO_H */
