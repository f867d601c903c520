/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct calls from many of ftrace's sites, each to its own stub, in one pass over all sites.
 *
 * kernel/trace/ftrace.c includes this file, which uses its tables; site.c calls it.  Each call is
 * set up as by register_ftrace_direct(), but with an ops of its own.  register_ftrace_direct()
 * walks all sites of the kernel several times per call, and unregister_ftrace_direct() waits for
 * RCU per call.
 */
#include "../evtlog/probe/ftrace.h"

static struct ftrace_ops evtlog_direct_ops = {
	.func		= call_direct_funcs,
	.flags		= FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
	/* As in direct_ops: no trampoline is to be allocated. */
	.trampoline	= FTRACE_REGS_ADDR,
};

/* Removes the entries of @ips from the table, the last first. */
static void evtlog_ftrace_forget(const unsigned long *ips, unsigned int nr, void **retired)
{
	while (nr--) {
		struct ftrace_func_entry *entry = __ftrace_lookup_ip(direct_functions, ips[nr]);

		if (WARN_ON(!entry))
			continue;
		remove_hash_entry(direct_functions, entry);
		retired[nr] = entry;
		ftrace_direct_func_count--;
	}
}

/*
 * Makes the table as large as possible while it is empty: later, readers would miss the entries that
 * are moved.  @old: the replaced table, to be freed later, or NULL.
 */
static int evtlog_ftrace_grow(struct ftrace_hash **old)
{
	struct ftrace_hash *hash = direct_functions, *larger;

	*old = NULL;
	if (!ftrace_hash_empty(hash))
		return 0;
	larger = dup_hash(hash, 2 << FTRACE_HASH_MAX_BITS);
	if (!larger)
		return -ENOMEM;
	*old = hash;
	direct_functions = larger;
	return 0;
}

static int evtlog_ftrace_note(unsigned long ip, unsigned long target)
{
	struct ftrace_func_entry *entry;

	if (ftrace_find_rec_direct(ip))
		return -EBUSY;
	entry = kmalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	entry->ip = ip;
	entry->direct = target;
	__add_hash_entry(direct_functions, entry);
	ftrace_direct_func_count++;
	return 0;
}

int evtlog_ftrace_add(unsigned long *ips, const unsigned long *targets, unsigned int nr,
		      unsigned int *failed, void **retired)
{
	struct ftrace_hash *old;
	unsigned int done = 0;
	int error;

	mutex_lock(&direct_mutex);
	error = evtlog_ftrace_grow(&old);
	for (; !error && done < nr; done += !error)
		error = evtlog_ftrace_note(ips[done], targets[done]);
	if (error)
		goto forget;
	error = ftrace_set_filter_ips(&evtlog_direct_ops, ips, nr, 0, 0);
	if (!error && !(evtlog_direct_ops.flags & FTRACE_OPS_FL_ENABLED)) {
		error = register_ftrace_function_nolock(&evtlog_direct_ops);
		if (error)
			ftrace_set_filter_ips(&evtlog_direct_ops, ips, nr, 1, 0);
	}
	if (!error)
		goto unlock;
forget:
	*failed = done;
	evtlog_ftrace_forget(ips, done, retired);
unlock:
	mutex_unlock(&direct_mutex);
	/* A reader of the old table may be preempted, or run where RCU does not watch. */
	if (old && old != EMPTY_HASH)
		call_rcu_tasks(&old->rcu, __free_ftrace_hash_rcu);
	return error;
}

int evtlog_ftrace_remove(unsigned long *ips, unsigned int nr, void **retired)
{
	int error = 0;

	mutex_lock(&direct_mutex);
	/* An empty filter would mean all functions. */
	if (evtlog_direct_ops.func_hash->filter_hash->count == nr)
		error = unregister_ftrace_function(&evtlog_direct_ops);
	if (!error) {
		while ((error = ftrace_set_filter_ips(&evtlog_direct_ops, ips, nr, 1, 0)) == -ENOMEM)
			cond_resched();
	}
	/* If ftrace has found a fault in the meantime, some sites are unchanged. */
	if (!error && ftrace_disabled)
		error = -ENODEV;
	if (!error)
		evtlog_ftrace_forget(ips, nr, retired);
	mutex_unlock(&direct_mutex);
	return error;
}

bool evtlog_ftrace_is_disabled(void)
{
	return ftrace_disabled;
}
