/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel functions that boost/apply.c and boost/table.c use, in user space: lists, and the
 * counting CPUs and lock of boost-cpus.c
 */
#ifndef BOOST_CPUS_H
#define BOOST_CPUS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CPUS_MAX	1024

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t ktime_t;
typedef int raw_spinlock_t;

struct task_struct {
	int cpu;
	bool running;
	bool boosted;
};

extern struct task_struct *current;
extern unsigned int machine_cpus;

void machine_lock(void);
void machine_unlock(void);
void machine_step(void);

#define READ_ONCE(x)			(x)
#define WRITE_ONCE(x, value)		((x) = (value))
#define smp_wmb()			do { } while (0)
#define WARN_ON(condition)		((condition) ? abort() : (void)0)
#define GFP_KERNEL			0
#define raw_spin_lock_irqsave(lock, flags)	((flags) = 0, machine_lock())
#define raw_spin_unlock_irqrestore(lock, flags)	((void)(flags), machine_unlock())
#define rcu_read_lock()			do { } while (0)
#define rcu_read_unlock()		do { } while (0)
#define DECLARE_PER_CPU(type, name)	extern type name[CPUS_MAX]
#define per_cpu_ptr(array, cpu)		(&(*(array))[cpu])
#define num_online_cpus()		machine_cpus
#define task_is_running(task)		((task)->running)
#define get_task_struct(task)		((void)(task))
#define put_task_struct(task)		((void)(task))
#define kvcalloc(n, size, flags)	calloc(n, size)
#define kvfree(memory)			free(memory)
#define ilog2(n)			__builtin_ctz(n)

static inline int task_cpu(const struct task_struct *task)
{
	machine_step();
	return task->cpu;
}

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **at;
};

struct hlist_head {
	struct hlist_node *first;
};

#define LIST_HEAD_INIT(name)		{ &(name), &(name) }
#define LIST_HEAD(name)			struct list_head name = LIST_HEAD_INIT(name)
#define entry_of(member_at, type, member) \
	((type *)((char *)(member_at) - offsetof(type, member)))

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_del(struct list_head *one)
{
	machine_step();
	one->next->prev = one->prev;
	one->prev->next = one->next;
}

static inline void list_del_init(struct list_head *one)
{
	list_del(one);
	INIT_LIST_HEAD(one);
}

static inline void list_add_tail(struct list_head *one, struct list_head *list)
{
	machine_step();
	one->next = list;
	one->prev = list->prev;
	list->prev->next = one;
	list->prev = one;
}

static inline void list_move_tail(struct list_head *one, struct list_head *list)
{
	list_del(one);
	list_add_tail(one, list);
}

static inline void list_move(struct list_head *one, struct list_head *list)
{
	list_del(one);
	list_add_tail(one, list->next);
}

static inline void list_splice_init(struct list_head *from, struct list_head *to)
{
	if (list_empty(from))
		return;
	machine_step();
	from->next->prev = to;
	from->prev->next = to->next;
	to->next->prev = from->prev;
	to->next = from->next;
	INIT_LIST_HEAD(from);
}

static inline void hlist_add_head(struct hlist_node *one, struct hlist_head *list)
{
	one->next = list->first;
	one->at = &list->first;
	if (list->first)
		list->first->at = &one->next;
	list->first = one;
}

static inline void hlist_del(struct hlist_node *one)
{
	*one->at = one->next;
	if (one->next)
		one->next->at = one->at;
}

#define list_first_entry_or_null(list, type, member) \
	(list_empty(list) ? NULL : entry_of((list)->next, type, member))
#define list_for_each_entry(at, list, member)				\
	for (at = entry_of((list)->next, __typeof__(*at), member);	\
	     machine_step(), &at->member != (list);			\
	     at = entry_of(at->member.next, __typeof__(*at), member))
#define list_for_each_entry_safe(at, after, list, member)		\
	for (at = entry_of((list)->next, __typeof__(*at), member),	\
	     after = entry_of(at->member.next, __typeof__(*at), member); \
	     &at->member != (list);					\
	     at = after, after = entry_of(at->member.next, __typeof__(*at), member))
#define hlist_for_each_entry(at, list, member)				\
	for (struct hlist_node *node_ = (list)->first;			\
	     node_ && (at = entry_of(node_, __typeof__(*at), member));	\
	     node_ = node_->next)

/* All tables have 256 buckets. */
#define DECLARE_HASHTABLE(name, bits)	struct hlist_head name[(bits) == 8 ? 256 : -1]
#define bucket_of(table, key)		(&(table)[(key) * 0x9e3779b97f4a7c15ULL >> 56])
#define hash_add(table, node, key)	hlist_add_head(node, bucket_of(table, key))
#define hash_del(node)			hlist_del(node)
#define hash_for_each_possible(table, at, member, key) \
	hlist_for_each_entry(at, bucket_of(table, key), member)

#endif /* BOOST_CPUS_H */
