// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes at the entry and the return of functions, in a module, which has no machine code of its
 * own: ftrace calls one function for all entries, and the kernel's return probes call another one.
 *
 * In the place of probe/code.c, stub.c and site.c, and of what they call.  A probe's filter is a
 * BPF program; probe/hit.c does the rest.  A task that sleeps in a function needs nothing of this
 * module to return from it: while it sleeps, the kernel's own structures and code are on its stack,
 * and after the end of the probe they call nobody.
 */
#include <linux/err.h>
#include <linux/evtlog.h>
#include <linux/filter.h>
#include <linux/ftrace.h>
#include <linux/hashtable.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "module/program.h"
#include "probe/ftrace.h"
#include "probe/probe.h"
#include "ring.h"

/* Tasks in a function with a probe of its return, at most; other hits are lost, and counted. */
#define TASKS_MAX	512

/*
 * struct site - what a probe has inserted
 * @node:	by ftrace's site, for the probe of an entry
 * @rp:		for the probe of a return
 * @filter:	program, or NULL
 */
struct site {
	struct hlist_node node;
	struct evtlog_probe *p;
	struct kretprobe rp;
	struct bpf_prog *filter;
};

/*
 * struct entry - a function's arguments, kept until it returns
 * @registers:	in the order of EVTLOG_PROBE_REGISTERS
 */
struct entry {
	unsigned long registers[EVTLOG_PROBE_REGISTERS];
	unsigned long sp;
};

const char evtlog_probe_site_mechanism[] = "ftrace";

/* Changed under evtlog_probe_lock; hits read it, and evtlog_text_wait() waits for them. */
static DEFINE_HASHTABLE(sites, 10);
static unsigned int nr_sites;

/* Always empty */
LIST_HEAD(evtlog_probe_sites_removed);

/* For probe/packet.c and eval.c */
unsigned long evtlog_probe_copy(void *to, const void *from, size_t bytes)
{
	return !!copy_from_kernel_nofault(to, from, bytes);
}

bool evtlog_probe_is_own_code(unsigned long address)
{
	return within_module(address, THIS_MODULE);
}

/* Interrupts are off. */
static __always_inline void hit(struct evtlog_probe *p, const struct pt_regs *regs)
{
	if (!evtlog_hook_on(event)) {
		this_cpu_inc(p->counts->idle);
	} else if (in_nmi()) {
		evtlog_probe_slow(p);
	} else if (unlikely(p->filter && !rcu_is_watching())) {
		/* The filter may need RCU. */
		evtlog_drop_nested();
		this_cpu_inc(p->counts->lost);
	} else {
		evtlog_probe_hit(p, regs);
	}
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#define arch_ftrace_regs(fregs)	(fregs)
#endif

/* The argument registers and the stack pointer are saved, others are not. */
static void on_entry(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		     struct ftrace_regs *fregs)
{
	unsigned long flags;
	struct site *s;

	raw_local_irq_save(flags);
	hash_for_each_possible_rcu_notrace(sites, s, node, ip) {
		if (s->p->site == ip)
			hit(s->p, &arch_ftrace_regs(fregs)->regs);
	}
	raw_local_irq_restore(flags);
}

/* One for all entries: ftrace would make code for each. */
static struct ftrace_ops entries = {
	.func = on_entry,
	.flags = FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_PERMANENT,
};

static int on_enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	*(struct entry *)instance->data = (struct entry){
		.registers = { regs->di, regs->si, regs->dx, regs->cx, regs->r8, regs->r9 },
		.sp = regs->sp,
	};
	return 0;
}
NOKPROBE_SYMBOL(on_enter);

static int on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct entry *entry = (const struct entry *)instance->data;
	const unsigned long *r = entry->registers;
	struct pt_regs both = {
		.di = r[0], .si = r[1], .dx = r[2], .cx = r[3], .r8 = r[4], .r9 = r[5],
		.sp = entry->sp,
		.ax = regs->ax,
	};
	unsigned long flags;

	raw_local_irq_save(flags);
	hit(container_of(get_kretprobe(instance), struct site, rp)->p, &both);
	raw_local_irq_restore(flags);
	return 0;
}
NOKPROBE_SYMBOL(on_return);

static void load_of_slot(struct program *p, const void *unused, unsigned int slot,
			 unsigned int width)
{
	program_load_memory(p, 0, slot * sizeof(u64), width);
}

