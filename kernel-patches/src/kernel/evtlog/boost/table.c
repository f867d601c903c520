// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bounded table of boosted tasks, with all memory allocated in advance.
 *
 * Guarded by evtlog_boost.lock.  It does not access the tasks.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "boost/table.h"

/**
 * evtlog_boost_table_init() - create an empty table
 * @table:	initialized
 * @size:	number of tasks that it can hold
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int evtlog_boost_table_init(struct evtlog_boost_table *table, unsigned int size)
{
	unsigned int i;

	memset(table, 0, sizeof(*table));
	INIT_LIST_HEAD(&table->used);
	INIT_LIST_HEAD(&table->unused);
	table->entries = kvcalloc(size, sizeof(*table->entries), GFP_KERNEL);
	if (!table->entries)
		return -ENOMEM;
	for (i = 0; i < size; i++)
		list_add_tail(&table->entries[i].list, &table->unused);
	return 0;
}

/**
 * evtlog_boost_table_free() - free a table's memory
 * @table:	empty
 *
 * Context: may sleep.
 */
void evtlog_boost_table_free(struct evtlog_boost_table *table)
{
	WARN_ON(table->count);
	kvfree(table->entries);
	table->entries = NULL;
}

/**
 * evtlog_boost_table_find() - find a task's entry
 * @table:	the table
 * @task:	the task
 *
 * Context: evtlog_boost.lock is held.
 * Return: the entry, or NULL.
 */
struct evtlog_boosted *evtlog_boost_table_find(struct evtlog_boost_table *table,
					       const struct task_struct *task)
{
	struct evtlog_boosted *entry;

	hash_for_each_possible(table->buckets, entry, bucket, (unsigned long)task) {
		if (entry->task == task)
			return entry;
	}
	return NULL;
}

/**
 * evtlog_boost_table_add() - add an entry for a task
 * @table:	has no entry for @task
 * @task:	the task; the caller takes a reference
 *
 * Context: evtlog_boost.lock is held.
 * Return: the entry, all other members 0; NULL: the table is full.
 */
struct evtlog_boosted *evtlog_boost_table_add(struct evtlog_boost_table *table,
					      struct task_struct *task)
{
	struct evtlog_boosted *entry;

	entry = list_first_entry_or_null(&table->unused, struct evtlog_boosted,
					 list);
	if (!entry)
		return NULL;
	list_del(&entry->list);
	memset(entry, 0, sizeof(*entry));
	entry->task = task;
	INIT_LIST_HEAD(&entry->todo);
	list_add_tail(&entry->list, &table->used);
	hash_add(table->buckets, &entry->bucket, (unsigned long)task);
	WRITE_ONCE(table->count, table->count + 1);
	/* Pairs with those in true_policy() (boost/policy.c). */
	smp_wmb();
	WRITE_ONCE(table->adds, table->adds + 1);
	return entry;
}

/**
 * evtlog_boost_table_remove() - remove an entry
 * @table:	contains @entry
 * @entry:	not used any more
 *
 * Context: evtlog_boost.lock is held.
 */
void evtlog_boost_table_remove(struct evtlog_boost_table *table,
			       struct evtlog_boosted *entry)
{
	hash_del(&entry->bucket);
	list_move(&entry->list, &table->unused);
	entry->task = NULL;
	WRITE_ONCE(table->count, table->count - 1);
}
