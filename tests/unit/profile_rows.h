/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel functions of profiles, for reading CPUs while tasks come and go. One thread replaces
 * all CPUs of profile_rows.c. Concurrent events happen where a lock is taken with interrupts on, or
 * another CPU is called.
 */
#ifndef PROFILE_ROWS_H
#define PROFILE_ROWS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

#define CPUS	3

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#define noinline		__attribute__((__noinline__))
#define __evtlog_saves_all
#define EXPORT_SYMBOL(name)	struct static_key_false
#define EXPORT_SYMBOL_GPL(name)	struct static_key_false
#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), #condition)
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max3(a, b, c)		max(max(a, b), c)
#define struct_group(NAME, MEMBERS...)	\
	union { struct { MEMBERS }; struct { MEMBERS } NAME; }

#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))
#define smp_load_acquire(p)	READ_ONCE(*(p))
#define smp_store_release(p, value)	WRITE_ONCE(*(p), value)
#define smp_mb()		do { } while (0)
#define smp_wmb()		do { } while (0)
#define xchg(p, value)		__atomic_exchange_n(p, value, __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, new)						\
({									\
	__typeof__(*(p)) was_ = (old);					\
	__atomic_compare_exchange_n(p, &was_, new, 0, __ATOMIC_SEQ_CST,	\
				    __ATOMIC_SEQ_CST);			\
	was_;								\
})

typedef struct {
	long counter;
} atomic_long_t;

#define atomic_long_add(n, a)	((a)->counter += (long)(n))
#define atomic_long_sub(n, a)	((a)->counter -= (long)(n))
#define atomic_long_read(a)	((a)->counter)

typedef struct {
	int counter;
} atomic_t;
typedef struct {
	long long counter;
} atomic64_t;
#define atomic_read(v)		((v)->counter)
#define atomic_set(v, value)	((v)->counter = (value))
#define atomic_inc(v)		((v)->counter++)
#define atomic64_add(i, v)	((v)->counter += (i))
#define atomic64_sub(i, v)	((v)->counter -= (i))
#define atomic64_add_return(i, v)	((v)->counter += (i))

/* Makes the kernel's clock.h empty. */
#define EVTLOG_CLOCK_H
extern u64 machine_tick;
#define evtlog_ticks64()	machine_tick

struct static_key_false {
	bool on;
};
#define DECLARE_STATIC_KEY_FALSE(name)	extern struct static_key_false name
#define DEFINE_STATIC_KEY_FALSE(name)	struct static_key_false name
#define static_branch_unlikely(key)	((key)->on)
#define static_branch_enable_cpuslocked(key)	((key)->on = true)
#define static_branch_disable_cpuslocked(key)	((key)->on = false)
DECLARE_STATIC_KEY_FALSE(evtlog_profile_slow_key);

/* CPUs: the variable of the present CPU is in its place. */
struct evtlog_profile_cpu;
extern unsigned int machine_cpu;
extern bool machine_irqs_off;
struct evtlog_profile_cpu *machine_profile_cpu(unsigned int cpu);
#define DECLARE_PER_CPU(type, name)	extern type name
#define DEFINE_PER_CPU(type, name)	type name
#define this_cpu_read(x)		(*(volatile __typeof__(x) *)&(x))
#define this_cpu_write(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))
#define per_cpu_ptr(p, cpu)						\
	_Generic((p), struct evtlog_profile_cpu *: machine_profile_cpu(cpu), default: (p) + (cpu))
#define __percpu
#define alloc_percpu(type)		((type *)calloc(CPUS, sizeof(type)))
#define smp_processor_id()		machine_cpu
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < CPUS; (cpu)++)
#define cpu_online(cpu)			((cpu) < CPUS)
int smp_call_function_single(unsigned int cpu, void (*act)(void *data), void *data, int wait);
void on_each_cpu(void (*act)(void *data), void *data, int wait);

unsigned long machine_irq_save(void);
#define raw_local_irq_save(flags)	((flags) = machine_irqs_off, machine_irqs_off = true)
#define raw_local_irq_restore(flags)	(machine_irqs_off = (flags))
#define local_irq_save(flags)		((flags) = machine_irq_save())
#define local_irq_restore(flags)	raw_local_irq_restore(flags)