static int make_filter(struct evtlog_probe *p, struct site *s)
{
	const struct program_fields fields = { .load = load_of_slot };

	if (!p->filter)
		return 0;
	s->filter = program_make(p->filter, &fields);
	if (IS_ERR(s->filter))
		return PTR_ERR(s->filter);
	p->accepts = (void *)s->filter->bpf_func;
	return 0;
}

/* As in probe/code.c; -EOPNOTSUPP: the kernel does not compile programs. */
int evtlog_probe_code_make(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct site *s = kzalloc(sizeof(*s), GFP_KERNEL);
	int status;

	if (!s)
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	s->p = p;
	status = make_filter(p, s);
	if (!status) {
		p->stub = s;
		return 0;
	}
	kfree(s);
	if (status == -E2BIG)
		return evtlog_probe_refuse(error, status, "the filter is too large; make it shorter");
	if (status == -EOPNOTSUPP)
		return evtlog_probe_refuse(error, status,
			"a filter needs the kernel's compiler of BPF; write 1 to /proc/sys/net/core/bpf_jit_enable");
	return evtlog_probe_refuse(error, status, "not enough memory");
}

void evtlog_probe_code_free(struct evtlog_probe *p)
{
	struct site *s = p->stub;

	if (!s)
		return;
	if (s->filter)
		bpf_prog_free(s->filter);
	kfree(s);
}

static bool is_entry(const struct evtlog_probe *p)
{
	return p->mechanism == EVTLOG_PROBE_DIRECT && p->kind == EVTLOG_PROBE_ENTRY;
}

static bool is_return(const struct evtlog_probe *p)
{
	return p->mechanism == EVTLOG_PROBE_DIRECT && p->kind == EVTLOG_PROBE_RETURN;
}

static bool has_probe(unsigned long ip)
{
	struct site *s;

	hash_for_each_possible(sites, s, node, ip) {
		if (s->p->site == ip)
			return true;
	}
	return false;
}

/* Returns an array for the sites of a batch, or NULL. */
static unsigned long *new_array(struct list_head *probes)
{
	struct evtlog_probe *p;
	unsigned int nr = 0;

	list_for_each_entry(p, probes, list)
		nr += is_entry(p);
	return kvcalloc(nr + 1, sizeof(unsigned long), GFP_KERNEL);
}

/* Lets hits find the probes of a batch.  Returns how many sites ftrace is to call from now on. */
static unsigned int note_entries(struct list_head *probes, unsigned long *ips)
{
	struct evtlog_probe *p;
	unsigned int nr = 0;

	list_for_each_entry(p, probes, list) {
		if (!is_entry(p))
			continue;
		if (!has_probe(p->site))
			ips[nr++] = p->site;
		hash_add_rcu(sites, &((struct site *)p->stub)->node, p->site);
	}
	return nr;
}

/* Undoes note_entries().  Returns how many sites ftrace is not to call any more. */
static unsigned int forget_entries(struct list_head *probes, unsigned long *ips)
{
	struct evtlog_probe *p;
	unsigned int nr = 0;

	list_for_each_entry(p, probes, list) {
		if (!is_entry(p))
			continue;
		hash_del_rcu(&((struct site *)p->stub)->node);
		if (!has_probe(p->site))
			ips[nr++] = p->site;
	}
	return nr;
}

static int call_entries(unsigned long *ips, unsigned int nr)
{
	int error = nr ? ftrace_set_filter_ips(&entries, ips, nr, 0, 0) : 0;

	if (!error && nr && !nr_sites) {
		error = register_ftrace_function(&entries);
		if (error)
			ftrace_set_filter_ips(&entries, ips, nr, 1, 0);
	}
	if (!error)
		nr_sites += nr;
	return error;
}

/*
 * If ftrace has shut itself down, the sites call this module for ever, and find no probe: then only
 * the module must stay.
 */
static void release_entries(unsigned long *ips, unsigned int nr)
{
	int error = 0;

	if (!nr)
		return;
	/* An empty filter would mean all functions. */
	if (nr == nr_sites)
		error = unregister_ftrace_function(&entries);
	if (!error) {
		while ((error = ftrace_set_filter_ips(&entries, ips, nr, 1, 0)) == -ENOMEM)
			cond_resched();
	}
	nr_sites -= nr;
	if (!error)
		return;
	pr_warn("evtlog: the module stays until the next boot, because ftrace is disabled\n");
	__module_get(THIS_MODULE);
}

