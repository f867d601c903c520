/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children of a KUnit case's thread, which sleep until family_reap().
 */
#ifndef EVTLOG_TESTS_FAMILY_KUNIT_H
#define EVTLOG_TESTS_FAMILY_KUNIT_H

#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/types.h>

/**
 * struct family_child - a child
 * @task:	with a reference
 * @nr:		its pid
 * @has_child:	True: it has a child of its own, @grandchild, which ends with it
 * @ready:	the child and its child exist
 * @end:	the child and its child may end
 */
struct family_child {
	struct task_struct *task;
	struct task_struct *grandchild;
	pid_t nr;
	bool has_child;
	struct completion ready;
	struct completion end;
};

void family_fork(struct kunit *test, struct family_child *child, bool has_child);
void family_reap(struct family_child *child);

#endif /* EVTLOG_TESTS_FAMILY_KUNIT_H */
