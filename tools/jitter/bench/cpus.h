/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs the benchmark takes, and which are left for others.
 */
#ifndef EVTLOG_JITTER_BENCH_CPUS_H
#define EVTLOG_JITTER_BENCH_CPUS_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#define CPUS_LIST_BYTES	1024

/*
 * @cpus:	in order
 * @others:	on which this process may run besides; may be empty
 */
struct cpus {
	uint32_t *cpus;
	uint32_t count;
	cpu_set_t others;
};

/*
 * @list:	such as 0-3,5; NULL: all that are online and allowed
 *
 * Says what is wrong.  Returns an exit status; cpus_free() if it is EXIT_OK.
 */
int cpus_choose(struct cpus *cpus, const char *list);
void cpus_free(struct cpus *cpus);

/*
 * cpus_stolen_ms() - for how long the hypervisor ran something else since boot, as the kernel knows it
 *
 * The sum over @cpus, from the column steal of /proc/stat: proc_stat(5). In units of USER_HZ.  0 also
 * if the kernel has no steal clock.
 */
uint64_t cpus_stolen_ms(const struct cpus *cpus);

/* "0-3,5", as far as there is room. */
void cpus_print(const cpu_set_t *set, char *text, size_t bytes);

#endif /* EVTLOG_JITTER_BENCH_CPUS_H */
