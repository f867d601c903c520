/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many direct calls from ftrace's sites, each to a stub of its own, in one pass over all sites.
 *
 * Included by kernel/trace/ftrace.c, whose tables these are; called by site.c.  What
 * register_ftrace_direct() does for one call, with an ops of its own: that walks all of the
 * kernel's sites some times, and unregister_ftrace_direct() waits for RCU, for each call.
 */
#include "../evtlog/probe/ftrace.h"

static struct ftrace_ops evtlog_direct_ops = {
	.func		= call_direct_funcs,
	.flags		= FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
	/* As direct_ops: none is to be allocated. */
	.trampoline	= FTRACE_REGS_ADDR,
};

/* Of those found, the table's entries go, the last first. */
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

/* Tables that have grown leave old ones, each twice the size of the one before. */
struct evtlog_old_hashes {
	struct ftrace_hash *at[FTRACE_HASH_MAX_BITS + 1];
	unsigned int nr;
};

static bool evtlog_ftrace_note(unsigned long ip, unsigned long target,
			       struct evtlog_old_hashes *old)
{
	struct ftrace_hash *left = NULL;
	struct ftrace_func_entry *entry = ftrace_add_rec_direct(ip, target, &left);

	if (entry)
		ftrace_direct_func_count++;
	if (left && !WARN_ON(old->nr == ARRAY_SIZE(old->at)))
		old->at[old->nr++] = left;
	return entry;
}

static void evtlog_ftrace_free(struct evtlog_old_hashes *old)
{
	if (old->nr)
		synchronize_rcu_tasks();
	while (old->nr)
		free_ftrace_hash(old->at[--old->nr]);
}

int evtlog_ftrace_add(unsigned long *ips, const unsigned long *targets, unsigned int nr,
		      unsigned int *failed, void **retired)
{
	struct evtlog_old_hashes old = {};
	unsigned int done;
	int error;

	mutex_lock(&direct_mutex);
	for (done = 0; done < nr; done++) {
		error = -EBUSY;
		if (ftrace_find_rec_direct(ips[done]))
			goto forget;
		error = -ENOMEM;
		if (!evtlog_ftrace_note(ips[done], targets[done], &old))
			goto forget;
	}
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
	evtlog_ftrace_free(&old);
	return error;
}

void evtlog_ftrace_remove(unsigned long *ips, unsigned int nr, void **retired)
{
	mutex_lock(&direct_mutex);
	/* An empty filter would mean all functions. */
	if (evtlog_direct_ops.func_hash->filter_hash->count == nr)
		unregister_ftrace_function(&evtlog_direct_ops);
	WARN_ON(ftrace_set_filter_ips(&evtlog_direct_ops, ips, nr, 1, 0));
	evtlog_ftrace_forget(ips, nr, retired);
	mutex_unlock(&direct_mutex);
}