/* Asked for kprobes at ftrace's sites, which only returns have here: disable_returns() */
bool evtlog_ftrace_is_disabled(void)
{
	return false;
}

static int add_return(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct site *s = p->stub;
	int status;

	s->rp = (struct kretprobe){
		.kp.addr = (kprobe_opcode_t *)p->address,
		.entry_handler = on_enter,
		.handler = on_return,
		.maxactive = TASKS_MAX,
		.data_size = sizeof(struct entry),
	};
	status = register_kretprobe(&s->rp);
	if (!status)
		return 0;
	s->rp.kp.addr = NULL;
	if (status == -EINVAL)
		return evtlog_probe_refuse(error, status,
			"%.90s cannot be probed, because the kernel's own handling of probes uses it", p->name);
	return evtlog_probe_refuse(error, status, "the kernel refuses a return probe at %.60s: %pe",
				   p->symbol, ERR_PTR(status));
}

static struct kretprobe *return_of(const struct evtlog_probe *p)
{
	struct site *s = p->stub;

	return is_return(p) && s->rp.kp.addr ? &s->rp : NULL;
}

static void enable_returns(struct list_head *probes)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, probes, list) {
		if (return_of(p) && enable_kretprobe(return_of(p)))
			pr_warn("evtlog: probe %s could not be armed again, and records nothing\n", p->name);
	}
}

static int disable_returns(struct list_head *probes)
{
	struct evtlog_probe *p;
	int error = 0;

	list_for_each_entry(p, probes, list) {
		error = return_of(p) ? disable_kretprobe(return_of(p)) : 0;
		if (error)
			break;
	}
	if (error)
		enable_returns(probes);
	return error;
}

/* After this, no handler runs, although tasks may still be in the functions. */
static void remove_returns(struct list_head *probes)
{
	struct evtlog_probe *p;
	struct kretprobe **all;
	unsigned int nr = 0, i = 0;

	list_for_each_entry(p, probes, list)
		nr += !!return_of(p);
	if (!nr)
		return;
	/* At once, because each call waits for all CPUs. */
	all = kvcalloc(nr, sizeof(*all), GFP_KERNEL | __GFP_NOFAIL);
	list_for_each_entry(p, probes, list) {
		if (return_of(p))
			all[i++] = return_of(p);
	}
	unregister_kretprobes(all, nr);
	for (i = 0; i < nr; i++)
		all[i]->kp.addr = NULL;
	kvfree(all);
}

/* As in probe/site.c */
int evtlog_probe_sites_remove(struct list_head *probes)
{
	unsigned long *ips;
	int error = disable_returns(probes);

	if (error)
		return error;
	while (!(ips = new_array(probes)))
		cond_resched();
	release_entries(ips, forget_entries(probes, ips));
	remove_returns(probes);
	kvfree(ips);
	return 0;
}

static int add_returns(struct list_head *probes, struct evtlog_probe_error *error)
{
	struct evtlog_probe *p;
	int status = 0;

	list_for_each_entry(p, probes, list) {
		if (is_return(p))
			status = add_return(p, error);
		if (status)
			break;
	}
	return status;
}

/* As in probe/site.c */
int evtlog_probe_sites_add(struct list_head *probes, struct evtlog_probe_error *error)
{
	unsigned long *ips = new_array(probes);
	int status;

	if (!ips)
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	status = call_entries(ips, note_entries(probes, ips));
	if (status) {
		forget_entries(probes, ips);
		kvfree(ips);
		return evtlog_probe_refuse(error, status, "ftrace cannot insert the probe: %pe",
					   ERR_PTR(status));
	}
	kvfree(ips);
	status = add_returns(probes, error);
	if (status)
		evtlog_probe_sites_remove(probes);
	return status;
}

/* Returns how often a function returned without a hit, because too many tasks were in it. */
u64 evtlog_probe_site_missed(const struct evtlog_probe *p)
{
	const struct site *s = p->stub;

	return is_return(p) ? READ_ONCE(s->rp.nmissed) + READ_ONCE(s->rp.kp.nmissed) : 0;
}

/* Nothing is left to free. */
void evtlog_probe_sites_free(struct list_head *list)
{
}

/* No probe is left. */
void evtlog_probe_sites_exit(void)
{
	ftrace_free_filter(&entries);
}
