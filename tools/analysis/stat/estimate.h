/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Totals of a sampled event, estimated from the records of its sample, and their standard errors.
 *
 * Called by sampled.c, which knows logs; tests/unit judges it with the kernel's own sampling.
 */
#ifndef EVTLOG_ANALYSIS_STAT_ESTIMATE_H
#define EVTLOG_ANALYSIS_STAT_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/event-format.h>

/* Value 0 is 1 for each record, so that its total is that of the events. */
#define ESTIMATE_VALUES_MAX	17

/* The factor of a 95 % interval of a normal distribution */
#define ESTIMATE_Z		1.959964

/**
 * struct estimate_how - how an event is sampled
 * @sampling:	of struct evtlog_event_format
 * @every:	N, or nanoseconds
 * @probability: of each event
 * @values:	of each record, value 0 too
 */
struct estimate_how {
	enum evtlog_sampling sampling;
	double every;
	double probability;
	unsigned int values;
};

struct estimate;

/* @cpus: numbered from 0 on; it grows with those that come.  NULL: out of memory. */
struct estimate *estimate_new(const struct estimate_how *how, unsigned int cpus);
void estimate_free(struct estimate *e);

/*
 * Adds a record, of each CPU in the order of time.  @values: @how.values of them; @key: of the
 * argument by which is sampled, or a hash of it.  0 or -ENOMEM.
 */
int estimate_add(struct estimate *e, unsigned int cpu, uint64_t time_ns, uint64_t weight,
		 const double *values, uint64_t key);

/*
 * The estimated total of a value, of a run that ends at @end_ns.  @error: its standard error; negative:
 * nobody knows.
 */
double estimate_total(const struct estimate *e, unsigned int value, uint64_t end_ns, double *error);

/*
 * Whether bursts of hits with pauses as long as the interval would make the total wrong by more than
 * its error: of a sum by time, of which hits were left out.
 */
bool estimate_may_be_biased(const struct estimate *e, unsigned int value);

#endif /* EVTLOG_ANALYSIS_STAT_ESTIMATE_H */
