// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters in a module, which has no machine code of its own: a filter is a BPF program.
 *
 * In the place of filter/stub.c and function.c, and of code/text.c.  While a hook has a
 * filter, its sites call a guard.  The guard calls the program with the hook's arguments, and then
 * the hook, or counts the record as rejected, as the machine code of stub.c does.
 */
#include <linux/err.h>
#include <linux/evtlog.h>
#include <linux/filter.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/static_call.h>

#include "code/emit.h"
#include "code/text.h"
#include "counters.h"
#include "filter/hook.h"
#include "filter/tree.h"
#include "hooks/icmp.h"
#include "module/program.h"
#include "put.h"
#include "ring.h"

/*
 * struct code - a program; other files know it by the address of its function
 * @hook, @function, @rejected: as for filter_stub_new()
 */
struct code {
	struct list_head list;
	struct bpf_prog *prog;
	const struct filter_hook *hook;
	void *function;
	u64 __percpu *rejected;
};

/* Guards the list. */
static DEFINE_MUTEX(codes_lock);
static LIST_HEAD(codes);

static struct code *find(const void *at)
{
	struct code *code;

	list_for_each_entry(code, &codes, list) {
		if (code->prog->bpf_func == at)
			return code;
	}
	return NULL;
}

static void *code_new(const struct evtlog_filter *filter, const struct program_fields *fields,
		      const struct code *parts)
{
	struct code *code = kmemdup(parts, sizeof(*parts), GFP_KERNEL);
	struct bpf_prog *prog;

	if (!code)
		return ERR_PTR(-ENOMEM);
	prog = program_make(filter, fields);
	if (IS_ERR(prog)) {
		kfree(code);
		return prog;
	}
	code->prog = prog;
	mutex_lock(&codes_lock);
	list_add(&code->list, &codes);
	mutex_unlock(&codes_lock);
	return prog->bpf_func;
}

/* As in code/text.c */
void evtlog_text_free(void *at)
{
	struct code *code;

	mutex_lock(&codes_lock);
	code = at ? find(at) : NULL;
	if (code)
		list_del(&code->list);
	mutex_unlock(&codes_lock);
	if (!code)
		return;
	bpf_prog_free(code->prog);
	kfree(code);
}

/* As in filter/function.c: not if it calls a function that may cause events of its own. */
void *evtlog_filter_function(const struct evtlog_filter *filter)
{
	const struct code none = {};
	unsigned int i;
	void *function;

	for (i = 0; i < filter->nr_nodes; i++) {
		if (filter->nodes[i].kind == FILTER_TREE || filter->nodes[i].kind == FILTER_CGROUP)
			return NULL;
	}
	function = code_new(filter, NULL, &none);

	return IS_ERR(function) ? NULL : function;
}

static void load_of_payload(struct program *p, const void *what, unsigned int slot,
			    unsigned int width)
{
	const struct filter_layout *layout = what;

	program_load_memory(p, 0, layout->offset[slot], width);
	if (layout->swapped >> slot & 1)
		program_swap(p, width);
}

/* As in filter/function.c */
void *filter_payload_function(const struct filter_layout *layout,
			      const struct evtlog_filter *filter)
{
	struct program_fields fields = { .load = load_of_payload, .what = layout };
	u64 used = filter_slots_used(filter);
	const struct code none = {};
	unsigned int i;

	for (i = 0; i < layout->nr; i++) {
		if (used >> i & 1)
			fields.least = max_t(u32, fields.least,
					     layout->offset[i] + layout->fields[i].width);
	}
	return code_new(filter, &fields, &none);
}

static unsigned int argument_in(u8 reg)
{
	return reg == EVTLOG_RDI ? 0 : reg == EVTLOG_RSI ? 1 : 2;
}

static void load_of_hook(struct program *p, const void *what, unsigned int slot,
			 unsigned int width)
{
	const struct filter_hook *hook = what;
	const struct filter_source *source = &hook->sources[slot];

	if (hook->load) {
		program_load_memory(p, 0, slot * sizeof(u64), width);
		return;
	}
	switch (source->member) {
	case FILTER_IN_REGISTER:
		program_load_argument(p, argument_in(source->reg), width);
		break;
	case FILTER_IN_TAG:
		program_load_argument(p, 0, sizeof(u32));
		program_shift_right(p, EVTLOG_TYPE_BITS);
		break;
	case FILTER_CONSTANT:
		program_load_constant(p, (s8)source->reg);
		break;
	case FILTER_TREES_OF:
		program_load_trees(p, argument_in(source->reg));
		break;
	default:
		program_load_memory(p, argument_in(source->reg), source->member, width);
	}
}

/* As in filter/stub.c */
void *filter_stub_new(const struct filter_hook *hook, void *function,
		      const struct evtlog_filter *filter, u64 __percpu *rejected)
{
	const struct program_fields fields = { .load = load_of_hook, .what = hook };
	const struct code parts = { .hook = hook, .function = function, .rejected = rejected };

	return code_new(filter, &fields, &parts);
}

/*
 * struct guard - what the sites of a hook with a filter call
 * @key:	their static call
 * @function:	called instead of the hook
 * @code:	the filter; of the last one, while there is none
 */
struct guard {
	const struct static_call_key *key;
	void *function;
	const struct code *code;
};

/* As filter_rejected_slowly(), or the instructions before it; interrupts are off. */
static void count_rejected(const struct code *code, u32 data)
{
	unsigned int type = code->hook->type;

	if (code->rejected)
		this_cpu_inc(*code->rejected);
	else if (this_cpu_read(evtlog_ring.end) ||
		 (!in_nmi() && !evtlog_ring_is_idle() &&
		  evtlog_ring_pass_over(this_cpu_ptr(&evtlog_ring), EVTLOG_TAG(type, data))))
		this_cpu_inc(evtlog_rejected.records[type]);
}

