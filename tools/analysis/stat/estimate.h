/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates totals of a sampled event from the recorded sample, with standard errors.
 *
 * sampled.c, which reads logs, calls it. tests/unit tests it with the kernel's own sampling.
 */
#ifndef EVTLOG_ANALYSIS_STAT_ESTIMATE_H
#define EVTLOG_ANALYSIS_STAT_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/event-format.h>

/* Value 0 is 1 in each record, so its total is the number of events. */
#define ESTIMATE_VALUES_MAX	17

/* Factor for a 95 % interval of a normal distribution */
#define ESTIMATE_Z		1.959964

/**
 * struct estimate_how - how an event is sampled
 * @sampling:	as in struct evtlog_event_format
 * @every:	N, or nanoseconds
 * @probability: probability of each event
 * @values:	number of values of each record, with value 0
 */
struct estimate_how {
	enum evtlog_sampling sampling;
	double every;
	double probability;
	unsigned int values;
};

struct estimate;

/* @cpus: number of CPUs, from 0 on; more are added if they come. NULL: out of memory. */
struct estimate *estimate_new(const struct estimate_how *how, unsigned int cpus);
void estimate_free(struct estimate *e);

/*
 * Adds a record; those of a CPU must be in order of time. @values: @how.values values. @key: the
 * argument by which the event is sampled, or a hash of it. Returns 0 or -ENOMEM.
 */
int estimate_add(struct estimate *e, unsigned int cpu, uint64_t time_ns, uint64_t weight,
		 const double *values, uint64_t key);

/*
 * Estimates the total of a value, for a run that ends at @end_ns.
 * @error: set to its standard error; negative if unknown
 */
double estimate_total(const struct estimate *e, unsigned int value, uint64_t end_ns, double *error);

/*
 * Returns true for a sum of an event sampled by time, if hits were left out: bursts of hits with
 * pauses as long as the interval can make the total wrong by more than its error.
 */
bool estimate_may_be_biased(const struct estimate *e, unsigned int value);

#endif /* EVTLOG_ANALYSIS_STAT_ESTIMATE_H */