struct list_head {
	struct list_head *next, *prev;
};
#define LIST_HEAD(name)		struct list_head name = { &(name), &(name) }
#define list_first_entry(list, type, member)	\
	((type *)((char *)(list)->next - offsetof(type, member)))

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_del(struct list_head *one)
{
	one->next->prev = one->prev;
	one->prev->next = one->next;
}

static inline void list_add(struct list_head *one, struct list_head *list)
{
	one->prev = list;
	one->next = list->next;
	list->next->prev = one;
	list->next = one;
}

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list->prev = list;
}

static inline void list_add_tail(struct list_head *one, struct list_head *list)
{
	list_add(one, list->prev);
}

static inline void list_move_tail(struct list_head *one, struct list_head *list)
{
	list_del(one);
	list_add(one, list->prev);
}

static inline void list_splice_init(struct list_head *from, struct list_head *to)
{
	if (list_empty(from))
		return;
	from->next->prev = to;
	from->prev->next = to->next;
	to->next->prev = from->prev;
	to->next = from->next;
	from->next = from->prev = from;
}

typedef bool raw_spinlock_t;
#define raw_spin_lock_init(lock)	(*(lock) = false)
#define raw_spin_lock(lock)		machine_lock(lock)
#define raw_spin_unlock(lock)		(*(lock) = false)
#define raw_spin_lock_irqsave(lock, flags)	((flags) = machine_irq_save(), machine_lock(lock))
#define raw_spin_unlock_irqrestore(lock, flags)	(*(lock) = false, machine_irqs_off = (flags))
void machine_lock(bool *lock);
#define cpu_relax()			abort()
#define panic(text)			abort()
#define __init
#define early_initcall(function)	\
	static __attribute__((__constructor__)) void call_##function(void) { function(); }

/* The only mutex is held while all profiles are visited. */
struct mutex {
	bool is_held;
};
#define DEFINE_MUTEX(name)		struct mutex name
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);
#define cond_resched()			do { } while (0)
#define rcu_read_lock()			do { } while (0)
#define rcu_read_unlock()		do { } while (0)

struct evtlog_profile;
struct task_struct {
	struct evtlog_profile *evtlog_profile;
	struct task_struct *group_leader;
	unsigned int flags;
	int tgid;
	/* The machine's own; @is_kept: in the kernel until the machine resumes the task */
	bool is_idle, is_running, is_kept;
	unsigned int depth;
	u16 within[2];
};
extern struct task_struct *machine_current[CPUS];
void __evtlog_profile_fork(struct task_struct *child);
void __evtlog_profile_free(struct task_struct *task);
#define current				machine_current[machine_cpu]
#define PF_KTHREAD			1
#define PF_IO_WORKER			2
#define is_idle_task(task)		((task)->is_idle)
#define idle_task(cpu)			machine_current[cpu]
/* No task has a number: the start of profiles finds none. */
#define find_ge_pid(nr, space)		((void)(nr), (struct pid *)NULL)
#define pid_task(pid, type)		((void)(pid), (struct task_struct *)NULL)
#define pid_nr(pid)			((void)(pid), 0)

/* Each task is a process. */
#define thread_group_leader(task)	((void)(task), true)
#define thread_group_empty(task)	((void)(task), true)
#define get_task_struct(task)		(task)
#define cpus_read_lock()		do { } while (0)
#define cpus_read_unlock()		do { } while (0)
#define put_task_struct(task)		((void)(task))

typedef struct {
	int refs;
} refcount_t;
struct rcu_head {
	void *next;
};
typedef unsigned int gfp_t;
#define GFP_KERNEL		0
#define GFP_NOWAIT		0
#define GFP_KERNEL_ACCOUNT	0
#define __GFP_ACCOUNT		0
#define __GFP_NOWARN		0
#define kzalloc(size, flags)	calloc(1, size)
#define kfree(memory)		free(memory)
#define kvfree(memory)		free(memory)

struct mem_cgroup;
static inline struct mem_cgroup *set_active_memcg(struct mem_cgroup *memcg) { return memcg; }
#define notrace

struct seq_file;
#define seq_printf(m, ...)	((void)(m))
#define seq_puts(m, text)	((void)(m))
#define seq_putc(m, letter)	((void)(m))

#endif /* PROFILE_ROWS_H */
