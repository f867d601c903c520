/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the NMIs of each CPU per run, and compares them with the lost NMIs in the log.
 *
 * An NMI that begins and ends while a run records belongs to the run. An NMI that overlaps a start
 * or a stop, or comes between a stop and the CPU's end, may belong to the run.
 */
#ifndef UNIT_RING_NMIS_H
#define UNIT_RING_NMIS_H

#include <linux/types.h>

/* Around a lost NMI of this CPU */
struct nmi {
	u64 epoch;
	bool is_over;	/* this CPU had left the last run */
};
void nmi_begins(struct nmi *nmi);
void nmi_ended(const struct nmi *nmi);

/* For the reader: @told NMIs are in a CPU's part of a run. Exits if that is impossible. */
void nmis_judge(unsigned int cpu, u64 run, u64 told);

#endif /* UNIT_RING_NMIS_H */