/* Returns the function to be called; NULL: the record is rejected.  Interrupts are off. */
static __always_inline void *
accepted_irqoff(const struct guard *guard, unsigned long a, unsigned long b, unsigned long c)
{
	const struct code *code = READ_ONCE(guard->code);
	u64 (*accepts)(u64 a, u64 b, u64 c) = (void *)code->prog->bpf_func;

	if (accepts(a, b, c))
		return code->function;
	count_rejected(code, (u32)a);
	return NULL;
}

static __always_inline void *
accepted(const struct guard *guard, unsigned long a, unsigned long b)
{
	unsigned long flags;
	void *function;

	raw_local_irq_save(flags);
	function = accepted_irqoff(guard, a, b, 0);
	raw_local_irq_restore(flags);
	return function;
}

/* The guard of evtlog_NAME(); @test has its arguments as numbers. */
#define GUARD(name, hook, test, parameters, arguments)			\
static struct guard guard_of_##name;					\
									\
static void guard_##name parameters					\
{									\
	typeof(&hook) function = test;					\
									\
	if (function)							\
		function arguments;					\
}									\
									\
static struct guard guard_of_##name = {					\
	.key = &STATIC_CALL_KEY(evtlog_##name),				\
	.function = guard_##name,					\
}

#define OF_TASK(name)							\
GUARD(name, __evtlog_##name, accepted(&guard_of_##name, (unsigned long)p, 0),	\
      (struct task_struct *p), (p))
#define OF_NUMBER(name)							\
GUARD(name, __evtlog_##name, accepted(&guard_of_##name, number, 0),	\
      (unsigned int number), (number))
#define OF_IRQ(name)							\
GUARD(name, __evtlog_##name, accepted(&guard_of_##name, irq, ret),	\
      (unsigned int irq, int ret), (irq, ret))
#define OF_VECTOR(TYPE, name)						\
GUARD(name, __evtlog_vector, accepted_irqoff(&guard_of_##name, tag, 0, 0),	\
      (u32 tag), (tag));

GUARD(sched_switch, __evtlog_sched_switch,
      accepted_irqoff(&guard_of_sched_switch, (unsigned long)next, prev_state, preempt),
      (struct task_struct *next, unsigned int prev_state, bool preempt),
      (next, prev_state, preempt));
OF_TASK(sched_waking);
OF_TASK(sched_wakeup_new);
GUARD(sched_migrate_task, __evtlog_sched_migrate_task,
      accepted(&guard_of_sched_migrate_task, (unsigned long)p, dest_cpu),
      (struct task_struct *p, int dest_cpu), (p, dest_cpu));
OF_NUMBER(softirq_entry);
OF_NUMBER(softirq_exit);
OF_NUMBER(irq_handler_entry);
OF_IRQ(irq_handler_exit);
OF_IRQ(irq_percpu_exit);
EVTLOG_VECTORS(OF_VECTOR)

/* A message without fields is not recorded: the hook finds this, too. */
static __always_inline void *
accepted_icmp(const struct guard *guard, bool has_fields, const struct evtlog_icmp_fields *fields)
{
	return has_fields ? accepted(guard, (unsigned long)fields, 0) :
			    READ_ONCE(guard->code)->function;
}

#define ICMP(name, parameters, arguments, ...)				\
GUARD(name, __evtlog_##name, ({						\
	struct evtlog_icmp_fields fields_;				\
	bool has_ = evtlog_##name##_fields(__VA_ARGS__, &fields_);	\
									\
	accepted_icmp(&guard_of_##name, has_, &fields_);		\
}), parameters, arguments)

ICMP(icmp_rx, (struct sk_buff *skb), (skb), skb, NULL);
ICMP(icmp_tx, (struct sk_buff *skb, struct net_device *dev), (skb, dev), skb, dev);

#define PUT(name)							\
static struct guard guard_of_##name;					\
									\
static int guard_##name(struct evtlog_entry *entry)			\
{									\
	typeof(&__evtlog_##name) function =				\
		accepted(&guard_of_##name, (unsigned long)entry, 0);	\
									\
	return function ? function(entry) : -ECANCELED;			\
}									\
									\
static struct guard guard_of_##name = {					\
	.key = &STATIC_CALL_KEY(evtlog_##name),				\
	.function = guard_##name,					\
}

PUT(put_now);
PUT(put_at);

static struct guard *const guards[] = {
#define X(TYPE, name) &guard_of_##name,
	X(, sched_switch) X(, sched_waking) X(, sched_wakeup_new) X(, sched_migrate_task)
	X(, softirq_entry) X(, softirq_exit)
	X(, irq_handler_entry) X(, irq_handler_exit) X(, irq_percpu_exit)
	X(, icmp_rx) X(, icmp_tx) X(, put_now) X(, put_at)
	EVTLOG_VECTORS(X)
#undef X
};

static struct guard *guard_at(const struct static_call_key *key)
{
	unsigned int i = 0;

	while (guards[i]->key != key)
		i++;
	return guards[i];
}

/* As in code/text.h.  A guard that still runs after the change needs its code until it has ended. */
void evtlog_text_set_site(struct static_call_key *key, void *trampoline, void *function,
			  void *code)
{
	struct guard *guard;

	if (code) {
		guard = guard_at(key);
		mutex_lock(&codes_lock);
		/* Before the sites call the guard */
		smp_store_release(&guard->code, find(code));
		mutex_unlock(&codes_lock);
		function = guard->function;
	}
	__static_call_update(key, trampoline, function);
}
