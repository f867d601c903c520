// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the NMIs of each CPU per run, and compares them with the lost NMIs in the log.
 */
#include "machine.h"
#include "ring.h"

#include "expect.h"
#include "ring_nmis.h"

#define RUNS	16

#define load(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define store(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)

/* NMIs of a run, by the CPU's count and by its log */
static struct nmis {
	u64 run;	/* by the CPU */
	u64 sure, possible;
	u64 told_run;	/* by the reader */
	u64 told;
} nmis[SHIM_CPUS][RUNS];

static struct nmis *nmis_of(unsigned int cpu, u64 run)
{
	struct nmis *n = &nmis[cpu][run % RUNS];

	if (load(n->run) != run) {
		store(n->sure, 0);
		store(n->possible, 0);
		__atomic_store_n(&n->run, run, __ATOMIC_RELEASE);
	}
	return n;
}

void nmi_begins(struct nmi *nmi)
{
	nmi->epoch = load(evtlog_epoch);
	nmi->is_over = __atomic_load_n(&evtlog_ring.epoch, __ATOMIC_ACQUIRE) == nmi->epoch &&
		       !(nmi->epoch & EVTLOG_EPOCH_RECORDING);
}

void nmi_ended(const struct nmi *nmi)
{
	unsigned int cpu = smp_processor_id();
	u64 epoch = load(evtlog_epoch), run;
	bool is_same = epoch == nmi->epoch;
	struct nmis *n;

	if (nmi->is_over && is_same)
		return;
	for (run = nmi->epoch >> EVTLOG_EPOCH_RUN_SHIFT;
	     run <= epoch >> EVTLOG_EPOCH_RUN_SHIFT; run++) {
		n = nmis_of(cpu, run);
		store(n->possible, n->possible + 1);
		if (is_same && epoch & EVTLOG_EPOCH_RECORDING)
			store(n->sure, n->sure + 1);
	}
}

static void judge(unsigned int cpu, u64 run)
{
	const struct nmis *n = &nmis[cpu][run % RUNS];
	u64 known = __atomic_load_n(&n->run, __ATOMIC_ACQUIRE);
	u64 sure = known == run ? load(n->sure) : 0, possible = known == run ? load(n->possible) : 0;

	/* The CPU may be many runs ahead of the reader. */
	if (n->told_run != run || known > run || load(n->run) != known)
		return;
	if (n->told < sure || n->told > possible)
		fail("cpu %u run %llu: %llu lost NMIs are told, not %llu to %llu", cpu,
		     (unsigned long long)run, (unsigned long long)n->told,
		     (unsigned long long)sure, (unsigned long long)possible);
}

void nmis_judge(unsigned int cpu, u64 run, u64 told)
{
	struct nmis *n = &nmis[cpu][run % RUNS];

	n->told_run = run;
	n->told = told;
	/* By now the CPU has counted all its NMIs of that run. */
	judge(cpu, run - RUNS / 2);
}
