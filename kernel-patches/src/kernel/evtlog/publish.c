// SPDX-License-Identifier: GPL-2.0-only
/*
 * Publishes the start and the stop of a run, in one store each.
 *
 * Called by run.c, or by a feature in softirq.  Each CPU follows at its next event (join.c).
 */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/evtlog.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "clock.h"
#include "publish.h"
#include "ring.h"
#include "run.h"

struct evtlog_run_state evtlog_run;
u32 evtlog_run_trees __read_mostly;
u32 evtlog_run_tree_pid __read_mostly;

/*
 * Guards evtlog_epoch and the members of evtlog_run that are published with it.  Taken in softirq;
 * no other lock is taken inside it.
 */
static DEFINE_RAW_SPINLOCK(publish_lock);

/**
 * evtlog_run_name_is_valid() - return true if a run may have this name
 * @name:	a letter, then letters, digits and "._-"; at most 31 characters
 *
 * File names contain the name, so no other characters are allowed.
 */
bool evtlog_run_name_is_valid(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++) {
		if (!isascii(name[i]) ||
		    !(isalpha(name[i]) ||
		      (i && (isdigit(name[i]) || strchr("._-", name[i])))))
			return false;
	}
	return i && i < EVTLOG_RUN_NAME_LEN;
}

static void set_label(const struct evtlog_run_request *request)
{
	memset(&evtlog_run_label, 0, sizeof(evtlog_run_label));
	/* A CPU that comes online later begins when it joins. */
	evtlog_run_label.start_is_shared = evtlog_ticks_trusted() || num_online_cpus() == 1;
	evtlog_run_label.tree_pid = evtlog_run_tree_pid;
	if (!request)
		return;
	evtlog_run_label.reference_ticks = request->reference_ticks;
	if (request->name)
		strscpy(evtlog_run_label.name, request->name,
			sizeof(evtlog_run_label.name));
}

/**
 * evtlog_publish_is_under_way() - return true if a run is recording, or some CPUs have not left it
 *
 * Reads both states at one instant, because a stop changes from one to the other.
 */
bool evtlog_publish_is_under_way(void)
{
	unsigned long flags;
	bool under_way;

	raw_spin_lock_irqsave(&publish_lock, flags);
	under_way = evtlog_run.recording || evtlog_run.stopping;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	return under_way;
}

/**
 * evtlog_publish_final_is_due() - return true if a CPU has no room yet for the last run's end
 *
 * Context: any; a reader that returns a buffer changes the result.
 */
bool evtlog_publish_final_is_due(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (READ_ONCE(per_cpu_ptr(&evtlog_ring, cpu)->final_due))
			return true;
	}
	return false;
}

/**
 * evtlog_publish_hold() - keep starts out while their preconditions change
 *
 * Context: task context; the run's lock is held, until evtlog_publish_allow().
 * Return: false: there is a run, and starts are not kept out.
 */
bool evtlog_publish_hold(void)
{
	unsigned long flags;
	bool held;

	lockdep_assert_held(&evtlog_run_lock);
	raw_spin_lock_irqsave(&publish_lock, flags);
	held = !evtlog_run.recording && !evtlog_run.stopping;
	if (held)
		evtlog_run.ready = false;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	return held;
}

/**
 * evtlog_publish_allow() - allow starts after evtlog_publish_hold() or a completed stop
 *
 * Only if the kernel is armed and nothing of the last run is left.
 *
 * Context: task context; the run's lock is held.
 */
void evtlog_publish_allow(void)
{
	unsigned long flags;
	bool ready = evtlog_run.armed && !evtlog_run.asleep_soon &&
		     !evtlog_run.is_changing && !evtlog_publish_final_is_due();

	lockdep_assert_held(&evtlog_run_lock);
	raw_spin_lock_irqsave(&publish_lock, flags);
	WRITE_ONCE(evtlog_run.stopping, false);
	evtlog_run.ready = ready;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
}

/**
 * evtlog_run_publish_start() - begin a new run, in one store
 * @request:	valid name and time of the request; NULL: a run without a name, now
 *
 * Each CPU follows at its next event.  The caller must also call evtlog_run_complete_start();
 * without it the log lacks the names of existing tasks.
 *
 * Context: any but NMI.
 * Return: 0; -EAGAIN: not armed, or another run is in the way. evtlog_run_start() resolves this or
 * returns the cause.
 */
int evtlog_run_publish_start(const struct evtlog_run_request *request)
{
	unsigned long flags;
	int error = -EAGAIN;

	raw_spin_lock_irqsave(&publish_lock, flags);
	if (evtlog_run.ready) {
		evtlog_run.ready = false;
		set_label(request);
		WRITE_ONCE(evtlog_run.run, evtlog_run.run + 1);
		WRITE_ONCE(evtlog_run.recording, true);
		/* Last, because all that follows is recorded. */
		evtlog_run_label.start_ticks = evtlog_ticks64();
		if (!request)
			evtlog_run_label.reference_ticks = evtlog_run_label.start_ticks;
		/* Pairs with the acquire in evtlog_ring_slow(): the label is complete. */
		smp_store_release(&evtlog_epoch,
				  evtlog_run.run << EVTLOG_EPOCH_RUN_SHIFT |
				  EVTLOG_EPOCH_RECORDING);
		error = 0;
	}
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	if (!error && request && request->published)
		request->published(request);
	return error;
}

/**
 * evtlog_run_publish_stop() - stop recording on each CPU, at its next event
 *
 * The caller must also call evtlog_run_complete_stop(), which completes CPUs that have no event.
 *
 * Context: any but NMI.
 * Return: 0; -EALREADY: no run is recording.
 */
int evtlog_run_publish_stop(void)
{
	unsigned long flags;
	unsigned int cpu;
	int error = -EALREADY;

	raw_spin_lock_irqsave(&publish_lock, flags);
	if (evtlog_run.recording) {
		WRITE_ONCE(evtlog_run.recording, false);
		WRITE_ONCE(evtlog_run.stopping, true);
		evtlog_run_label.stop_ticks = evtlog_ticks64();
		/* Pairs with the acquire in evtlog_ring_slow(): @stop_ticks is stored. */
		smp_store_release(&evtlog_epoch,
				  evtlog_run.run << EVTLOG_EPOCH_RUN_SHIFT);
		/* Pairs with the one in ring_let_fast_in(). */
		smp_mb();
		/* CPUs that are coming up or going down have events while they are not online. */
		for_each_possible_cpu(cpu)
			WRITE_ONCE(per_cpu_ptr(&evtlog_ring, cpu)->end, NULL);
		error = 0;
	}
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	return error;
}

/**
 * evtlog_run_published() - read the run and its label, both at one moment
 * @state:	filled in
 * @label:	filled in
 *
 * Context: the run's lock is held.
 */
void evtlog_run_published(struct evtlog_run_state *state, struct evtlog_run_label *label)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&publish_lock, flags);
	*state = evtlog_run;
	*label = evtlog_run_label;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
}
