/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NMIs of each CPU, by runs, and whether as many are told as lost.
 *
 * One that began and ended while a run was recording is its; one that a start or a stop came in,
 * or that came between a stop and the CPU's end, may be.
 */
#ifndef UNIT_RING_NMIS_H
#define UNIT_RING_NMIS_H

#include <linux/types.h>

/* Around an NMI of this CPU, which is lost. */
struct nmi {
	u64 epoch;
	bool is_over;	/* this CPU had left the last run */
};
void nmi_begins(struct nmi *nmi);
void nmi_ended(const struct nmi *nmi);

/* The reader's: so many are told of a CPU's part of a run; exits if that cannot be. */
void nmis_judge(unsigned int cpu, u64 run, u64 told);

#endif /* UNIT_RING_NMIS_H */
